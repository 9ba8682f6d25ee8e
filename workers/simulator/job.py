"""One clone of a fio job: what its thread is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from workers.simulator.kinds import (
    FOREVER,
    IOPRIO_CLASS_BE,
    IOPRIO_CLASS_SHIFT,
    IOPRIO_NORM,
    PLACES_NORMAL,
    PLACES_SKEWED,
    PLACES_UNIFORM,
    PLACES_ZONED,
    READ,
    SECTOR_BYTES,
    SERVE_NONUNIFORM,
    SERVE_RANDOM,
    SERVE_ROUND_ROBIN,
    SERVE_SEQUENTIAL,
    SYNC,
    TRIM,
    WRITE,
)

SYNCHRONOUS_ENGINES = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2"})
ASYNCHRONOUS_ENGINES = frozenset({"libaio", "io_uring", "io_uring_cmd", "posixaio"})
# The engines whose fsync does not block the thread (fio 3.33).
ASYNCHRONOUS_FSYNC = frozenset({"io_uring", "io_uring_cmd", "posixaio"})
SYNC_WORDS = ("none", "sync", "dsync")

# fio's rw values: the directions, and whether the offsets are random.
PATTERNS: Mapping[str, tuple[tuple[int, ...], bool]] = MappingProxyType(
    {
        "read": ((READ,), False),
        "write": ((WRITE,), False),
        "trim": ((TRIM,), False),
        "trimwrite": ((TRIM, WRITE), False),
        "rw": ((READ, WRITE), False),
        "readwrite": ((READ, WRITE), False),
        "randread": ((READ,), True),
        "randwrite": ((WRITE,), True),
        "randtrim": ((TRIM,), True),
        "randrw": ((READ, WRITE), True),
    }
)

DISTRIBUTIONS = MappingProxyType(
    {
        "random": PLACES_UNIFORM,
        "zipf": PLACES_SKEWED,
        "pareto": PLACES_SKEWED,
        "normal": PLACES_NORMAL,
        "zoned": PLACES_ZONED,
        "zoned_abs": PLACES_ZONED,
    }
)
SERVICES = MappingProxyType(
    {
        "roundrobin": SERVE_ROUND_ROBIN,
        "random": SERVE_RANDOM,
        "sequential": SERVE_SEQUENTIAL,
        "zipf": SERVE_NONUNIFORM,
        "pareto": SERVE_NONUNIFORM,
    }
)


@dataclass(frozen=True, slots=True)
class Recording:
    """Recorded I/Os, in order: times in nanoseconds since the start, directions, and places in sectors of 512 bytes.

    `timed`: each goes at its time, whatever was before it; else as fast as the depth allows.
    """

    time_ns: tuple[int, ...]
    direction: tuple[int, ...]
    sector: tuple[int, ...]
    sectors: tuple[int, ...]
    timed: bool = True

    def largest_bytes(self, direction: int) -> int:
        """Return the size of the largest I/O of a direction."""
        rows = zip(self.direction, self.sectors, strict=True)
        return max((sectors for way, sectors in rows if way == direction), default=1) * SECTOR_BYTES


@dataclass(frozen=True, slots=True)
class JobParameters:
    """One clone of a fio job: one thread with its own access pattern. Sizes in bytes, times in nanoseconds.

    `offset_bytes` and `size_bytes` are the region of the device it works on; `io_size_bytes` how much it moves
    (the region once, when None), `loops` times. With `runtime_ns` it stops then at the latest; with `time_based` not
    before. `priority_class`: 0 none, 1 realtime, 2 best effort, 3 idle; `priority_level`: 0, the highest, to 7;
    `cgroup_weight`: of the control group that the thread has for itself, 0 when it has none. `cmdprio_percent` of the
    I/Os have another class and level.
    `fsync` and `fdatasync`: after so many writes, 0 never. `sync`: how the file is opened. `number_ios`: I/Os of a
    loop, 0 for any number. Rates are for reads, writes and trims, a second, 0 for as fast as possible. 0 stands for
    fio's default of `thinktime_blocks`, `iodepth_low`, `iodepth_batch_complete_max`, and for iodepth in
    `iodepth_batch`. Of each direction: `block_range_bytes` is least and most, `bssplit` bytes and percent, `zones`
    share of the accesses in percent and size, in percent of a file (zoned) or bytes (zoned_abs). `files` are offset and
    size of each, when there are several. `stonewall` waits for all jobs before, `wait_for` for the clones of the job of
    that name. `recording`: what to replay; then nothing else says where and how large I/Os are.
    """

    name: str
    size_bytes: int
    thread_number: int = 1
    group_id: int = 0
    engine: str = "libaio"
    iodepth: int = 1
    rw: str = "read"
    rwmixread: int = 50
    block_size_bytes: int = 4096
    write_block_size_bytes: int | None = None
    trim_block_size_bytes: int | None = None
    offset_bytes: int = 0
    io_size_bytes: int | None = None
    runtime_ns: int | None = None
    time_based: bool = False
    ramp_time_ns: int = 0
    start_delay_ns: int = 0
    loops: int = 1
    norandommap: bool = False
    random_seed: int = 0
    priority_class: int = 0
    priority_level: int = 0
    cgroup_weight: int = 0
    cmdprio_percent: int = 0
    cmdprio_class: int = 1
    cmdprio_level: int = 0
    fsync: int = 0
    fdatasync: int = 0
    sync: str = "none"
    end_fsync: bool = False
    number_ios: int = 0
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
    block_range_bytes: tuple[tuple[int, int], ...] = ()
    bssplit: tuple[tuple[tuple[int, int], ...], ...] = ()
    bs_unaligned: bool = False
    blockalign_bytes: tuple[int, int, int] = (0, 0, 0)
    random_distribution: str = "random"
    distribution_parameter: float = 0.0
    distribution_center: float | None = None
    zones: tuple[tuple[tuple[int, int], ...], ...] = ()
    percentage_random: tuple[int, int, int] = (100, 100, 100)
    random_every: int = 1
    rw_sequencer: str = "sequential"
    sequential_add_bytes: int = 0
    files: tuple[tuple[int, int], ...] = ()
    file_service_type: str = "roundrobin"
    file_service_ios: int = 1
    openfiles: int = 0
    stonewall: bool = False
    wait_for: str | None = None
    recording: Recording | None = None

    def directions(self) -> tuple[int, ...]:
        """Return the directions this job can use."""
        if self.recording is not None:
            return tuple(sorted(set(self.recording.direction)))
        return PATTERNS[self.rw][0]

    def recorded_directions(self) -> tuple[int, ...]:
        """Return the directions this job has results in: those of `rw`, and syncs."""
        syncs = WRITE in self.directions() and (self.fsync > 0 or self.fdatasync > 0)
        return (*self.directions(), SYNC) if syncs else self.directions()

    def writes_through(self) -> bool:
        """Tell whether writes carry FUA (O_SYNC or O_DSYNC)."""
        return self.sync != "none"

    def flushes_each_write(self) -> bool:
        """Tell whether the write call flushes before it returns, as it does when it waits for its I/O."""
        return self.writes_through() and not self.is_asynchronous() and WRITE in self.directions()

    def is_random(self) -> bool:
        """Tell whether offsets are random."""
        return PATTERNS[self.rw][1]

    def is_asynchronous(self) -> bool:
        """Tell whether submitting and reaping are separate calls."""
        return self.engine in ASYNCHRONOUS_ENGINES

    def offloads(self) -> bool:
        """Tell whether I/Os are submitted and reaped by other threads than the one that decides when."""
        return self.io_submit_mode == "offload"

    def depth(self) -> int:
        """Return how many I/Os are kept outstanding: iodepth, or 1 for a synchronous engine that submits itself."""
        return self.iodepth if self.is_asynchronous() or self.offloads() else 1

    def batch(self) -> int:
        """Return how many I/Os are submitted in one call."""
        return min(self.iodepth_batch or self.iodepth, self.depth())

    def complete_max(self) -> int:
        """Return how many completions one call reaps at most; 0 when fio polls."""
        return max(self.iodepth_batch_complete_min, self.iodepth_batch_complete_max)

    def low(self) -> int:
        """Return down to how many outstanding I/Os a full queue is reaped."""
        return min(self.iodepth_low or self.depth(), self.depth())

    def is_plain(self) -> bool:
        """Tell whether the thread only keeps its depth: submits one I/O at a time, and reaps one when it is full."""
        batches = self.batch() != 1 or self.iodepth_batch_complete_min != 1 or self.complete_max() != 1
        paced = (
            self.recording is not None
            or any(self.rates())
            or self.thinktime_ns > 0
            or self.number_ios > 0
            or self.offloads()
        )
        return not (paced or batches or self.low() != self.depth())

    def think_blocks(self) -> int:
        """Return after how many I/Os the job thinks; by default after each, or, with an I/O time, after any number."""
        return self.thinktime_blocks or (FOREVER if self.thinktime_iotime_ns else 1)

    def limit_ios(self) -> int:
        """Return after how many I/Os the job ends; of a recording after its last."""
        if self.recording is not None:
            return len(self.recording.time_ns)
        return self.number_ios * self.loops or FOREVER

    def limit_bytes(self) -> int:
        """Return after how many bytes the job ends."""
        if self.time_based or self.recording is not None:
            return FOREVER
        return self.loops * (self.io_size_bytes or self.size_bytes)

    def rates(self) -> tuple[int, ...]:
        """Return the rate of each direction in bytes a second, 0 for none."""
        return tuple(
            bytes_a_second or ios * self.smallest_bytes(way)
            for way, (bytes_a_second, ios) in enumerate(zip(self.rate_bytes, self.rate_iops, strict=True))
        )

    def smallest_bytes(self, direction: int) -> int:
        """Return the size of the smallest I/O of a direction."""
        if self.recording is not None:
            return SECTOR_BYTES
        if self.bssplit:
            return min(size for size, percent in self.bssplit[direction] if percent)
        return self.block_range_bytes[direction][0] if self.block_range_bytes else self.block_bytes(direction)

    def largest_bytes(self, direction: int) -> int:
        """Return the size of the largest I/O of a direction."""
        if self.recording is not None:
            return self.recording.largest_bytes(direction)
        if self.bssplit:
            return max(size for size, percent in self.bssplit[direction] if percent)
        return self.block_range_bytes[direction][1] if self.block_range_bytes else self.block_bytes(direction)

    def align_bytes(self, direction: int) -> int:
        """Return what random offsets are multiples of: the smallest block unless asked for otherwise."""
        return self.blockalign_bytes[direction] or self.smallest_bytes(direction)

    def regions(self) -> tuple[tuple[int, int], ...]:
        """Return offset and size of each file, or of the one region."""
        return self.files or ((self.offset_bytes, self.size_bytes),)

    def shares_map(self) -> bool:
        """Tell whether all directions visit the same blocks, and so share the order of a pass."""
        return len({(self.smallest_bytes(way), self.align_bytes(way)) for way in self.directions()}) == 1

    def distribution_kind(self) -> int:
        """Return how the places of random I/Os are distributed."""
        return DISTRIBUTIONS[self.random_distribution]

    def service(self) -> int:
        """Return in which order several files are served."""
        return SERVICES[self.file_service_type.split(":")[0]]

    def is_rich(self) -> bool:
        """Tell whether offsets and sizes follow more than one block size, one even distribution and one region."""
        sizes = bool(self.block_range_bytes or self.bssplit or any(self.blockalign_bytes))
        mixed = self.is_random() and (self.percentage_random != (100, 100, 100) or self.random_every > 1)
        skewed = self.is_random() and self.random_distribution != "random"
        return sizes or mixed or skewed or self.sequential_add_bytes != 0 or len(self.files) > 1

    def block_bytes(self, direction: int) -> int:
        """Return the block size of a direction."""
        if direction == WRITE and self.write_block_size_bytes is not None:
            return self.write_block_size_bytes
        if direction == TRIM and self.trim_block_size_bytes is not None:
            return self.trim_block_size_bytes
        return self.block_size_bytes

    def ioprio(self) -> int:
        """Return the priority of the job's I/O as the kernel has it; without a class, that of a task of nice 0."""
        if self.priority_class == 0:
            return IOPRIO_CLASS_BE << IOPRIO_CLASS_SHIFT | IOPRIO_NORM
        return self.priority_class << IOPRIO_CLASS_SHIFT | self.priority_level

    def cmdprio(self) -> int:
        """Return the priority of those I/Os that `cmdprio_percent` draws."""
        return self.cmdprio_class << IOPRIO_CLASS_SHIFT | self.cmdprio_level

    def duration_ns(self) -> int:
        """Return how long after its start the job issues I/O, FOREVER when only its size bounds it."""
        return FOREVER if self.runtime_ns is None else self.ramp_time_ns + self.runtime_ns
