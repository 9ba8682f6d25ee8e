"""One trial: the jobs of a point, simulated on a device with given values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.catalog import devices
from app.errors import PreparationFailed, RequestError
from workers.fitting.points import Point
from workers.runners.simulated import fio_jobs
from workers.simulator import DeviceParameters, JobParameters, QueueParameters, SimulationParameters, simulate
from workers.simulator.kinds import DIRECTION_NAMES

SEARCH_IOS = 1_500
"""I/Os of a point while searching: a mean of so many random accesses of a disk is good to 1 %."""

REPORT_IOS = 6_000
"""I/Os of a point in the table that is printed."""

ROUNDS_MIN = 20
"""I/Os of a clone, in units of its depth: what filling and draining the queue costs is then a few percent at most."""

FILLS = 1.5
"""Write buffers that go by before a point is measured, so that what a buffer swallows is not taken for the device."""


def trial(
    point: Point, profile: str, values: Mapping[str, int | str], seed: int, ios: int
) -> tuple[dict[str, float], dict[str, int]]:
    """Return the figures of a point by the names in `point.measured`, and the simulator's counters.

    Raises RequestError naming file and job where the simulator cannot run it on such a device.
    """
    chosen = devices.profile(profile)
    try:
        jobs = _shortened(fio_jobs(point.job_file, values, seed), point, values, ios)
        result = simulate(
            SimulationParameters(
                jobs=jobs,
                device=DeviceParameters(chosen.kind, values),
                queue=QueueParameters(chosen.default_scheduler),
            ),
            seed=seed,
        )
    except (PreparationFailed, ValueError) as error:
        raise RequestError(f"{point.place}: {error}") from None
    figures = {}
    for metric in point.measured:
        direction, _, figure = metric.partition(".")
        parts = [job.directions[direction] for job in result.jobs if direction in job.directions]
        count = sum(part.ios for part in parts)
        if figure == "iops":
            figures[metric] = sum(part.iops for part in parts)
        else:
            figures[metric] = sum(part.lat.sum_ns for part in parts) / count if count else 0.0
    return figures, result.counters


def _shortened(
    jobs: tuple[JobParameters, ...], point: Point, values: Mapping[str, int | str], ios: int
) -> tuple[JobParameters, ...]:
    """Let the jobs end after so many I/Os; behind a ramp, after the time that the real device took for them.

    A job may not end by its size while it ramps. There is a ramp only where the run itself outlasted it.
    """
    rate = sum(point.rates.values())
    ramp_ns = max(_ramp_ns(job, point, values) for job in jobs)
    if rate * ramp_ns / 1e9 + ios > point.ios:
        ramp_ns = 0
    made = []
    for job in jobs:
        plain = replace(job, runtime_ns=None, time_based=False, ramp_time_ns=ramp_ns, loops=1, number_ios=0)
        plain = replace(plain, end_fsync=False, io_size_bytes=None)
        if ramp_ns:
            made.append(replace(plain, runtime_ns=round(ios / rate * 1e9), time_based=True))
            continue
        sizes = [job.largest_bytes(direction) for direction in job.directions()]
        share = max(ios // len(jobs), ROUNDS_MIN * job.depth())
        made.append(replace(plain, io_size_bytes=share * sum(sizes) // len(sizes)))
    return tuple(made)


def _ramp_ns(job: JobParameters, point: Point, values: Mapping[str, int | str]) -> int:
    rate = point.rates.get("write", 0.0)
    names = [DIRECTION_NAMES[direction] for direction in job.directions()]
    if "write" not in names or not rate:
        return 0
    writes = 0.0
    if "write_buffer_bytes" in values:
        writes = int(values["write_buffer_bytes"]) / job.largest_bytes(1)
    elif values["write_cache"] and "write_cache_entries" in values:
        writes = int(values["write_cache_entries"])
    return round(FILLS * writes / rate * 1e9)
