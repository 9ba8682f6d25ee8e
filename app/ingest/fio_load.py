"""From a fio job file to the loads that a runner without a real file system puts on its device.

fio 3.33's rules (filesetup.c, init.c, options.c): a clone per `numjobs`; the file named by `filename` is shared by all
who name it, else each clone has its own; `filesize` fixes a file's size, else `size` does; `size` is the I/O of one
clone, `io_size` overrides it, `loops` multiplies it; sync engines have depth 1 whatever `iodepth` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from app.domain.diagnostic import Diagnostic, Severity
from app.domain.fio import FioJob, FioJobFile, FioOption
from app.domain.load import Load, Pattern

SYNC_ENGINES = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2"})
ASYNC_ENGINES = frozenset({"libaio", "io_uring", "posixaio"})
SYNC_WORDS: Mapping[str, str] = {"none": "none", "0": "none", "sync": "sync", "1": "sync", "dsync": "dsync"}
PATTERNS: Mapping[str, Pattern] = {
    "read": "read",
    "write": "write",
    "trim": "trim",
    "randread": "randread",
    "randwrite": "randwrite",
    "randtrim": "randtrim",
    "rw": "rw",
    "readwrite": "rw",
    "randrw": "randrw",
}
FILE_ALIGNMENT_BYTES = 1 << 20
"""Files are laid out at megabyte borders, as partitioning tools and extent allocators do."""

LOADS_MAX = 1024
DEPTH_MAX = 10_240
OUTSTANDING_MAX = 65_536
BLOCK_MAX_BYTES = 64 << 20
TIME_MAX_NS = 7 * 86_400 * 10**9
"""Limits keep memory and time bounded; each is far above what a real machine is asked to do."""

SECTOR_BYTES = 512
BLOCK_DEFAULT_BYTES = 4096


@dataclass
class Loads:
    """What a job file comes to: its loads, and what has to be said about it."""

    loads: list[Load] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing stands against running them."""
        return all(entry.severity != "error" for entry in self.diagnostics)


class _Refused(Exception):
    """This job cannot become a load; the diagnostic is on the list."""


def loads_of(
    job_file: FioJobFile, *, honoured: frozenset[str], ignored: Mapping[str, str], device: Mapping[str, int | str]
) -> Loads:
    """Return the loads of a job file on a device with the values `capacity_bytes` and `discard`.

    Options outside `honoured` and `ignored` are errors at their line; ignored ones are named with their reason.
    """
    made = Loads()
    layout = _Layout(int(device["capacity_bytes"]))
    group = 0
    for number, job in enumerate(job_file.jobs):
        if number and _flag(job, "new_group"):
            group += 1
        try:
            _check_options(job, honoured, ignored, made)
            for load in _clones(job, group, layout, made):
                if len(made.loads) >= LOADS_MAX:
                    _refuse(made, job, "numjobs", f"more than {LOADS_MAX} jobs in all")
                if "trim" in load.pattern and not device["discard"]:
                    _refuse(made, job, "rw", f"rw={load.pattern}: the device has no discard")
                made.loads.append(load)
        except _Refused:
            continue
    outstanding = sum(load.iodepth for load in made.loads)
    if outstanding > OUTSTANDING_MAX:
        made.diagnostics.append(
            Diagnostic("error", 1, 1, f"{outstanding} I/Os outstanding in all; this runner takes {OUTSTANDING_MAX}")
        )
    made.diagnostics = list(dict.fromkeys(made.diagnostics))
    return made


