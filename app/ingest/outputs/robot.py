"""Reads the comparison tables of the kernel test robot: `%stddev  %change  %stddev` over two or more commits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.percentages import disagreement
from app.ingest.outputs.quantity import better_of, number
from app.ingest.outputs.table_cells import rounding

_HEAD = re.compile(r"\s*%stddev\s+%change\s+%stddev")
_N = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_SPREAD = r"(?:\s+[±\ufffd+/-]{1,3}\s*(\d{1,9})%)?"
_FIRST = re.compile(rf"\s*({_N}){_SPREAD}")
_NEXT = re.compile(rf"\s+([+-]\d+(?:\.\d+)?(?:e[+-]?\d+)?)(%?)\s+({_N}){_SPREAD}(?=\s)")
_NAME = re.compile(r"\s+(\S.*?)\s*$")
_SHARE = re.compile(r"\blatency_[<>=]*\d+(?:\.\d+)?[mun]?s%$")
"""The share of I/Os that fio counted in one bin of its latencies: neither more nor less of one is better by itself."""
NAME_MAX_CHARS = 300


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each table; a metric without a figure on one side has no result there."""
    if "%stddev" not in document.text:
        return
    for index, line in document.free():
        if not _HEAD.match(line.text) or document.taken[index]:
            continue
        names = _sides(document, index)
        if len(names) < 2:
            continue
        block = Block("table", index, index + 1, sided=True, cell=_test(document, index))
        at = index + 1
        while at < len(document) and not document.taken[at]:
            text = document.lines[at].text
            if text.strip() and not _row(block, names, text, document.number_at(at)) and set(text) - set(" \\|"):
                break
            at += 1
        block.end = at
        if block.results:
            document.take(index, at)
            yield block


def _sides(document: Document, head: int) -> list[str]:
    """Return the names of the commits, from the line above the rule."""
    for index in range(head - 1, max(-1, head - 5), -1):
        text = document.lines[index].text
        if text.strip() and set(text.strip()) - set("- "):
            return text.split()
    return []


def _test(document: Document, head: int) -> str | None:
    """Return the parameters of the test, which the robot prints above each table."""
    for index in range(head - 1, max(-1, head - 14), -1):
        title = document.lines[index].text.strip()
        if title.endswith(":") and "/" in title and " " not in title:
            values = document.lines[index + 1].text.strip()
            return values[:200] or None
    return None


def _row(block: Block, names: list[str], text: str, line: int) -> bool:
    first = _FIRST.match(text)
    if first is None:
        return False
    columns: list[tuple[str, str | None, str, bool]] = [(first[1], first[2], "", False)]
    end = first.end()
    while (found := _NEXT.match(text, end)) is not None:
        columns.append((found[3], found[4], found[1], bool(found[2])))
        end = found.end()
    name = _NAME.match(text, end)
    if len(columns) < 2 or name is None or len(columns) > len(names):
        return False
    metric = name[1][:NAME_MAX_CHARS]
    before = number(columns[0][0])
    for variant, (printed, spread, change, is_percent) in zip(names, columns, strict=False):
        value = number(printed)
        if value is None:
            continue
        stdev = abs(value) * float(spread) / 100.0 if spread else None
        better = None if _SHARE.search(metric) else better_of(metric, "")
        block.results.append(Result(metric, value, "", better, line, variant=variant, n=None, stdev=stdev))
        if change and is_percent and before and value > 0.0:
            error = rounding(columns[0][0]) / before + rounding(printed) / value
            said = disagreement(before, value, float(change), rounding=0.101, error=error)
            if said is not None:
                block.remarks.append(Remark(line, f"{metric}: {said}"))
    return True
