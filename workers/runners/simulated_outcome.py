"""From what a simulation returned to the outcome of a run: fio's metrics first, then the evidence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version

from app.catalog import devices, schedulers
from app.domain.metric import Group, Sample, measured
from app.domain.outcome import Artifact, Histogram, Notice, Outcome, Series, Stage
from app.domain.plan import Setup
from app.ingest.fio_job import read
from workers.runners.base import Task
from workers.runners.blktrace_output import blktrace
from workers.runners.fio_output import fio_json
from workers.simulator import DirectionResult, JobResult, SimulationResult, merge_jobs
from workers.simulator.observation.histogram import LatencyHistogram

FIO_DEFAULTS = {"rw": "read", "bs": "4k", "iodepth": "1", "numjobs": "1"}
"""Options that readers of fio's JSON look for whether they were given or not."""

PERCENTILES = ("50", "90", "95", "99", "99.9", "99.99")

BEYOND_MIN = 10
"""I/Os that have to lie beyond a percentile; with fewer it is the story of single I/Os, and no figure of the run."""

INTERVAL_IOS_MIN = 20
"""I/Os that an interval of a series holds on the average; with fewer its rate is a staircase of single I/Os."""

INTERVALS_MIN = 30

STAGES = {
    "submit": "processor time of the job's thread to submit",
    "q2g": "waiting for a request (Q to G)",
    "g2i": "plugged, and waiting for the scheduler's lock (G to I)",
    "i2d": "in the scheduler and waiting for the driver (I to D)",
    "d2c": "in the device (D to C)",
    "reap": "from completion until the job's thread takes it",
}


def outcome_of(task: Task, raw: SimulationResult) -> Outcome:
    """Return the outcome of a simulation: samples and histograms for each reported job, series, stages, notices."""
    reported = list(_reported(task, raw.jobs))
    return Outcome(
        samples=tuple(sample for job in reported for sample in _samples(job)),
        histograms=tuple(histogram for job in reported for histogram in _histograms(job)),
        series=tuple(_series(raw)),
        stages=tuple(_stages(raw)),
        counters={**raw.counters, **_rates(raw)},
        environment=_environment(task.setup),
        notices=_notices(raw, reported),
        artifacts=tuple(_artifacts(task, raw, reported)),
        log=_log(task.setup, raw),
    )


def scheduler_of(setup: Setup) -> str:
    """Return the elevator asked for, else the one that Linux gives such a device."""
    return setup.device.scheduler or devices.profile(setup.device.profile).default_scheduler


def _reported(task: Task, jobs: Iterable[JobResult]) -> Iterator[JobResult]:
    """Merge what is reported together: the clones of a section, with group_reporting the whole group."""
    job_file = read(task.setup.workload.fio or "", files=task.files, environment=task.setup.environment)
    grouped = {job.name for job in job_file.jobs if job.options.get("group_reporting")}
    sections = [at for at, job in enumerate(job_file.jobs) for _ in range(int(job.options.get("numjobs", 1) or 1))]
    together: dict[tuple[int, int], list[JobResult]] = {}
    for number, job in enumerate(jobs):
        section = sections[number] if number < len(sections) else number
        together.setdefault((job.group_id, -1 if job.name in grouped else section), []).append(job)
    named: Counter[str] = Counter()
    for clones in together.values():
        merged = merge_jobs(clones)
        named[merged.name] += 1
        # fio prints two sections of one name under that name; here they would count as one
        yield replace(merged, name=f"{merged.name} ({named[merged.name]})") if named[merged.name] > 1 else merged


def _samples(job: JobResult) -> Iterator[Sample]:
    group = Group(job=job.name)
    done = {name: direction for name, direction in job.directions.items() if direction.ios}
    if "sync" in done:
        yield from _sync_samples(done["sync"], group)
    used = {name: direction for name, direction in done.items() if name != "sync"}
    for name, direction in used.items():
        yield measured(f"{name}.iops", direction.iops, group)
        yield measured(f"{name}.bw", direction.bytes_per_second, group)
        for latency, histogram in _latencies(direction):
            yield measured(f"{name}.{latency}_mean", histogram.mean_ns, group)
            yield measured(f"{name}.{latency}_max", float(histogram.max_ns), group)
            yield measured(f"{name}.{latency}_stdev", histogram.stdev_ns, group)
        for percent, value in _percentiles(direction.clat):
            yield measured(f"{name}.clat_p{percent}", value, group)
    if len(used) > 1:
        yield measured("total.iops", sum(direction.iops for direction in used.values()), group)
        yield measured("total.bw", sum(direction.bytes_per_second for direction in used.values()), group)


