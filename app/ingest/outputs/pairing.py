"""Pairs the results of a report: which stand against which, once `sides` has said which side each label is of.

A label that comes back after another one begins a further test; the same label twice in a row is a repetition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from app.domain.comparison import MeasuredRun
from app.domain.metric import Group, Sample, Scalar
from app.domain.report import PairedSide, Pairing, Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.claimed_metric import Change
from app.ingest.outputs.sides import labels_of, pairing_by_hand, pairing_by_rule

SAMPLES_MAX = 50_000
"""A comparison of more figures helps nobody and takes minutes."""

VARIANTS_MAX = 200


class Paired(NamedTuple):
    """The sides as a comparison takes them; no runs when nothing can be paired."""

    runs: tuple[MeasuredRun, ...]
    baseline: str | None
    remarks: tuple[Remark, ...]
    changes: tuple[Change, ...] = ()
    pairing: Pairing | None = None


def number_tests(blocks: Sequence[Block]) -> None:
    """Give the results of blocks with returning labels the test they belong to, as their `cell`."""
    _tell_tables_apart([block for block in blocks if block.sided])
    by_kind: dict[str, list[Block]] = {}
    for block in blocks:
        if block.results and labels_of(block) and not block.sided:
            by_kind.setdefault(block.kind, []).append(block)
    for mine in by_kind.values():
        numbers = _numbers(mine)
        if max(numbers, default=1) > 1:
            names = _test_names(mine, numbers)
            for block, number in zip(mine, numbers, strict=True):
                cell = block.cell or names[number]
                block.results = [result._replace(cell=result.cell or cell) for result in block.results]


def _tell_tables_apart(tables: Sequence[Block]) -> None:
    """Add a table's name to those of its metrics that another table has too."""
    owners: dict[tuple[str, str | None, int | None], set[int]] = {}
    names = Counter(block.cell for block in tables)
    for number, block in enumerate(tables):
        for result in block.results:
            owners.setdefault((result.metric, result.variant, result.copies), set()).add(number)
    for number, block in enumerate(tables):
        shared = {r.metric for r in block.results if len(owners[r.metric, r.variant, r.copies]) > 1}
        name = block.cell if block.cell and names[block.cell] == 1 else f"table {number + 1}"
        if shared:
            block.results = [
                result._replace(metric=f"{result.metric}, {name}") if result.metric in shared else result
                for result in block.results
            ]


def _test_names(blocks: Sequence[Block], numbers: Sequence[int]) -> dict[int, str]:
    """Name tests by the heading over their first side, where every test has one of its own."""
    headings: dict[int, str] = {}
    for block, number in zip(blocks, numbers, strict=True):
        headings.setdefault(number, block.heading or "")
    told_apart = all(headings.values()) and len(set(headings.values())) == len(headings)
    return headings if told_apart else {number: f"test {number}" for number in headings}


def _numbers(blocks: Sequence[Block]) -> list[int]:
    number = 1
    seen: dict[str, set[object]] = {}
    last: tuple[str, ...] = ()
    numbers = []
    for block in blocks:
        labels = labels_of(block)
        keys = {(r.metric, r.job, r.copies, r.clients, r.cell) for r in block.results}
        returning = any(seen.get(label, set()) & keys for label in labels)
        if returning and labels != last:
            number += 1
            seen = {}
        for label in labels:
            seen.setdefault(label, set()).update(keys)
        last = labels
        numbers.append(number)
    return numbers


def merge_repetitions(blocks: Sequence[Block]) -> None:
    """Make one result of the repetitions that follow each other under one label: its samples, and their mean."""
    first: dict[tuple[object, ...], tuple[Block, int]] = {}
    for block in blocks:
        if block.kind not in ("compilebench", "fs_mark", "unixbench") or block.sided:
            continue
        kept: list[Result] = []
        for result in block.results:
            key = (block.kind, result.variant, result.metric, result.unit, result.copies, result.cell)
            known = first.get(key) if result.variant is not None else None
            if known is None:
                first[key] = (block, len(kept))
                kept.append(result)
                continue
            other, position = known
            earlier = kept if other is block else other.results
            earlier[position] = _merged(earlier[position], result)
        block.results = kept


def _merged(first: Result, second: Result) -> Result:
    samples = (*_runs_of(first), *_runs_of(second))
    return first._replace(value=sum(samples) / len(samples), samples=samples, n=len(samples))


def _runs_of(result: Result) -> tuple[float, ...]:
    """The values of single runs; the steps of one run are none."""
    if result.samples is not None and result.n == len(result.samples):
        return result.samples
    return () if result.value is None else (result.value,)


