"""Turns the decimal commas of a table into points, where all its figures say that they are decimal commas.

`512,5` is no group of thousands, `1,250` may be one: a table is turned when some figure in it can only be read with a
decimal comma and none can only be read with a decimal point. Where both stand, the reader is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.domain.report import Remark
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document

LINE_MAX_CHARS = 1000
PARAGRAPH_MAX_LINES = 5_000
"""As many as a table has rows at most."""

_COMMA_NUMBER = re.compile(r"(?<![^\s|(:±~+-])(?:\d{1,3}(?:\.\d{3})+|\d+),\d+(?![\w.,]*[.,]\d)")
_SURE = re.compile(r"(?:\d{1,3}(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,})|\d{4,},\d{3}|0,\d+)$")
_POINT_NUMBER = re.compile(r"(?<![^\s|(:±~+-])(?:\d{1,3}(?:,\d{3})+|\d+)\.\d+(?![\w.,]*[.,]\d)")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+$")
_FOREIGN = re.compile(rf"{_COMMA_NUMBER.pattern}|(?<![^\s|])\d{{1,3}}(?:\.\d{{3}})+(?![\w.,]*[.,]\d)")
"""Where commas are decimal, points are thousands."""
_TABLE_LINE = re.compile(r"[|:]|\S\s{2,}\S")


def turn(document: Document) -> Iterator[Block]:
    """Rewrite the lines of such tables in place, columns kept; yield a block with a remark for each left as it is."""
    start = 0
    while start < len(document):
        end = start
        sure, points = 0, 0
        while end < len(document) and end - start < PARAGRAPH_MAX_LINES:
            text = document.lines[end].text
            if document.taken[end] or not text.strip():
                break
            if "," in text and len(text) <= LINE_MAX_CHARS and _TABLE_LINE.search(text):
                sure += sum(bool(_SURE.match(found[0])) for found in _COMMA_NUMBER.finditer(text))
            # versions in a heading, `6.1`, stand above the first such figure
            if sure and "." in text and len(text) <= LINE_MAX_CHARS:
                points += sum(not _GROUPED.match(found[0]) for found in _POINT_NUMBER.finditer(text))
            end += 1
        if sure > 1 and points:
            message = "decimal commas and decimal points stand in one table: figures with a comma are not read"
            yield Block("table", start, start, remarks=[Remark(document.number_at(start), message)])
        elif sure > 1:
            for index in range(start, end):
                line = document.lines[index]
                if len(line.text) <= LINE_MAX_CHARS and _TABLE_LINE.search(line.text):
                    document.lines[index] = line._replace(text=_FOREIGN.sub(_with_a_point, line.text))
        start = max(end, start + 1)


def _with_a_point(found: re.Match[str]) -> str:
    plain = found[0].replace(".", "").replace(",", ".")
    return plain.rjust(len(found[0]))
