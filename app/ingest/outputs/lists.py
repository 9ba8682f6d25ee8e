"""Reads figures that stand one to a line behind their names: `patched: 512 MiB/s`, `read = 120k IOPS`.

Lines whose names are sides make a comparison; lines under a label (`Before:`) are that side's. Every line needs a unit
or the name of a metric, its own or that of the line above the list, for prose is full of other numbers. Several figures
after one name are its samples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.labels import bare_label, side_of
from app.ingest.outputs.quantity import better_of, common_factor
from app.ingest.outputs.table_cells import FIGURE, Figure, known_unit, of_match, split_unit

_METRIC = re.compile(
    r"(?:iops|bw|bandwidth|throughput|lat(?:ency)?|clat|slat|time|real|user|sys|elapsed|rate|ops|read|write|score"
    r"|runtime|duration|speed|tps)$",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"\s*(?:[-*•]\s+)?(?P<name>[^\s:=|<>][^:=|<>]{0,70}?)\s*(?:-->|->|=>|:|=)\s*"
    r"(?:(?P<metric>[A-Za-z][\w ./()%-]{0,40}?)\s*[=:]\s*)?(?P<rest>[~+]?\s?\.?\d.*)$"
)
_DIGIT = re.compile(r"\d")
_SPACED = re.compile(r"(?<![\d.,])(\d{1,3})((?: \d{3})+)(?=\s*[A-Za-z])")
_TOOL_VERSION = re.compile(
    r"\b(?P<tool>fio|unixbench|dbench|fs_?mark|iozone|bonnie\+*)[\s-]*v?(?P<version>\d+(?:\.\d+)+)", re.I
)
_SHELL_TIME = re.compile(r"\s*(?P<name>real|user|sys)\s+(?:(?P<minutes>\d{1,6})m)?(?P<seconds>\d{1,9}\.\d{1,9})s?\s*$")
"""What the shell's `time` prints."""

_TAIL = re.compile(r"[\s,;.]*(?:[(\[*].{0,60})?$")
_SEPARATOR = re.compile(r"(?:\s*[,;/]\s*|\s+)(?=[+-]?\.?\d)")
NAME_MAX_WORDS = 8


