"""Reads before/after tables out of mails: which columns are keys, which are sides, which are metrics.

The rule. A column of text, of sizes or under a word such as `threads` is a key; one of percentages compares others and
is checked, not read. If the headings of the other columns name sides, a column is a side and a row a metric; if they
name metrics and the rows name sides, it is the other way round. Under two headings the level that names sides gives
them, and the other becomes part of the metric. A table whose sides cannot be told is a side itself, named by the label
above it, or it is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from app.domain.metric import Better, is_known, metric_named
from app.domain.report import Remark, Result
from app.ingest.outputs import decimal_commas
from app.ingest.outputs.block import Block
from app.ingest.outputs.compilebench import phase_named
from app.ingest.outputs.document import Document
from app.ingest.outputs.labels import bare_label, context_of, side_of, without_context
from app.ingest.outputs.percentages import disagreement
from app.ingest.outputs.quantity import better_of
from app.ingest.outputs.table_cells import BOUND, Figure, figure, percent, split_unit, unit_in_prose
from app.ingest.outputs.table_grid import DELTA, Cell, Grid
from app.ingest.outputs.table_layout import grids

TABLES_MAX = 1000
"""A series with a table in every mail has some dozens."""

CAPTION_LINES = 8
SIDE_WORDS_MAX = 8
"""A longer first cell is a sentence."""

_UNFIT = "a line that looks like a row of the table above does not fit under its headings; it is not read"

_KEY_NAME = re.compile(
    r"^(?:#|nr\b|num|number|threads?|jobs?|numjobs|procs?|process(?:es)?|tasks?|clients?|cpus?|cores?|bs|blk|block|size"
    r"|file ?size|i/?o ?size|iodepth|depth|qd|queue|test|workload|case|op|operation|pattern|rw|mode|device|disk"
    r"|concurrency"
    r"|loops?|iteration|run|id|group|scenario|benchmark|config|fs|file ?system|name|type|phase|request|files?|dirs?"
    r"|users?"
    r"|containers?|vms?|node|param\w*|option)",
    re.IGNORECASE,
)
_METRIC_NAME = re.compile(
    r"iops|\bbw\b|bandwidth|throughput|[kmgt]i?b/s|mbps|lat\b|latency|p\d\d|\d\dth|avg|mean|median|stdd?ev|ops|rate|time|sec\b"
    r"|seconds|elapsed|\b[mun]s\b|score|usage|util|cpu|faults|size\(|read\b|write\b|result|value|total|speed|index|files/s",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\d+(?:\.\d+)?\s?(?:[kKmMgGtT](?:i?B)?|B)$")
_SIDE_NAME = re.compile(
    r"\bv?\d+\.\d+(?:\.\d+)?(?:-rc\d+)?|\b[0-9a-f]{8,40}\b|\b(?:ext[234]|xfs|btrfs|f2fs|jfs|nilfs2?|zfs|bcachefs|erofs|tmpfs)"
    r"|^(?:on|off|yes|no|enabled?|disabled?|y|n|true|false)$|=\s*(?:\d+|on|off|y|n)$|\bv\d+$|\brfc\b",
    re.IGNORECASE,
)


class _Column(NamedTuple):
    """One column of figures: its headings from the outside in."""

    at: int
    outer: str
    inner: str


@dataclass(slots=True)
class _Table:
    """A grid with its columns told apart."""

    grid: Grid
    keys: list[int]
    values: list[_Column]
    deltas: list[int]
    unit: str


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each table whose sides, or whose metrics, can be told."""
    yield from decimal_commas.turn(document)
    left: list[int] = []
    for grid in islice(grids(document), TABLES_MAX):
        table = _table(document, grid)
        block = _read(document, table) if table is not None else None
        if block is not None and block.results:
            document.take(grid.start, grid.end)
            inside = [index for index in grid.unread if index < grid.end]
            block.remarks += [Remark(document.number_at(index), _UNFIT) for index in inside]
            left += [index for index in grid.unread if index >= grid.end]
            yield block
    # what stands below a table may be another one
    left = [index for index in left if not document.taken[index]]
    if left:
        remarks = [Remark(document.number_at(index), _UNFIT) for index in left]
        yield Block("table", left[0], left[0], remarks=remarks)


