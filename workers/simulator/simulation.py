"""The entrance: check the parameters, build the machine, run it in slices, collect the result."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workers.simulator import device as devices
from workers.simulator.block.schedulers import ELEVATORS
from workers.simulator.engine import COMPILED
from workers.simulator.job_checks import check_jobs
from workers.simulator.job_order import latest_ns
from workers.simulator.kinds import DIRECTION_NAMES, DIRECTIONS, FAULT_NAMES, FAULT_NONE, TRIM, WRITE
from workers.simulator.machine import Machine, limits_of
from workers.simulator.observation.series import DeviceSeries
from workers.simulator.parameters import (
    MOST_ROWS,
    MOST_TRACED,
    SimulationParameters,
    check_host,
    check_queue,
    require,
    require_within,
)
from workers.simulator.result import SimulationResult

# Wall time between two looks at `cancelled`, and between two calls of `progress`.
SLICE_S = 0.03
PROGRESS_S = 0.2
FIRST_SLICE_EVENTS = 2_000
MOST_SLICE_EVENTS = 5_000_000

AUTOMATIC_POINTS = 600
MOST_POINTS = 65_536


class SimulationCancelled(Exception):
    """`cancelled` returned True; nothing is returned of the run."""


class SimulatorFault(RuntimeError):
    """An invariant of the simulator broke: a bug of ours, never of the input."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `total_ns` is None when only sizes bound it; `fraction` is between 0 and 1 in any case."""

    simulated_ns: int
    total_ns: int | None
    fraction: float
    ios: int
    bytes: int


