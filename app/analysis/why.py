"""Why beside how much: which stage of an I/O's way changed, its part of the whole change, and which counters moved.

The stages of one I/O follow each other, so their mean times add up to its latency, and their changes to its change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from app.analysis.verdict import percent
from app.domain.comparison import CounterChange, MeasuredRun, StageChange, StageTime, Why
from app.domain.metric import Group, format_value

CHANGE_MIN = 0.005
"""A change of the whole below this share of it is not taken apart: shares of next to nothing mislead."""

SHARE_MIN = 0.05
"""Stages that make less of the change are not named in the sentence."""

COUNTERS_MAX = 8
COUNTER_CHANGE_MIN = 0.05
WHYS_MAX = 200
"""A matrix has thousands of cells; the first are explained."""


class _Side(NamedTuple):
    """One variant in one cell on one runner."""

    variant: str
    cell: tuple[tuple[str, object], ...]
    runner: str | None


def reasons(runs: Iterable[MeasuredRun], baseline: str) -> tuple[Why, ...]:
    """Return what moved, for each candidate, cell and direction that has stage times on both sides."""
    sides: dict[_Side, list[MeasuredRun]] = defaultdict(list)
    for run in runs:
        if run.failed is None and run.stages:
            sides[_Side(run.variant, tuple(sorted(run.cell.items())), run.runner)].append(run)
    found: list[Why] = []
    for side, mine in sides.items():
        theirs = sides.get(side._replace(variant=baseline))
        if side.variant == baseline or not theirs:
            continue
        group = Group(cell=dict(mine[0].cell) or None, runner=side.runner)
        counters = _counters(theirs, mine)
        before, after = _means(theirs), _means(mine)
        for direction in before:
            if direction in after and len(found) < WHYS_MAX:
                found.append(_why(side.variant, group, direction, before[direction], after[direction], counters))
    return tuple(found)


class _Mean(NamedTuple):
    meaning: str
    mean_ns: float


def _means(runs: Sequence[MeasuredRun]) -> dict[str, dict[str, _Mean]]:
    """The mean time of each stage by direction, over all I/Os of all runs."""
    stages: dict[str, list[StageTime]] = defaultdict(list)
    for run in runs:
        for stage in run.stages:
            stages[stage.name].append(stage)
    means: dict[str, dict[str, _Mean]] = {}
    for full_name, times in stages.items():
        direction, _, name = full_name.partition(".")
        count = sum(time.count for time in times)
        if count:
            mean_ns = sum(time.total_ns for time in times) / count
            means.setdefault(direction, {})[name] = _Mean(times[0].meaning, mean_ns)
    return means


def _why(
    variant: str,
    group: Group,
    direction: str,
    before: Mapping[str, _Mean],
    after: Mapping[str, _Mean],
    counters: tuple[CounterChange, ...],
) -> Why:
    names = list(dict.fromkeys([*before, *after]))
    nothing = _Mean("", 0.0)
    pairs = {name: (before.get(name, nothing), after.get(name, nothing)) for name in names}
    whole_before = sum(mine.mean_ns for mine, _ in pairs.values())
    whole_after = sum(theirs.mean_ns for _, theirs in pairs.values())
    whole = whole_after - whole_before
    told = abs(whole) >= CHANGE_MIN * whole_before
    stages = [
        StageChange(
            name=name,
            meaning=mine.meaning or theirs.meaning,
            baseline_ns=mine.mean_ns,
            candidate_ns=theirs.mean_ns,
            change_ns=theirs.mean_ns - mine.mean_ns,
            share=(theirs.mean_ns - mine.mean_ns) / whole if told else None,
        )
        for name, (mine, theirs) in pairs.items()
    ]
    stages.sort(key=lambda stage: -abs(stage.change_ns))
    return Why(
        variant=variant,
        group=group,
        direction=direction,
        baseline_ns=whole_before,
        candidate_ns=whole_after,
        stages=tuple(stages),
        counters=counters,
        sentence=_sentence(direction, whole_before, whole_after, stages, told),
    )


def _sentence(direction: str, before: float, after: float, stages: Sequence[StageChange], told: bool) -> str:
    if not told:
        return (
            f"a {direction} takes as long as before, {format_value(before, 'ns')} on the mean; no stage explains more"
        )
    change = after - before
    more = "longer" if change > 0 else "less"
    size = (
        f"{format_value(abs(change), 'ns')} {more} ({percent(after / before)})" if before else format_value(after, "ns")
    )
    parts = [
        f"{stage.name} {'+' if stage.change_ns > 0 else '-'}{format_value(abs(stage.change_ns), 'ns')}"
        f" ({stage.share * 100:.0f} % of it{f': {stage.meaning}' if stage.meaning else ''})"
        for stage in stages
        if stage.share is not None and abs(stage.share) >= SHARE_MIN
    ]
    return f"a {direction} takes {size}: {', '.join(parts)}"


def _counters(before: Sequence[MeasuredRun], after: Sequence[MeasuredRun]) -> tuple[CounterChange, ...]:
    """The counters that moved most, as means over the runs of a side."""
    changes = []
    for name in dict.fromkeys(name for run in (*before, *after) for name in run.counters):
        mine, theirs = _mean_counter(before, name), _mean_counter(after, name)
        largest = max(abs(mine), abs(theirs))
        if largest and abs(theirs - mine) >= COUNTER_CHANGE_MIN * largest:
            changes.append((abs(theirs - mine) / largest, CounterChange(name=name, baseline=mine, candidate=theirs)))
    changes.sort(key=lambda entry: -entry[0])
    return tuple(change for _, change in changes[:COUNTERS_MAX])


def _mean_counter(runs: Sequence[MeasuredRun], name: str) -> float:
    return sum(float(run.counters.get(name, 0)) for run in runs) / len(runs)