def _table(document: Document, grid: Grid) -> _Table | None:
    width = max(len(cells) for _, cells in grid.rows)
    columns = [[cells[at].text if at < len(cells) else "" for _, cells in grid.rows] for at in range(width)]
    headings = [_headings(grid, at) for at in range(width)]
    keys: list[int] = []
    deltas: list[int] = []
    values: list[_Column] = []
    for at, texts in enumerate(columns):
        outer, inner = headings[at]
        filled = [text for text in texts if text.strip()]
        if not filled:
            continue
        if (all(percent(text) is not None for text in filled) and not (side_of(inner) or side_of(outer))) or (
            DELTA.search(inner) and not side_of(inner)
        ):
            deltas.append(at)
        elif _is_key(at, filled, inner, values):
            keys.append(at)
        else:
            values.append(_Column(at, outer, inner))
    if not values:
        return None
    return _Table(grid, keys, values, deltas, unit_in_prose(_caption(document, grid.start)))


def _caption(document: Document, start: int) -> str:
    """Return the text above a table, up to the one before it."""
    words: list[str] = []
    for index in range(start - 1, max(-1, start - 1 - CAPTION_LINES), -1):
        if document.taken[index]:
            break
        words.insert(0, document.lines[index].text.strip())
    return " ".join(word for word in words if word)


def _headings(grid: Grid, at: int) -> tuple[str, str]:
    """Return the outer and the inner heading of a column; with one level the outer is empty."""
    inner_row = max(grid.heads, key=len)
    row = grid.rows[0][1]
    levels: list[str] = []
    for head in grid.heads:
        if len(head) == len(row) or (head is inner_row and len(head) > at):
            text = head[at].text if at < len(head) else ""
        elif at < len(row) and at:
            spanning = head[1:] or head
            over = [cell for cell in spanning if cell.start <= row[at].middle < cell.end]
            text = over[0].text if over else ""
        else:
            text = head[0].text if head else ""
        if text and (not levels or levels[-1] != text):
            levels.append(bare_label(text))
    if not levels:
        return "", ""
    return (" ".join(levels[:-1]) if at else "", levels[-1])


def _is_key(at: int, filled: Sequence[str], heading: str, values: Sequence[_Column]) -> bool:
    figures = [figure(text) for text in filled]
    if sum(each is None for each in figures) * 2 > len(filled):
        return True
    if values:
        return False
    if all(_SIZE.fullmatch(text.strip()) for text in filled) and (not heading or _KEY_NAME.match(heading)):
        return True
    if _METRIC_NAME.search(heading) or side_of(heading):
        return False
    return at == 0 or bool(_KEY_NAME.match(heading))


def _read(document: Document, table: _Table) -> Block | None:
    block = Block("table", table.grid.start, table.grid.end)
    level = _side_level(table)
    row_sides = _rows_are_sides(table)
    if level is not None:
        _read_columns(document, table, block, level)
        block.sided = True
        block.cell = _table_name(table)
    elif row_sides and all(_METRIC_NAME.search(c.inner) or c.inner for c in table.values):
        _read_rows(document, table, block)
        block.sided = True
    elif table.keys and len(table.values) > 1 and any(_METRIC_NAME.search(c.inner) for c in table.values):
        _read_columns(document, table, block, None)
    else:
        return None
    _canonical(block)
    if table.unit and any(result.unit == table.unit for result in block.results):
        message = f"the unit {table.unit} is taken from the text above the table"
        block.remarks.append(Remark(document.number_at(table.grid.start), message))
    return block


