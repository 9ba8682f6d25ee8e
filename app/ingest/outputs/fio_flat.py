"""Reads lists such as `read_iops: 12345` that scripts make from fio's JSON, one figure a line.

The scripts' own units are not to be trusted: a figure that contradicts the others of its list is corrected where only
one reading fits, or left out, each with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.domain.metric import Better
from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.quantity import TIME_NS, number

_LINE = re.compile(
    r"[\"'\s-]*(?P<direction>read|write|trim)[_.](?P<what>iops|bw|slat|clat|lat)(?:[_.](?P<rest>[\w%.]+?))?[\"']?"
    r"\s*[:=]\s*[\"']?(?P<value>-?\d[\d.]*(?:[eE][+-]?\d+)?)[\"']?,?\s*$"
)
_PERCENT = re.compile(r"p?(\d{1,2}(?:\.\d+)?)(?:th|%|_?percentile)?$")
_RATE = re.compile(r"(?P<letter>[kmgt]?)(?P<binary>i?)b(?:ytes)?(?:ps|/s|_s)?$", re.IGNORECASE)
_UNITS = {**TIME_NS, "": 1.0}
_STATISTICS = {"mean": "mean", "avg": "mean", "stddev": "stdev", "stdev": "stdev", "max": "max", "min": "min"}
GAP_MAX = 3
"""Lines of other figures between two of one list."""

SECTOR_BYTES = 512
PAGE_BYTES = 4096


@dataclass(slots=True)
class _Figure:
    """One line: what it is of, and the value in the unit it names."""

    direction: str
    what: str
    statistic: str
    value: float
    unit: str
    line: int


@dataclass(slots=True)
class _List:
    start: int
    end: int
    figures: list[_Figure] = field(default_factory=list)


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each list of figures that names at least two quantities of one direction."""
    if not re.search(r"(?:read|write|trim)[_.](?:iops|bw|clat|slat|lat)", document.text):
        return
    found: _List | None = None
    for index, line in document.free():
        figure = _figure(line.text, line.number)
        if figure is None:
            continue
        if found is not None and index - found.end >= GAP_MAX + 1:
            yield from _block(document, found)
            found = None
        found = found or _List(index, index + 1)
        found.figures.append(figure)
        found.end = index + 1
    if found is not None:
        yield from _block(document, found)


def _figure(text: str, number_of_line: int) -> _Figure | None:
    match = _LINE.match(text) if "_" in text or "." in text else None
    if match is None or (value := number(match["value"])) is None:
        return None
    *words, last = (match["rest"] or "").split("_")
    unit = last if last in TIME_NS or (match["what"] == "bw" and _RATE.match(last)) else ""
    statistic = "_".join(words if unit else [*words, last])
    if statistic in _STATISTICS:
        statistic = _STATISTICS[statistic]
    elif percent := _PERCENT.match(statistic):
        statistic = f"p{percent[1]}"
    elif statistic:
        return None
    return _Figure(match["direction"], match["what"], statistic, value, unit, number_of_line)


def _block(document: Document, found: _List) -> Iterator[Block]:
    if len({(figure.what, figure.statistic) for figure in found.figures}) < 2:
        return
    block = Block("fio", found.start, found.end)
    for direction in ("read", "write", "trim"):
        figures = [figure for figure in found.figures if figure.direction == direction]
        if any(figure.value for figure in figures):
            _direction(direction, figures, block)
    if block.results:
        document.take(found.start, found.end)
        yield block


def _direction(direction: str, figures: list[_Figure], block: Block) -> None:
    iops = next((figure.value for figure in figures if figure.what == "iops" and not figure.statistic), None)
    completion = next((_ns(f) for f in figures if f.what == "clat" and f.statistic == "mean"), None)
    units = {figure.what: figure.unit for figure in figures if figure.statistic == "mean" and figure.unit}
    doubtful = False
    for figure in figures:
        if figure.what == "iops" and not figure.statistic:
            block.results.append(Result(f"{direction}.iops", figure.value, "IOPS", Better.HIGHER, figure.line))
        elif figure.what == "bw" and not figure.statistic:
            _bandwidth(figure, iops, block)
        elif figure.statistic and figure.what in ("slat", "clat", "lat"):
            figure.unit = figure.unit or units.get(figure.what, "")
            value = _ns(figure)
            if figure.what == "slat" and figure.statistic == "mean" and completion and value > completion:
                doubtful = True
            if figure.what == "slat" and doubtful:
                _doubt(figure, block)
            elif not figure.unit:
                message = f"{direction} {figure.what} {figure.statistic} names no unit and is left out"
                block.remarks.append(Remark(figure.line, message))
            else:
                metric = f"{direction}.{figure.what}_{figure.statistic}"
                block.results.append(Result(metric, value, "ns", Better.LOWER, figure.line))


def _doubt(figure: _Figure, block: Block) -> None:
    message = (
        f"slat {figure.statistic} says {figure.unit or 'no unit'}, which would make submission slower than completion; "
        "fio's JSON counts nanoseconds; the value is left out"
    )
    block.remarks.append(Remark(figure.line, message))


def _ns(figure: _Figure) -> float:
    return round(figure.value * _UNITS[figure.unit], 6)


def _bandwidth(figure: _Figure, iops: float | None, block: Block) -> None:
    """Megabytes of scripts may be 1000² or 1024²: with IOPS known, blocks of whole sectors tell."""
    match = _RATE.match(figure.unit)
    if match is None:
        block.remarks.append(Remark(figure.line, "a bandwidth without a unit is left out"))
        return
    power = " kmgt".index(match["letter"].lower() or " ")
    decimal, binary = figure.value * 1000.0**power, figure.value * 1024.0**power
    value = binary if match["binary"] else decimal
    if power and not match["binary"] and iops:
        if _whole_sectors(binary / iops) and not _whole_sectors(decimal / iops):
            value = binary
            message = f"{figure.unit} means binary units here: {value / iops:.0f} bytes an I/O are whole sectors"
        else:
            message = f"{figure.unit} is taken as decimal; nothing in the list tells"
        block.remarks.append(Remark(figure.line, message))
    block.results.append(Result(f"{figure.direction}.bw", value, "B/s", Better.HIGHER, figure.line))


def _whole_sectors(size: float) -> bool:
    """Whether a size is whole sectors (from a page on: whole pages), allowing for the rounding of rate and IOPS."""
    unit = SECTOR_BYTES if size < 0.99 * PAGE_BYTES else PAGE_BYTES
    nearest = round(size / unit) * unit
    return nearest > 0 and abs(size - nearest) <= min(0.001 * size, unit / 8)
