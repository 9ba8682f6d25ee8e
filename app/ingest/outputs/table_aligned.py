"""Finds tables whose columns are only aligned: rows of keys and figures under headings that stand over them."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from app.ingest.outputs.document import Document
from app.ingest.outputs.table_cells import ABOUT, BOUND, FIGURE, figure, percent
from app.ingest.outputs.table_grid import COLUMNS_MAX, DELTA, ROWS_MAX, Cell, Grid, is_rule

KEY_WORDS_MAX = 10
LEADING_MAX = 2
"""Figures of a key, such as threads and block size."""

NEAR_COLUMNS = 12
"""How far a heading may stand from its figures: a percentage in brackets may be between."""

_GAP = re.compile(r"\s{2,}")
_VALUE = re.compile(
    rf"(?<![^\s|])(?:[{ABOUT}]?{FIGURE.pattern}|[(\[*]?[+-]?\s?\d[\d.,]*\s?%[)\]*]?)(?![^\s|,;])".replace("?P<", "?P<_")
)
_BOUND = re.compile(rf"(?<!\S){BOUND.pattern}(?!\S)")
_MISSING_WORD = re.compile(r"(?<!\S)(?:-{1,3}|n/?a|nan|ERR\w*)(?!\S)", re.IGNORECASE)


class _Row(NamedTuple):
    """A line that is keys first and values after them."""

    at: int
    key: str
    values: list[Cell]
    key_end: int
    apart: bool = False
    """Whether an empty line stands above it."""


def aligned(document: Document, start: int) -> Grid | None:
    """Return the table whose first row stands at an index; None where no headings are over it."""
    first = _row(document, start)
    if first is None or start == 0:
        return None
    heads, top = _heads(document, start, first)
    if not heads:
        return None
    below = _rows_below(document, first)
    alike = _commonest(below)
    names = _names(heads[-1], alike)
    if names is None:
        return None
    keys, values, columns = names
    grid = Grid(top, first.at + 1, notes=[cell.text for cell in keys[:1]])
    rows = _fitted(grid, below, alike, dict(zip(columns, values, strict=True)))
    above = _spanning(heads[:-1], values) if len(heads) > 1 else []
    if len(heads) > 1 and len(heads[-2]) == len(values):
        values, above = _two_lines(heads[-2], values), []
    grid.heads = [*([[Cell("", 0, 0), *above]] if above else []), [_joined(keys), *values]]
    for row in rows:
        chosen = [row.values[column] for column in columns]
        # figures left of the first heading belong to the key, as the threads in `Amean 4`
        parts = [row.key, *(cell.text for cell in row.values[: columns[0]])]
        key = " ".join(part for part in parts if part)
        grid.rows.append((row.at, [Cell(key, 0, len(key)), *chosen]))
    return grid


def _rows_below(document: Document, first: _Row) -> list[_Row]:
    """Return a row and all that stand below it, with at most one empty line between two."""
    rows = [first]
    index = first.at + 1
    gap = 0
    while index < len(document) and len(rows) < ROWS_MAX and not document.taken[index]:
        text = document.lines[index].text
        index += 1
        if is_rule(text):
            continue
        if not text.strip():
            gap += 1
            if gap > 1:
                break
            continue
        row = _row(document, index - 1)
        if row is None:
            break
        rows.append(row._replace(apart=gap > 0))
        gap = 0
    return rows


def _commonest(rows: list[_Row]) -> list[_Row]:
    """Return the rows with as many figures as most have, up to where another table begins; as the first in a tie."""
    own = next((at for at, row in enumerate(rows) if row.apart and len(row.values) != len(rows[0].values)), len(rows))
    counts = Counter(len(row.values) for row in rows[:own])
    count = counts.most_common(1)[0][0]
    return [row for row in rows[:own] if len(row.values) == count]


def _fitted(grid: Grid, rows: list[_Row], alike: list[_Row], headings: dict[int, Cell]) -> list[_Row]:
    """Return the rows that are the table's, each with a cell for every column, and note those that do not fit.

    Two misfits of one shape in a row are another table; so is a misfit after an empty line.
    """
    count = len(alike[0].values)
    spans = [
        Cell("", min(cell.start for cell in column), max(cell.end for cell in column))
        for at in range(count)
        for column in [[*(row.values[at] for row in alike), *([headings[at]] if at in headings else [])]]
    ]
    kept: list[_Row] = []
    misfit: _Row | None = None
    for row in rows:
        fitted = row if len(row.values) == count else _by_columns(row, spans)
        if fitted is None:
            if row.apart:
                break
            grid.unread.append(row.at)
            if misfit is not None and len(misfit.values) == len(row.values):
                break
        else:
            kept.append(fitted)
            grid.end = row.at + 1
        misfit = row if fitted is None else None
    return kept


def _by_columns(row: _Row, spans: list[Cell]) -> _Row | None:
    """Return a row with each figure in the column it stands in; those beside the key, left of all columns, join it."""
    placed: list[Cell] = [Cell("", 0, 0)] * len(spans)
    key, end, last = row.key, row.key_end, -1
    for at, cell in enumerate(row.values):
        shared = [min(cell.end, span.end) - max(cell.start, span.start) for span in spans]
        best = max(range(len(spans)), key=lambda column: shared[column])
        if shared[best] > 0 and best > last:
            if last < 0 and cell.start - end < 2:
                return None
            placed[best], last = cell, best
            continue
        following = row.values[at + 1].start if at + 1 < len(row.values) else end
        if last >= 0 or not key or following - cell.end <= cell.start - end:
            return None
        key, end = f"{key} {cell.text}", cell.end
    return row._replace(key=key, values=placed) if last >= 0 else None


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
    if any(sign in text for sign in "<>≤≥"):
        values += [Cell(found[0], found.start(), found.end()) for found in _BOUND.finditer(text)]
    values.sort(key=lambda cell: cell.start)
    end = len(text.rstrip())
    trailing: list[Cell] = []
    for cell in reversed(values):
        if text[cell.end : end].strip(" ,;|"):
            break
        trailing.insert(0, cell)
        end = cell.start
    key_end = len(text[:end].rstrip())
    key = text[:end].strip().rstrip(":=|").strip()
    real = [cell for cell in trailing if figure(cell.text) is not None]
    if not real or len(trailing) > COLUMNS_MAX or len(key.split()) > KEY_WORDS_MAX:
        return None
    if not key and len(trailing) < 3:
        return None
    if not key:
        key, key_end, trailing = trailing[0].text, trailing[0].end, trailing[1:]
    return _Row(index, key, trailing, key_end)


def _heads(document: Document, start: int, first: _Row) -> tuple[list[list[Cell]], int]:
    """Return the heading lines above a row, the nearest last, and the index of the first of them."""
    heads: list[list[Cell]] = []
    index = start - 1
    top = start
    while index >= 0 and len(heads) < 2 and start - index < 6 and not document.taken[index]:
        text = document.lines[index].text
        if is_rule(text) and len(text.split()) < 2:
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
    if (stripped.endswith(":") and len(cells) == 1) or _is_listed(stripped):
        return False
    if nearest_known:
        return 1 < len(cells) <= len(first.values) + 1 and all(figure(cell.text) is None for cell in cells)
    words = _words(cells)
    numeric = sum(figure(word.text) is not None for word in words)
    return (len(words) >= 2 and numeric * 2 <= len(words)) or (numeric == len(words) >= 2 and len(cells) > 1)


def _is_listed(text: str) -> bool:
    """Whether a line is itself a name with its figures, as `base: 5.1ms, 5.2ms`."""
    name, _, rest = text.partition(":")
    return bool(name.strip()) and bool(_VALUE.match(rest.replace(",", " ").strip()))


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
    fits: list[tuple[int, int, list[Cell], list[Cell], list[int]]] = []
    for cells in (head, _words(head)):
        for columns in (every, plain):
            for lead in range(LEADING_MAX + 1):
                under = columns[lead:]
                extra = len(cells) - len(under)
                # a row's name may end in figures, as `write 4k`: then the headings begin further right
                if not under or not 0 <= extra <= (1 if lead else max(1, min(4, len(first.key.split())))):
                    continue
                headed = dict(zip(under, cells[extra:], strict=True))
                if lead and cells[extra].start < first.values[lead - 1].end:
                    continue
                if columns is plain or all(at in headed and DELTA.search(headed[at].text) for at in percents):
                    away = sum(_gap(cell, first.values[at]) for at, cell in headed.items())
                    fits.append((away, lead, cells[:extra], cells[extra:], under))
    if fits:
        return min(fits, key=lambda fit: fit[:2])[2:]
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
