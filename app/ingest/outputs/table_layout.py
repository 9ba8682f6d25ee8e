"""Finds the grids of tables in a text: pipes and rules, or columns that are only aligned; cells with their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from app.ingest.outputs.document import Document
from app.ingest.outputs.table_cells import FIGURE, MISSING, figure, percent

ROWS_MAX = 5_000
COLUMNS_MAX = 64
KEY_WORDS_MAX = 10
LEADING_MAX = 2
"""Figures of a key, such as threads and block size."""

NEAR_COLUMNS = 12
"""How far a heading may stand from its figures: a percentage in brackets may be between."""

_RULE_SIGNS = " |+:=_*-"
_LONG_RULE = re.compile(r"[-=_]{3}")
_INNER_RULE = re.compile(r"^[-=_+\s:]*$")
_DIGIT = re.compile(r"\d")
_GAP = re.compile(r"\s{2,}")
_VALUE = re.compile(
    rf"(?<![^\s|])(?:{FIGURE.pattern}|[(\[*]?[+-]?\s?\d[\d.,]*\s?%[)\]*]?)(?![^\s|,;])".replace("?P<", "?P<_")
)
DELTA = re.compile(r"%|diff|change|delta|gain|improv|speed-?up|ratio|\bvs\b|Δ|increase|decrease|regress", re.IGNORECASE)
"""What stands over a column that only compares two others."""
_MISSING_WORD = re.compile(r"(?<!\S)(?:-{1,3}|n/?a|nan|ERR\w*)(?!\S)", re.IGNORECASE)


class Cell(NamedTuple):
    """One cell: its text and the columns of the line it takes."""

    text: str
    start: int
    end: int

    @property
    def middle(self) -> float:
        """The column in its middle."""
        return (self.start + self.end) / 2


@dataclass(slots=True)
class Grid:
    """A table's rows: headings first, then those with figures, each with the index of its line."""

    start: int
    end: int
    heads: list[list[Cell]] = field(default_factory=list)
    rows: list[tuple[int, list[Cell]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What stands over the column of the keys: the machine, the disk, a name of the whole table."""


def grids(document: Document) -> Iterator[Grid]:
    """Yield every grid in the lines that are free."""
    index = 0
    while index < len(document):
        text = document.lines[index].text
        if document.taken[index] or not text.strip():
            index += 1
            continue
        grid = None
        if "|" in text or text.lstrip().startswith("+--"):
            grid = _piped(document, index)
        if grid is None and "," in text:
            grid = _separated(document, index)
        if grid is None and _DIGIT.search(text):
            grid = _aligned(document, index)
        if grid is None:
            index += 1
            continue
        yield grid
        index = max(grid.end, index + 1)


def _is_rule(text: str) -> bool:
    """Whether a line is drawn, not written."""
    return not text.strip(_RULE_SIGNS) and bool(_LONG_RULE.search(text))


# --- pipes ---


def _piped(document: Document, start: int) -> Grid | None:
    end = start
    while end < len(document) and end - start < ROWS_MAX and not document.taken[end]:
        text = document.lines[end].text
        if "|" not in text and not _is_rule(text):
            break
        end += 1
    while start < end and _is_rule(document.lines[start].text) and "|" not in document.lines[start].text.strip("| "):
        start += 1
    lines = [(index, document.lines[index].text) for index in range(start, end)]
    if sum("|" in text for _, text in lines) < 2:
        return None
    grid = Grid(start, end)
    opened = all(text.lstrip().startswith(("|", "+", "-", "=")) for _, text in lines)
    ruled = False
    cells_before_rule: list[list[Cell]] = []
    for index, text in lines:
        if _is_rule(text):
            ruled = ruled or bool(cells_before_rule)
            continue
        cells = _pipe_cells(text, opened=opened)
        if not ruled:
            cells_before_rule.append(cells)
        data = [cell for cell in cells[1:] if figure(cell.text) is not None or percent(cell.text) is not None]
        heading = not data or (not grid.rows and not ruled and _any_rule(lines))
        if heading and not grid.rows:
            grid.heads.append(cells)
        elif heading and not any(cell.text for cell in cells[1:]):
            continue
        else:
            grid.rows.append((index, cells))
    if not grid.heads or not grid.rows:
        return None
    _set_notes_apart(grid)
    return grid


def _any_rule(lines: list[tuple[int, str]]) -> bool:
    return any(_is_rule(text) for _, text in lines[1:])


def _pipe_cells(text: str, *, opened: bool) -> list[Cell]:
    cells: list[Cell] = []
    at = 0
    for part in text.split("|")[:COLUMNS_MAX]:
        bare = part.strip()
        if _INNER_RULE.match(bare):
            bare = ""
        cells.append(Cell(bare, at, at + len(part)))
        at += len(part) + 1
    if opened:
        cells = cells[1:]
    if text.rstrip().endswith("|") and cells and not cells[-1].text:
        cells = cells[:-1]
    return cells


def _set_notes_apart(grid: Grid) -> None:
    """Rows without figures inside the table are headings; what they say over the keys is about the whole table."""
    for head in grid.heads:
        if head and head[0].text:
            grid.notes.append(head[0].text)


# --- commas ---


def _separated(document: Document, start: int) -> Grid | None:
    """Comma-separated values: a line of names, and lines with as many fields, most of them figures."""
    head = _fields(document.lines[start].text)
    if len(head) < 2 or any(not cell.text or figure(cell.text) is not None for cell in head[1:]):
        return None
    grid = Grid(start, start + 1, heads=[head], notes=[head[0].text])
    while grid.end < len(document) and len(grid.rows) < ROWS_MAX and not document.taken[grid.end]:
        cells = _fields(document.lines[grid.end].text)
        figures = sum(figure(cell.text) is not None or percent(cell.text) is not None for cell in cells)
        if len(cells) != len(head) or not figures or figures * 2 < len(cells) - 1:
            break
        grid.rows.append((grid.end, cells))
        grid.end += 1
    return grid if grid.rows else None


def _fields(text: str) -> list[Cell]:
    cells: list[Cell] = []
    at = 0
    for part in text.split(",")[: COLUMNS_MAX + 1]:
        cells.append(Cell(part.strip().strip('"'), at, at + len(part)))
        at += len(part) + 1
    return cells if len(cells) <= COLUMNS_MAX else []


# --- alignment ---


class _Row(NamedTuple):
    """A line that is keys first and values after them."""

    at: int
    key: str
    values: list[Cell]


def _aligned(document: Document, start: int) -> Grid | None:
    first = _row(document, start)
    if first is None or start == 0:
        return None
    heads, top = _heads(document, start, first)
    if not heads:
        return None
    rows = [first]
    index = start + 1
    gap = 0
    while index < len(document) and len(rows) < ROWS_MAX and not document.taken[index]:
        text = document.lines[index].text
        if not text.strip() or _is_rule(text):
            gap += 1
            if gap > 1 and not _is_rule(text):
                break
            index += 1
            continue
        row = _row(document, index)
        if row is None or len(row.values) != len(first.values):
            break
        rows.append(row)
        gap = 0
        index += 1
    names = _names(heads[-1], rows)
    if names is None:
        return None
    keys, values, columns = names
    grid = Grid(top, rows[-1].at + 1, notes=[cell.text for cell in keys[:1]])
    above = _spanning(heads[:-1], values) if len(heads) > 1 else []
    if len(heads) > 1 and len(heads[-2]) == len(values):
        values, above = _two_lines(heads[-2], values), []
    grid.heads = [*([[Cell("", 0, 0), *above]] if above else []), [_joined(keys), *values]]
    for row in rows:
        chosen = [row.values[column] for column in columns]
        # figures left of the first heading belong to the key, as the threads in `Amean 4`
        key = " ".join([row.key, *(cell.text for cell in row.values[: columns[0]])])
        grid.rows.append((row.at, [Cell(key, 0, len(key)), *chosen]))
    return grid


def _two_lines(upper: list[Cell], lower: list[Cell]) -> list[Cell]:
    """Names broken over two lines, one heading each; a first line that is the same everywhere says nothing."""
    if len({cell.text for cell in upper}) == 1:
        return lower
    return [
        Cell(f"{above.text} {below.text}", min(above.start, below.start), max(above.end, below.end))
        for above, below in zip(upper, lower, strict=True)
    ]


def _row(document: Document, index: int) -> _Row | None:
    """Return a line as a row: some words of keys, and nothing but values after them."""
    text = document.lines[index].text
    if document.taken[index] or len(text) > 1000:
        return None
    values = [Cell(found[0].strip(), found.start(), found.end()) for found in _VALUE.finditer(text)]
    values += [Cell("", found.start(), found.end()) for found in _MISSING_WORD.finditer(text)]
    values.sort(key=lambda cell: cell.start)
    end = len(text.rstrip())
    trailing: list[Cell] = []
    for cell in reversed(values):
        if text[cell.end : end].strip(" ,;|"):
            break
        trailing.insert(0, cell)
        end = cell.start
    key = text[:end].strip().rstrip(":=|").strip()
    real = [cell for cell in trailing if figure(cell.text) is not None]
    if not real or len(trailing) > COLUMNS_MAX or len(key.split()) > KEY_WORDS_MAX:
        return None
    if not key and len(trailing) < 3:
        return None
    if not key:
        key, trailing = trailing[0].text, trailing[1:]
    return _Row(index, key, trailing)


def _heads(document: Document, start: int, first: _Row) -> tuple[list[list[Cell]], int]:
    """Return the heading lines above a row, the nearest last, and the index of the first of them."""
    heads: list[list[Cell]] = []
    index = start - 1
    top = start
    while index >= 0 and len(heads) < 2 and start - index < 6 and not document.taken[index]:
        text = document.lines[index].text
        if _is_rule(text) and len(text.split()) < 2:
            index -= 1
            continue
        if not text.strip():
            if heads or index < start - 1:
                break
            index -= 1
            continue
        cells = _segments(text)
        if not _may_head(text, cells, first, bool(heads)):
            break
        heads.insert(0, cells)
        top = index
        index -= 1
    return heads, top


def _segments(text: str) -> list[Cell]:
    cells: list[Cell] = []
    at = 0
    for part in _GAP.split(text.strip()):
        start = text.index(part, at)
        at = start + len(part)
        cells.append(Cell(part.strip(":"), start, at))
    return cells


def _words(cells: list[Cell]) -> list[Cell]:
    return [
        Cell(found[0].strip(":"), cell.start + found.start(), cell.start + found.end())
        for cell in cells
        for found in re.finditer(r"\S+", cell.text)
    ]


def _may_head(text: str, cells: list[Cell], first: _Row, nearest_known: bool) -> bool:
    stripped = text.strip()
    if stripped.endswith((".", ",", ";", "?", "!")) or stripped.startswith(("- ", "* ")) or len(stripped) > 400:
        return False
    if nearest_known:
        return 1 < len(cells) <= len(first.values) + 1 and all(figure(cell.text) is None for cell in cells)
    words = _words(cells)
    numeric = sum(figure(word.text) is not None for word in words)
    return (len(words) >= 2 and numeric * 2 <= len(words)) or (numeric == len(words) >= 2 and len(cells) > 1)


def _names(head: list[Cell], rows: list[_Row]) -> tuple[list[Cell], list[Cell], list[int]] | None:
    """Return the headings of the keys, those of the values, and which of a row's values they are over."""
    first = rows[0]
    count = len(first.values)
    percents = [
        column
        for column in range(count)
        if all(not row.values[column].text or percent(row.values[column].text) is not None for row in rows)
    ]
    every = list(range(count))
    plain = [column for column in every if column not in percents]
    fits: list[tuple[int, list[Cell], list[Cell], list[int]]] = []
    for cells in (head, _words(head)):
        for columns in (every, plain):
            extra = len(cells) - len(columns)
            if columns and 0 <= extra <= 4 and (extra <= 1 or extra <= len(first.key.split())):
                headings = cells[extra:]
                if columns is plain or all(DELTA.search(headings[column].text) for column in percents):
                    away = sum(_gap(cell, first.values[at]) for cell, at in zip(headings, columns, strict=True))
                    fits.append((away, cells[:extra], headings, columns))
    if fits:
        return min(fits, key=lambda fit: fit[0])[1:]
    for cells in (head, _words(head)):
        missing = len(plain) - len(cells)
        if 0 < missing <= LEADING_MAX and len(cells) > 1:
            columns = plain[missing:]
            if all(_beside(cell, first.values[column]) for cell, column in zip(cells, columns, strict=True)):
                return [], cells, columns
    return _by_place(head, first, plain)


def _gap(heading: Cell, value: Cell) -> int:
    """How many columns lie between a heading and its figure, none where one is over the other."""
    return max(0, heading.start - value.end, value.start - heading.end)


def _beside(heading: Cell, value: Cell) -> bool:
    return _gap(heading, value) < NEAR_COLUMNS


def _by_place(head: list[Cell], first: _Row, columns: list[int]) -> tuple[list[Cell], list[Cell], list[int]] | None:
    """Match headings by where they stand; every column needs one of its own."""
    for cells in (head, _words(head)):
        chosen = []
        for column in columns:
            value = first.values[column]
            over = [cell for cell in cells if cell.start < value.end + 2 and value.start - 2 < cell.end]
            if over:
                chosen.append(min(over, key=lambda cell: abs(cell.middle - value.middle)))
        if len(chosen) == len(columns) == len(set(chosen)) and columns:
            keys = [cell for cell in cells if cell.end <= first.values[columns[0]].start and cell not in chosen]
            return keys, chosen, columns
    return None


def _spanning(outer: list[list[Cell]], values: list[Cell]) -> list[Cell]:
    """Return for each column the heading above its heading: its own, or that of the group it belongs to."""
    cells = outer[-1]
    if len(cells) == len(values):
        return list(cells)
    return [min(cells, key=lambda cell: abs(cell.middle - value.middle)) for value in values]


def _joined(cells: list[Cell]) -> Cell:
    text = " ".join(cell.text for cell in cells)
    return Cell(text, cells[0].start, cells[-1].end) if cells else Cell("", 0, 0)


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no figure."""
    return not text.strip() or bool(MISSING.match(text.strip()))
