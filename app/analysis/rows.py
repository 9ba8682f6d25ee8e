"""Rows of a comparison on their way to a verdict: one metric of one candidate in one group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.analysis.effect import LEVEL, Effect, effect_of
from app.analysis.multiplicity import benjamini_hochberg, over_cells
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
    cells: tuple[int, int] = (1, 1)
    """How many cells of the matrix may have a verdict, of how many."""

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


def adjust_primary(rows: Sequence[Row], looks: int = 1) -> list[Row]:
    """Fill in the adjusted p-values of the rows that decide; exact rows make no claim that chance could make false.

    Who looks several times and stops when he likes what he sees has as many chances: each look gets an equal part of
    the false-alarm budget (Bonferroni), whatever the looks have to do with each other.
    """
    cells: dict[GroupKey, list[int]] = {}
    for index in _tested(rows, primary=True):
        cells.setdefault(_cell(rows[index].group), []).append(index)
    done = over_cells([[_p(rows[index]) for index in cell] for cell in cells.values()], LEVEL / looks)
    adjusted = list(rows)
    for cell, p_values in zip(cells.values(), done.adjusted, strict=True):
        for index, p_value in zip(cell, p_values, strict=True):
            adjusted[index] = replace(
                rows[index],
                p_adjusted=min(1.0, p_value * looks),
                family=len(cell),
                cells=(max(1, done.selected), len(cells)),
            )
    return adjusted


def adjust_exploratory(rows: Sequence[Row], looks: int = 1) -> list[Row]:
    """Fill in the adjusted p-values of the rows that do not decide: a false-discovery rate over all of them."""
    tested = _tested(rows, primary=False)
    adjusted = list(rows)
    for index, p_value in zip(tested, benjamini_hochberg([_p(rows[index]) for index in tested]), strict=True):
        adjusted[index] = replace(rows[index], p_adjusted=min(1.0, p_value * looks))
    return adjusted


def _tested(rows: Sequence[Row], *, primary: bool) -> list[int]:
    return [
        index
        for index, row in enumerate(rows)
        if row.primary is primary and not row.too_few_seeds and not row.never_differs and row.effect.p_value is not None
    ]


def _p(row: Row) -> float:
    assert row.effect.p_value is not None
    return row.effect.p_value


def _cell(group: GroupKey) -> GroupKey:
    """What of a group is the matrix's doing."""
    return tuple(part for part in group if part[0].startswith("cell."))
