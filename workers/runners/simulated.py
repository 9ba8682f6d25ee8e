"""The `simulator` runner: a definition's set-up becomes plain parameters, the simulator's result an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from app.catalog import devices, runners, schedulers
from app.domain.load import Load
from app.domain.outcome import Outcome, RunProgress
from app.errors import PreparationFailed, RunCancelled
from app.ingest.fio_job import read
from app.ingest.fio_load import loads_of
from workers.runners.base import Control, Task
from workers.runners.replayed import replay_job
from workers.runners.simulated_outcome import outcome_of, scheduler_of
from workers.simulator import (
    DeviceParameters,
    JobParameters,
    Progress,
    QueueParameters,
    SimulationCancelled,
    SimulationParameters,
    SimulationResult,
    simulate,
)
from workers.simulator.stream import seed_of

TRACED_IOS = 5_000
"""I/Os of a run that are kept one by one, for its blktrace stream: 1.2 MB."""


class SimulatedRunner:
    """Runs fio jobs on a simulated block layer and device."""

    kind = "simulator"

    def run(self, task: Task, control: Control) -> SimulationResult:
        """Simulate the run. Raises PreparationFailed naming what does not fit, RunCancelled when asked to stop."""
        control.report(RunProgress(fraction=0.0))
        parameters = parameters_of(task)

        def report(progress: Progress) -> None:
            seconds = progress.simulated_ns / 1e9
            control.report(
                RunProgress(
                    fraction=progress.fraction,
                    simulated_s=seconds,
                    ios=progress.ios,
                    iops=progress.ios / seconds if seconds else None,
                )
            )

        try:
            return simulate(parameters, seed=task.setup.seed, progress=report, cancelled=control.stopping)
        except SimulationCancelled:
            raise RunCancelled from None
        except ValueError as error:
            raise PreparationFailed(str(error)) from None

    def parse(self, task: Task, raw: SimulationResult) -> Outcome:
        """Return the outcome of a simulation: fio's metrics for each reported job, and the evidence."""
        return outcome_of(task, raw)


def parameters_of(task: Task) -> SimulationParameters:
    """Return the simulator's parameters for a run. Raises PreparationFailed naming line or parameter."""
    setup = task.setup
    try:
        kind, values = devices.resolve(setup.device.profile, setup.device.overrides)
        settings, options = schedulers.settings_of(scheduler_of(setup), setup.device.overrides)
    except ValueError as error:
        raise PreparationFailed(f"device: {error}") from None
    return SimulationParameters(
        jobs=_jobs(task, values),
        device=DeviceParameters(kind, values),
        trace_ios=TRACED_IOS,
        queue=QueueParameters(scheduler_of(setup), setup.device.nr_requests, options, **settings),
    )


def _jobs(task: Task, values: Mapping[str, int | str]) -> tuple[JobParameters, ...]:
    setup = task.setup
    if setup.workload.fio is None:
        return (replay_job(task, values),)
    return fio_jobs(setup.workload.fio, values, setup.seed, files=task.files, environment=setup.environment)


def fio_jobs(
    text: str,
    values: Mapping[str, int | str],
    seed: int,
    *,
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[JobParameters, ...]:
    """Return what a fio job file asks of a device with these values. Raises PreparationFailed naming the line."""
    job_file = read(text, files=files or {}, environment=environment or {})
    fio = runners.SIMULATOR_FIO
    loads = loads_of(job_file, honoured=fio.honoured, ignored=fio.ignored, device=values)
    for diagnostic in (*job_file.diagnostics, *loads.diagnostics):
        if diagnostic.severity == "error":
            raise PreparationFailed(f"line {diagnostic.line} of the job: {diagnostic.message}")
    return tuple(_job(number, load, seed) for number, load in enumerate(loads.loads, start=1))


def _job(number: int, load: Load, seed: int) -> JobParameters:
    read_bytes, write_bytes, trim_bytes = load.block_bytes
    return JobParameters(
        name=load.name,
        thread_number=number,
        group_id=load.group,
        engine=load.engine,
        iodepth=load.iodepth,
        rw=load.pattern,
        rwmixread=load.read_percent,
        block_size_bytes=read_bytes,
        write_block_size_bytes=write_bytes,
        trim_block_size_bytes=trim_bytes,
        offset_bytes=load.region_offset_bytes,
        size_bytes=load.region_bytes,
        io_size_bytes=load.io_bytes,
        runtime_ns=load.runtime_ns,
        time_based=load.time_based,
        ramp_time_ns=load.ramp_ns,
        norandommap=not load.random_map,
        fsync=load.fsync_writes,
        fdatasync=load.fdatasync_writes,
        sync=load.sync,
        end_fsync=load.end_fsync,
        start_delay_ns=_start_delay_ns(number, load, seed),
        stonewall=load.stonewall,
        wait_for=load.wait_for,
        priority_class=load.priority[0],
        priority_level=load.priority[1],
        cgroup_weight=load.cgroup_weight,
        cmdprio_percent=load.other_priority_percent,
        cmdprio_class=load.other_priority[0],
        cmdprio_level=load.other_priority[1],
        files=load.files,
        **asdict(load.pace),
        **asdict(load.access),
    )


def _start_delay_ns(number: int, load: Load, seed: int) -> int:
    low_ns, high_ns = load.start_delay_ns
    return low_ns + seed_of(seed, f"startdelay/{number}") % (high_ns - low_ns + 1)
