"""Reads fs_mark's tables.

A Count that grows from row to row is one run, whose result is its files over its time; one that starts again is another
run. The average that fs_mark (or its user) states is believed where rows were left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from app.domain.metric import Better
from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.quantity import number

_HEAD = re.compile(r"[#*\s]*FSUse%\s+Count\s+Size\s+Files/sec", re.IGNORECASE)
_ROW = re.compile(r"\s*\d{1,3}\s+(?P<count>\d{1,18})\s+\d+\s+(?P<rate>\d[\d.,]*)\s+\d+\b")
_ELIDED = re.compile(r"\s*(?:\.{2,}|…|\[\s*(?:\.{2,}|snip[^\]]*)\s*\]|<snip[^>]*>|\(\.{3}\))\s*$")
_AVERAGE = re.compile(
    r"\W*(?:(?:average|avg|mean)(?:\s+of)?:?\s*files/sec(?:ond)?|files/sec(?:ond)?\s*\(?(?:average|avg|mean)\)?"
    r"|average)\W*?\s(?P<rate>\d[\d.,]*)",
    re.IGNORECASE,
)
_OTHER_STATISTIC = re.compile(r"\W*(?:p\d+|min|max|median|std\w*)\W+files/sec", re.IGNORECASE)
_COMMENT = re.compile(r"fs_mark|thread\(s\) starting|Sync method:|Directories:|File names:|Files info:|App overhead is")
COMMENT_MAX_LINES = 20
TAIL_MAX_LINES = 6
"""How far below its table an average may stand."""


@dataclass(slots=True)
class _Step:
    count: int
    rate: float
    line: int


@dataclass(slots=True)
class _Table:
    start: int
    end: int
    runs: list[list[_Step]] = field(default_factory=list)
    elided: bool = False
    average: tuple[float, int] | None = None
    remarks: list[Remark] = field(default_factory=list)


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each table under its own heading of fs_mark."""
    if "fsuse%" not in document.text.lower():
        return
    index = 0
    while index < len(document):
        if document.taken[index] or not _HEAD.match(document.lines[index].text):
            index += 1
            continue
        table = _table(document, index)
        table.start = _heading_start(document, index)
        if table.runs:
            document.take(table.start, table.end)
            yield Block("fs_mark", table.start, table.end, results=_results(table), remarks=table.remarks)
        index = max(table.end, index + 1)


def _heading_start(document: Document, head: int) -> int:
    """Return where the comment begins that fs_mark prints over its table: command, version, what it does."""
    start = head
    for index in range(head - 1, max(-1, head - COMMENT_MAX_LINES), -1):
        text = document.lines[index].text.strip()
        if document.taken[index] or (text and not text.startswith("#")):
            break
        if _COMMENT.search(text):
            start = index
    return start


def _table(document: Document, start: int) -> _Table:
    table = _Table(start, start + 1)
    since = 0
    for index in range(start + 1, len(document)):
        text = document.lines[index].text
        row = _ROW.match(text)
        if row and (rate := number(row["rate"])):
            step = _Step(int(row["count"]), rate, document.number_at(index))
            grows = table.runs and step.count > table.runs[-1][-1].count
            if grows:
                table.runs[-1].append(step)
            else:
                table.runs.append([step])
        elif _ELIDED.match(text):
            table.elided = True
        elif average := _AVERAGE.match(text):
            value = number(average["rate"])
            table.average = (value, document.number_at(index)) if value else None
        elif _HEAD.match(text) or (text.strip() and not _OTHER_STATISTIC.match(text)):
            break
        elif not text.strip():
            since += 1
            if since > TAIL_MAX_LINES:
                break
            continue
        since = 0
        table.end = index + 1
    return table


def _results(table: _Table) -> list[Result]:
    values = [_files_over_time(run) for run in table.runs]
    line = table.runs[0][0].line
    if table.elided and table.average is None:
        message = "rows of this table were left out; its files per second are those of the rows shown"
        table.remarks.append(Remark(line, message))
    if table.average is not None:
        stated, at = table.average
        computed = sum(values) / len(values)
        if table.elided:
            return [_result(stated, line, table.runs[0] if len(table.runs) == 1 else None, values)]
        if abs(stated - computed) > 0.005 * computed:
            message = f"the average {stated:g} is not files over time of the rows, {computed:.1f}"
            table.remarks.append(Remark(at, message))
    mean = sum(values) / len(values)
    return [_result(mean, line, table.runs[0] if len(table.runs) == 1 else None, values)]


def _result(value: float, line: int, steps: list[_Step] | None, values: list[float]) -> Result:
    """The samples of one run are its steps, those of several runs their values."""
    samples = [step.rate for step in steps] if steps is not None else values
    return Result(
        *("files_per_second", value, "files/s", Better.HIGHER, line),
        n=1 if steps is not None else len(values),
        samples=tuple(samples) if len(samples) > 1 else None,
    )


def _files_over_time(run: list[_Step]) -> float:
    """Return the files of a run over its time; each step made the files by which the Count grew."""
    if len(run) == 1:
        return run[0].rate
    made = [run[0].count, *(after.count - before.count for before, after in pairwise(run))]
    # where the table's beginning is missing, the first Count is no step
    typical = sorted(made[1:])[len(made[1:]) // 2]
    made[0] = min(made[0], typical)
    return sum(made) / sum(files / step.rate for files, step in zip(made, run, strict=True))
