"""From a fio job file to the loads that a runner without a real file system puts on its device.

fio 3.33's rules (filesetup.c, init.c, options.c): a clone per `numjobs`; the file named by `filename` is shared by all
who name it, else each clone has its own; `filesize` fixes a file's size, else `size` does; `size` is the I/O of one
clone, `io_size` overrides it, `loops` multiplies it; sync engines have depth 1 whatever `iodepth` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.domain.diagnostic import Diagnostic
from app.domain.fio import FioJob, FioJobFile, FioOption
from app.domain.load import Load, Pattern
from app.ingest.fio_access import BLOCK_DEFAULT_BYTES, access_of, random_map_of
from app.ingest.fio_pace import pace_of
from app.ingest.fio_places import Extent, Layout
from app.ingest.fio_refusal import (
    NS,
    TIME_MAX_NS,
    Loads,
    Refused,
    flag,
    refuse,
    say,
    three,
    time_ns,
    whole,
)

SYNC_ENGINES = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2"})
ASYNC_ENGINES = frozenset({"libaio", "io_uring", "posixaio"})
SYNC_WORDS: Mapping[str, str] = {"none": "none", "0": "none", "sync": "sync", "1": "sync", "dsync": "dsync"}
PATTERNS: Mapping[str, Pattern] = {
    "read": "read",
    "write": "write",
    "trim": "trim",
    "trimwrite": "trimwrite",
    "randread": "randread",
    "randwrite": "randwrite",
    "randtrim": "randtrim",
    "rw": "rw",
    "readwrite": "rw",
    "randrw": "randrw",
}
LOADS_MAX = 1024
DEPTH_MAX = 10_240
OUTSTANDING_MAX = 65_536
"""Limits keep memory and time bounded; each is far above what a real machine is asked to do."""

CGROUP_WEIGHT_DEFAULT = 100  # CGROUP_WEIGHT_DFL (include/linux/cgroup.h)


def loads_of(
    job_file: FioJobFile, *, honoured: frozenset[str], ignored: Mapping[str, str], device: Mapping[str, int | str]
) -> Loads:
    """Return the loads of a job file on a device with the values `capacity_bytes` and `discard`.

    Options outside `honoured` and `ignored` are errors at their line; ignored ones are named with their reason.
    """
    made = Loads()
    layout = Layout(int(device["capacity_bytes"]))
    group = 0
    cgroups: set[str] = set()
    for number, job in enumerate(job_file.jobs):
        if number and (flag(job, "new_group") or flag(job, "stonewall")):
            group += 1
        try:
            _check_options(job, honoured, ignored, made)
            _check_cgroup(job, cgroups, made)
            for load in _clones(job, group, layout, made):
                if len(made.loads) >= LOADS_MAX:
                    refuse(made, job, "numjobs", f"more than {LOADS_MAX} jobs in all")
                if "trim" in load.pattern and not device["discard"]:
                    refuse(made, job, "rw", f"rw={load.pattern}: the device has no discard")
                made.loads.append(load)
        except Refused:
            continue
    outstanding = sum(load.iodepth for load in made.loads)
    if outstanding > OUTSTANDING_MAX:
        made.diagnostics.append(
            Diagnostic("error", 1, 1, f"{outstanding} I/Os outstanding in all; this runner takes {OUTSTANDING_MAX}")
        )
    made.diagnostics = list(dict.fromkeys(made.diagnostics))
    return made


def _check_options(job: FioJob, honoured: frozenset[str], ignored: Mapping[str, str], made: Loads) -> None:
    refused = False
    for name, option in job.settings.items():
        if name in ignored:
            say(made, "info", option, f"{name} is not used: {ignored[name]}")
        elif name not in honoured and not _is_default(option):
            say(made, "error", option, f"this runner does not model {name}; take it out, or choose a runner that does")
            refused = True
    if refused:
        raise Refused


def _check_cgroup(job: FioJob, cgroups: set[str], made: Loads) -> None:
    if "cgroup" not in job.settings:
        return
    name = str(job.options["cgroup"])
    if name in cgroups or whole(job, "numjobs", 1) > 1:
        refuse(made, job, "cgroup", "this runner models control groups of one process; give each its own")
    cgroups.add(name)


def _is_default(option: FioOption) -> bool:
    """Whether an option is switched off, so that leaving it out means the same."""
    return option.value is False


def _clones(job: FioJob, group: int, layout: Layout, made: Loads) -> Iterator[Load]:
    engine = str(job.options.get("ioengine", "psync"))
    if engine not in SYNC_ENGINES | ASYNC_ENGINES:
        known = ", ".join(sorted(SYNC_ENGINES | ASYNC_ENGINES))
        refuse(made, job, "ioengine", f"this runner does not model ioengine={engine}; it models {known}")
    if not flag(job, "direct"):
        refuse(made, job, "direct", f"job {job.name}: buffered I/O is not modelled; set direct=1")
    rw = str(job.options.get("rw", "read")).partition(":")[0]
    if rw not in PATTERNS:
        refuse(made, job, "rw", f"this runner does not model rw={rw}; it models {', '.join(PATTERNS)}")
    pattern = PATTERNS[rw]
    depth = _depth(job, engine, made)
    runtime_ns = time_ns(job, "runtime", made)
    time_based = flag(job, "time_based")
    if time_based and not runtime_ns:
        refuse(made, job, "time_based", "time_based needs a runtime")
    pace = pace_of(job, made)
    if pace.io_submit_mode == "offload" and engine in SYNC_ENGINES and "sync" in job.settings:
        refuse(
            made, job, "sync", "this runner does not model synchronous writes of other threads (io_submit_mode=offload)"
        )
    low_ns, high_ns = _start_delay_ns(job, made)
    for clone in range(whole(job, "numjobs", 1)):
        size = Extent(job, clone, layout, made)
        if pattern == "trimwrite" and size.files:
            refuse(made, job, "rw", "this runner models rw=trimwrite on one file")
        yield Load(
            name=job.name,
            clone=clone,
            group=group,
            engine=engine,
            asynchronous=engine in ASYNC_ENGINES,
            iodepth=depth,
            pattern=pattern,
            read_percent=_read_percent(job),
            block_bytes=three(job, "bs", BLOCK_DEFAULT_BYTES),
            region_offset_bytes=size.offset_bytes,
            region_bytes=size.region_bytes,
            io_bytes=size.io_bytes,
            runtime_ns=runtime_ns or None,
            time_based=time_based,
            ramp_ns=time_ns(job, "ramp_time", made),
            random_map=random_map_of(job),
            fsync_writes=whole(job, "fsync", 0),
            fdatasync_writes=whole(job, "fdatasync", 0),
            sync=SYNC_WORDS[str(job.options.get("sync", "none"))],
            end_fsync=flag(job, "end_fsync") or flag(job, "fsync_on_close"),
            start_delay_ns=(low_ns, high_ns),
            stonewall=clone == 0 and flag(job, "stonewall"),
            wait_for=str(job.options["wait_for"]) if job.options.get("wait_for") else None,
            files=size.files,
            pace=pace,
            priority=_priority(job),
            cgroup_weight=whole(job, "cgroup_weight", CGROUP_WEIGHT_DEFAULT) if "cgroup" in job.settings else 0,
            other_priority=(whole(job, "cmdprio_class", 1), whole(job, "cmdprio", 0)),
            other_priority_percent=whole(job, "cmdprio_percentage", 0),
            access=access_of(job, size.smallest_bytes, made),
        )


def _depth(job: FioJob, engine: str, made: Loads) -> int:
    depth = whole(job, "iodepth", 1)
    if depth > DEPTH_MAX:
        refuse(made, job, "iodepth", f"a depth of {depth} is more than the {DEPTH_MAX} that a queue can hold")
    if engine in SYNC_ENGINES and depth > 1 and job.options.get("io_submit_mode") != "offload":
        option = job.settings["iodepth"]
        say(made, "warning", option, f"{engine} has one I/O outstanding whatever iodepth says, as in fio")
        return 1
    return depth


def _start_delay_ns(job: FioJob, made: Loads) -> tuple[int, int]:
    option = job.settings.get("startdelay")
    if option is None or not option.parts:
        only_ns = time_ns(job, "startdelay", made)
        return only_ns, only_ns
    ends = [round(float(part or 0) * NS) for part in option.parts]
    low_ns, high_ns = min(ends), max(ends)
    if high_ns > TIME_MAX_NS:
        refuse(
            made, job, "startdelay", f"startdelay is longer than the {TIME_MAX_NS // NS} s that this runner simulates"
        )
    return low_ns, high_ns


def _priority(job: FioJob) -> tuple[int, int]:
    """Class and level; a level without a class is one of best effort, as fio has it (ioprio_value)."""
    given = whole(job, "prioclass", 0)
    if given == 0 and "prio" in job.settings:
        given = 2
    return given, whole(job, "prio", 0)


def _read_percent(job: FioJob) -> int:
    if "rwmixread" in job.settings:
        return whole(job, "rwmixread", 50)
    if "rwmixwrite" in job.settings:
        return 100 - whole(job, "rwmixwrite", 50)
    return 50
