"""Reads fio's terse output (`--minimal`), versions 2 to 5: one line of semicolons for each job.

The fields of one direction (HOWTO of fio 3.33, chapter Terse output, and its lines as printed): KiB, KiB/s, IOPS,
milliseconds; four statistics of submission and four of completion latency; the percentiles, each `99.000000%=123`; four
of total latency; five of bandwidth, in version 5 two more and five of IOPS. Versions 2 and 3 lack trims. Latencies are
microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.domain.metric import Better
from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.fio_lines import percentile_name
from app.ingest.outputs.quantity import number

_FIRST = re.compile(r"(?:2|[345];fio-[^;]*);[^;]*;\d{1,9};\d{1,9};\d+;\d")
_AGAIN = re.compile(r"[\d.%=;,eE+-]*;")
_HIGHER, _LOWER = Better.HIGHER, Better.LOWER
_STATISTICS = ("min", "max", "mean", "stdev")
_RATE_FIELDS = {"2": 5, "3": 5, "4": 5, "5": 11}
BROKEN_MAX_LINES = 60
"""A line of version 5 has 2,500 characters, and mailers break after 72."""

FIELDS_MIN = 40
"""One direction of the smallest version."""


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each run of consecutive terse lines; lines that a mailer broke are put together."""
    if ";fio-" not in document.text and "%=" not in document.text:
        return
    block: Block | None = None
    at = 0
    while at < len(document):
        line = document.lines[at]
        if document.taken[at] or ";" not in line.text or not _FIRST.match(line.text.lstrip()):
            at += 1
            continue
        text, end = line.text.strip(), at + 1
        while end < len(document) and end - at < BROKEN_MAX_LINES and _continues(document.lines[end].text.strip()):
            text += document.lines[end].text.strip()
            end += 1
        fields = text.split(";")
        if len(fields) >= FIELDS_MIN:
            if block is not None and block.end != at:
                yield block
                block = None
            block = block or Block("fio", at, end, precision=1)
            _Job(fields, line.number, block).read()
            block.end = end
            document.take(at, end)
        at = end
    if block is not None:
        yield block


def _continues(text: str) -> bool:
    return bool(_AGAIN.match(text)) and not _FIRST.match(text)


class _Job:
    """The fields of one line, read from left to right."""

    def __init__(self, fields: list[str], line: int, block: Block) -> None:
        self.fields = fields
        self.line = line
        self.block = block
        self.version = fields[0]
        self.at = 1 if self.version == "2" else 2
        self.name = self._next()
        self.group = int(self._next())
        self.error = int(self._next()) or None

    def read(self) -> None:
        if self.error:
            message = f"the job {self.name} ended with error {self.error}; it is not compared"
            self.block.remarks.append(Remark(self.line, message))
        for direction in ("read", "write", "trim")[: 2 if self.version in "23" else 3]:
            self._direction(direction)

    def _next(self) -> str:
        field = self.fields[self.at] if self.at < len(self.fields) else ""
        self.at += 1
        return field

    def _direction(self, direction: str) -> None:
        kib, kib_s, iops, milliseconds = (number(self._next()) for _ in range(4))
        idle = not kib and not iops
        self._add(idle, f"{direction}.iops", iops, 1.0, "IOPS", _HIGHER)
        self._add(idle, f"{direction}.bw", kib_s, 1024.0, "B/s", _HIGHER)
        self._add(idle, f"{direction}.io", kib, 1024.0, "B", _HIGHER)
        self._add(idle, f"{direction}.runtime", milliseconds, 1e6, "ns", _LOWER)
        self._latency(idle, f"{direction}.slat")
        self._latency(idle, f"{direction}.clat")
        self._percentiles(idle, direction)
        self._latency(idle, f"{direction}.lat")
        self.at += _RATE_FIELDS[self.version]

    def _latency(self, idle: bool, name: str) -> None:
        values = [number(self._next()) for _ in _STATISTICS]
        unmeasured = idle or not any(values)
        for statistic, value in zip(_STATISTICS, values, strict=True):
            # the extremes are whole microseconds: a 0 is something below one, not nothing
            whole = statistic in ("min", "max") and value == 0.0
            self._add(unmeasured or whole, f"{name}_{statistic}", value, 1e3, "ns", _LOWER)

    def _percentiles(self, idle: bool, direction: str) -> None:
        below = False
        while self.at < len(self.fields) and "%=" in self.fields[self.at]:
            percent, _, printed = self._next().partition("%=")
            value = number(printed)
            if percent.strip("0.") == "" or value is None:
                continue  # the fixed list of twenty is filled up with 0%=0
            if value == 0.0:
                below = below or not idle
                continue
            self._add(idle, f"{direction}.clat_{percentile_name(percent)}", value, 1e3, "ns", _LOWER)
        if below:
            message = f"{direction}: percentiles printed as 0 µs are below 1 µs, not zero, and are left out"
            self.block.remarks.append(Remark(self.line, message))

    def _add(self, skip: bool, metric: str, value: float | None, scale: float, unit: str, better: Better) -> None:
        if skip or value is None:
            return
        self.block.results.append(
            Result(
                *(metric, round(value * scale, 3), unit, better, self.line),
                job=self.name,
                group=self.group,
                error=self.error,
            )
        )
