"""Finds the grids of tables in a text: pipes and rules, commas, or columns that are only aligned."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.ingest.outputs.document import Document
from app.ingest.outputs.table_aligned import aligned
from app.ingest.outputs.table_cells import BOUND, figure, percent
from app.ingest.outputs.table_grid import COLUMNS_MAX, ROWS_MAX, Cell, Grid, is_rule

_INNER_RULE = re.compile(r"^[-=_+\s:]*$")
_DIGIT = re.compile(r"\d")


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
            grid = aligned(document, index)
        if grid is None:
            index += 1
            continue
        yield grid
        index = max(grid.end, index + 1)


# --- pipes ---


def _piped(document: Document, start: int) -> Grid | None:
    end = start
    while end < len(document) and end - start < ROWS_MAX and not document.taken[end]:
        text = document.lines[end].text
        if "|" not in text and not is_rule(text):
            break
        end += 1
    while start < end and is_rule(document.lines[start].text) and "|" not in document.lines[start].text.strip("| "):
        start += 1
    lines = [(index, document.lines[index].text) for index in range(start, end)]
    if sum("|" in text for _, text in lines) < 2:
        return None
    grid = Grid(start, end)
    opened = all(text.lstrip().startswith(("|", "+", "-", "=")) for _, text in lines)
    ruled = False
    cells_before_rule: list[list[Cell]] = []
    for index, text in lines:
        if is_rule(text):
            ruled = ruled or bool(cells_before_rule)
            continue
        cells = _pipe_cells(text, opened=opened)
        if not ruled:
            cells_before_rule.append(cells)
        data = [cell for cell in cells[1:] if figure(cell.text) is not None or percent(cell.text) is not None]
        bounds = ruled and any(BOUND.fullmatch(cell.text) for cell in cells[1:])
        heading = (not data and not bounds) or (not grid.rows and not ruled and _any_rule(lines))
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
    return any(is_rule(text) for _, text in lines[1:])


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
    index = grid.end
    while index < len(document) and len(grid.rows) < ROWS_MAX and not document.taken[index]:
        cells = _fields(document.lines[index].text)
        figures = sum(figure(cell.text) is not None or percent(cell.text) is not None for cell in cells)
        if len(cells) == len(head) and figures and figures * 2 >= len(cells) - 1:
            grid.rows.append((index, cells))
            grid.end = index + 1
        elif len(cells) > 1 and figures and index == grid.end:
            grid.unread.append(index)
        else:
            break
        index += 1
    return grid if grid.rows else None


def _fields(text: str) -> list[Cell]:
    cells: list[Cell] = []
    at = 0
    for part in text.split(",")[: COLUMNS_MAX + 1]:
        cells.append(Cell(part.strip().strip('"'), at, at + len(part)))
        at += len(part) + 1
    return cells if len(cells) <= COLUMNS_MAX else []
