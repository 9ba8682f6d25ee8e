"""Whether a job can run: every field, its range, and what fits together."""

from workers.simulator.job import (
    ASYNCHRONOUS_ENGINES,
    DISTRIBUTIONS,
    PATTERNS,
    SERVICES,
    SYNC_WORDS,
    SYNCHRONOUS_ENGINES,
    JobParameters,
    Recording,
)
from workers.simulator.kinds import DIRECTION_NAMES, FOREVER, SECTOR_BYTES, WAYS
from workers.simulator.parameters import (
    MOST_BLOCK_BYTES,
    MOST_CAPACITY_BYTES,
    MOST_IODEPTH,
    MOST_JOBS,
    MOST_OUTSTANDING,
    MOST_TIME_NS,
    require,
    require_within,
)

RATE_PROCESSES = ("linear", "poisson")
SUBMIT_MODES = ("inline", "offload")
THINK_TYPES = ("complete", "issue")
MOST_RECORDED = 1 << 24
MOST_RATE = 1 << 44  # bytes or I/Os a second


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
    if job.recording is not None:
        check_recording(job.recording, f"{where}.recording", capacity_bytes)
    check_sizes(job, where)
    for offset_bytes, size_bytes in job.regions():
        require_within(f"{where}.offset_bytes", offset_bytes, 0, MOST_CAPACITY_BYTES)
        require(offset_bytes % SECTOR_BYTES == 0, f"{where}.offset_bytes", f"is not a multiple of {SECTOR_BYTES}")
        require_within(f"{where}.size_bytes", size_bytes, SECTOR_BYTES, MOST_CAPACITY_BYTES)
        end = offset_bytes + size_bytes
        require(
            end <= capacity_bytes, f"{where}.size_bytes", f"the region ends at {end}, the device at {capacity_bytes}"
        )
        for direction in job.directions():
            block = job.smallest_bytes(direction)
            require(block <= size_bytes, f"{where}.size_bytes", f"{size_bytes} holds no block of {block}")
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
    require_within(f"{where}.cgroup_weight", job.cgroup_weight, 0, 1000)
    require_within(f"{where}.cmdprio_percent", job.cmdprio_percent, 0, 100)
    require_within(f"{where}.cmdprio_class", job.cmdprio_class, 1, 3)
    require_within(f"{where}.cmdprio_level", job.cmdprio_level, 0, 7)
    require_within(f"{where}.fsync", job.fsync, 0, (1 << 32) - 1)
    require_within(f"{where}.fdatasync", job.fdatasync, 0, (1 << 32) - 1)
    require(job.sync in SYNC_WORDS, f"{where}.sync", f"{job.sync!r} is not one of {', '.join(SYNC_WORDS)}")
    check_pace(job, where)
    check_batches(job, where)


def check_pace(job: JobParameters, where: str) -> None:
    """Raise ValueError, naming the field under `where`, for rates and think times that cannot be kept."""
    for name in ("rate_bytes", "rate_iops"):
        for value in getattr(job, name):
            require_within(f"{where}.{name}", value, 0, MOST_RATE)
    require(job.rate_process in RATE_PROCESSES, f"{where}.rate_process", f"is not one of {', '.join(RATE_PROCESSES)}")
    modes = ", ".join(SUBMIT_MODES)
    require(job.io_submit_mode in SUBMIT_MODES, f"{where}.io_submit_mode", f"is not one of {modes}")
    flushes = job.writes_through() and not job.is_asynchronous()
    require(not (job.offloads() and flushes), f"{where}.io_submit_mode", "offload has no synchronous writes that flush")
    for name in ("thinktime_ns", "thinktime_spin_ns", "thinktime_iotime_ns"):
        require_within(f"{where}.{name}", getattr(job, name), 0, MOST_TIME_NS)
    require_within(f"{where}.thinktime_blocks", job.thinktime_blocks, 0, (1 << 32) - 1)
    kinds = ", ".join(THINK_TYPES)
    require(job.thinktime_blocks_type in THINK_TYPES, f"{where}.thinktime_blocks_type", f"is not one of {kinds}")
    require_within(f"{where}.number_ios", job.number_ios, 0, 1 << 40)


def check_batches(job: JobParameters, where: str) -> None:
    """Raise ValueError, naming the field under `where`, for impossible batches."""
    for name in ("iodepth_batch", "iodepth_batch_complete_min", "iodepth_batch_complete_max", "iodepth_low"):
        require_within(f"{where}.{name}", getattr(job, name), 0, MOST_IODEPTH)


