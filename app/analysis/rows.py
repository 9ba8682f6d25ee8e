"""Rows of a comparison on their way to a verdict: one metric of one candidate in one group."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.analysis.effect import LEVEL, Effect, effect_of
from app.analysis.pairing import Aligned, Deterministic, Lineup, Series, align, is_deterministic
from app.analysis.verdict import PAIRS_MIN
from app.domain.comparison import Order, SeedDifference
from app.domain.metric import Better, GroupKey


@dataclass(frozen=True)
class Design:
    """How the runs were made: which runners repeat themselves, in what order, and how often one may have looked."""

    deterministic: Deterministic
    order: Order
    looks: int = 1


@dataclass(frozen=True)
class Row:
    """A metric of a candidate on its way to a verdict."""

    variant: str
    group: GroupKey
    name: str
    unit: str
    better: Better | None
    primary: bool
    aligned: Aligned
    effect: Effect
    seeds: tuple[SeedDifference, ...]
    wavering: bool
    refusal: str | None
    """Why the two sides' values cannot be compared at all."""
    barred: str | None = None
    """Why their figures stand, but no verdict: what differs between the sides beyond the declared change."""
    p_adjusted: float | None = None
    family: int = 1

    @property
    def too_few_seeds(self) -> bool:
        """Whether a deterministic row has too few seeds for an interval, so that it can only state differences."""
        return bool(self.seeds) and self.aligned.n < PAIRS_MIN and self.refusal is None and not self.wavering

    @property
    def never_differs(self) -> bool:
        """Whether no pair differs.

        No false alarm could have come of it, so it does not count among the comparisons tried (Tarone 1990; Gilbert
        2005 for the false-discovery rate).
        """
        if self.aligned.paired:
            return self.aligned.n > 0 and self.aligned.baseline == self.aligned.candidate
        return len({*self.aligned.baseline, *self.aligned.candidate}) == 1

    @property
    def unanimous_seeds(self) -> bool:
        """Whether the exact differences of a deterministic row all go one way."""
        signs = {math.copysign(1.0, seed.difference) if seed.difference else 0.0 for seed in self.seeds}
        return len(signs) == 1 and 0.0 not in signs and not self.wavering


def row_of(
    lineup: Lineup,
    baseline: str,
    variant: str,
    group: GroupKey,
    name: str,
    primary: bool,
    design: Design,
) -> Row:
    """Line up and measure one metric; sides that cannot be compared keep no values and say why."""
    before, after = lineup.of(baseline, group, name), lineup.of(variant, group, name)
    refusal = _refusal(before, after, baseline, variant)
    exact = is_deterministic(lineup.groups[group].runner, design.deterministic)
    paired = exact or design.order == "interleaved"
    aligned = align(before, after, paired=paired)
    unit = next(iter(before.units or after.units), "")
    better = next(iter(before.directions or after.directions), None)
    if refusal is not None:
        aligned = Aligned((), (), (), paired, 0)
    seeds: tuple[SeedDifference, ...] = ()
    if exact:
        values = zip(aligned.places, aligned.baseline, aligned.candidate, strict=True)
        seeds = tuple(_seed_difference(*entry) for entry in values)
    return Row(
        variant=variant,
        group=group,
        name=name,
        unit=unit,
        better=better,
        primary=primary,
        aligned=aligned,
        effect=effect_of(aligned, LEVEL / design.looks),
        seeds=seeds,
        wavering=before.wavering or after.wavering,
        refusal=refusal,
    )


def _refusal(before: Series, after: Series, baseline: str, variant: str) -> str | None:
    units = list(dict.fromkeys([*before.units, *after.units]))
    if len(units) > 1:
        return f"units differ ({', '.join(unit or 'none' for unit in units)}), so nothing is compared"
    if len({*before.directions, *after.directions}) > 1:
        return "the runs disagree about which direction is better, so nothing is compared"
    for name, series in ((baseline, before), (variant, after)):
        if not series.units:
            return f"{name} has no value of this metric"
        if not series.values:
            return f"{name} has no finite value of this metric"
    return None


def _seed_difference(seed: int, before: float, after: float) -> SeedDifference:
    return SeedDifference(
        seed=seed,
        baseline=before,
        candidate=after,
        difference=after - before,
        ratio=after / before if before > 0.0 else None,
    )


def adjust(
    rows: Sequence[Row], *, primary: bool, correction: Callable[[Sequence[float]], list[float]], looks: int = 1
) -> list[Row]:
    """Fill in the adjusted p-values of one family; exact rows make no claim that could be a false alarm by chance.

    Who looks several times and stops when he likes what he sees has as many chances: each look gets an equal part of
    the false-alarm budget (Bonferroni), whatever the looks have to do with each other.
    """
    tested = {
        index: row.effect.p_value
        for index, row in enumerate(rows)
        if row.primary is primary and not row.too_few_seeds and not row.never_differs and row.effect.p_value is not None
    }
    adjusted = dict(zip(tested, correction(list(tested.values())), strict=True))
    family = len(tested) if primary else 1
    return [
        replace(row, p_adjusted=min(1.0, adjusted[index] * looks), family=family) if index in adjusted else row
        for index, row in enumerate(rows)
    ]
