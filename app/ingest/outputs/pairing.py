"""Pairs the sides of a report: which labels are of the state before, which results stand against which.

The rule. Labels that say "before" (or without, base, vanilla, old, …) are the baseline, all others are candidates;
where no label says so, the label that comes first is the baseline. Several different befores (`nvme before`, `null_blk
before`) make one setup each, and a candidate belongs to the setup its label names, else to the before above it. A label
that comes back after another one begins a further test; the same label twice in a row is a repetition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.domain.comparison import MeasuredRun
from app.domain.metric import Group, Sample, Scalar
from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.claims import Change
from app.ingest.outputs.labels import Side, context_of, side_of, without_context

SAMPLES_MAX = 50_000
"""A comparison of more figures helps nobody and takes minutes."""

VARIANTS_MAX = 200


class Paired(NamedTuple):
    """The sides as a comparison takes them; no runs when nothing can be paired."""

    runs: tuple[MeasuredRun, ...]
    baseline: str | None
    remarks: tuple[Remark, ...]
    changes: tuple[Change, ...] = ()


class _Place(NamedTuple):
    """Where a label's results go in the comparison: under which name, in which setup."""

    variant: str
    setup: str | None


@dataclass(slots=True)
class _Family:
    """Labels that stand together in one text or table, in order."""

    labels: list[str] = field(default_factory=list)
    same: dict[str, str] = field(default_factory=dict)
    """Other names of the one state after: `patched` in a table, `after` over a run."""


def number_tests(blocks: Sequence[Block]) -> None:
    """Give the results of blocks with returning labels the test they belong to, as their `cell`."""
    _tell_tables_apart([block for block in blocks if block.sided])
    by_kind: dict[str, list[Block]] = {}
    for block in blocks:
        if block.results and _labels(block) and not block.sided:
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
        labels = _labels(block)
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


def _labels(block: Block) -> tuple[str, ...]:
    return tuple(dict.fromkeys(result.variant for result in block.results if result.variant is not None))


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


def pair(blocks: Sequence[Block]) -> Paired:
    """Return the sides of everything that can be compared.

    Failed jobs, ranges and figures without a side are left out.
    """
    families = _families(blocks)
    if not families:
        return Paired((), None, ())
    chosen = max(families, key=lambda family: (_weight(blocks, family), -families.index(family)))
    places = _places(chosen.labels)
    places |= {label: places[name] for label, name in chosen.same.items()}
    baseline = next(place.variant for place in places.values() if _is_baseline(place, places))
    remarks = [
        _left_out(blocks, family, chosen) for family in families if family is not chosen and len(family.labels) > 1
    ]  # fmt: skip
    placed = _placed(blocks, places)
    changes = _changes(placed, baseline)
    if not changes:
        return Paired((), None, tuple(remarks))
    if len(placed) > SAMPLES_MAX or len({entry.variant for entry in placed}) > VARIANTS_MAX:
        message = f"more than {SAMPLES_MAX} figures or {VARIANTS_MAX} sides: they are listed, but not compared"
        return Paired((), None, (*remarks, Remark(placed[0].result.line, message)))
    both = _on_both_sides(placed, baseline)
    remarks += _crowded([entry for entry in placed if entry.key in both])
    return Paired(_runs([entry for entry in placed if entry.key in both]), baseline, tuple(remarks), changes)


def _families(blocks: Sequence[Block]) -> list[_Family]:
    """Group labels: those of one table, those of single runs of one tool, and families that share a label."""
    groups: list[list[str]] = []
    single: dict[str, list[str]] = {}
    for block in blocks:
        labels = list(_labels(block))
        if block.sided and len(labels) > 1:
            groups.append(labels)
        elif labels:
            if block.kind not in single:
                single[block.kind] = []
                groups.append(single[block.kind])
            single[block.kind] += [label for label in labels if label not in single[block.kind]]
    families: list[_Family] = []
    for labels in groups:
        joined = [family for family in families if _akin(family.labels, labels)]
        merged = _Family(list(dict.fromkeys([*(label for family in joined for label in family.labels), *labels])))
        for family in joined:
            merged.same |= family.same
            known, others = _plain_afters(family.labels), _plain_afters(labels)
            if len(others) == 1 and known and others[0] not in known:
                merged.same[others[0]] = merged.same.get(known[0], known[0])
        families = [family for family in families if family not in joined] + [merged]
    return families