def simulate(
    parameters: SimulationParameters,
    *,
    seed: int,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    interpreted: bool = False,
) -> SimulationResult:
    """Run one machine to the end and return what it did; the same parameters and seed give the same bytes.

    Times are integer nanoseconds. `progress` is called every 0.2 s of wall time, `cancelled` every 0.03 s; neither
    can change the result. Raises ValueError naming the field for bad parameters, SimulationCancelled, and RuntimeError
    when the simulator is not compiled, unless `interpreted` (for tests) allows that.
    """
    if not COMPILED and not interpreted:
        raise RuntimeError("the simulator is not compiled; run: python setup.py build_ext --inplace")
    machine = build(parameters, seed)
    last_report_s = time.monotonic()
    events = FIRST_SLICE_EVENTS
    while True:
        began_s = time.monotonic()
        more = machine.run(events)
        if machine.engine.fault != FAULT_NONE:
            raise SimulatorFault(
                f"{FAULT_NAMES[machine.engine.fault]}, at {machine.engine.now_ns} ns, after {machine.engine.processed}"
                f" events (seed {seed}, {parameters})"
            )
        if not more:
            return collect(machine, parameters)
        now_s = time.monotonic()
        if cancelled is not None and cancelled():
            raise SimulationCancelled
        if progress is not None and now_s - last_report_s >= PROGRESS_S:
            last_report_s = now_s
            progress(report(machine, parameters))
        # Slices end by event count, so they cannot influence the run; only their length follows the wall clock.
        events = min(max(int(events * SLICE_S / max(now_s - began_s, 1e-6)), events // 4, 100), 4 * events)
        events = min(events, MOST_SLICE_EVENTS)


def build(parameters: SimulationParameters, seed: int) -> Machine:
    """Check everything and return the machine; ValueError names the field."""
    require_within("seed", seed, 0, (1 << 64) - 1)
    values = devices.check(parameters.device)
    scheduler = parameters.queue.scheduler
    require(scheduler in ELEVATORS, "queue.scheduler", f"{scheduler!r} is not one of {', '.join(ELEVATORS)}")
    check_queue(parameters.queue, values["queue_depth"], ELEVATORS[scheduler].ranges)
    check_jobs(parameters.jobs, values["capacity_bytes"])
    check_host(parameters.host)
    for position, job in enumerate(parameters.jobs):
        if TRIM in job.directions():
            require(values["discard"] == 1, f"jobs[{position}].rw", f"{job.rw}: the device has no discard")
    check_rows(parameters, values)
    require_within("trace_ios", parameters.trace_ios, 0, MOST_TRACED)
    if values.get("precondition") == devices.PRECONDITION_WORKLOAD:
        random = any(job.is_random() and WRITE in job.directions() for job in parameters.jobs)
        values["precondition"] = devices.PRECONDITION_RANDOM if random else devices.PRECONDITION_SEQUENTIAL
    interval_ns, points = series_layout(parameters)
    return Machine(parameters, values, seed, interval_ns, points)


def check_rows(parameters: SimulationParameters, values: Mapping[str, int]) -> None:
    """Raise ValueError when more requests can be in use, or more pieces of I/Os, than there is memory for."""
    limits, _, pieces = limits_of(parameters, values)
    require(
        max(limits.first_flush_row, pieces) <= MOST_ROWS,
        "queue.nr_requests",
        f"{max(limits.first_flush_row, pieces)} requests could be in use at once, at most {MOST_ROWS}",
    )


def series_layout(parameters: SimulationParameters) -> tuple[int, int]:
    """Return the first interval of the series and its number of points."""
    if parameters.series_interval_ns is not None:
        require_within("series_interval_ns", parameters.series_interval_ns, 1000, 10**15)
        total_ns = latest_ns(parameters.jobs)
        wanted = MOST_POINTS if total_ns is None else 2 * (total_ns // parameters.series_interval_ns + 1)
        return parameters.series_interval_ns, max(16, min(wanted, MOST_POINTS))
    # Twice the points: what runs on a little past the end must not fold the whole series.
    total_ns = latest_ns(parameters.jobs) or AUTOMATIC_POINTS * 1_000_000
    return max(round_up(-(-total_ns // AUTOMATIC_POINTS)), 1000), 2 * AUTOMATIC_POINTS


def round_up(interval_ns: int) -> int:
    """Return the next 1, 2 or 5 times a power of ten."""
    step = 1
    while step * 10 <= interval_ns:
        step *= 10
    return next(step * factor for factor in (1, 2, 5, 10) if step * factor >= interval_ns)


def report(machine: Machine, parameters: SimulationParameters) -> Progress:
    """Return how far the machine is."""
    total_ns = latest_ns(parameters.jobs)
    now_ns = machine.engine.now_ns
    wanted = sum(job.loops * (job.io_size_bytes or job.size_bytes) for job in parameters.jobs if not job.time_based)
    by_size = machine.threads.accounts.total_bytes / wanted if wanted else 0.0
    by_time = now_ns / total_ns if total_ns else 0.0
    return Progress(
        simulated_ns=now_ns,
        total_ns=total_ns,
        fraction=min(1.0, max(by_size, by_time)),
        ios=machine.threads.accounts.total_ios,
        bytes=machine.threads.accounts.total_bytes,
    )


def collect(machine: Machine, parameters: SimulationParameters) -> SimulationResult:
    """Return the result of a machine that has run to its end."""
    jobs = machine.threads.accounts.results(parameters.jobs)
    used = sorted({direction for job in parameters.jobs for direction in job.recorded_directions()})
    machine.queue.finish()
    occupancy = machine.queue.hardware.occupancy
    return SimulationResult(
        jobs=jobs,
        series={
            DIRECTION_NAMES[direction]: machine.recorder.series(direction, machine.engine.now_ns)
            for direction in range(DIRECTIONS)
            if direction in used
        },
        device=DeviceSeries(occupancy.interval_ns, occupancy.depth(), occupancy.utilisation()),
        stages={DIRECTION_NAMES[direction]: machine.threads.accounts.stages(direction) for direction in used},
        counters={**machine.queue.counters(), **machine.scheduler.counters(), **machine.device.counters()},
        ended_at_ns=machine.engine.now_ns,
        events=machine.engine.processed,
        trace=machine.recorder.trace(),
        warnings=tuple(machine.device.warnings()),
    )