def _side_level(table: _Table) -> str | None:
    """Return which level of headings names sides: `inner`, `outer`, `mixed` (`iops before`), or None."""
    inner = [column.inner for column in table.values]
    outer = [column.outer for column in table.values]
    if len(inner) < 2:
        return None
    if all(outer) and _names_sides(outer) and not _names_sides(inner):
        return "outer"
    if len({context_of(name) for name in inner if side_of(name)}) > 1 and all(
        side_of(name) and _METRIC_NAME.search(context_of(name)) for name in inner
    ):
        return "mixed"
    if _names_sides(inner):
        return "inner"
    metrics = sum(bool(_METRIC_NAME.search(name)) for name in inner)
    numeric = sum(figure(name) is not None for name in inner)
    if not metrics and not numeric and table.keys and not _rows_are_sides(table) and all(inner):
        return "inner"
    return None


def _names_sides(names: Sequence[str]) -> bool:
    distinct = list(dict.fromkeys(names))
    if len(distinct) < 2:
        return False
    sides = sum(side_of(name) is not None for name in distinct)
    likely = sum(bool(side_of(name) or _SIDE_NAME.search(name)) for name in distinct)
    return (sides >= 1 and likely * 2 >= len(distinct)) or likely == len(distinct)


def _rows_are_sides(table: _Table) -> bool:
    if not table.keys:
        return False
    names = [bare_label(cells[table.keys[0]].text) for _, cells in table.grid.rows if table.keys[0] < len(cells)]
    if len(names) < 2 or any(len(name.split()) > SIDE_WORDS_MAX for name in names):
        return False
    if len(table.values) == 1 and not _METRIC_NAME.search(table.values[0].inner):
        return False
    return _names_sides(names)


def _table_name(table: _Table) -> str | None:
    """What stands over the keys tells tables of one shape apart."""
    notes = [note for note in table.grid.notes if not _KEY_NAME.match(note) or ":" in note]
    return ", ".join(" ".join(note.split()) for note in notes)[:200] or None


def _read_columns(document: Document, table: _Table, block: Block, level: str | None) -> None:
    """A row is a metric; with `level` a column is a side, without one it is part of the metric."""
    for index, cells in table.grid.rows:
        line = document.number_at(index)
        key, unit = split_unit(_key(table, cells))
        row: list[tuple[str, str, Figure, Cell]] = []
        for column in table.values:
            cell = cells[column.at] if column.at < len(cells) else None
            found = figure(cell.text) if cell is not None else None
            if cell is None or found is None:
                _tell_unread(cell, line, block)
                continue
            variant, part = _sides(column, level)
            part, column_unit = split_unit(part)
            variant, side_unit = split_unit(variant) if level else (variant, "")
            metric = " ".join(word for word in (key, part) if word) or "value"
            row.append((variant, metric, found, cell))
            given = found.unit or unit or column_unit or side_unit or table.unit
            block.results.append(_result(metric, found, given, line, variant if level else None))
        if level:
            _check(table, cells, row, line, block)


def _read_rows(document: Document, table: _Table, block: Block) -> None:
    """A row is a side, a column a metric."""
    side, *others = table.keys
    first: dict[str, tuple[str, float, Figure]] = {}
    for index, cells in table.grid.rows:
        line = document.number_at(index)
        variant = bare_label(cells[side].text) if side < len(cells) else ""
        prefix = " ".join(cells[at].text for at in others if at < len(cells))
        for column in table.values:
            found = figure(cells[column.at].text) if column.at < len(cells) else None
            if found is None or not variant:
                _tell_unread(cells[column.at] if column.at < len(cells) else None, line, block)
                continue
            name, unit = split_unit(" ".join(word for word in (column.outer, column.inner) if word))
            metric = " ".join(word for word in (prefix, name) if word)
            block.results.append(_result(metric, found, found.unit or unit or table.unit, line, variant))
            if metric in first and found.percent is not None:
                _compare(first[metric], found, found.percent, line, f"{metric} {variant}", block)
            first.setdefault(metric, (variant, found.low, found))


