"""The points of a sweep: what ran at the same time in a fio run, with the figures that it gave."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.errors import RequestError
from app.ingest.outputs.fio_json import JsonJob, JsonRun, find

POINTS_MAX = 500
"""Points of one fit: each is simulated some hundred times."""

_OPTION = re.compile(r"[A-Za-z0-9_]+")
_PACES = ("rate", "rate_iops", "thinktime")
_TOGETHER = ("stonewall", "wait_for")
"""Options that order jobs in time: a point holds only what ran at the same time."""


@dataclass(frozen=True, slots=True)
class Point:
    """Jobs that ran together: a job file of them, and what was measured.

    `measured` has IOPS of each direction (`read.iops`), or, for jobs whose pace decides that, mean latencies in
    nanoseconds (`read.lat_mean`). `ios` is how many I/Os the run made, `rates` its IOPS in each direction.
    """

    label: str
    place: str
    job_file: str
    measured: Mapping[str, float]
    ios: float
    rates: Mapping[str, float]
    disks: tuple[str, ...]


def read_points(results: Iterable[tuple[str, str]]) -> list[Point]:
    """Return the points of fio's JSON results, given as (name, text) of each file, in their order.

    Raises RequestError naming file and job: no fio JSON, a cut-off run, a failed job, one without I/O, several devices.
    """
    points: list[Point] = []
    for name, text in results:
        before = len(points)
        for run in find(text):
            if run.broken:
                raise RequestError(f"{name}: line {run.last_line}: fio's JSON breaks off here; give a whole file")
            points += (_point(name, run, jobs) for jobs in _together(name, run.jobs))
        if len(points) == before:
            raise RequestError(f"{name}: no JSON output of fio is in it; run fio with --output-format=json or json+")
    if len(points) > POINTS_MAX:
        raise RequestError(f"{len(points)} points are given; at most {POINTS_MAX} are fitted at once")
    first = points[0] if points else None
    for point in points:
        if first is not None and point.disks != first.disks:
            raise RequestError(
                f"{point.place} ran on {_names(point.disks)}, but {first.place} on {_names(first.disks)};"
                " give the results of one device"
            )
    return points


def _names(disks: tuple[str, ...]) -> str:
    return " and ".join(disks) or "no named device"


def _together(name: str, jobs: list[JsonJob]) -> Iterator[list[JsonJob]]:
    """Yield the entries that ran at the same time: a stone wall begins anew, except between the clones of a section."""
    current: list[JsonJob] = []
    for job in jobs:
        clone = bool(current) and (current[-1].name, current[-1].options) == (job.name, job.options)
        clones = _whole_number(name, job, "numjobs")
        if clone and sum(other.options == job.options for other in current) >= clones:
            clone = False
        if current and "stonewall" in job.options and job.options["stonewall"] != "0" and not clone:
            yield current
            current = []
        current.append(job)
    if current:
        yield current


def _whole_number(name: str, job: JsonJob, option: str) -> int:
    text = job.options.get(option, "1")
    if not text.isdecimal() or not int(text):
        raise RequestError(f"{name}: job {job.name} (line {job.line}): {option}={text} is no number of at least 1")
    return int(text)


def _point(name: str, run: JsonRun, jobs: list[JsonJob]) -> Point:
    place = f"{name}: job {jobs[0].name} (line {jobs[0].line})"
    sums: dict[str, float] = {}
    ios = 0.0
    latencies: dict[str, float] = {}
    for job in jobs:
        at = f"{name}: job {job.name} (line {job.line})"
        if job.error is not None:
            raise RequestError(f"{at} ended with error {job.error}; leave it out or measure it again")
        figures = {result.metric: result.value or 0.0 for result in job.results}
        done = {metric: value for metric, value in figures.items() if _is_rate(metric) and value > 0}
        if not done:
            raise RequestError(f"{at} did no I/O: there is nothing to fit to; leave it out or measure it again")
        for metric, rate in done.items():
            direction = metric.partition(".")[0]
            sums[metric] = sums.get(metric, 0.0) + rate
            ios += rate * figures.get(f"{direction}.runtime", 0.0) / 1e9
            mean = figures.get(f"{direction}.lat_mean") or figures.get(f"{direction}.clat_mean") or 0.0
            latencies[direction] = latencies.get(direction, 0.0) + rate * mean
    measured = sums
    if any(option in job.options for job in jobs for option in _PACES):
        measured = {
            f"{direction}.lat_mean": total / sums[f"{direction}.iops"] for direction, total in latencies.items()
        }
        if not all(measured.values()):
            raise RequestError(f"{place} has a pace of its own, so its latency counts, and it has none")
    rates = {metric.partition(".")[0]: rate for metric, rate in sums.items()}
    return Point(_label(jobs), place, _job_file(name, jobs), measured, ios, rates, _disks(run, jobs))


def _is_rate(metric: str) -> bool:
    return metric in ("read.iops", "write.iops", "trim.iops")


def _disks(run: JsonRun, jobs: list[JsonJob]) -> tuple[str, ...]:
    named = {job.options.get("filename", "") for job in jobs}
    devices = tuple(sorted(path for path in named if path.startswith("/dev/")))
    return devices or tuple(run.disks)


def _sections(jobs: list[JsonJob]) -> list[JsonJob]:
    """The first entry of each section: without group_reporting fio prints one for each clone."""
    found: list[JsonJob] = []
    for job in jobs:
        if not any((job.name, job.options) == (other.name, other.options) for other in found):
            found.append(job)
    return found


def _label(jobs: list[JsonJob]) -> str:
    parts = []
    for job in _sections(jobs):
        options = job.options
        rw = options.get("rw") or options.get("readwrite") or "read"
        block = options.get("bs") or options.get("blocksize") or options.get("bsrange") or options.get("bssplit")
        mix = options.get("rwmixread")
        clones = options.get("numjobs", "1")
        words = [rw, block or "4k", f"depth {options.get('iodepth', '1')}"]
        words += [f"{mix}% reads"] if mix and "rw" in rw else []
        words += [f"x {clones}"] if clones != "1" else []
        parts.append(" ".join(words))
    return " + ".join(parts)


def _job_file(name: str, jobs: list[JsonJob]) -> str:
    """Write the job file that these entries come from, so that the same reader understands both."""
    lines = []
    for job in _sections(jobs):
        clones = _whole_number(name, job, "numjobs")
        entries = sum(job.options == other.options and job.name == other.name for other in jobs)
        if entries not in (1, clones):
            raise RequestError(f"{name}: job {job.name} (line {job.line}): {entries} of its {clones} clones are there")
        lines.append(f"[{re.sub(r'[^A-Za-z0-9_.-]', '_', job.name) or 'job'}]")
        for option, value in job.options.items():
            if not _OPTION.fullmatch(option) or not value.isprintable():
                raise RequestError(f"{name}: job {job.name} (line {job.line}): the option {option!r} is none of fio's")
            if option not in ("name", *_TOGETHER):
                lines.append(f"{option}={value}" if value else option)
    return "\n".join(lines) + "\n"
