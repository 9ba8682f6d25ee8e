"""What fio checks once a job's options are together, and what it only finds out when it runs.

The rules are those of fio 3.33's fixup_options(), setup_files() and wait_for_ok(), each tried against the real one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from app.domain.diagnostic import Severity
from app.domain.fio import FioJob, FioOption
from app.ingest.fio_job.paths import split_names

# Engines that complete a request before they take the next one (FIO_SYNCIO).
SYNCHRONOUS = frozenset(
    {"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "sg", "falloc", "ftruncate", "e4defrag", "mtd"}
    | {"libpmem", "pmemblk", "dev-dax", "filecreate", "filestat", "filedelete"}
)
# Engines whose files cannot grow (FIO_NOEXTEND).
FIXED_SIZE = frozenset({"mmap", "mtd", "libpmem", "pmemblk", "dev-dax", "nbd"})
# Engines on ordinary files, which fio makes only when it knows how large; others move no data, or ask their server.
ON_FILES = frozenset(
    {"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "falloc", "ftruncate", "e4defrag", "libpmem"}
    | {"libaio", "io_uring", "posixaio", "null"}
)
SECTOR_BYTES = 512

Settings = Mapping[str, FioOption]


class Finding(NamedTuple):
    """Something about a job: `option` names the setting whose place shows it, the section's own place if empty."""

    severity: Severity
    option: str
    message: str


