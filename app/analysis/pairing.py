"""Lining up runs: which values of a candidate stand against which of the baseline, and what had to be left out."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field

from app.domain.comparison import MeasuredRun
from app.domain.metric import Better, Group, GroupKey

FAILURES_NAMED_MAX = 10
"""Failed runs named one by one; the rest is counted, for a mail has 72 columns and few lines."""

VALUE_MAX = 1e150
"""Beyond, squares overflow; no metric of a storage device comes near. NaN and infinities fail the same comparison."""

Deterministic = bool | frozenset[str]
"""Whether the runners are deterministic, or the names of those that are."""


def is_deterministic(runner: str | None, deterministic: Deterministic) -> bool:
    """Tell whether a runner gives the same figures for the same seed."""
    return deterministic if isinstance(deterministic, bool) else runner in deterministic


@dataclass
class Series:
    """One metric of one variant in one group: values by place, and every unit and direction met.

    A place is what pairs two runs: the seed on a deterministic runner, the replicate otherwise.
    """

    values: dict[int, float] = field(default_factory=dict)
    units: dict[str, None] = field(default_factory=dict)
    directions: dict[Better | None, None] = field(default_factory=dict)
    not_finite: int = 0
    wavering: bool = False
    """Whether a deterministic runner gave two values at one seed."""


@dataclass
class Lineup:
    """All series of a set of runs, in the order in which variants, groups and metrics first appear."""

    variants: list[str] = field(default_factory=list)
    groups: dict[GroupKey, Group] = field(default_factory=dict)
    metrics: dict[GroupKey, dict[str, None]] = field(default_factory=dict)
    series: dict[tuple[str, GroupKey, str], Series] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def of(self, variant: str, group: GroupKey, metric: str) -> Series:
        """Return a series, an empty one when the variant lacks it."""
        return self.series.get((variant, group, metric), Series())

    def has(self, variant: str, group: GroupKey) -> bool:
        """Tell whether a variant has any metric in a group."""
        return any((variant, group, name) in self.series for name in self.metrics.get(group, ()))


@dataclass(frozen=True)
class Aligned:
    """Baseline and candidate values of one metric; when `paired`, of equal length and in the order of `places`."""

    baseline: tuple[float, ...]
    candidate: tuple[float, ...]
    places: tuple[int, ...]
    paired: bool
    left_out: int
    """Values without a finite partner (paired) or not finite themselves."""

    @property
    def n(self) -> int:
        """Pairs, or runs of the smaller side."""
        return min(len(self.baseline), len(self.candidate))


def line_up(runs: Iterable[MeasuredRun], *, deterministic: Deterministic) -> Lineup:
    """Sort the samples of runs into series.

    Samples of one run are never taken as independent: several values of one metric in one place count as their median.
    """
    lineup = Lineup()
    gathered: dict[tuple[str, GroupKey, str], dict[int, list[float]]] = {}
    failures = []
    for run in runs:
        if run.variant not in lineup.variants:
            lineup.variants.append(run.variant)
        if run.failed is not None:
            failures.append(f"{run.variant}, replicate {run.replicate}, failed and is left out: {run.failed}")
            continue
        for sample in run.samples:
            group = _group_of(run, sample.group)
            exact = is_deterministic(group.runner, deterministic)
            place = run.seed if exact and run.seed is not None else run.replicate
            key = (run.variant, group.key, sample.metric)
            lineup.groups.setdefault(group.key, group)
            lineup.metrics.setdefault(group.key, {})[sample.metric] = None
            series = lineup.series.setdefault(key, Series())
            series.units[sample.unit] = None
            series.directions[sample.better] = None
            if abs(sample.value) <= VALUE_MAX:
                gathered.setdefault(key, {}).setdefault(place, []).append(sample.value)
            else:
                series.not_finite += 1
    for key, by_place in gathered.items():
        series = lineup.series[key]
        series.values = {place: statistics.median(values) for place, values in by_place.items()}
        exact = is_deterministic(lineup.groups[key[1]].runner, deterministic)
        series.wavering = exact and any(min(values) != max(values) for values in by_place.values())
    lineup.notes += failures[:FAILURES_NAMED_MAX]
    if len(failures) > FAILURES_NAMED_MAX:
        lineup.notes.append(f"{len(failures) - FAILURES_NAMED_MAX} more runs failed and are left out")
    return lineup


def align(baseline: Series, candidate: Series, *, paired: bool) -> Aligned:
    """Return the values that stand against each other; without `paired`, all finite values of either side."""
    if paired:
        places = sorted(baseline.values.keys() & candidate.values.keys())
        return Aligned(
            baseline=tuple(baseline.values[place] for place in places),
            candidate=tuple(candidate.values[place] for place in places),
            places=tuple(places),
            paired=True,
            left_out=len(baseline.values.keys() ^ candidate.values.keys()),
        )
    return Aligned(
        baseline=tuple(baseline.values[place] for place in sorted(baseline.values)),
        candidate=tuple(candidate.values[place] for place in sorted(candidate.values)),
        places=(),
        paired=False,
        left_out=baseline.not_finite + candidate.not_finite,
    )


def _group_of(run: MeasuredRun, group: Group) -> Group:
    if not run.cell and run.runner is None:
        return group
    return group.model_copy(update={"cell": run.cell or group.cell, "runner": run.runner or group.runner})
