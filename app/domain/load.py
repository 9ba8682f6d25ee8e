"""A load: what one fio job process asks of the block device, in base units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Pattern = Literal["read", "write", "trim", "randread", "randwrite", "randtrim", "rw", "randrw", "trimwrite"]


@dataclass(frozen=True, slots=True)
class Pace:
    """When a clone issues its I/Os, and how many at a time, in fio's words; times in nanoseconds, rates a second.

    Rates are for reads, writes and trims, 0 for as fast as possible. 0 is fio's default of `thinktime_blocks`,
    `iodepth_batch_complete_max` and `iodepth_low`, the depth for `iodepth_batch`, any number for `number_ios`.
    """

    rate_bytes: tuple[int, int, int] = (0, 0, 0)
    rate_iops: tuple[int, int, int] = (0, 0, 0)
    rate_process: str = "linear"
    rate_ignore_thinktime: bool = False
    io_submit_mode: str = "inline"
    thinktime_ns: int = 0
    thinktime_spin_ns: int = 0
    thinktime_blocks: int = 0
    thinktime_blocks_type: str = "complete"
    thinktime_iotime_ns: int = 0
    iodepth_batch: int = 1
    iodepth_batch_complete_min: int = 1
    iodepth_batch_complete_max: int = 0
    iodepth_low: int = 0
    number_ios: int = 0


Split = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Access:
    """How large a clone's I/Os are and where they go, where that is more than one block size and an even distribution.

    Tuples of three are for reads, writes and trims. `block_range_bytes`: least and most. `bssplit`: bytes and percent.
    `zones`: percent of the accesses, and percent (zoned) or bytes (zoned_abs) of the file. 0 is the least block in
    `blockalign_bytes`, all files in `openfiles`.
    """

    block_range_bytes: tuple[tuple[int, int], ...] = ()
    bssplit: tuple[Split, ...] = ()
    bs_unaligned: bool = False
    blockalign_bytes: tuple[int, int, int] = (0, 0, 0)
    random_distribution: str = "random"
    distribution_parameter: float = 0.0
    distribution_center: float | None = None
    zones: tuple[Split, ...] = ()
    percentage_random: tuple[int, int, int] = (100, 100, 100)
    random_every: int = 1
    rw_sequencer: str = "sequential"
    sequential_add_bytes: int = 0
    file_service_type: str = "roundrobin"
    file_service_ios: int = 1
    openfiles: int = 0


@dataclass(frozen=True, slots=True)
class Load:
    """One clone of a job, as direct I/O on one region of the device: a closed loop unless its pace says otherwise.

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
    start_delay_ns: tuple[int, int] = (0, 0)
    """Counted from the start of the run, drawn evenly between the two."""
    stonewall: bool = False
    """All loads before this one end before it starts, and those behind it wait for that too."""
    wait_for: str | None = None
    """The clones of the job of this name end before it starts."""
    files: tuple[tuple[int, int], ...] = ()
    """Offset and size of each, when there are several; the region is then all of them."""
    pace: Pace = field(default_factory=Pace)
    priority: tuple[int, int] = (0, 0)
    """I/O priority class (0 none, 1 realtime, 2 best effort, 3 idle) and level, 0 the highest."""
    cgroup_weight: int = 0
    """Weight of the control group that the clone has for itself; 0 for none."""
    other_priority: tuple[int, int] = (1, 0)
    """Of `other_priority_percent` of the I/Os, drawn at random."""
    other_priority_percent: int = 0
    access: Access = field(default_factory=Access)