class _Item(NamedTuple):
    """One line: a name, the metric it states where it does, and its figures; `bare` where it states no unit either."""

    at: int
    line: int
    name: str
    metric: str
    values: tuple[float, ...]
    stdev: float | None
    unit: str
    bare: bool = False
    joined: str = ""
    """Groups of digits that were read as one number: `12 000`."""


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each list of figures whose names are sides, and one for each list under a label."""
    items: list[_Item] = []
    for index, line in document.free():
        item = _item(line.text, index, line.number) if _DIGIT.search(line.text) else None
        if items and (item is None or index != items[-1].at + 1):
            if item is None and not line.text.strip():
                continue
            yield from _block(document, items)
            items = []
        if item is not None:
            items.append(item)
    yield from _block(document, items)


def _item(text: str, index: int, line: int) -> _Item | None:
    if shell := _SHELL_TIME.match(text):
        seconds = round(int(shell["minutes"] or 0) * 60.0 + float(shell["seconds"]), 6)
        return _Item(index, line, shell["name"], "", (seconds,), None, "s")
    found = _LINE.match(text) if len(text) < 200 else None
    if found is None or len(found["name"].split()) > NAME_MAX_WORDS:
        return None
    rest = _SPACED.sub(lambda spaced: spaced[1] + spaced[2].replace(" ", ""), found["rest"])
    figures = _figures(rest)
    if not figures:
        return None
    name = bare_label(found["name"])
    metric, unit = split_unit((found["metric"] or "").strip())
    unit = figures[0].unit or unit
    measured = (unit and known_unit(unit) and unit not in ("x", "X")) or bool(_METRIC.search(metric or name))
    bare = not measured and not unit and not metric and side_of(name) is not None
    if not name or not (measured or bare) or (not unit and not side_of(name) and not metric):
        return None
    values = tuple(each.low for each in figures)
    stdev = figures[0].stdev if len(figures) == 1 else None
    joined = spaced[0] if (spaced := _SPACED.search(found["rest"])) else ""
    return _Item(index, line, name, metric, values, stdev, unit, bare, joined)


def _figures(text: str) -> list[Figure]:
    """Return the figures of one kind that a line consists of, all in the unit of the first; none where it is prose."""
    figures: list[Figure] = []
    at = 0
    while (matched := FIGURE.match(text, at)) is not None:
        found = of_match(matched)
        if found is None or found.high is not None:
            return []
        figures.append(found)
        at = matched.end()
        separator = _SEPARATOR.match(text, at)
        if separator is None:
            break
        at = separator.end()
    if not figures or not _TAIL.match(text, at):
        return []
    if figures[-1].unit and not any(each.unit for each in figures[:-1]):
        return [each._replace(unit=figures[-1].unit) for each in figures]
    factors = [common_factor(each.unit, figures[0].unit) for each in figures]
    if None in factors:
        return []
    return [
        each._replace(low=each.low * factor, unit=figures[0].unit)
        for each, factor in zip(figures, factors, strict=True)
        if factor is not None
    ]


def _block(document: Document, items: list[_Item]) -> Iterator[Block]:
    heading, unit = split_unit(_heading(document, items[0].at)) if items else ("", "")
    measured = _METRIC.search(heading) or better_of(heading, unit)
    if items and not (measured and _introduced(document, items[0].at)):
        items = [item for item in items if not item.bare]
    if not items:
        return
    names = list(dict.fromkeys(item.name for item in items))
    block = Block("table", items[0].at, items[-1].at + 1)
    units: dict[str, str] = {}
    if len(names) > 1 and _are_sides(names):
        block.sided = True
        for item in items:
            given = item._replace(unit=item.unit or unit)
            block.results.append(_result(item.metric or heading or item.unit, given, units, item.name))
        block.remarks += _versions(items)
    elif all(item.unit for item in items):
        block.results = [_result(" ".join(w for w in (i.name, i.metric) if w), i, units, None) for i in items]
    if block.results:
        for item in items:
            document.take(item.at, item.at + 1)
            if item.joined:
                message = f"“{item.joined}” is read as one number; write samples with commas between them"
                block.remarks.append(Remark(item.line, message))
        yield block


def _are_sides(names: list[str]) -> bool:
    sides = [side_of(name) for name in names]
    if any(sides) and all(side is not None for side in sides) and len({*sides}) > 1:
        return True
    return len(names) > 1 and all(_TOOL_VERSION.search(name) or re.match(r"v?\d+\.\d+", name) for name in names)


def _heading(document: Document, start: int) -> str:
    """Return the metric that the line above the list names."""
    for index in range(start - 1, max(-1, start - 3), -1):
        text = bare_label(document.lines[index].text)
        if text:
            return text if len(text.split()) <= 5 and not text.endswith((".", ",")) else ""
    return ""


def _introduced(document: Document, start: int) -> bool:
    """Whether the line above a list ends in a colon."""
    above = (document.lines[index].text.strip() for index in range(start - 1, max(-1, start - 3), -1))
    return next(filter(None, above), "").endswith(":")


def _result(metric: str, item: _Item, units: dict[str, str], variant: str | None) -> Result:
    """Figures of one metric take the unit of the first, so that they can be compared."""
    unit = units.setdefault(metric, item.unit)
    factor = common_factor(item.unit, unit)
    if factor is None:
        unit, factor = item.unit, 1.0
    values = tuple(value * factor for value in item.values)
    return Result(
        *(
            metric,
            values[0] if len(values) == 1 else float(f"{fmean(values):.12g}"),
            unit,
            better_of(metric, unit),
            item.line,
        ),
        variant=variant,
        n=len(values),
        samples=values if len(values) > 1 else None,
        stdev=item.stdev * factor if item.stdev is not None else None,
    )


def _versions(items: list[_Item]) -> list[Remark]:
    found = [(item, version) for item in items if (version := _TOOL_VERSION.search(item.name))]
    versions = {version["version"] for _, version in found}
    if len(versions) < 2:
        return []
    tool = found[0][1]["tool"]
    message = f"the sides are different versions of {tool} ({', '.join(sorted(versions))}): the tool changed as well"
    return [Remark(found[1][0].line, message)]
