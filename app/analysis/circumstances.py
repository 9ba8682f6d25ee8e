"""What a reader has to know about how the runs were made before believing any row."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.pairing import Deterministic, Lineup, is_deterministic
from app.domain.comparison import MeasuredRun, Order


def circumstances(
    runs: Sequence[MeasuredRun], lineup: Lineup, baseline: str, order: Order, deterministic: Deterministic
) -> list[str]:
    """Return notes on the order, on repeated seeds, and on groups that only one side has."""
    notes = []
    if baseline not in lineup.variants:
        notes.append(f"there is no run of the baseline {baseline}")
    elif len(lineup.variants) == 1:
        notes.append(f"there is no run besides those of {baseline}")
    else:
        notes += _lonely_groups(lineup, baseline)
    exact = {key for key, group in lineup.groups.items() if is_deterministic(group.runner, deterministic)}
    notes += _repeated_seeds([run for run in runs if is_deterministic(run.runner, deterministic)])
    if any(series.wavering for series in lineup.series.values()):
        notes.append("a runner was taken for deterministic, yet two of its runs at one seed differ")
    if any(len(series.values) > 1 and group not in exact for (_, group, _), series in lineup.series.items()):
        if order == "blocked":
            notes.append("the sides ran in blocks: a drift of the host between them counts as a change")
        elif order == "unknown":
            notes.append("the order of the runs is not known: a drift of the host may count as a change")
    return notes


def _lonely_groups(lineup: Lineup, baseline: str) -> list[str]:
    notes = []
    for key, group in lineup.groups.items():
        having = [variant for variant in lineup.variants if lineup.has(variant, key)]
        if having == [baseline]:
            notes.append(f"only {baseline} has {group.label or 'these metrics'}: nothing to compare it with")
        elif baseline not in having:
            notes.append(f"{baseline} lacks {group.label or 'these metrics'}: nothing to compare with")
    return notes


def _repeated_seeds(runs: Sequence[MeasuredRun]) -> list[str]:
    placed = [(run.variant, run.runner, tuple(sorted(run.cell.items())), run.seed) for run in runs if not run.failed]
    repeats = sum(1 for place in placed if place[-1] is not None) - len({p for p in placed if p[-1] is not None})
    if not repeats:
        return []
    return [f"{repeats} runs repeat a seed; a deterministic runner repeats itself, so each seed counts once"]
