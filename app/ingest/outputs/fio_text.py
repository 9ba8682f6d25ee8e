"""Reads fio's normal output, versions 1.x to 3.x: whole runs, fragments of them, and their status lines alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from app.domain.metric import Better
from app.domain.report import Remark, Result
from app.ingest.outputs import fio_lines as lines
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.fio_rates import settle
from app.ingest.outputs.fio_status import Status, total
from app.ingest.outputs.quantity import TIME_NS

MESSAGES_MAX = 50
"""Messages of fio's own told one by one for one run; a failing disk gives thousands."""

BROKEN_MAX_CHARS = 2000
"""A line that is still open after so many characters was not broken by a mailer."""

FLAT_MIN_CHARS = 160
"""Longer lines may be several that were flattened into one; fio's own rarely are."""

_HIGHER, _LOWER = Better.HIGHER, Better.LOWER
_DIRECTIONS = {"mixed": "total"}
_PROCESS = re.compile(r"\bpid=\s*(\d{1,10})\b")
_SIGNS = re.compile(r"\(groupid=|(?:[Bb][Ww]|io)\s*=|\((?:[num])sec\)|th=\[|^\W*fio: |^\W*note: ", re.MULTILINE)


@dataclass(slots=True)
class _Run:
    """One run on its way to a block."""

    start: int
    end: int
    results: list[Result] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    messages: int = 0
    processes: list[tuple[str | int | None, ...]] = field(default_factory=list)
    jobs: Counter[tuple[str | None, int]] = field(default_factory=Counter)
    rated: set[tuple[str | None, int | None, str]] = field(default_factory=set)
    """Which job, group and direction have had their rates."""
    block_sizes: dict[str, float | None] = field(default_factory=dict)
    prefix: str = ""
    version: str | None = None
    closed: bool = False
    foreign: bool = False
    """Whether somebody's own words came since the last line of fio's."""


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each run of fio whose normal output, or a part of it, stands in the text."""
    if not _SIGNS.search(document.text):
        return
    reader = _Reader(document)
    for index, line in document.free():
        text = line.text.strip()
        if not text:
            continue
        parts = lines.unfolded(text) if len(text) >= FLAT_MIN_CHARS else [text]
        for part in parts:
            if bare := part.strip():
                reader.feed(index, line.number, bare)
        if reader.done:
            yield from reader.done
            reader.done.clear()
    reader.finish()
    yield from reader.done


class _Reader:
    """Follows the lines of a document; hands out a run when it is over."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.run: _Run | None = None
        self.job: str | None = None
        self.group: int | None = None
        self.error: int | None = None
        self.direction: str | None = None
        self.of: tuple[str, str, float] | None = None
        """Whose percentile rows follow: the metric's direction, kind of latency, nanoseconds in the unit."""
        self.syncing = False
        self.a_sum = False
        """Whether the lines are of all clients together, which say nothing new."""
        self.done: list[Block] = []
        self.handlers = {
            "start": self._start,
            "version": self._version,
            "job": self._job,
            "rates": self._rates,
            "latency": self._latency,
            "percentiles": self._percentiles,
            "row": self._row,
            "skipped": self._skipped,
            "other": self._skipped,
            "group": self._group,
            "status": self._status,
            "steady": self._steady,
            "message": self._message,
        }
        self.open_line: tuple[str, int, int, int] | None = None
        """A line that a mailer broke: what there is of it, its index and number, and the last index of it."""

    def feed(self, index: int, number: int, text: str) -> None:
        """Take the next line that is not blank: put it together where a mailer broke it, and follow it."""
        if text[0] == "|" and self.of is not None and self.open_line is None and text.endswith(("]", "],")):
            self._row(number, text)  # half of all lines
            self._took(index, index + 1)
            return
        kind = _kind(text)
        if self.open_line is not None:
            held, first, line, last = self.open_line
            self.open_line = None
            # a blank line, or the start of another line, means that the rest is lost
            if index - last > 1 or kind not in (None, "row") or not lines.continues(held, text):
                self._line(first, line, held, last, _kind(held))
            else:
                text, kind = f"{held} {text}", _kind(f"{held} {text}")
                if not lines.wants_more(text) or len(text) > BROKEN_MAX_CHARS:
                    self._line(first, line, text, index, kind)
                    return
                self.open_line = (text, first, line, index)
                return
        if (kind is not None or "(groupid=" in text) and lines.wants_more(text):
            self.open_line = (text, index, number, index)
            return
        self._line(index, number, text, index, kind)

    def finish(self) -> None:
        """Follow what was held back, and close the last run."""
        if self.open_line is not None:
            held, first, line, last = self.open_line
            self.open_line = None
            self._line(first, line, held, last, _kind(held))
        self._close()

    def _line(self, index: int, number: int, text: str, last: int, kind: str | None) -> None:
        if kind is None:
            inline = lines.INLINE.match(text) if "=" in text else None
            if inline is None:
                self._foreign()
            else:
                self._inline(index, number, inline["label"], inline["line"])
            return
        self._boundary(kind, index, text)
        handle = self.handlers.get(kind)
        if handle is not None:
            handle(number, text)
        self._took(index, last + 1, heard=kind in ("message", "preamble"))

    def _took(self, start: int, end: int, *, heard: bool = False) -> None:
        """Note that lines belong to the run; what fio says beside its results does not end somebody's own words."""
        if self.run is not None:
            self.run.foreign = self.run.foreign and heard
            self.run.end = end
            self.document.take(start, end)

    def _boundary(self, kind: str, index: int, text: str) -> None:
        """Close the run at a line that cannot belong to it, and open one where there is none."""
        run = self.run
        if run is not None and self._begins_anew(kind, text, run):
            self._close()
        if self.run is None:
            self.run = _Run(index, index + 1)

    def _begins_anew(self, kind: str, text: str, run: _Run) -> bool:
        done = bool(run.results or run.statuses)
        if kind in ("start", "version", "preamble"):
            return done
        if kind == "job":
            found = lines.job(text)
            known = found is not None and (found.name, found.group) in run.jobs
            return run.closed or (done and not run.jobs) or (run.foreign and known)
        if kind == "rates":
            direction = text.partition(":")[0].strip()
            seen = (self.job, self.group, _DIRECTIONS.get(direction, direction)) in run.rated
            return run.closed or (seen and not run.jobs) or (run.foreign and seen)
        if kind == "status":
            direction = text.partition(":")[0].strip().lower()
            return run.foreign and any(
                status.direction == direction and status.group == (self.group or 0) for status in run.statuses
            )
        return False

    def _inline(self, index: int, number: int, label: str, text: str) -> None:
        """A rate line that follows somebody's label on the same line is a run of its own."""
        self._close()
        self.run = _Run(index, index + 1, prefix=label)
        kind = _kind(text)
        if kind == "rates":
            self._rates(number, text)
        elif kind == "status":
            self._status(number, text)
        self.document.take(index, index + 1)
        self._close()

    def _foreign(self) -> None:
        self.of = None
        if self.run is not None:
            self.run.foreign = True

    def _start(self, number: int, text: str) -> None:
        found = lines.START.search(text)
        if found and self.run:
            self.run.block_sizes[found["name"]] = lines.block_size(text)

    def _version(self, number: int, text: str) -> None:
        if self.run is not None:
            self.run.version = text

    def _job(self, number: int, text: str) -> None:
        found, run = lines.job(text), self.run
        if found is None or run is None:
            return
        self.job, self.group, self.error = found.name, found.group, abs(found.error) or None
        self.direction, self.of, self.syncing = None, None, False
        self.a_sum = self.job == "All clients"
        if self.a_sum:
            return
        run.jobs[self.job, self.group] += 1
        if process := _PROCESS.search(text):
            run.processes.append((process[1], self.job, self.group))
        if self.error is not None:
            why = f": {found.why}" if found.why else ""
            self._message(number, f"the job {self.job} ended with error {self.error}{why}; it is not compared")

    def _rates(self, number: int, text: str) -> None:
        run = self.run
        assert run is not None
        if self.a_sum:
            return
        name = text.partition(":")[0].strip()
        self.direction, self.of, self.syncing = _DIRECTIONS.get(name, name), None, False
        run.rated.add((self.job, self.group, self.direction))
        said = lines.rates(text)
        size = run.block_sizes.get(self.job or "")
        self._add("iops", said.iops, "IOPS", _HIGHER, number)
        if said.rates:
            requests = said.iops * size if said.iops and size and said.iops >= 1000 else None
            rate, why = settle(said.rates, said.io, said.runtime_ns, requests)
            if why:
                run.remarks.append(Remark(number, f"{self.direction}: {why}"))
            self._add("bw", rate, "B/s", _HIGHER, number)
        self._add("io", said.io, "B", _HIGHER, number)
        self._add("runtime", said.runtime_ns, "ns", _LOWER, number)

    def _latency(self, number: int, text: str) -> None:
        found = lines.KIND.match(text)
        self.of = None
        if found is None:
            return
        what, unit = found["what"], TIME_NS[found["scale"]]
        if what == "sync":
            direction, what, self.syncing = "sync", "lat", True
        else:
            direction = self.direction or ""
        values = lines.statistics(text)
        if not direction:
            return
        for name in ("min", "mean", "max", "stdev"):
            if name in values:
                self._add(f"{what}_{name}", _scaled(values[name], unit), "ns", _LOWER, number, direction)

    def _percentiles(self, number: int, text: str) -> None:
        found = lines.KIND.match(text)
        assert found is not None
        syncing = found["of"] == "sync" or self.syncing
        direction = "sync" if syncing else self.direction
        what = "lat" if found["of"] == "sync" else found["of"]
        self.of = (direction, what, TIME_NS[found["unit"]]) if direction else None
        self._row(number, text)

    def _row(self, number: int, text: str) -> None:
        if self.of is None:
            return
        run = self.run
        assert run is not None
        direction, what, unit = self.of
        job, group, error = self.job, self.group, self.error
        for name, value in lines.percentiles(text):
            metric = _metric(direction, what, name)
            run.results.append(
                Result(metric, _scaled(value, unit), "ns", _LOWER, number, None, job, group, error=error)
            )

    def _skipped(self, number: int, text: str) -> None:
        """Latencies of one priority class are no latencies of the job, nor are counts of requests by latency."""
        self.of = None

    def _group(self, number: int, text: str) -> None:
        found = lines.KIND.match(text)
        assert found is not None
        assert self.run is not None
        self.run.closed = True
        self.job, self.group, self.error, self.direction = None, int(found["number"]), None, None
        self.a_sum = False

    def _status(self, number: int, text: str) -> None:
        assert self.run is not None
        direction = text.partition(":")[0].strip().lower()
        self.run.closed = True
        self.run.statuses.append(Status(self.group or 0, _DIRECTIONS.get(direction, direction), text, number))

    def _steady(self, number: int, text: str) -> None:
        if "attained=no" in text.replace(" ", ""):
            self._message(number, f"{self.job or 'the job'} did not attain its steady state")

    def _message(self, number: int, text: str) -> None:
        run = self.run
        assert run is not None
        run.messages += 1
        if run.messages <= MESSAGES_MAX:
            run.remarks.append(Remark(number, text))

    def _add(
        self, name: str, value: float | None, unit: str, better: Better, number: int, direction: str | None = None
    ) -> None:
        if value is None or self.run is None:
            return
        metric = _metric(direction or self.direction or "", name)
        self.run.results.append(
            Result(metric, value, unit, better, number, None, self.job, self.group, error=self.error)
        )

    def _close(self) -> None:
        run, self.run = self.run, None
        self.job = self.group = self.error = self.direction = self.of = None
        if run is None:
            return
        members: Counter[int] = Counter()
        for (_, group), count in run.jobs.items():
            members[group] += count
        rated = {(group, direction) for _, group, direction in run.rated}
        for status in run.statuses:
            known = (status.group, status.direction) in rated or (None, status.direction) in rated
            if not known or members[status.group] > 1:
                results, remarks = total(status, grouped=bool(run.jobs) or run.closed)
                run.results += results
                run.remarks += remarks
        if run.messages > MESSAGES_MAX:
            left = run.messages - MESSAGES_MAX
            run.remarks.append(Remark(self.document.number_at(run.end), f"{left} more messages of fio's follow"))
        if run.results or run.remarks:
            block = Block("fio", run.start, run.end, remarks=run.remarks, prefix=run.prefix, version=run.version)
            block.results, block.processes = run.results, tuple(run.processes)
            self.done.append(block)


def _scaled(value: float, unit: float) -> float:
    """Return nanoseconds without the noise of the multiplication: fio prints no thousandths of them."""
    return value if unit == 1.0 else round(value * unit, 3)


@lru_cache(maxsize=4096)
def _metric(direction: str, name: str, statistic: str = "") -> str:
    """Return a metric's name, each once: there may be hundreds of thousands of results."""
    return f"{direction}.{name}_{statistic}" if statistic else f"{direction}.{name}"


def _kind(text: str) -> str | None:
    if "(groupid=" in text and lines.job(text) is not None:
        return "job"
    found = lines.KIND.match(text)
    if found is not None:
        return found.lastgroup
    if "(g=" in text and lines.START.match(text):
        return "start"
    if "Laying out IO file" in text and lines.LAYING.match(text):
        return "preamble"
    return None
