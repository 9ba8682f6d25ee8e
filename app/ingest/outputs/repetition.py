"""Drops what a text says twice: results in somebody's quotation, and one run in two of fio's formats."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.labels import Label, side_of

EXACT_MIN = 3
"""So many equal figures of fio's exact formats are a copy and no chance."""

COPIED_MIN = 8
"""So many lines of another benchmark, equal to the last digit under one label, are a copy."""

QUOTED_MAX = 20_000
"""Results of one block; nobody quotes a longer log."""

TWINS_MAX = 16
"""Blocks remembered for one equal figure; a text that says the same more often is no mail."""

ROUNDING = 0.006
"""fio's normal output rounds to three digits at worst."""

Key = tuple[object, ...]


def distinct(document: Document, blocks: list[Block], labels: Mapping[int, Label | None]) -> list[Block]:
    """Return the blocks without quotations and copies of earlier ones; `labels` are those above, by `id` of the block.

    Equal figures are a quotation where the quotation marks say so. Otherwise they are results of their own: of another
    side where the labels differ, else of another run, unless it is the same text to the process id.
    """
    kept: list[Block] = []
    known: dict[Key, list[int]] = {}
    for block in blocks:
        if len(block.results) > QUOTED_MAX:
            kept.append(block)
            continue
        keys = [_key(result) for result in block.results]
        twins = _twins(block, keys, kept, known) if keys else []
        if any(_quotes(document, block, twin, labels) for twin in twins):
            continue
        if any(_copies(document, block, twin, labels) for twin in twins):
            message = "the same results as above, word for word; read once"
            kept.append(Block(block.kind, block.start, block.end, remarks=[Remark(block.results[0].line, message)]))
            continue
        for key in keys:
            places = known.setdefault(key, [])
            if len(places) < TWINS_MAX:
                places.append(len(kept))
        kept.append(block)
    return kept


def _key(result: Result) -> Key:
    # the group id may be lost where a quotation was cut
    return (result.metric, result.job, result.value, result.samples, result.min, result.max, result.unit)


def _twins(block: Block, keys: list[Key], kept: list[Block], known: dict[Key, list[int]]) -> list[Block]:
    """Return the earlier blocks in which every figure of this one stands."""
    candidates = set(known.get(keys[0], ()))
    for key in keys[1:]:
        candidates &= set(known.get(key, ()))
        if not candidates:
            return []
    return [kept[index] for index in sorted(candidates) if kept[index].kind == block.kind]


def _quotes(document: Document, block: Block, twin: Block, labels: Mapping[int, Label | None]) -> bool:
    if _depth(document, block) == _depth(document, twin):
        return False
    names = {label.text.lower() for each in (block, twin) if (label := labels.get(id(each))) and side_of(label.text)}
    return len(names) < 2


def _copies(document: Document, block: Block, twin: Block, labels: Mapping[int, Label | None]) -> bool:
    if block.kind not in ("fio", "table") and len(block.results) >= COPIED_MIN:
        names = {label.text for each in (block, twin) if (label := labels.get(id(each))) and side_of(label.text)}
        return len(names) < 2  # a copy may have lost its heading
    if _side(block, labels) != _side(twin, labels):
        return False
    if block.precision:
        return len(block.results) >= EXACT_MIN
    text = _text(document, block)
    if text != _text(document, twin):
        return False
    return "pid=" in text if block.kind == "fio" else len(block.results) >= COPIED_MIN


def _side(block: Block, labels: Mapping[int, Label | None]) -> tuple[str | None, ...]:
    label = labels.get(id(block))
    return (label.text if label else None, *dict.fromkeys(result.variant for result in block.results))


def _text(document: Document, block: Block) -> str:
    return "\n".join(line.text.strip() for line in document.lines[block.start : block.end])


def _depth(document: Document, block: Block) -> int:
    return document.lines[block.start].depth if block.start < len(document) else 0


def without_renderings(blocks: list[Block]) -> list[Block]:
    """Drop what fio prints of one run in a format that says less, where one that says more is there too."""
    known: dict[_Rated, list[tuple[int, float]]] = {}
    for block in blocks:
        for result in block.results if block.precision else ():
            if result.metric.endswith(_RATES) and result.value is not None:
                known.setdefault((result.metric, result.job, result.group), []).append((block.precision, result.value))
    if not known:
        return blocks
    kept: list[Block] = []
    for block in blocks:
        if block.kind == "fio" and block.results and _renders(block, known):
            kept += [_remarks_only(block)] if block.remarks else []
        else:
            kept.append(block)
    return kept


_Rated = tuple[str, str | None, int | None]
_RATES = (".iops", ".bw")


def _renders(block: Block, known: dict[_Rated, list[tuple[int, float]]]) -> bool:
    rated = [result for result in block.results if result.job is not None and result.metric.endswith(_RATES)]
    return bool(rated) and all(
        any(
            precision > block.precision and abs(value - (result.value or 0.0)) <= max(ROUNDING * value, 1.0)
            for precision, value in known.get((result.metric, result.job, result.group), ())
        )
        for result in rated
    )


def _remarks_only(block: Block) -> Block:
    said: dict[str, Remark] = {remark.message: remark for remark in block.remarks}
    return Block(block.kind, block.start, block.end, remarks=list(said.values()))