def _tell_unread(cell: Cell | None, line: int, block: Block) -> None:
    """A cell with digits that is no figure is said to be left out, as a bound is: `<4 s`."""
    if cell is not None and any(sign.isdigit() for sign in cell.text) and percent(cell.text) is None:
        why = "says a bound, not a figure" if BOUND.fullmatch(cell.text.strip()) else "is not understood as a figure"
        block.remarks.append(Remark(line, f"“{cell.text[:60]}” {why}; it is not read"))


def _key(table: _Table, cells: Sequence[Cell]) -> str:
    return " ".join(bare_label(cells[at].text) for at in table.keys if at < len(cells) and cells[at].text)


def _sides(column: _Column, level: str | None) -> tuple[str, str]:
    """Return the side that a column is of, and what its headings add to the metric."""
    if level == "outer":
        return column.outer, column.inner
    if level == "mixed":
        return without_context(column.inner), context_of(column.inner)
    if level == "inner":
        return column.inner, column.outer
    return "", " ".join(word for word in (column.outer, column.inner) if word)


def _result(metric: str, found: Figure, unit: str, line: int, variant: str | None) -> Result:
    better = better_of(metric, unit)
    if found.high is not None:
        low, high = sorted((found.low, found.high))
        return Result(metric, None, unit, better, line, variant=variant, n=None, min=low, max=high)
    return Result(metric, found.low, unit, better, line, variant=variant, stdev=found.stdev)


def _check(
    table: _Table, cells: Sequence[Cell], row: Sequence[tuple[str, str, Figure, Cell]], line: int, block: Block
) -> None:
    """Check the percentages in a row against its own figures: each is of a side against the first of its group."""
    baseline: dict[str, tuple[str, float, Figure]] = {}
    for variant, metric, found, _ in row:
        base = baseline.setdefault(metric, (variant, found.low, found))
        if found.percent is not None and base[2] is not found:
            _compare(base, found, found.percent, line, f"{metric} {variant}", block)
    for at in table.deltas:
        printed = percent(cells[at].text) if at < len(cells) else None
        before = [column for column in table.values if column.at < at]
        if printed is None or not before:
            continue
        mine = [entry for entry in row if entry[3].start < cells[at].start][-2:]
        if len(mine) == 2 and mine[0][1] == mine[1][1]:
            _compare((mine[0][0], mine[0][2].low, mine[0][2]), mine[1][2], printed, line, mine[0][1], block)


def _compare(
    base: tuple[str, float, Figure], found: Figure, printed: float, line: int, what: str, block: Block
) -> None:
    _, before, first = base
    if before <= 0.0 or found.low <= 0.0 or found.high is not None:
        return
    error = first.decimals / before + found.decimals / found.low
    # people cut digits off as often as they round
    whole = 1.01 if printed == int(printed) else 0.101
    said = disagreement(before, found.low, printed, rounding=whole, error=error)
    if said is None:
        return
    if said.endswith("positive means better here"):
        # a growth printed as a loss, or a fall as a gain, is how tables show what is better small
        known = {result.better for result in block.results if result.line == line}
        for at, result in enumerate(block.results):
            if result.line == line and result.better is None:
                block.results[at] = result._replace(better=Better.LOWER)
        if known == {Better.LOWER} or (Better.HIGHER not in known and found.low < before):
            return
    block.remarks.append(Remark(line, f"{what}: {said}"))


def _canonical(block: Block) -> None:
    """Give rows that are a tool's own the tool's names."""
    names = {result.metric for result in block.results}
    phases = {name: phase_named(name) for name in names}
    if sum(phase is not None for phase in phases.values()) * 2 > len(names) >= 3:
        block.kind = "compilebench"
        block.cell = None
        block.results = [
            result._replace(metric=phase, better=better_of("", result.unit))
            for result in block.results
            if (phase := phases[result.metric]) is not None
        ]
    elif any("maxblocks" in name for name in names) and all(is_known(name) for name in names):
        block.kind = "unixbench"
        block.cell = None
        metrics = {name: metric_named(name) for name in names}
        block.results = [
            result._replace(unit=result.unit or metrics[result.metric].unit, better=metrics[result.metric].better)
            for result in block.results
        ]
