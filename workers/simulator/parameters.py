"""What the simulator is told: plain frozen values, checked before anything runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from workers.simulator.kinds import (
    DIRECTION_NAMES,
    FOREVER,
    IOPRIO_CLASS_BE,
    IOPRIO_CLASS_SHIFT,
    IOPRIO_NORM,
    READ,
    SECTOR_BYTES,
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
        "rw": ((READ, WRITE), False),
        "readwrite": ((READ, WRITE), False),
        "randread": ((READ,), True),
        "randwrite": ((WRITE,), True),
        "randtrim": ((TRIM,), True),
        "randrw": ((READ, WRITE), True),
    }
)

# What a device parameter may be: least and most, or words.
Range = tuple[int, int] | tuple[str, ...]

# Limits keep memory and run time bounded; each is far above what a real machine is asked to do.
MOST_JOBS = 1024
MOST_OUTSTANDING = 65_536
MOST_IODEPTH = 16_384
MOST_BLOCK_BYTES = 64 << 20
MOST_TIME_NS = 7 * 86_400 * 1_000_000_000
MOST_HW_QUEUES = 1024
MOST_HW_DEPTH = 10_240  # BLK_MQ_MAX_DEPTH
MOST_CAPACITY_BYTES = 1 << 50
MOST_TRACED = 1_000_000
MOST_REQUEST_KB = 65_536
MOST_ROWS = 1 << 20  # requests, or pieces of I/Os, of some 200 bytes each


@dataclass(frozen=True, slots=True)
class JobParameters:
    """One clone of a fio job: one thread with its own access pattern. Sizes in bytes, times in nanoseconds.

    `offset_bytes` and `size_bytes` are the region of the device it works on; `io_size_bytes` how much it moves
    (the region once, when None), `loops` times. With `runtime_ns` it stops then at the latest; with `time_based` not
    before. `priority_class`: 0 none, 1 realtime, 2 best effort, 3 idle; `priority_level`: 0, the highest, to 7.
    `fsync` and `fdatasync`: after so many writes, 0 never. `sync`: how the file is opened.
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
    fsync: int = 0
    fdatasync: int = 0
    sync: str = "none"
    end_fsync: bool = False

    def directions(self) -> tuple[int, ...]:
        """Return the directions this job can use."""
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

    def depth(self) -> int:
        """Return how many I/Os the thread keeps outstanding: iodepth, or 1 for a synchronous engine."""
        return self.iodepth if self.is_asynchronous() else 1

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

    def stop_ns(self) -> int:
        """Return the simulated time after which nothing is issued."""
        if self.runtime_ns is None:
            return FOREVER
        return self.start_delay_ns + self.ramp_time_ns + self.runtime_ns


@dataclass(frozen=True, slots=True)
class QueueParameters:
    """The request queue: its settings by their names in sysfs (None: as Linux sets it), and the scheduler's own.

    Not in sysfs: `tag_sharers`, how many active queues share the driver's tags, and `elevator_ns`, the time that each
    request spends under the elevator's lock (None: the elevator's own).
    """

    scheduler: str = "none"
    nr_requests: int | None = None
    scheduler_options: Mapping[str, int] = field(default_factory=dict)
    max_sectors_kb: int = 1280
    max_segments: int | None = None
    nomerges: int = 0
    wbt_lat_usec: int | None = None
    tag_sharers: int = 1
    elevator_ns: int | None = None


@dataclass(frozen=True, slots=True)
class DeviceParameters:
    """A device model and its parameters, all integers in the units that their names end with."""

    kind: str
    values: Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class HostParameters:
    """CPU time of a job's thread for each I/O, in nanoseconds: to submit it, and to reap it."""

    submit_ns: int = 1500
    complete_ns: int = 500


@dataclass(frozen=True, slots=True)
class SimulationParameters:
    """One machine and what it runs.

    `series_interval_ns` None: chosen so that a run gives at most about 600 points. The first `trace_ios` I/Os are kept
    one by one. `check_invariants` recounts
    tags, lists and pending events as the run goes, at a few times the cost.
    """

    jobs: tuple[JobParameters, ...]
    device: DeviceParameters
    queue: QueueParameters = field(default_factory=QueueParameters)
    host: HostParameters = field(default_factory=HostParameters)
    series_interval_ns: int | None = None
    trace_ios: int = 0
    check_invariants: bool = False


def require(condition: bool, name: str, problem: str) -> None:
    """Raise the one ValueError that bad input gets: the field's name, then what is wrong with it."""
    if not condition:
        raise ValueError(f"{name}: {problem}")


def require_within(name: str, value: object, least: int, most: int) -> None:
    """Raise ValueError unless the value is an integer in the range."""
    require(isinstance(value, int) and not isinstance(value, bool), name, f"{value!r} is not an integer")
    require(isinstance(value, int) and least <= value <= most, name, f"{value} is not within {least} and {most}")


