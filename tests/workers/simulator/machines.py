"""Machines that several tests share: values of every device, and a few machines for every scheduler."""

from collections.abc import Mapping
from dataclasses import replace

from workers.simulator import (
    DeviceParameters,
    HostParameters,
    JobParameters,
    QueueParameters,
    SimulationParameters,
)

MS = 1_000_000
S = 1_000_000_000
GIB = 1 << 30

COMMON = {"capacity_bytes": 64 * GIB, "hw_queues": 1, "queue_depth": 32, "rotational": 0, "discard": 0}
COMMON |= {"write_cache": 0, "fua": 0, "flush_queued": 1}

CONSTANT: dict[str, int | str] = {
    **COMMON,
    "queue_depth": 1023,
    "discard": 1,
    "service_ns": 80_000,
    "flush_ns": 1_000_000,
    "servers": 0,
    "service_distribution": "constant",
}

HDD = {
    **COMMON,
    "capacity_bytes": 4_000_787_030_016,
    "rotational": 1,
    "rpm": 7200,
    "read_seek_min_ns": 230_000,
    "read_seek_span_ns": 13_440_000,
    "write_seek_min_ns": 320_000,
    "write_seek_span_ns": 14_775_000,
    "zones": 16,
    "outer_bytes_per_s": 200_000_000,
    "inner_bytes_per_s": 100_000_000,
    "command_overhead_ns": 50_000,
    "ncq_window": 32,
    "ncq_age_per_mille": 5,
    "positioning_error_ns": 0,
    "readahead_bytes": 1 << 20,
    "link_bytes_per_s": 600_000_000,
    "write_cache_bytes": 64 << 20,
    "write_cache_entries": 64,
    "destage_window": 8,
    "flush_queued": 0,
}

FLASH: dict[str, int | str] = {
    **COMMON,
    "hw_queues": 4,
    "queue_depth": 1023,
    "discard": 1,
    "channels": 4,
    "dies_per_channel": 2,
    "stripe_bytes": 16_384,
    "page_types": 2,
    "first_page_read_ns": 50_000,
    "second_page_read_ns": 60_000,
    "third_page_read_ns": 70_000,
    "read_retry_per_million": 10_000,
    "read_retry_ns": 20_000,
    "program_ns": 800_000,
    "program_bytes": 65_536,
    "program_suspend": "yes",
    "program_suspend_ns": 20_000,
    "channel_bytes_per_s": 400_000_000,
    "link_bytes_per_s": 3_000_000_000,
    "controller_ns": 6_000,
    "controller_busy_ns": 2_000,
    "buffer_write_ns": 5_000,
    "write_buffer_bytes": 4 << 20,
    "erase_ns": 3_000_000,
    "block_bytes": 4 << 20,
    "collection": "yes",
    "over_provisioning_per_mille": 280,
    "precondition": "random",
    "mapped_pages": 32_768,
    "power_loss_protection": "no",
    "flush_ns": 100_000,
}

STALLING = {
    **COMMON,
    "queue_depth": 128,
    "channels": 16,
    "stripe_bytes": 4096,
    "read_service_ns": 568_000,
    "write_service_ns": 434_000,
    "service_shape": 8,
    "on_ns": 58 * MS,
    "on_shape": 16,
    "off_ns": 203 * MS,
    "off_shape": 4,
}

VALUES: dict[str, Mapping[str, int | str]] = {
    "constant": CONSTANT,
    "hdd": HDD,
    "flash": FLASH,
    "stalling": STALLING,
}


def device(kind: str, **changes: int | str) -> DeviceParameters:
    """Return a device of the kind with some values changed."""
    return DeviceParameters(kind, {**VALUES[kind], **changes})


def job(number: int = 1, **changes: object) -> JobParameters:
    """Return a job of 1 GiB of 4 KiB random reads for a tenth of a second, with some fields changed."""
    fields: dict[str, object] = {
        "name": f"job{number}",
        "thread_number": number,
        "size_bytes": GIB,
        "rw": "randread",
        "runtime_ns": S // 10,
        **changes,
    }
    return JobParameters(**fields)  # type: ignore[arg-type]


def machine(
    kind: str = "constant",
    *jobs: JobParameters,
    scheduler: str = "none",
    nr_requests: int | None = None,
    **more: object,
) -> SimulationParameters:
    """Return a machine with the device's usual values."""
    return SimulationParameters(
        jobs=jobs or (job(),),
        device=device(kind),
        queue=QueueParameters(scheduler, nr_requests),
        **more,  # type: ignore[arg-type]
    )


def over(parameters: SimulationParameters, **changes: int | str) -> SimulationParameters:
    """Return the machine with some of its device's values changed."""
    values = {**parameters.device.values, **changes}
    return replace(parameters, device=DeviceParameters(parameters.device.kind, values))


def of_elevators() -> dict[str, SimulationParameters]:
    """Return small machines in which elevators merge, hold back and idle, and I/Os are split."""
    return {
        "flash-kyber": machine(
            "flash",
            job(iodepth=64, rw="randrw", rwmixread=70),
            job(2, rw="write", iodepth=8),
            job(3, rw="randtrim", iodepth=8, block_size_bytes=65_536),
            scheduler="kyber",
        ),
        "split-and-merged": over(
            machine(
                "constant",
                job(iodepth=4, rw="read", block_size_bytes=1 << 20),
                job(2, iodepth=48, rw="write", priority_class=3),
                job(3, iodepth=48, rw="write", priority_class=3),
                scheduler="mq-deadline",
            ),
            queue_depth=2,
        ),
        "hdd-bfq": machine(
            "hdd",
            job(iodepth=4, rw="randrw", size_bytes=1 << 40, runtime_ns=2 * S),
            job(2, iodepth=8, rw="read", block_size_bytes=65_536, runtime_ns=2 * S, priority_class=2, priority_level=2),
            job(3, engine="psync", rw="write", runtime_ns=2 * S, priority_class=3),
            scheduler="bfq",
        ),
        "flash-bfq": machine(
            "flash", job(iodepth=16, rw="randrw"), job(2, rw="randtrim", iodepth=4), job(3, rw="read"), scheduler="bfq"
        ),
    }


