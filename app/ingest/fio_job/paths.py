"""What a job's paths and engines mean in an experiment, and what no job may do.

People's jobs name their own disks and mount points; here they stand for the experiment's device and filesystem. A job
comes from strangers, so nothing in it may run a command, load code, reach another machine or leave its directory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from app.catalog import fio_options
from app.domain.diagnostic import Severity
from app.domain.fio import FioValue, Target

Remark = tuple[Severity, str]

_LOGS = frozenset({"write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log", "write_iolog"})
_PLACES = frozenset({"filename", "directory", "opendir", "replay_redirect", "donorname", "filename_format", "dir"})
_COMMANDS = frozenset({"exec_prerun", "exec_postrun"})
_REMOTE = frozenset({"client", "server", "daemonize", "remote-config", "trigger", "trigger-remote", "trigger-file"})
_NETWORK = frozenset({"net", "netsplice", "rdma", "rados", "rbd", "gfapi", "gfapi_async", "nbd"})
# Character devices that every system has; they hold no data, so they are left as they are.
_HARMLESS = frozenset({"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
# A filesystem in memory, although its path begins with /dev.
_SHARED_MEMORY = re.compile(r"/dev/shm(/|$)")
_WINDOWS_DEVICE = re.compile(r"\\\\\.\\")


def split_names(text: str) -> Iterator[str]:
    """Yield the names of a list such as `filename`, separated by colons; a colon after a backslash is part of one."""
    for name in re.split(r"(?<=[^\\]):", text.strip(" \t")):
        if name:
            yield name.replace("\\:", ":")


def command_line_option(name: str) -> str | None:
    """Return why a name that is no job option is refused when it belongs on fio's command line."""
    if name in _REMOTE:
        return f"{name} is for fio's command line: a job may not talk to other machines or start commands"
    return None


def judge(name: str, value: FioValue, files: Mapping[str, str]) -> tuple[Target | None, list[Remark]]:
    """Say what an option's path stands for (None when it is none), and what is to be told or refused about it."""
    if name in _COMMANDS:
        return None, [("error", f"{name} runs a command; a job may not")]
    if name == "ioengine":
        return None, _engine(str(value))
    if name in _LOGS:
        return _log(name, value)
    if name in _PLACES:
        return _place(name, str(value))
    if name in ("read_iolog", "merge_blktrace_file"):
        return _trace(name, str(value), files)
    if name in ("mem", "verify_pattern", "buffer_pattern"):
        return _embedded(name, str(value), files)
    if name == "ioscheduler":
        return None, [("warning", f"the job sets the scheduler {value}; device.scheduler of the experiment should")]
    if name == "allow_mounted_write" and value:
        return None, [("warning", "allow_mounted_write lets a job write below a mounted filesystem")]
    return None, []


def _engine(engine: str) -> list[Remark]:
    name = engine.split(":", 1)[0]
    if name == "exec":
        return [("error", "ioengine=exec runs a command; a job may not")]
    if name == "external" or "/" in engine:
        return [("error", f"ioengine={engine} loads code; a job may not")]
    if name in _NETWORK:
        return [("error", f"ioengine={engine} reaches other machines; a job may not")]
    if name in fio_options.ENGINES_ELSEWHERE:
        return [("error", f"the engine {engine} is not part of fio 3.33 on Debian")]
    if name not in fio_options.engines():
        if name.strip() in fio_options.engines():
            return [("error", f"fio does not skip the blank after '=': ioengine={name.strip()}")]
        return [("error", f"unknown ioengine '{engine}'; fio 3.33 has {', '.join(fio_options.engines())}")]
    return []


def _parent(name: str, path: str) -> list[Remark]:
    return [("error", f"{name}={path}: a parent path (..) is not allowed")]


def _climbs(path: str) -> bool:
    return ".." in re.split(r"[/\\]", path)


def _log(name: str, value: FioValue) -> tuple[Target | None, list[Remark]]:
    path = "" if value is True else str(value)
    if _climbs(path):
        return None, _parent(name, path)
    shown = f"{name}={path}" if path else name
    return "artifact", [("info", f"{shown}: the log is kept with the run's artifacts")]


def _place(name: str, value: str) -> tuple[Target | None, list[Remark]]:
    """Map a list of paths: one device among them makes it a list of devices."""
    targets: set[Target] = set()
    remarks: list[Remark] = []
    for path in split_names(value):
        if _climbs(path):
            return None, _parent(name, path)
        if path == "-":
            return None, [("error", f"{name}=-: a job has no standard input or output here")]
        if path in _HARMLESS:
            remarks.append(("info", f"{path} is left as it is: nothing reaches a device"))
        elif is_device(path):
            targets.add("device")
            remarks.append(("info", f"{path} is mapped to the experiment's device"))
        else:
            targets.add("filesystem")
            if path.startswith("/"):
                remarks.append(("info", f"{path} is mapped to the experiment's filesystem"))
    return ("device" if "device" in targets else "filesystem" if targets else None), remarks


def is_device(path: str) -> bool:
    """Whether a path names a disk: all below /dev but shared memory and the devices without data, or a Windows disk."""
    if path in _HARMLESS or _SHARED_MEMORY.match(path):
        return False
    return path.startswith("/dev/") or bool(_WINDOWS_DEVICE.match(path))


def _trace(name: str, value: str, files: Mapping[str, str]) -> tuple[Target | None, list[Remark]]:
    if name == "merge_blktrace_file":
        return _log(name, value)
    remarks: list[Remark] = []
    for path in split_names(value):
        if _climbs(path):
            return None, _parent(name, path)
        if path not in files:
            remarks.append(("error", f"{name}={path}: that file was not given with the job"))
    return "file", remarks


def _embedded(name: str, value: str, files: Mapping[str, str]) -> tuple[Target | None, list[Remark]]:
    """Judge the options that may name a file inside their value: mem=mmap:/path, buffer_pattern='/path'."""
    if name == "mem":
        kind, colon, path = value.partition(":")
        if not colon or not kind.startswith("mmap"):
            return None, []
        return (None, _parent(name, path)) if _climbs(path) else _place(name, path)
    for path in re.findall(r"'([^']*)'", value):
        if _climbs(path):
            return None, _parent(name, path)
        if path not in files:
            return "file", [("error", f"{name}: the file '{path}' was not given with the job")]
    return None, []