class Earlier:
    """What later jobs have to know about the ones before them: their names, and the files they lay out."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()
        self.files: set[tuple[str, str]] = set()

    def add(self, job: FioJob) -> None:
        """Take in a job once it has been checked."""
        self.names[job.name] += 1
        if not _needs_size(job.settings):
            self.files |= _files(job.settings)


def check(job: FioJob, earlier: Earlier) -> Iterator[Finding]:
    """Yield what fio would refuse or change about a job that follows the given ones."""
    settings = job.settings
    yield from _sizes(job, earlier)
    yield from _zones(settings)
    yield from _rates(settings)
    yield from _times(settings)
    yield from _blocks(settings)
    yield from _verification(settings)
    yield from _data(settings)
    yield from _engine(settings)
    yield from _waiting(job, earlier)


def _number(settings: Settings, name: str) -> int | float | None:
    option = settings.get(name)
    value = option.value if option else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _true(settings: Settings, name: str, default: bool = False) -> bool:
    option = settings.get(name)
    return bool(option.value) if option else default


def _text(settings: Settings, name: str, default: str = "") -> str:
    option = settings.get(name)
    return str(option.value) if option else default


def _parts(settings: Settings, name: str) -> tuple[int | float | None, ...]:
    option = settings.get(name)
    return option.parts if option else ()


def directions(settings: Settings) -> tuple[bool, bool, bool]:
    """Return whether the job reads, writes and trims."""
    rw = _text(settings, "rw", "read").split(":")[0].split(",")[0]
    trims = "trim" in rw
    writes = "write" in rw or rw in ("rw", "randrw")
    reads = "read" in rw or rw in ("rw", "randrw")
    return reads, writes, trims


def smallest_blocks(settings: Settings) -> tuple[int, int, int]:
    """Return the smallest block size in bytes for read, write and trim, as fio settles it from all options."""
    default = 4096
    sizes = [int(part or default) for part in _parts(settings, "bs")] or [default] * 3
    for low, at in zip(_parts(settings, "bsrange")[::2], range(3), strict=False):
        sizes[at] = int(low or sizes[at])
    for at, split in enumerate(settings["bssplit"].splits if "bssplit" in settings else ()):
        sizes[at] = min((size for size, _ in split), default=sizes[at])
    return sizes[0], sizes[1], sizes[2]


def _used_blocks(settings: Settings) -> list[int]:
    return [size for size, used in zip(smallest_blocks(settings), directions(settings), strict=True) if used]


def _sizes(job: FioJob, earlier: Earlier) -> Iterator[Finding]:
    settings = job.settings
    size = _number(settings, "size")
    smallest = min(_used_blocks(settings), default=0)
    if size and 0 < size < smallest:
        yield Finding("error", "size", f"size={size} is less than the smallest block of {smallest} bytes")
    files = _files(settings)
    if _needs_size(settings) and not (files and files <= earlier.files):
        yield Finding("error", "", f"[{job.section}] needs size= or filesize=: its files do not exist yet")


def _needs_size(settings: Settings) -> bool:
    if any(_number(settings, name) for name in ("size", "filesize")) or _parts(settings, "filesize"):
        return False
    if _true(settings, "fill_device") or {"read_iolog", "opendir"} & settings.keys():
        return False
    if "size" in settings and isinstance(settings["size"].value, str) and "$" in str(settings["size"].value):
        return False
    filename = settings.get("filename")
    return _text(settings, "ioengine", "psync") in ON_FILES and not (filename and filename.target == "device")


def _files(settings: Settings) -> set[tuple[str, str]]:
    where = _text(settings, "directory")
    return {(where, name) for name in split_names(_text(settings, "filename"))}


def _zones(settings: Settings) -> Iterator[Finding]:
    mode, size = _text(settings, "zonemode", "none"), _number(settings, "zonesize")
    if mode == "none" and size:
        yield Finding("error", "zonesize", "fio 3.33 refuses zonesize without zonemode=strided or zonemode=zbd")
    if mode == "strided" and not size and "zonesize" not in settings:
        yield Finding("error", "zonemode", "zonemode=strided needs a zonesize")
    if mode == "zbd" and not _true(settings, "create_serialize", default=True):
        yield Finding("error", "create_serialize", "zonemode=zbd does not go with create_serialize=0")


def _rates(settings: Settings) -> Iterator[Finding]:
    for one, other in (("rate", "rate_iops"), ("rate_min", "rate_iops_min")):
        if any(_parts(settings, one)) and any(_parts(settings, other)):
            yield Finding("error", other, f"{one} and {other} exclude each other")
    for limit, least in (("rate", "rate_min"), ("rate_iops", "rate_iops_min")):
        pairs = zip(_parts(settings, limit), _parts(settings, least), strict=False)
        if any(top and low and top < low for top, low in pairs):
            yield Finding("error", least, f"{least} is above {limit}")


def _times(settings: Settings) -> Iterator[Finding]:
    if _true(settings, "time_based") and not _number(settings, "runtime") and "runtime" not in settings:
        yield Finding("warning", "time_based", "time_based has no effect without a runtime")


def _blocks(settings: Settings) -> Iterator[Finding]:
    random = _text(settings, "rw").startswith("rand")
    align = _parts(settings, "ba")
    blocks = smallest_blocks(settings)
    if random and any(a and a != b for a, b in zip(align, blocks, strict=False)) and not _true(settings, "norandommap"):
        yield Finding("warning", "ba", "blockalign other than the block size turns the random map off")
    uneven = [size for size in _used_blocks(settings) if size % SECTOR_BYTES]
    if _true(settings, "direct") and uneven and not _true(settings, "bs_unaligned"):
        name = next((n for n in ("bssplit", "bsrange", "bs") if n in settings), "direct")
        yield Finding("warning", name, f"direct=1 needs blocks of whole sectors; {uneven[0]} is no multiple of 512")


def _verification(settings: Settings) -> Iterator[Finding]:
    if _text(settings, "verify", "0") == "0":
        return
    _, writes, _ = directions(settings)
    checks = _true(settings, "do_verify", default=True)
    if writes and checks and (_number(settings, "numjobs") or 1) > 1 and "filename" in settings:
        yield Finding("warning", "numjobs", "the clones write to the same file, so their verification may fail")
    reads = directions(settings)[0]
    timed = _true(settings, "time_based") and _number(settings, "runtime")
    if writes and checks and timed and not reads and not _number(settings, "verify_backlog"):
        yield Finding("warning", "verify", "nothing is verified: writing takes the whole runtime")


def _data(settings: Settings) -> Iterator[Finding]:
    if {"read_iolog", "write_iolog"} <= settings.keys():
        yield Finding("warning", "write_iolog", "read_iolog takes precedence: no log is written")
    filename = settings.get("filename")
    on_device = filename is not None and filename.target == "device"
    if directions(settings)[2] and _text(settings, "ioengine", "psync") != "null" and not on_device:
        yield Finding("warning", "rw", "trim works on a device; on a file fio 3.33 stops with an error")
    percentage = _number(settings, "dedupe_percentage")
    if not percentage or _text(settings, "dedupe_mode") != "working_set":
        return
    if "size" not in settings:
        yield Finding("error", "dedupe_mode", "dedupe_mode=working_set needs a size")
    elif (_number(settings, "nrfiles") or 1) > 1:
        yield Finding("error", "dedupe_mode", "dedupe_mode=working_set needs a single file a job")
    elif percentage + (_number(settings, "dedupe_working_set_percentage") or 5) > 100:
        yield Finding("error", "dedupe_percentage", "what repeats and the working set are more than the whole")


def _engine(settings: Settings) -> Iterator[Finding]:
    engine = _text(settings, "ioengine", "psync")
    depth = _number(settings, "iodepth") or 1
    if engine in SYNCHRONOUS and depth > 1 and _text(settings, "io_submit_mode") != "offload":
        yield Finding(
            "info", "iodepth", f"{engine} is synchronous: only one request is in flight, whatever iodepth says"
        )
    if engine == "cpuio" and not _number(settings, "cpuload") and _text(settings, "cpumode", "noop") == "noop":
        yield Finding("error", "ioengine", "cpuio needs cpuload or cpumode=qsort")
    if _number(settings, "cmdprio_percentage") and "cmdprio_bssplit" in settings:
        yield Finding("error", "cmdprio_bssplit", "cmdprio_percentage and cmdprio_bssplit exclude each other")
    if engine in FIXED_SIZE and _true(settings, "file_append"):
        yield Finding("error", "file_append", f"{engine} cannot make a file longer")
    if _true(settings, "block_error_percentiles") and (_number(settings, "nrfiles") or 1) > 1:
        yield Finding("error", "block_error_percentiles", "block_error_percentiles needs a single file a job")


def _waiting(job: FioJob, earlier: Earlier) -> Iterator[Finding]:
    awaited = _text(job.settings, "wait_for")
    if not awaited:
        return
    count = earlier.names[awaited]
    if awaited == job.section:
        yield Finding("error", "wait_for", "a job cannot wait for itself")
    elif count == 0:
        yield Finding("error", "wait_for", f"wait_for={awaited}: no job of that name comes before this one")
    elif count > 1:
        yield Finding("error", "wait_for", f"wait_for={awaited}: {count} jobs have that name")
