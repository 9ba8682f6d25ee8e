"""A load: what one fio job process asks of the block device, in base units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Pattern = Literal["read", "write", "trim", "randread", "randwrite", "randtrim", "rw", "randrw"]


@dataclass(frozen=True, slots=True)
class Load:
    """One clone of a job, as a closed loop of direct I/O on one region of the device.

    Sizes and offsets in bytes, times in nanoseconds. `io_bytes` is what the clone transfers in all unless `runtime_ns`
    ends it; `time_based` repeats until then. With `random_map` every block of the region is visited once a pass.
    """

    name: str
    clone: int
    group: int
    engine: str
    asynchronous: bool
    iodepth: int
    pattern: Pattern
    read_percent: int
    block_bytes: tuple[int, int, int]
    """For reads, writes and trims."""
    region_offset_bytes: int
    region_bytes: int
    io_bytes: int
    runtime_ns: int | None
    time_based: bool
    ramp_ns: int
    random_map: bool
    fsync_writes: int = 0
    """An fsync after so many writes; 0 never."""
    fdatasync_writes: int = 0
    sync: str = "none"
    """How the file is opened: none, sync (O_SYNC) or dsync (O_DSYNC)."""
    end_fsync: bool = False
