"""Reads fio's JSON and json+ output, versions 2.x and 3.x, with whatever stands before, between and after it.

Jobs are decoded one by one, so that ten thousand of them need no memory for the whole tree, and so that a file that was
cut off still gives the jobs before the cut.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.domain.latency_histogram import LatencyHistogram
from app.domain.metric import Better
from app.domain.report import Distribution, Remark, Result
from app.ingest.outputs.fio_lines import percentile_name

BROKEN_MAX = 200
"""Beginnings that come to nothing, in one text: each costs a look at all that follows."""

_HIGHER, _LOWER = Better.HIGHER, Better.LOWER
_OPENING = re.compile(r'\{\s*"(?:fio version|global options|jobs|client_stats|timestamp)"\s*:')
_BLANK = re.compile(r"[\s,]*")
_LISTS = ("jobs", "client_stats")
_STATISTICS = (("min", "min"), ("mean", "mean"), ("max", "max"), ("stddev", "stdev"))
_DIRECTIONS = (("read", "read"), ("write", "write"), ("trim", "trim"), ("mixed", "total"))
_LATENCIES = tuple(
    (key, what, scale)
    for what in ("slat", "clat", "lat")
    for key, scale in ((f"{what}_ns", 1.0), (what, 1e3))  # fio 2.x counted microseconds
)
_NAMES: dict[tuple[str, str, str], str] = {}

_decode = json.JSONDecoder(parse_constant=lambda _: None).raw_decode

_HALF_PAIR = re.compile(r"[\ud800-\udfff]")


def _whole(text: str) -> str:
    """An escape may name half of a surrogate pair, which no encoding can write."""
    return _HALF_PAIR.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class JsonJob:
    """One entry of `jobs`: its options as fio prints them (those of [global] included), its error, and its figures."""

    name: str
    line: int
    options: Mapping[str, str]
    error: int | None
    results: tuple[Result, ...]


@dataclass(slots=True)
class JsonRun:
    """One run of fio: where its JSON stands (offsets, and line numbers from 1), and what it says.

    `disks` are the block devices in `disk_util`, those below them included.
    """

    start: int
    end: int
    first_line: int
    last_line: int
    results: list[Result] = field(default_factory=list)
    distributions: list[Distribution] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    broken: bool = False
    version: str | None = None
    jobs: list[JsonJob] = field(default_factory=list)
    disks: list[str] = field(default_factory=list)
    printed_ms: float | None = None


def find(text: str, first_line: int = 1) -> Iterator[JsonRun]:
    """Yield every run of fio whose JSON stands in a text."""
    at, line, counted, broken = 0, first_line, 0, 0
    while broken < BROKEN_MAX and (found := _OPENING.search(text, at)) is not None:
        line += text.count("\n", counted, found.start())
        counted = found.start()
        run = _Scanner(text, found.start(), line).scan()
        if run is None:
            at = found.end()
            broken += 1
            continue
        broken += run.broken
        yield run
        at = run.end


class _Damaged(Exception):
    """The JSON ends here or is broken."""


class _Scanner:
    """Walks over the keys of one top-level object."""

    def __init__(self, text: str, start: int, line: int) -> None:
        self.text = text
        self.at = start
        self.line = line
        self.counted = start
        self.run = JsonRun(start, start, line, line)
        self.is_fio = False
        self.jobs = 0
        self.options: dict[str, str] = {}

    def scan(self) -> JsonRun | None:
        """Return the run, or None when this is some other program's JSON."""
        try:
            self._object()
        except (_Damaged, ValueError, RecursionError):
            if not (self.is_fio or self.jobs):
                return None
            self.run.broken = True
            self.run.remarks.append(
                Remark(self._line(), f"the JSON breaks off here; what stands before it is read ({self.jobs} jobs)")
            )
        self.run.end = self.at
        self.run.last_line = self._line()
        return self.run if self.jobs or self.is_fio else None

    def _line(self) -> int:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def _object(self) -> None:
        self._expect("{")
        while not self._ends("}"):
            key, self.at = _decode(self.text, self.at)
            self._expect(":")
            if key in _LISTS and self._peek() == "[":
                self._jobs()
                continue
            value, self.at = _decode(self.text, self.at)
            if key == "fio version":
                self.is_fio = True
                self.run.version = _whole(str(value))
            elif key in ("timestamp", "timestamp_ms") and isinstance(value, int):  # the second follows the first
                self.run.printed_ms = value * (1.0 if key == "timestamp_ms" else 1e3)
            elif key == "global options":  # stands before the jobs
                self.options = _texts(value)
            elif key == "disk_util" and isinstance(value, list):
                self.run.disks = [str(disk["name"]) for disk in value if isinstance(disk, dict) and "name" in disk]

    def _jobs(self) -> None:
        self._expect("[")
        while not self._ends("]"):
            line = self._line()
            job, self.at = _decode(self.text, self.at)
            if isinstance(job, dict) and "jobname" in job:
                self.jobs += 1
                if job["jobname"] != "All clients":  # a sum of the others
                    before = len(self.run.results)
                    entry = _Job(job, line, self.run)
                    entry.read()
                    options = {**self.options, **_texts(job.get("job options"))}
                    figures = tuple(self.run.results[before:])
                    self.run.jobs.append(JsonJob(entry.name, line, options, entry.error, figures))

    def _skip(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at

    def _peek(self) -> str:
        self._skip()
        return self.text[self.at : self.at + 1]

    def _expect(self, sign: str) -> None:
        if self._peek() != sign:
            raise _Damaged
        self.at += 1
        self._skip()

    def _ends(self, sign: str) -> bool:
        sign_here = self._peek()
        if not sign_here:
            raise _Damaged
        if sign_here == sign:
            self.at += 1
            return True
        return False


class _Job:
    """One entry of `jobs`."""

    def __init__(self, job: Mapping[str, Any], line: int, run: JsonRun) -> None:
        self.job = job
        self.line = line
        self.run = run
        self.name = _whole(str(job["jobname"]))
        group = job.get("groupid")
        self.group = group if isinstance(group, int) else None
        error = job.get("error")
        self.error = abs(error) if isinstance(error, int) and error else None

    def read(self) -> None:
        if self.error is not None:
            message = f"the job {self.name} ended with error {self.error}; it is not compared"
            self.run.remarks.append(Remark(self.line, message))
        for key, direction in _DIRECTIONS:
            part = self.job.get(key)
            if isinstance(part, dict) and _did_something(part):
                self._direction(direction, part)
        sync = self.job.get("sync")
        if isinstance(sync, dict) and sync.get("total_ios"):
            self._latencies("sync", sync)
        steady = self.job.get("steadystate")
        if isinstance(steady, dict) and steady.get("attained") == 0:
            self.run.remarks.append(Remark(self.line, f"the job {self.name} did not attain its steady state"))

    def _direction(self, direction: str, part: Mapping[str, Any]) -> None:
        self._add(direction, "iops", part.get("iops"), 1.0, "IOPS", _HIGHER)
        if "bw_bytes" in part:
            self._add(direction, "bw", part["bw_bytes"], 1.0, "B/s", _HIGHER)
        else:
            self._add(direction, "bw", part.get("bw"), 1024.0, "B/s", _HIGHER)
        # io_bytes held KiB before fio 2.99; io_kbytes came with the change
        scale = 1.0 if "io_kbytes" in part or "bw_bytes" in part else 1024.0
        self._add(direction, "io", part.get("io_bytes"), scale, "B", _HIGHER)
        self._add(direction, "runtime", part.get("runtime"), 1e6, "ns", _LOWER)
        self._latencies(direction, part)

    def _latencies(self, direction: str, part: Mapping[str, Any]) -> None:
        for key, what, scale in _LATENCIES:
            latency = part.get(key)
            if not isinstance(latency, dict) or not _was_measured(latency):
                continue
            for printed, name in _STATISTICS:
                self._add(direction, f"{what}_{name}", latency.get(printed), scale, "ns", _LOWER)
            percentiles = latency.get("percentile")
            if isinstance(percentiles, dict):
                for percent, value in percentiles.items():
                    # fio 2.x filled its fixed list up with 0.00
                    if _is_percent(percent):
                        self._add(direction, f"{what}_{percentile_name(percent)}", value, scale, "ns", _LOWER)
            bins = latency.get("bins")
            if isinstance(bins, dict) and bins and scale == 1.0:
                self._histogram(f"{direction}.{what}", bins)

    def _histogram(self, metric: str, bins: Mapping[str, Any]) -> None:
        try:
            histogram = LatencyHistogram.of_json_plus(bins)
        except (ValueError, TypeError):
            self.run.remarks.append(Remark(self.line, f"the bins of {metric} are no histogram of fio's"))
            return
        self.run.distributions.append(Distribution(metric, self.line, histogram, job=self.name, group=self.group))

    def _add(self, direction: str, name: str, value: Any, scale: float, unit: str, better: Better) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return
        metric = _NAMES.setdefault((direction, name, ""), f"{direction}.{name}")
        self.run.results.append(
            Result(
                *(metric, float(value) * scale, unit, better, self.line),
                job=self.name,
                group=self.group,
                error=self.error,
            )
        )


def _texts(options: object) -> dict[str, str]:
    """Options as fio prints them: all of them text."""
    return {str(key): _whole(str(value)) for key, value in options.items()} if isinstance(options, dict) else {}


def _did_something(part: Mapping[str, Any]) -> bool:
    """Whether the job did any I/O in this direction: fio prints zeros for the others."""
    return any(isinstance(part.get(key), int | float) and part[key] > 0 for key in ("io_bytes", "total_ios", "iops"))


def _was_measured(latency: Mapping[str, Any]) -> bool:
    """Whether a latency was measured at all: a synchronous engine has no submission latency, and prints zeros."""
    if "N" in latency:
        return bool(latency["N"])
    return any(isinstance(latency.get(key), int | float) and latency[key] > 0 for key in ("min", "max", "mean"))


def _is_percent(text: str) -> bool:
    try:
        return 0.0 < float(text) <= 100.0
    except ValueError:
        return False