def _sync_samples(sync: DirectionResult, group: Group) -> Iterator[Sample]:
    """What fio says of fsync and fdatasync: their rate, and one latency."""
    yield measured("sync.iops", sync.iops, group)
    yield measured("sync.lat_mean", sync.lat.mean_ns, group)
    yield measured("sync.lat_max", float(sync.lat.max_ns), group)
    yield measured("sync.lat_stdev", sync.lat.stdev_ns, group)
    for percent, value in _percentiles(sync.lat):
        yield measured(f"sync.lat_p{percent}", value, group)


def _percentiles(histogram: LatencyHistogram) -> Iterator[tuple[str, float]]:
    """The percentiles beyond which enough I/Os lie; a bin's value may not exceed the largest latency itself."""
    kept = [percent for percent in PERCENTILES if _told(histogram, percent)]
    found = histogram.percentiles_ns([float(percent) for percent in kept])
    for percent in kept:
        yield percent, float(min(found[float(percent)], histogram.max_ns))


def _told(histogram: LatencyHistogram, percent: str) -> bool:
    return percent == "50" or histogram.n * (100.0 - float(percent)) / 100.0 >= BEYOND_MIN


def _latencies(direction: DirectionResult) -> list[tuple[str, LatencyHistogram]]:
    return [("slat", direction.slat), ("clat", direction.clat), ("lat", direction.lat)]


def _histograms(job: JobResult) -> Iterator[Histogram]:
    for name, direction in job.directions.items():
        for latency, histogram in _latencies(direction):
            if histogram.n:
                yield Histogram(
                    name=f"{name}.{latency}",
                    group={"job": job.name},
                    count=histogram.n,
                    min_ns=histogram.min_ns,
                    max_ns=histogram.max_ns,
                    mean_ns=histogram.mean_ns,
                    stdev_ns=histogram.stdev_ns,
                    bins=tuple((at, int(histogram.bins[at])) for at in histogram.bins.nonzero()[0].tolist()),
                )


