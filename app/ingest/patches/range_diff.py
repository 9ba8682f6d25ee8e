"""Pairs the patches of two versions of a series and shows what changed in each, as `git range-diff` does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import NamedTuple

from app.domain.patch import Patch, PatchSet
from app.ingest.patches.assignment import cheapest

CREATION_PERCENT = 60
"""What leaving a patch unpaired costs, in percent of its lines: git's --creation-factor."""

COMPARED_LINES_MAX = 4000
"""Of one patch; a larger one is compared by its beginning."""

UNPAIRED_MAX = 120
"""Patches without an equal on the other side that are weighed against each other; more are paired by subject first."""

_HUNK = re.compile(r"@@ -\S+ \+\S+ @@ ?(.*)$")


class Pair(NamedTuple):
    """One line of a range-diff: positions in both versions (None: not there), git's sign, and the difference.

    `=` the same, `!` changed, `<` only in the older version, `>` only in the newer one.
    """

    old: int | None
    new: int | None
    sign: str
    subject: str | None
    difference: tuple[str, ...] = ()


class RangeDiff(NamedTuple):
    """All pairs, in git's order, and the same as text."""

    pairs: tuple[Pair, ...]
    text: str


class _Side(NamedTuple):
    patch: Patch
    diff: list[str]
    whole: list[str]


def in_order(found: PatchSet, version: int | None = None) -> list[Patch]:
    """Return the patches of one version (the newest where none is given) as they would be applied."""
    if version is None or version == found.series.version:
        return [found.patches[index] for index in found.series.order]
    return [patch for patch in found.patches if patch.version == version and patch.position and patch.files]


def range_diff(older: PatchSet, newer: PatchSet) -> RangeDiff:
    """Compare two versions of a series."""
    return compare(in_order(older), in_order(newer))


def compare(older: Sequence[Patch], newer: Sequence[Patch]) -> RangeDiff:
    """Pair two lists of patches: equal diffs first, the rest so that as few lines as possible differ."""
    left, right = [_side(patch) for patch in older], [_side(patch) for patch in newer]
    partner = _paired(left, right)
    pairs = tuple(_listed(left, right, partner))
    return RangeDiff(pairs, _text(pairs))


def _side(patch: Patch) -> _Side:
    diff: list[str] = []
    path = ""
    for line in patch.diff.split("\n")[:COMPARED_LINES_MAX]:
        if line.startswith("diff --git "):
            path = line.rpartition(" b/")[2]
            diff.append(f" ## {path} ##")
        elif found := _HUNK.match(line):
            diff.append(f"@@ {path}: {found[1]}" if found[1] else f"@@ {path}")
        elif line and not line.startswith(("--- ", "+++ ", "index ", "similarity ", "dissimilarity ")):
            diff.append(line)
    message = [f"    {line}".rstrip() for line in [patch.subject or "", "", *patch.message.split("\n")]]
    return _Side(patch, diff, [" ## Commit message ##", *message, "", *diff])


def _paired(left: Sequence[_Side], right: Sequence[_Side]) -> dict[int, int]:
    """Return for patches of the newer side the index of their partner on the older one."""
    partner: dict[int, int] = {}
    free: dict[tuple[str, ...], list[int]] = {}
    for index, side in enumerate(left):
        free.setdefault(tuple(side.diff), []).append(index)
    for index, side in enumerate(right):
        if same := free.get(tuple(side.diff)):
            partner[index] = same.pop(0)
    used = set(partner.values())
    olds = [index for index in range(len(left)) if index not in used]
    news = [index for index in range(len(right)) if index not in partner]
    if max(len(olds), len(news)) > UNPAIRED_MAX:
        by_subject = {left[old].patch.subject: old for old in olds}
        for new in news:
            old = by_subject.pop(right[new].patch.subject, None)
            if old is not None:
                partner[new] = old
        used = set(partner.values())
        olds = [index for index in olds if index not in used][:UNPAIRED_MAX]
        news = [index for index in news if index not in partner][:UNPAIRED_MAX]
    partner.update((news[new], olds[old]) for old, new in _weighed(left, right, olds, news))
    return partner


def _weighed(
    left: Sequence[_Side], right: Sequence[_Side], olds: Sequence[int], news: Sequence[int]
) -> list[tuple[int, int]]:
    if not olds or not news:
        return []
    gone = [len(left[old].diff) * CREATION_PERCENT // 100 for old in olds]
    made = [len(right[new].diff) * CREATION_PERCENT // 100 for new in news]
    counted = [Counter(right[new].diff) for new in news]
    costs: list[list[float]] = []
    for row, old in enumerate(olds):
        own = Counter(left[old].diff)
        costs.append(
            [
                _cost(left[old].diff, right[new].diff, own, counted[column], gone[row] + made[column]) - made[column]
                for column, new in enumerate(news)
            ]
            + [gone[row]] * len(olds)
        )
    return [(row, column) for row, column in enumerate(cheapest(costs)) if column < len(news)]


def _cost(old: list[str], new: list[str], own: Counter[str], other: Counter[str], most: float) -> float:
    """Return the length of the difference of two diffs; anything beyond `most` is as good as infinite.

    Lines that only one side has must differ however they are aligned, which spares most pairs the alignment.
    """
    least = sum((own - other).values()) + sum((other - own).values())
    if least > most:
        return most * 2 + 1
    return float(sum(1 for _ in unified_diff(old, new, n=3, lineterm="")) - 2)


def _listed(left: Sequence[_Side], right: Sequence[_Side], partner: dict[int, int]) -> Iterator[Pair]:
    """git's order: what was dropped stands where its predecessors end, everything else as in the newer version."""
    taken = set(partner.values())
    shown: set[int] = set()
    old = new = 0
    while old < len(left) or new < len(right):
        while old < len(left) and old in shown:
            old += 1
        if old < len(left) and old not in taken:
            yield Pair(_position(left, old), None, "<", left[old].patch.subject)
            old += 1
            continue
        while new < len(right) and new not in partner:
            yield Pair(None, _position(right, new), ">", right[new].patch.subject)
            new += 1
        if new < len(right):
            before, after = left[partner[new]], right[new]
            same = before.whole == after.whole
            difference = () if same else tuple(_difference(before.whole, after.whole))
            sign = "=" if same else "!"
            yield Pair(_position(left, partner[new]), _position(right, new), sign, before.patch.subject, difference)
            shown.add(partner[new])
            new += 1


def _position(sides: Sequence[_Side], index: int) -> int:
    return sides[index].patch.position or index + 1


def _difference(old: list[str], new: list[str]) -> Iterator[str]:
    for index, line in enumerate(unified_diff(old, new, n=3, lineterm="")):
        if index >= 2:
            yield "@@" if line.startswith("@@ -") else line


def _text(pairs: Sequence[Pair]) -> str:
    width = max((len(str(number)) for pair in pairs for number in (pair.old, pair.new) if number), default=1)
    lines = []
    for pair in pairs:
        old = "-" if pair.old is None else str(pair.old)
        new = "-" if pair.new is None else str(pair.new)
        lines.append(f"{old:>{width}}: {pair.sign} {new:>{width}}:  {pair.subject or '(no subject)'}")
        lines += [f"    {line}" for line in pair.difference]
    return "\n".join([*lines, ""]) if lines else ""
