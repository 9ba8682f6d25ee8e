"""Decides which side each label of a text is of, by a rule that the report states and its reader may replace.

The rule. Labels that say "before" (or without, base, vanilla, old, …) are the baseline, all others are candidates;
where no label says so, the label that comes first is the baseline. Several different befores (`nvme before`, `null_blk
before`) make one setup each, and a candidate belongs to the setup its label names, else to the before above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.domain.report import PairedSide, Pairing, Remark
from app.ingest.outputs.block import Block
from app.ingest.outputs.labels import Side, context_of, side_of, without_context

CHOSEN_BY_HAND = "chosen by hand"
NAMED_MAX = 3
"""Labels named in one sentence."""


@dataclass(slots=True)
class _Family:
    """Labels that stand together in one text or table, in order."""

    labels: list[str] = field(default_factory=list)
    same: dict[str, str] = field(default_factory=dict)
    """Other names of the one state after: `patched` in a table, `after` over a run."""


def labels_of(block: Block) -> tuple[str, ...]:
    """Return the labels of a block's results, in order."""
    return tuple(dict.fromkeys(result.variant for result in block.results if result.variant is not None))


def pairing_by_rule(blocks: Sequence[Block]) -> tuple[Pairing | None, tuple[Remark, ...]]:
    """Return the sides that the rule makes of all labels, and what it had to leave out; None without any label."""
    families = _families(blocks)
    if not families:
        return None, ()
    chosen = max(families, key=lambda family: (_weight(blocks, family), -families.index(family)))
    sides = {side.label: side for side in _sides(chosen.labels)}
    for label, name in chosen.same.items():
        sides[label] = sides[name]._replace(label=label)
    baseline = next(side.variant for side in sides.values() if _is_baseline(side, sides))
    assert baseline is not None
    others = [family for family in families if family is not chosen]
    outside = dict.fromkeys(label for family in others for label in family.labels if label not in sides)
    remarks = tuple(_left_out(blocks, family, chosen) for family in others if len(family.labels) > 1)
    placed = (*sides.values(), *(PairedSide(label, None) for label in outside))
    return Pairing(baseline=baseline, sides=placed, rule=_in_words(list(sides.values()))), remarks


def pairing_by_hand(blocks: Sequence[Block], wanted: Pairing) -> Pairing:
    """Return a reader's sides, completed by the labels that are not named in it, which stay out."""
    named = {side.label: side for side in wanted.sides}
    present = dict.fromkeys(label for block in blocks for label in labels_of(block))
    sides = tuple(named.get(label, PairedSide(label, None)) for label in present)
    return Pairing(baseline=wanted.baseline, sides=sides, rule=CHOSEN_BY_HAND)


def _in_words(sides: Sequence[PairedSide]) -> str:
    if len(sides) == 1:
        return f"only one side has a label, “{sides[0].label}”, so nothing is compared"
    befores = [side for side in sides if side_of(side.label) is Side.BEFORE]
    if not befores or len(befores) == len(sides):
        why = "every label says “before”" if befores else "no label says “before”"
        return f"{why}, so the one that comes first, “{sides[0].label}”, is the baseline"
    names = ", ".join(f"“{side.label}”" for side in befores[:NAMED_MAX]) + (", …" if len(befores) > NAMED_MAX else "")
    if any(side.setup is not None for side in sides):
        return f"several labels say “before” ({names}): each begins a setup of its own"
    return f"what says “before” ({names}) is the baseline, the others are compared with it"


def _families(blocks: Sequence[Block]) -> list[_Family]:
    """Group labels: those of one table, those of single runs of one tool, and families that share a label."""
    groups: list[list[str]] = []
    single: dict[str, list[str]] = {}
    for block in blocks:
        labels = list(labels_of(block))
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
    sides, others = " and ".join(family.labels[:NAMED_MAX]), " and ".join(chosen.labels[:NAMED_MAX])
    return Remark(line, f"{sides} are listed, but not compared: the comparison is of {others}")


def _sides(labels: Sequence[str]) -> list[PairedSide]:
    befores = [label for label in labels if side_of(label) is Side.BEFORE]
    if not befores or len(befores) == len(labels):
        return [PairedSide(label, label) for label in labels]
    contexts = list(dict.fromkeys(context_of(label) for label in befores))
    if len(contexts) == 1:
        return [PairedSide(label, befores[0] if label in befores else label) for label in labels]
    return _setups(labels, contexts)


def _setups(labels: Sequence[str], contexts: Sequence[str]) -> list[PairedSide]:
    """Several befores: the context of each is a setup of its own."""
    sides: list[PairedSide] = []
    names: list[str] = []
    counts: dict[str, int] = {}
    baseline = ""
    current = contexts[0]
    for label in labels:
        context = context_of(label)
        if side_of(label) is Side.BEFORE:
            current = context
            baseline = baseline or without_context(label)
            sides.append(PairedSide(label, baseline, context or "plain"))
            continue
        setup = context if context in contexts else current
        position = counts.get(setup, 0)
        counts[setup] = position + 1
        if position == len(names):
            names.append(without_context(label))
        sides.append(PairedSide(label, names[position], setup or "plain"))
    return sides


def _is_baseline(side: PairedSide, sides: dict[str, PairedSide]) -> bool:
    befores = [(each.variant, each.setup) for each in sides.values() if side_of(each.label) is Side.BEFORE]
    if befores and len(befores) < len(sides):
        return (side.variant, side.setup) in befores
    return True  # the first that is asked about