def assorted() -> dict[str, SimulationParameters]:
    """Return small machines that between them use every device, scheduler, pattern and engine."""
    return {
        "constant-sync": machine("constant", job(engine="psync", rw="rw")),
        "constant-tags": machine("constant", job(iodepth=64, rw="randwrite"), nr_requests=8),
        "constant-trim": machine("constant", job(iodepth=4, rw="randtrim"), job(2, rw="trim", engine="io_uring")),
        "constant-deadline": machine("constant", job(iodepth=64, rw="randrw"), scheduler="mq-deadline", nr_requests=16),
        "hdd-none": machine("hdd", job(iodepth=32, size_bytes=1 << 40, runtime_ns=2 * S)),
        "hdd-deadline": machine(
            "hdd",
            job(iodepth=48, rw="randrw", size_bytes=1 << 40, runtime_ns=2 * S, priority_class=2),
            job(2, iodepth=8, rw="read", block_size_bytes=65_536, runtime_ns=2 * S, priority_class=3),
            scheduler="mq-deadline",
        ),
        "hdd-sequential": machine("hdd", job(rw="rw", iodepth=2, block_size_bytes=131_072, runtime_ns=S)),
        "hdd-cached": over(
            machine(
                "hdd",
                job(rw="randwrite", engine="psync", fsync=4, runtime_ns=2 * S, size_bytes=1 << 40),
                job(2, rw="randrw", iodepth=8, runtime_ns=2 * S, end_fsync=True, size_bytes=1 << 40),
            ),
            write_cache=1,
            positioning_error_ns=10 * MS,
        ),
        "constant-flushes": over(
            machine(
                "constant",
                job(rw="randwrite", engine="psync", sync="dsync"),
                job(2, rw="randwrite", engine="io_uring", iodepth=8, fsync=4),
                job(3, rw="randwrite", iodepth=8, fdatasync=3),
                scheduler="mq-deadline",
            ),
            write_cache=1,
            flush_queued=0,
        ),
        "flash-flushes": over(
            machine(
                "flash", job(rw="randwrite", engine="psync", fsync=1), job(2, rw="randwrite", iodepth=4, sync="sync")
            ),
            write_cache=1,
            fua=1,
        ),
        "flash-reads": machine("flash", job(iodepth=16), job(2, iodepth=4, block_size_bytes=131_072)),
        "flash-mixed": machine(
            "flash", job(iodepth=32, rw="randrw", rwmixread=70), job(2, rw="write", iodepth=8), scheduler="mq-deadline"
        ),
        **of_elevators(),
        "stalling": machine("stalling", *(job(n, iodepth=16, rw="randrw", runtime_ns=S) for n in (1, 2, 3, 4))),
        **paced(),
    }


def paced() -> dict[str, SimulationParameters]:
    """Return small machines whose jobs do more than keep their depth, or over part of the run only."""
    return {
        "constant-paced": machine(
            "constant",
            job(rate_iops=(3000, 0, 0), rate_process="poisson", iodepth=64, io_submit_mode="offload"),
            job(2, rw="randrw", rate_bytes=(1 << 22, 1 << 20, 0), iodepth=8),
            job(3, iodepth=8, thinktime_ns=MS, thinktime_blocks=5, runtime_ns=30 * MS),
            job(4, iodepth=16, rw="write", iodepth_batch=6, iodepth_batch_complete_min=3, iodepth_low=4),
            job(5, stonewall=True, number_ios=500, iodepth=4, engine="psync", io_submit_mode="offload"),
            scheduler="mq-deadline",
        ),
        "constant-servers": over(
            machine("constant", job(iodepth=16, rw="randrw")), servers=4, service_distribution="exponential"
        ),
        "ramp-and-loops": machine(
            "constant",
            job(ramp_time_ns=3 * MS, runtime_ns=5 * MS, time_based=True, start_delay_ns=MS),
            job(2, runtime_ns=None, size_bytes=1 << 20, loops=3, rw="randread", norandommap=True),
            job(3, runtime_ns=None, size_bytes=1 << 20, write_block_size_bytes=16_384, rw="randrw"),
            host=HostParameters(700, 300),
        ),
        "constant-places": machine(
            "constant",
            job(iodepth=8, rw="randrw", block_range_bytes=((4096, 65_536),) * 3, percentage_random=(60, 80, 100)),
            job(2, iodepth=4, random_distribution="zipf", distribution_parameter=1.2, cmdprio_percent=30),
            job(
                3,
                random_distribution="zoned",
                zones=(((70, 10), (30, 90)),) * 3,
                bssplit=(((4096, 50), (8192, 50)),) * 3,
            ),
            job(4, rw="randwrite", random_distribution="normal", distribution_parameter=5.0),
            job(5, rw="trimwrite"),
            job(6, rw="read", files=((0, 1 << 20), (1 << 21, 1 << 20)), openfiles=1, sequential_add_bytes=4096),
            scheduler="mq-deadline",
        ),
    }
