"""Reads compilebench's summary, as it prints it and as people copy several of them together.

A phase is found by its name and the figures after it, whatever happened to the line breaks. What compilebench prints
while it runs, one line an operation, is not read: the summary is made from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.domain.metric import Better
from app.domain.report import Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.placed_text import PlacedText

_PHASES = {
    "initial create": r"ini?tial\s+create",
    "create": r"create",
    "patch": r"patch",
    "compile": r"compile",
    "clean": r"clean",
    "read compiled tree": r"read\s+compiled(?:\s+tree)?",
    "read tree": r"read\s+tree",
    "delete compiled tree": r"delete\s+compiled(?:\s+tree)?",
    "delete tree": r"delete\s+tree",
    "stat compiled tree": r"stat\s+compiled(?:\s+tree)?",
    "stat tree": r"stat\s+tree",
}
_FIGURE = r"\d{1,15}(?:\.\d{1,9})?\s*(?:MB/s(?:ec)?|seconds|secs?\b|s\b)"
_PHASE = re.compile(
    rf"(?:(?<![\w/])|(?<=MB/s)|(?<=seconds))(?P<phase>{'|'.join(_PHASES.values())})\s*[:=]?\s+"
    rf"(?:total\s+runs\s+(?P<runs>\d+)\s+avg\s+)?(?P<figures>{_FIGURE}(?:\s*,?\s*{_FIGURE})*)"
    r"(?:\s*\(user\s+[\d.]+s\s+sys\s+[\d.]+s\))?",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(\d+(?:\.\d+)?)\s*(MB/s|s)", re.IGNORECASE)
_NO_RUNS = re.compile(r"no\s+runs\s+for\s+[a-z ]+", re.IGNORECASE)
_RULES = re.compile(r"[-=~_*#|+.\s]*")
_CANONICAL = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PHASES.items()}


def phase_named(text: str) -> str | None:
    """Return the canonical phase that people call so (`Read compiled`, `intial create`); None for another word."""
    return next((name for name, pattern in _CANONICAL.items() if pattern.fullmatch(text.strip())), None)


@dataclass(slots=True)
class _Summary:
    start: int
    end: int
    phases: dict[str, Result] = field(default_factory=dict)


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each summary; a phase that had no runs has no result."""
    text = document.text
    if not ("MB/s" in text or "seconds" in text) or not re.search(r"creat|compile|stat|delete|tree", text):
        return
    placed = PlacedText(document)
    summary: _Summary | None = None
    for found in _PHASE.finditer(placed.text):
        name = phase_named(found["phase"])
        if name is None:
            continue
        if summary is not None and (name in summary.phases or _spoken(placed.text[summary.end : found.start()])):
            yield from _block(document, placed, summary)
            summary = None
        summary = summary or _Summary(found.start(), found.end())
        summary.end = found.end()
        summary.phases[name] = _result(name, found, placed.line_at(found.start()))
    if summary is not None:
        yield from _block(document, placed, summary)


def _spoken(between: str) -> bool:
    """Whether somebody's words stand between two phases."""
    return bool(_RULES.sub("", _NO_RUNS.sub("", between)))


def _result(name: str, found: re.Match[str], line: int) -> Result:
    printed = _VALUE.findall(found["figures"])
    unit = "MB/s" if printed[0][1].lower() == "mb/s" else "s"
    values = tuple(float(value) for value, other in printed if (other.lower() == "mb/s") == (unit == "MB/s"))
    better = Better.HIGHER if unit == "MB/s" else Better.LOWER
    several = len(values) > 1
    mean = sum(values) / len(values)
    return Result(name, mean, unit, better, line, n=len(values), samples=values if several else None)


def _block(document: Document, placed: PlacedText, summary: _Summary) -> Iterator[Block]:
    """One phase alone may be any sentence; its own figures must look like the tool's then."""
    first, last = placed.index_at(summary.start), placed.index_at(summary.end - 1)
    text = placed.text[summary.start : summary.end]
    if len(summary.phases) < 2 and "total runs" not in " ".join(text.split()) and text.count("MB/s") < 2:
        return
    block = Block("compilebench", first, last + 1, results=list(summary.phases.values()))
    block.prefix = placed.before_on_line(summary.start)
    document.take(first, last + 1)
    yield block