def _akin(known: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether two sets of labels are about one comparison: a shared label, or both name a before without more."""
    if set(known) & set(labels):
        return True
    return any(_plain_before(label) for label in known) and any(_plain_before(label) for label in labels)


def _plain_afters(labels: Sequence[str]) -> list[str]:
    return [label for label in labels if side_of(label) is Side.AFTER and not context_of(label)]


def _plain_before(label: str) -> bool:
    return side_of(label) is Side.BEFORE and not context_of(label)


def _weight(blocks: Sequence[Block], family: _Family) -> int:
    names = set(family.labels)
    return sum(result.variant in names for block in blocks for result in block.results) if len(names) > 1 else 0


def _left_out(blocks: Sequence[Block], family: _Family, chosen: _Family) -> Remark:
    names = set(family.labels)
    line = next(result.line for block in blocks for result in block.results if result.variant in names)
    sides, others = " and ".join(family.labels[:3]), " and ".join(chosen.labels[:3])
    return Remark(line, f"{sides} are listed, but not compared: the comparison is of {others}")


def _places(labels: Sequence[str]) -> dict[str, _Place]:
    befores = [label for label in labels if side_of(label) is Side.BEFORE]
    if not befores or len(befores) == len(labels):
        return {label: _Place(label, None) for label in labels}
    contexts = list(dict.fromkeys(context_of(label) for label in befores))
    if len(contexts) == 1:
        first = befores[0]
        return {label: _Place(first if label in befores else label, None) for label in labels}
    return _setups(labels, contexts)


def _setups(labels: Sequence[str], contexts: Sequence[str]) -> dict[str, _Place]:
    """Several befores: the context of each is a setup of its own."""
    places: dict[str, _Place] = {}
    names: list[str] = []
    counts: dict[str, int] = {}
    baseline = ""
    current = contexts[0]
    for label in labels:
        context = context_of(label)
        if side_of(label) is Side.BEFORE:
            current = context
            baseline = baseline or without_context(label)
            places[label] = _Place(baseline, context or "plain")
            continue
        setup = context if context in contexts else current
        position = counts.get(setup, 0)
        counts[setup] = position + 1
        if position == len(names):
            names.append(without_context(label))
        places[label] = _Place(names[position], setup or "plain")
    return places


def _is_baseline(place: _Place, places: dict[str, _Place]) -> bool:
    befores = [p for label, p in places.items() if side_of(label) is Side.BEFORE]
    if befores and len(befores) < len(places):
        return place in befores
    return True  # the first that is asked about


class _Placed(NamedTuple):
    """A result where it goes in the comparison; `block` is the number of the one it came in."""

    variant: str
    group: Group
    block: int
    result: Result

    @property
    def key(self) -> tuple[object, ...]:
        return (self.group.key, self.result.metric)


def _placed(blocks: Sequence[Block], places: dict[str, _Place]) -> list[_Placed]:
    clients = {r.clients for block in blocks for r in block.results if r.clients is not None and r.variant is not None}
    placed = []
    for number, block in enumerate(blocks):
        for result in block.results:
            place = places.get(result.variant) if result.variant is not None else None
            if place is not None and result.error is None and result.value is not None:
                group = _group(result, place, several_clients=len(clients) > 1)
                placed.append(_Placed(place.variant, group, number, result))
    return placed


def _group(result: Result, place: _Place, *, several_clients: bool) -> Group:
    cell: dict[str, Scalar] = {}
    if place.setup is not None:
        cell["setup"] = place.setup
    if result.cell is not None:
        cell["test"] = result.cell
    if several_clients and result.clients is not None:
        cell["clients"] = result.clients
    return Group(job=result.job, copies=result.copies, cell=cell or None)


def _changes(placed: Sequence[_Placed], baseline: str) -> tuple[Change, ...]:
    """Every result of a candidate beside the baseline's first of the same metric and group."""
    before: dict[tuple[object, ...], Result] = {}
    for entry in placed:
        if entry.variant == baseline:
            before.setdefault(entry.key, entry.result)
    return tuple(
        Change(before[entry.key], entry.result) for entry in placed if entry.variant != baseline and entry.key in before
    )


def _crowded(placed: Sequence[_Placed]) -> list[Remark]:
    """Tell where several results of one name in one run stand for one: jobs without group_reporting."""
    seen: dict[tuple[object, ...], int] = {}
    for entry in placed:
        key = (entry.block, entry.variant, entry.group.key, entry.result.metric)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2:
            job = f" of the job {entry.result.job}" if entry.result.job else ""
            message = f"{entry.result.metric}{job} stands several times in one run; the median of them is compared"
            return [Remark(entry.result.line, message)]
    return []


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