class _Layout:
    """Where files lie on the device: one after the other, in the order in which jobs name them."""

    def __init__(self, capacity_bytes: int) -> None:
        self.capacity_bytes = capacity_bytes
        self._files: dict[str, tuple[int, int]] = {}
        self._end = 0

    def place(self, name: str, size_bytes: int) -> tuple[int, int] | None:
        """Return (offset, size) of a file, made if it is new; None when the device is full."""
        if name in self._files:
            offset, size = self._files[name]
            if size >= size_bytes:
                return offset, size
            if offset + size != self._end:
                return None
            self._end = offset
            del self._files[name]
        start = -(-self._end // FILE_ALIGNMENT_BYTES) * FILE_ALIGNMENT_BYTES
        if start + size_bytes > self.capacity_bytes:
            return None
        self._files[name] = start, size_bytes
        self._end = start + size_bytes
        return start, size_bytes


def _check_options(job: FioJob, honoured: frozenset[str], ignored: Mapping[str, str], made: Loads) -> None:
    refused = False
    for name, option in job.settings.items():
        if name in ignored:
            _say(made, "info", option, f"{name} is not used: {ignored[name]}")
        elif name not in honoured and not _is_default(option):
            _say(made, "error", option, f"this runner does not model {name}; take it out, or choose a runner that does")
            refused = True
    if refused:
        raise _Refused


def _is_default(option: FioOption) -> bool:
    """Whether an option is switched off, so that leaving it out means the same."""
    return option.value is False


def _clones(job: FioJob, group: int, layout: _Layout, made: Loads) -> Iterator[Load]:
    engine = str(job.options.get("ioengine", "psync"))
    if engine not in SYNC_ENGINES | ASYNC_ENGINES:
        known = ", ".join(sorted(SYNC_ENGINES | ASYNC_ENGINES))
        _refuse(made, job, "ioengine", f"this runner does not model ioengine={engine}; it models {known}")
    if not _flag(job, "direct"):
        _refuse(made, job, "direct", f"job {job.name}: buffered I/O is not modelled; set direct=1")
    rw = str(job.options.get("rw", "read"))
    if rw not in PATTERNS:
        _refuse(made, job, "rw", f"this runner does not model rw={rw}; it models {', '.join(PATTERNS)}")
    pattern = PATTERNS[rw]
    depth = _depth(job, engine, made)
    for name in ("runtime", "ramp_time"):
        if _time_ns(job, name) > TIME_MAX_NS:
            _refuse(made, job, name, f"{name} is longer than the {TIME_MAX_NS // 10**9} s that this runner simulates")
    runtime_ns = _time_ns(job, "runtime")
    time_based = _flag(job, "time_based")
    if time_based and not runtime_ns:
        _refuse(made, job, "time_based", "time_based needs a runtime")
    if _whole(job, "nrfiles", 1) != 1:
        _refuse(made, job, "nrfiles", "this runner models one file a job; leave nrfiles at 1")
    for clone in range(_whole(job, "numjobs", 1)):
        size = _Extent(job, clone, layout, made)
        yield Load(
            name=job.name,
            clone=clone,
            group=group,
            engine=engine,
            asynchronous=engine in ASYNC_ENGINES,
            iodepth=depth,
            pattern=pattern,
            read_percent=_read_percent(job),
            block_bytes=_block_bytes(job, size, made),
            region_offset_bytes=size.offset_bytes,
            region_bytes=size.region_bytes,
            io_bytes=size.io_bytes,
            runtime_ns=runtime_ns or None,
            time_based=time_based,
            ramp_ns=_time_ns(job, "ramp_time"),
            random_map=not _flag(job, "norandommap"),
            fsync_writes=_whole(job, "fsync", 0),
            fdatasync_writes=_whole(job, "fdatasync", 0),
            sync=SYNC_WORDS[str(job.options.get("sync", "none"))],
            end_fsync=_flag(job, "end_fsync") or _flag(job, "fsync_on_close"),
        )


class _Extent:
    """Which bytes of the device a clone works on, and how many it transfers."""

    def __init__(self, job: FioJob, clone: int, layout: _Layout, made: Loads) -> None:
        names = str(job.options.get("filename", "")).split(":") if "filename" in job.settings else []
        if len(names) > 1:
            _refuse(made, job, "filename", "this runner models one file a job; name one")
        on_device = bool(names) and names[0].startswith("/dev/")
        size = job.options.get("size")
        if on_device:
            file_bytes, start = layout.capacity_bytes, 0
        else:
            file_bytes = self._file_bytes(job, layout, made)
            name = names[0] if names else f"{job.name}.{clone}.0"
            placed = layout.place(f"{job.options.get('directory', '')}/{name}", file_bytes)
            if placed is None:
                _refuse(
                    made,
                    job,
                    "filesize" if "filesize" in job.settings else "size",
                    f"the files do not fit the device of {layout.capacity_bytes} bytes; make them smaller",
                )
            start, file_bytes = placed
        offset = self._part(job, "offset", file_bytes, made) or 0
        if offset % SECTOR_BYTES:
            _refuse(made, job, "offset", f"direct I/O needs whole sectors of {SECTOR_BYTES} bytes; {offset} is none")
        if offset >= file_bytes:
            _refuse(made, job, "offset", f"the offset of {offset} bytes lies beyond the {file_bytes} bytes of the file")
        amount = self._part(job, "size", file_bytes, made) if size is not None else file_bytes
        reach = file_bytes - offset
        region = reach if amount is None or amount > reach else amount
        if on_device and size is not None and amount is not None and amount > reach:
            _refuse(made, job, "size", f"the device has {file_bytes} bytes, fewer than offset + size")
        io_size = self._part(job, "io_size", file_bytes, made)
        self.offset_bytes = start + offset
        self.region_bytes = region // SECTOR_BYTES * SECTOR_BYTES
        if not self.region_bytes:
            _refuse(made, job, "size", f"{region} bytes hold no sector of {SECTOR_BYTES}")
        self.io_bytes = (io_size or amount or region) * _whole(job, "loops", 1)

    @staticmethod
    def _file_bytes(job: FioJob, layout: _Layout, made: Loads) -> int:
        for name in ("filesize", "size"):
            value = job.options.get(name)
            if isinstance(value, str) and value.endswith("%"):
                return int(layout.capacity_bytes * float(value[:-1]) / 100)
            option = job.settings.get(name)
            if isinstance(value, str) and option is not None and option.parts:
                _refuse(made, job, name, f"this runner models files of one size; give {name} one value")
            if isinstance(value, int) and value > 0:
                return value + (_Extent._part(job, "offset", value, made) or 0 if name == "size" else 0)
        _refuse(made, job, "size", f"job {job.name}: fio needs a size= or filesize= for a file")

    @staticmethod
    def _part(job: FioJob, name: str, whole: int, made: Loads) -> int | None:
        value = job.options.get(name)
        if value is None:
            return None
        if isinstance(value, str) and value.endswith("%"):
            return int(whole * float(value[:-1]) / 100) // FILE_ALIGNMENT_BYTES * FILE_ALIGNMENT_BYTES or SECTOR_BYTES
        if isinstance(value, str):
            _refuse(made, job, name, f"this runner does not model {name}={value}")
        return int(value) or None


def _depth(job: FioJob, engine: str, made: Loads) -> int:
    depth = _whole(job, "iodepth", 1)
    if depth > DEPTH_MAX:
        _refuse(made, job, "iodepth", f"a depth of {depth} is more than the {DEPTH_MAX} that a queue can hold")
    if engine in SYNC_ENGINES and depth > 1:
        option = job.settings["iodepth"]
        _say(made, "warning", option, f"{engine} has one I/O outstanding whatever iodepth says, as in fio")
        return 1
    return depth


def _block_bytes(job: FioJob, size: _Extent, made: Loads) -> tuple[int, int, int]:
    option = job.settings.get("bs")
    given = [None] if option is None else option.parts or (int(option.value),)
    parts = [BLOCK_DEFAULT_BYTES if part is None else int(part) for part in given]
    sizes = (parts + parts[-1:] * 3)[:3]
    for block in sizes:
        if block % SECTOR_BYTES or not block:
            _refuse(made, job, "bs", f"direct I/O needs whole sectors of {SECTOR_BYTES} bytes; {block} is none")
        if block > BLOCK_MAX_BYTES:
            _refuse(
                made, job, "bs", f"a block of {block} bytes is more than the {BLOCK_MAX_BYTES} that one I/O can have"
            )
        if block > size.region_bytes:
            _refuse(made, job, "bs", f"a block of {block} bytes does not fit the {size.region_bytes} bytes of the job")
    return sizes[0], sizes[1], sizes[2]


def _read_percent(job: FioJob) -> int:
    if "rwmixread" in job.settings:
        return _whole(job, "rwmixread", 50)
    if "rwmixwrite" in job.settings:
        return 100 - _whole(job, "rwmixwrite", 50)
    return 50


def _whole(job: FioJob, name: str, default: int) -> int:
    value = job.options.get(name, default)
    return int(value) if isinstance(value, int | float) else default


def _flag(job: FioJob, name: str) -> bool:
    return bool(job.options.get(name, False))


def _time_ns(job: FioJob, name: str) -> int:
    value = job.options.get(name, 0)
    return round(float(value) * 1e9) if isinstance(value, int | float) else 0


def _say(made: Loads, severity: Severity, option: FioOption, message: str) -> None:
    made.diagnostics.append(Diagnostic(severity, option.line, option.column, message))


def _refuse(made: Loads, job: FioJob, name: str, message: str) -> NoReturn:
    option = job.settings.get(name)
    line, column = (option.line, option.column) if option else (job.line, 1)
    made.diagnostics.append(Diagnostic("error", line, column, message))
    raise _Refused