def check_sizes(job: JobParameters, where: str) -> None:
    """Raise ValueError, naming the field under `where`, for blocks that cannot be."""
    for splits, name in ((job.block_range_bytes, "block_range_bytes"), (job.bssplit, "bssplit"), (job.zones, "zones")):
        require(len(splits) in (0, WAYS), f"{where}.{name}", f"has {len(splits)} entries, not one for each direction")
    for direction in job.directions():
        name = f"{where}.block_size_bytes ({DIRECTION_NAMES[direction]})"
        split = job.bssplit[direction] if job.bssplit else ()
        require(not job.bssplit or any(percent > 0 for _, percent in split), f"{where}.bssplit", "has no share at all")
        for block in (job.smallest_bytes(direction), job.largest_bytes(direction), *(size for size, _ in split)):
            require_within(name, block, SECTOR_BYTES, MOST_BLOCK_BYTES)
            require(block % SECTOR_BYTES == 0, name, f"{block} is not a multiple of {SECTOR_BYTES}")
        align = job.align_bytes(direction)
        require_within(f"{where}.blockalign_bytes", align, SECTOR_BYTES, MOST_CAPACITY_BYTES)
        require(align % SECTOR_BYTES == 0, f"{where}.blockalign_bytes", f"{align} is not a multiple of {SECTOR_BYTES}")
    check_places(job, where)


def check_places(job: JobParameters, where: str) -> None:
    """Raise ValueError, naming the field under `where`, for places that cannot be chosen."""
    kinds = ", ".join(DISTRIBUTIONS)
    kind, parameter = job.random_distribution, job.distribution_parameter
    require(kind in DISTRIBUTIONS, f"{where}.random_distribution", f"{kind!r} is not one of {kinds}")
    least, most = {"zipf": (1e-4, 100.0), "pareto": (1e-4, 0.9999), "normal": (0.0, 100.0)}.get(kind, (0.0, 0.0))
    inside = least <= parameter <= most
    require(inside, f"{where}.distribution_parameter", f"{parameter} is not within {least} and {most}")
    center = job.distribution_center
    require(center is None or 0 <= center <= 1, f"{where}.distribution_center", f"{center} is not within 0 and 1")
    require(not kind.startswith("zoned") or bool(job.zones), f"{where}.zones", f"{kind} needs them")
    service = job.file_service_type.split(":")[0]
    require(service in SERVICES, f"{where}.file_service_type", f"{service!r} is not one of {', '.join(SERVICES)}")
    sequencers = ("sequential", "identical")
    require(job.rw_sequencer in sequencers, f"{where}.rw_sequencer", f"is not one of {', '.join(sequencers)}")
    require_within(f"{where}.file_service_ios", job.file_service_ios, 1, (1 << 32) - 1)
    require_within(f"{where}.openfiles", job.openfiles, 0, (1 << 32) - 1)
    require_within(f"{where}.random_every", job.random_every, 1, (1 << 32) - 1)
    for percent in job.percentage_random:
        require_within(f"{where}.percentage_random", percent, 0, 100)
    step = job.sequential_add_bytes
    require(step % SECTOR_BYTES == 0, f"{where}.sequential_add_bytes", f"{step} is not a multiple of {SECTOR_BYTES}")


def check_recording(recording: Recording, where: str, capacity_bytes: int) -> None:
    """Raise ValueError, naming the I/O by its position from 0, for what cannot be replayed on a device of this size."""
    columns = (recording.time_ns, recording.direction, recording.sector, recording.sectors)
    require_within(f"{where} (I/Os)", len(recording.time_ns), 1, MOST_RECORDED)
    require(len({len(column) for column in columns}) == 1, where, "its columns differ in length")
    last_ns = 0
    capacity = capacity_bytes // SECTOR_BYTES
    for position, (time_ns, way, sector, sectors) in enumerate(zip(*columns, strict=True)):
        name = f"{where}[{position}]"
        require(last_ns <= time_ns <= MOST_TIME_NS, name, f"the time {time_ns} is out of order or range")
        require(0 <= way < WAYS, name, f"{way} is no read, write or trim")
        require(1 <= sectors <= MOST_BLOCK_BYTES // SECTOR_BYTES, name, f"{sectors} sectors are no I/O")
        require(0 <= sector <= capacity - sectors, name, f"ends at sector {sector + sectors}, the device at {capacity}")
        last_ns = time_ns