def _series(raw: SimulationResult) -> Iterator[Series]:
    for name, series in raw.series.items():
        # what is left of the last interval would look like a collapse or a spike
        whole = max(1, raw.ended_at_ns // series.interval_ns)
        step = _step(int(series.ios[:whole].sum()), whole)
        intervals = max(1, whole // step)
        used = min(intervals * step, whole)
        interval_ns = series.interval_ns * step
        ios, sums, peaks = (
            counted[:used].reshape(intervals, -1)
            for counted in (series.ios, series.latency_sum_ns, series.latency_max_ns)
        )
        counts = ios.sum(axis=1).tolist()
        totals = sums.sum(axis=1).tolist()
        most = peaks.max(axis=1).tolist()
        rates = tuple(count / interval_ns * 1e9 for count in counts)
        means = tuple(total / count if count else None for count, total in zip(counts, totals, strict=True))
        largest = tuple(float(peak) if count else None for count, peak in zip(counts, most, strict=True))
        yield Series(name=f"{name}.iops", unit="IOPS", interval_ns=interval_ns, values=rates)
        yield Series(name=f"{name}.lat_mean", unit="ns", interval_ns=interval_ns, values=means)
        yield Series(name=f"{name}.lat_max", unit="ns", interval_ns=interval_ns, values=largest)
    device = raw.device
    if device.depth.size:
        busy = tuple(100 * part for part in device.utilisation.tolist())
        depth = tuple(device.depth.tolist())
        yield Series(name="device.depth", unit="I/Os", interval_ns=device.interval_ns, values=depth)
        yield Series(name="device.utilisation", unit="%", interval_ns=device.interval_ns, values=busy)


def _step(ios: int, intervals: int) -> int:
    """How many intervals become one, so that each holds enough I/Os; 1, 2 or 5 times a power of ten."""
    step, power = 1, 1
    while ios and ios * step < INTERVAL_IOS_MIN * intervals and intervals // step > INTERVALS_MIN:
        following = next((factor * power for factor in (2, 5, 10) if factor * power > step), 10 * power)
        power = power * 10 if following == 10 * power else power
        step = following
    return step


def _stages(raw: SimulationResult) -> Iterator[Stage]:
    for direction, stages in raw.stages.items():
        for name, histogram in stages.items():
            yield Stage(
                name=f"{direction}.{name}",
                meaning=STAGES.get(name, ""),
                count=histogram.n,
                total_ns=histogram.sum_ns,
                max_ns=histogram.max_ns,
            )


def _environment(setup: Setup) -> dict[str, object]:
    kind, values = devices.resolve(setup.device.profile, setup.device.overrides)
    scheduler = scheduler_of(setup)
    settings, options = schedulers.settings_of(scheduler, setup.device.overrides)
    given = {"nr_requests": setup.device.nr_requests} if setup.device.nr_requests else {}
    return {
        "simulator": version("lodestone"),
        "device": {"profile": setup.device.profile, "kind": kind, **values},
        "scheduler": scheduler,
        "queue": {**schedulers.queue_defaults(scheduler, values), **settings, **options, **given},
    }


def _artifacts(task: Task, raw: SimulationResult, reported: Sequence[JobResult]) -> Iterator[Artifact]:
    job_file = read(task.setup.workload.fio or "", files=task.files, environment=task.setup.environment)
    options = {
        job.name: {**FIO_DEFAULTS, **{name: option.text for name, option in job.settings.items()}}
        for job in job_file.jobs
    }
    jobs = [(job, options.get(job.name, {})) for job in reported]
    for name, plus in (("fio.json", False), ("fio-plus.json", True)):
        content = json.dumps(fio_json(jobs, plus=plus), indent=1).encode()
        yield Artifact(name=name, media_type="application/json", content=content)
    stream = blktrace(raw.trace, [job.name for job in raw.jobs])
    yield Artifact(name="run.blktrace.0", media_type="application/octet-stream", content=stream)


def _rates(raw: SimulationResult) -> dict[str, float]:
    """What the integrals over time come to: commands in the device on the mean, and the share of time it had any."""
    if not raw.ended_at_ns:
        return {}
    return {
        "device_depth_mean": round(raw.counters["device_depth_ns"] / raw.ended_at_ns, 4),
        "device_utilisation": round(raw.counters["device_busy_ns"] / raw.ended_at_ns, 6),
    }


def _left_out(reported: Sequence[JobResult]) -> Iterator[str]:
    for job in reported:
        for name, direction in job.directions.items():
            histogram = direction.lat if name == "sync" else direction.clat
            few = [f"p{percent}" for percent in PERCENTILES if not _told(histogram, percent)]
            if histogram.n and few:
                yield (
                    f"{name} of job {job.name}: {', '.join(few)} left out, as fewer than {BEYOND_MIN} of the "
                    f"{histogram.n} I/Os lie beyond"
                )


def _notices(raw: SimulationResult, reported: Sequence[JobResult]) -> tuple[Notice, ...]:
    silent = [job.name for job in raw.jobs if not any(direction.ios for direction in job.directions.values())]
    messages = [f"job {name} completed no I/O in its measured time" for name in dict.fromkeys(silent)]
    warnings = tuple(Notice(severity="warning", message=message) for message in (*messages, *raw.warnings))
    return (*warnings, *(Notice(severity="info", message=message) for message in _left_out(reported)))


def _log(setup: Setup, raw: SimulationResult) -> str:
    ios = sum(direction.ios for job in raw.jobs for direction in job.directions.values())
    return (
        f"simulated {raw.ended_at_ns / 1e9:.6f} s of {setup.device.profile} with {scheduler_of(setup)}, "
        f"seed {setup.seed}: {ios} I/Os measured, {raw.events} events\n"
    )