def check_jobs(jobs: tuple[JobParameters, ...], capacity_bytes: int) -> None:
    """Raise ValueError, naming the field, for a job that cannot run on a device of this size."""
    require_within("jobs", len(jobs), 1, MOST_JOBS)
    for position, job in enumerate(jobs):
        check_job(job, f"jobs[{position}]", capacity_bytes)
    threads = [job.thread_number for job in jobs]
    require(len(set(threads)) == len(threads), "jobs.thread_number", "two jobs have the same number")
    require_within("jobs.iodepth (sum)", sum(job.depth() for job in jobs), 1, MOST_OUTSTANDING)


def check_job(job: JobParameters, where: str, capacity_bytes: int) -> None:
    """Raise ValueError, naming the field under `where`, for a job that cannot run."""
    engines = sorted(SYNCHRONOUS_ENGINES | ASYNCHRONOUS_ENGINES)
    require(job.engine in engines, f"{where}.engine", f"{job.engine!r} is not one of {', '.join(engines)}")
    require(job.rw in PATTERNS, f"{where}.rw", f"{job.rw!r} is not one of {', '.join(PATTERNS)}")
    require_within(f"{where}.iodepth", job.iodepth, 1, MOST_IODEPTH)
    require_within(f"{where}.rwmixread", job.rwmixread, 0, 100)
    for direction in job.directions():
        name = f"{where}.block_size_bytes ({DIRECTION_NAMES[direction]})"
        block = job.block_bytes(direction)
        require_within(name, block, SECTOR_BYTES, MOST_BLOCK_BYTES)
        require(block % SECTOR_BYTES == 0, name, f"{block} is not a multiple of {SECTOR_BYTES}")
        require(block <= job.size_bytes, f"{where}.size_bytes", f"{job.size_bytes} holds no block of {block}")
    require_within(f"{where}.offset_bytes", job.offset_bytes, 0, MOST_CAPACITY_BYTES)
    require(job.offset_bytes % SECTOR_BYTES == 0, f"{where}.offset_bytes", f"is not a multiple of {SECTOR_BYTES}")
    require_within(f"{where}.size_bytes", job.size_bytes, SECTOR_BYTES, MOST_CAPACITY_BYTES)
    end = job.offset_bytes + job.size_bytes
    require(end <= capacity_bytes, f"{where}.size_bytes", f"the region ends at {end}, the device at {capacity_bytes}")
    if job.io_size_bytes is not None:
        require_within(f"{where}.io_size_bytes", job.io_size_bytes, 1, FOREVER)
    require_within(f"{where}.loops", job.loops, 1, 1 << 20)
    if job.runtime_ns is not None:
        require_within(f"{where}.runtime_ns", job.runtime_ns, 1, MOST_TIME_NS)
    require(not job.time_based or job.runtime_ns is not None, f"{where}.time_based", "needs runtime_ns")
    require_within(f"{where}.ramp_time_ns", job.ramp_time_ns, 0, MOST_TIME_NS)
    require_within(f"{where}.start_delay_ns", job.start_delay_ns, 0, MOST_TIME_NS)
    require_within(f"{where}.priority_class", job.priority_class, 0, 3)
    require_within(f"{where}.priority_level", job.priority_level, 0, 7)
    require_within(f"{where}.fsync", job.fsync, 0, (1 << 32) - 1)
    require_within(f"{where}.fdatasync", job.fdatasync, 0, (1 << 32) - 1)
    require(job.sync in SYNC_WORDS, f"{where}.sync", f"{job.sync!r} is not one of {', '.join(SYNC_WORDS)}")


def check_host(host: HostParameters) -> None:
    """Raise ValueError, naming the field, for impossible CPU times."""
    require_within("host.submit_ns", host.submit_ns, 0, 1_000_000_000)
    require_within("host.complete_ns", host.complete_ns, 0, 1_000_000_000)


def check_queue(queue: QueueParameters, hw_depth: int, options: Mapping[str, tuple[int, int]]) -> None:
    """Raise ValueError, naming the field, for limits that Linux refuses too; `options` are the scheduler's ranges."""
    if queue.nr_requests is not None:
        # blk_mq_update_nr_requests: without an elevator the driver's depth is the limit; BLKDEV_MIN_RQ is 4.
        most = hw_depth if queue.scheduler == "none" else 2048
        require_within("queue.nr_requests", queue.nr_requests, min(4, hw_depth), most)
    require_within("queue.max_sectors_kb", queue.max_sectors_kb, 4, MOST_REQUEST_KB)
    require(
        queue.max_sectors_kb % 4 == 0, "queue.max_sectors_kb", f"{queue.max_sectors_kb} is no multiple of a page of 4"
    )
    if queue.max_segments is not None:
        require_within("queue.max_segments", queue.max_segments, 1, 65_535)
    require_within("queue.nomerges", queue.nomerges, 0, 2)
    if queue.wbt_lat_usec is not None:
        require_within("queue.wbt_lat_usec", queue.wbt_lat_usec, 0, 10_000_000)
    require_within("queue.tag_sharers", queue.tag_sharers, 1, 1024)
    if queue.elevator_ns is not None:
        require_within("queue.elevator_ns", queue.elevator_ns, 0, 1_000_000)
    for name, value in queue.scheduler_options.items():
        where = f"queue.scheduler_options.{name}"
        require(
            name in options, where, f"{queue.scheduler} has no such setting; it has: {', '.join(options) or 'none'}"
        )
        require_within(where, value, *options[name])
