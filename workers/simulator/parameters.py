"""What the simulator is told: plain frozen values, checked before anything runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from workers.simulator.job import JobParameters

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