def pair(blocks: Sequence[Block], wanted: Pairing | None = None) -> Paired:
    """Return the sides of everything that can be compared, by the rule or as a reader wants them.

    Failed jobs, ranges and figures without a side are left out.
    """
    remarks: tuple[Remark, ...] = ()
    pairing: Pairing | None
    if wanted is None:
        pairing, remarks = pairing_by_rule(blocks)
    else:
        pairing = pairing_by_hand(blocks, wanted)
    if pairing is None:
        return Paired((), None, ())
    baseline = pairing.baseline
    placed = _placed(blocks, pairing)
    changes = _changes(placed, baseline)
    if not changes:
        return Paired((), None, remarks, pairing=pairing)
    if len(placed) > SAMPLES_MAX or len({entry.variant for entry in placed}) > VARIANTS_MAX:
        message = f"more than {SAMPLES_MAX} figures or {VARIANTS_MAX} sides: they are listed, but not compared"
        return Paired((), None, (*remarks, Remark(placed[0].result.line, message)))
    both = _on_both_sides(placed, baseline)
    remarks += _crowded([entry for entry in placed if entry.key in both])
    return Paired(_runs([entry for entry in placed if entry.key in both]), baseline, remarks, changes, pairing)


class _Placed(NamedTuple):
    """A result where it goes in the comparison; `block` is the number of the one it came in."""

    variant: str
    group: Group
    block: int
    result: Result

    @property
    def key(self) -> tuple[object, ...]:
        return (self.group.key, self.result.metric)


def _placed(blocks: Sequence[Block], pairing: Pairing) -> list[_Placed]:
    sides = {side.label: side for side in pairing.sides}
    clients = {r.clients for block in blocks for r in block.results if r.clients is not None and r.variant is not None}
    placed = []
    for number, block in enumerate(blocks):
        for result in block.results:
            side = sides.get(result.variant) if result.variant is not None else None
            if side is not None and side.variant and result.error is None and result.value is not None:
                group = _group(result, side, several_clients=len(clients) > 1)
                placed.append(_Placed(side.variant, group, number, result))
    return placed


def _group(result: Result, side: PairedSide, *, several_clients: bool) -> Group:
    cell: dict[str, Scalar] = {}
    if side.setup is not None:
        cell["setup"] = side.setup
    if result.cell is not None:
        cell["test"] = result.cell
    if several_clients and result.clients is not None:
        cell["clients"] = result.clients
    return Group(job=result.job, copies=result.copies, cell=cell or None)


def _changes(placed: Sequence[_Placed], baseline: str) -> tuple[Change, ...]:
    """Each metric of each candidate beside the baseline's of the same group, as the medians that are compared."""
    sides: dict[tuple[object, ...], dict[str, list[Result]]] = {}
    for entry in placed:
        sides.setdefault(entry.key, {}).setdefault(entry.variant, []).append(entry.result)
    return tuple(
        Change(_median(variants[baseline]), _median(results))
        for variants in sides.values()
        if baseline in variants
        for variant, results in variants.items()
        if variant != baseline
    )


def _median(results: Sequence[Result]) -> Result:
    """Return the last of a side's results of one metric, with the median of all their values."""
    if len(results) == 1 and results[0].samples is None:
        return results[0]
    return results[-1]._replace(value=median(value for result in results for value in _runs_of(result)))


def _crowded(placed: Sequence[_Placed]) -> tuple[Remark, ...]:
    """Tell where several results of one name in one run stand for one: jobs without group_reporting."""
    seen: dict[tuple[object, ...], int] = {}
    for entry in placed:
        key = (entry.block, entry.variant, entry.group.key, entry.result.metric)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2:
            job = f" of the job {entry.result.job}" if entry.result.job else ""
            message = f"{entry.result.metric}{job} stands several times in one run; the median of them is compared"
            return (Remark(entry.result.line, message),)
    return ()


def _on_both_sides(placed: Sequence[_Placed], baseline: str) -> set[tuple[object, ...]]:
    before = {entry.key for entry in placed if entry.variant == baseline}
    return before & {entry.key for entry in placed if entry.variant != baseline}


def _runs(placed: Sequence[_Placed]) -> tuple[MeasuredRun, ...]:
    """Build one run for each repetition of a variant; jobs of one name inside a run stay inside it."""
    runs: dict[tuple[str, int], list[Sample]] = {}
    filled: dict[tuple[object, ...], int] = {}
    first: dict[tuple[object, ...], int] = {}
    for entry in placed:
        key = (entry.variant, *entry.key)
        start = first.setdefault((entry.block, *key), filled.get(key, 0))
        result = entry.result
        values = _runs_of(result)
        for offset, value in enumerate(values):
            name, unit = result.metric[:400], result.unit[:100]
            sample = Sample(metric=name, unit=unit, value=value, better=result.better, group=entry.group)
            runs.setdefault((entry.variant, start + offset), []).append(sample)
        filled[key] = max(filled.get(key, 0), start + len(values))
    return tuple(
        MeasuredRun(variant=variant, replicate=replicate, samples=tuple(samples))
        for (variant, replicate), samples in runs.items()
    )
