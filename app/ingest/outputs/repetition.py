"""Drops what a text says twice: results in somebody's quotation, and one run in two of fio's formats."""

from __future__ import annotations

from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document

FIGURES_MIN = 3
"""So many equal figures are no chance; fewer are a repetition only where the quotation marks say so."""

QUOTED_MAX = 20_000
"""Results of one block; nobody quotes a longer log."""

TWINS_MAX = 16
"""Blocks remembered for one equal figure; a text that says the same more often is no mail."""

ROUNDING = 0.006
"""fio's normal output rounds to three digits at worst."""

Key = tuple[object, ...]


def distinct(document: Document, blocks: list[Block]) -> list[Block]:
    """Return the blocks without those whose every figure stands in one earlier block already."""
    kept: list[Block] = []
    known: dict[Key, list[int]] = {}
    for block in blocks:
        if len(block.results) > QUOTED_MAX:
            kept.append(block)
            continue
        keys = [_key(result) for result in block.results]
        if keys and _repeats(document, block, keys, kept, known):
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


def _repeats(document: Document, block: Block, keys: list[Key], kept: list[Block], known: dict[Key, list[int]]) -> bool:
    candidates = set(known.get(keys[0], ()))
    for key in keys[1:]:
        candidates &= set(known.get(key, ()))
        if not candidates:
            return False
    figures = sum(len(result.samples or (result.value,)) for result in block.results)
    depth = _depth(document, block)
    same = [kept[index] for index in candidates if kept[index].kind == block.kind]
    return bool(same) and (figures >= FIGURES_MIN or any(_depth(document, other) != depth for other in same))


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
