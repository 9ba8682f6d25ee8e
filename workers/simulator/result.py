"""What a simulation returns: plain values, and one stable export of them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workers.simulator.kinds import DIRECTION_NAMES
from workers.simulator.observation.histogram import LatencyHistogram, merged
from workers.simulator.observation.series import DeviceSeries, Series


@dataclass(frozen=True, slots=True)
class DirectionResult:
    """I/Os and bytes of one direction, over `runtime_ns`, with fio's three latencies in nanoseconds."""

    ios: int
    bytes: int
    runtime_ns: int
    slat: LatencyHistogram
    clat: LatencyHistogram
    lat: LatencyHistogram

    @property
    def iops(self) -> float:
        """Return I/Os a second, 0 when nothing ran."""
        return self.ios * 1e9 / self.runtime_ns if self.runtime_ns else 0.0

    @property
    def bytes_per_second(self) -> float:
        """Return bytes a second, 0 when nothing ran."""
        return self.bytes * 1e9 / self.runtime_ns if self.runtime_ns else 0.0

    def to_dict(self) -> dict[str, object]:
        """Return plain integers and histograms."""
        return {
            "ios": self.ios,
            "bytes": self.bytes,
            "runtime_ns": self.runtime_ns,
            "slat": self.slat.to_dict(),
            "clat": self.clat.to_dict(),
            "lat": self.lat.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class JobResult:
    """One job clone, or several of one group together; a direction that the job does not use is left out."""

    name: str
    thread_number: int
    group_id: int
    directions: dict[str, DirectionResult]

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "name": self.name,
            "thread_number": self.thread_number,
            "group_id": self.group_id,
            "directions": {name: result.to_dict() for name, result in self.directions.items()},
        }


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The outcome of one run.

    `device` has its depth and utilisation over time, whole intervals, ramp time included. `stages` holds, for each
    direction, where the time of its I/Os went: submit (CPU of the thread), q2g (waiting for
    a request), g2i, i2d (elevator), d2c (device), reap; their sums add up to the sum of lat. `counters` are whole-run
    counts of queue, scheduler and device, ramp time included; times end in _ns. `trace` has a row for each traced I/O,
    with columns named by TRACE_NAMES: thread and direction as numbers, sectors of 512 bytes, then times. `warnings` are
    sentences on what stands against reading the figures as those of a steady state.
    """

    jobs: tuple[JobResult, ...]
    series: dict[str, Series]
    device: DeviceSeries
    stages: dict[str, dict[str, LatencyHistogram]]
    counters: dict[str, int]
    ended_at_ns: int
    events: int
    trace: NDArray[np.int64]
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return plain values in a fixed order: the same run gives the same bytes."""
        return {
            "jobs": [job.to_dict() for job in self.jobs],
            "series": {name: series.to_dict() for name, series in self.series.items()},
            "device": self.device.to_dict(),
            "stages": {
                direction: {name: histogram.to_dict() for name, histogram in stages.items()}
                for direction, stages in self.stages.items()
            },
            "counters": dict(self.counters),
            "ended_at_ns": self.ended_at_ns,
            "events": self.events,
            "trace": self.trace.tolist(),
            "warnings": list(self.warnings),
        }


def merge_jobs(jobs: Iterable[JobResult]) -> JobResult:
    """Return several clones as one job, as fio's group_reporting does.

    Counts add, histograms merge before any percentile is taken, the runtime is the longest; name, thread number
    and group are the first clone's. Raises ValueError when there is none.
    """
    clones = list(jobs)
    if not clones:
        raise ValueError("jobs: there is none to merge")
    directions = {}
    for name in DIRECTION_NAMES:
        parts = [job.directions[name] for job in clones if name in job.directions]
        if parts:
            directions[name] = DirectionResult(
                ios=sum(part.ios for part in parts),
                bytes=sum(part.bytes for part in parts),
                runtime_ns=max(part.runtime_ns for part in parts),
                slat=merged(part.slat for part in parts),
                clat=merged(part.clat for part in parts),
                lat=merged(part.lat for part in parts),
            )
    return JobResult(clones[0].name, clones[0].thread_number, clones[0].group_id, directions)


def merge_groups(jobs: Iterable[JobResult]) -> tuple[JobResult, ...]:
    """Return one merged job a group, in the order of first appearance."""
    groups: dict[int, list[JobResult]] = {}
    for job in jobs:
        groups.setdefault(job.group_id, []).append(job)
    return tuple(merge_jobs(members) for members in groups.values())
