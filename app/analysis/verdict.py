"""From an effect to one of four words, and the reason in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.effect import LEVEL, Effect
from app.analysis.power import RUNS_LIMIT, paired_factor, runs_to_detect, unpaired_factor
from app.analysis.ranks import rank_sum_null, signed_rank_null
from app.domain.comparison import SeedDifference, Verdict
from app.domain.metric import Better, significant

PAIRS_MIN = 6
"""Sign flips of five pairs cannot give p below 2/2^5 = 0.0625; of six they can (2/2^6 = 0.031)."""


DETECTABLE_MIN_PERCENT = 0.01
"""A smaller detectable change says only that there is hardly any spread."""


@dataclass(frozen=True)
class Judgement:
    """A verdict with its reason, what would have been found, and what would settle it."""

    verdict: Verdict
    reason: str
    detectable_percent: float | None = None
    more_pairs: int | None = None


@dataclass(frozen=True)
class Case:
    """All that a verdict rests on. `family` counts the metrics that share the false-alarm budget (1: exploratory)."""

    effect: Effect
    baseline_n: int
    candidate_n: int
    paired: bool
    better: Better | None
    p_adjusted: float | None
    family: int
    threshold_percent: float
    looks: int = 1
    cells: tuple[int, int] = (1, 1)
    """How many cells of a matrix may have a verdict, of how many (see `multiplicity.over_cells`)."""
    replicates: str = "pairs"
    """What the words call the units of replication: pairs, runs a side, or seeds."""

    @property
    def n(self) -> int:
        """Pairs, or runs of the smaller side."""
        return min(self.baseline_n, self.candidate_n)

    @property
    def level(self) -> float:
        """The level that the first of `family` metrics has to reach under Holm."""
        return LEVEL / self.share

    @property
    def share(self) -> float:
        """How many parts the false-alarm budget is divided into for the first metric of the family."""
        return max(1, self.family) * self.looks * self.cells[1] / self.cells[0]


def judge(case: Case) -> Judgement:
    """Return the verdict of an effect measured on replicated runs."""
    effect = case.effect
    if case.n < PAIRS_MIN:
        return Judgement(Verdict.INCONCLUSIVE, _too_few(case), more_pairs=_more(case))
    detectable = _detectable_percent(case)
    if effect.all_zero:
        return _of_zeros(case.better)
    if effect.ratio is None:
        p_value = f" (plain differences: p = {_p(case.p_adjusted)})" if case.p_adjusted is not None else ""
        return Judgement(Verdict.INCONCLUSIVE, f"{effect.trouble or 'the ratio is out of range'}{p_value}")
    if effect.interval is not None and _within(effect.interval, case.threshold_percent):
        return Judgement(Verdict.EQUIVALENT, _equivalent(case, effect.interval), detectable)
    if case.p_adjusted is not None and case.p_adjusted < LEVEL and beyond(effect.ratio, case.threshold_percent):
        if case.better is None:
            reason = f"{_size(effect)}, p = {_p(case.p_adjusted)}, but which direction is better is not known"
            return Judgement(Verdict.INCONCLUSIVE, reason, detectable)
        return Judgement(direction(effect.ratio, case.better), _changed(case), detectable)
    more = _more(case)
    return Judgement(Verdict.INCONCLUSIVE, _open(case, detectable, more), detectable, more)


def judge_seeds(
    seeds: Sequence[SeedDifference], *, better: Better | None, threshold_percent: float, wavering: bool
) -> Judgement:
    """Return the verdict on exact differences at fewer seeds than an interval needs: a word about these seeds only."""
    which = f"seed {seeds[0].seed}" if len(seeds) == 1 else f"{len(seeds)} seeds"
    if wavering:
        return Judgement(
            Verdict.INCONCLUSIVE, "the runner gave two values at one seed, so its differences are not exact"
        )
    ratios = [entry.ratio for entry in seeds if entry.ratio is not None]
    if len(ratios) < len(seeds):
        same = all(entry.difference == 0.0 for entry in seeds)
        if same and all(entry.baseline == 0.0 for entry in seeds):
            return _of_zeros(better)
        return Judgement(
            Verdict.INCONCLUSIVE,
            f"exact at {which}, but the baseline is zero or below, which has no ratio"
            + ("; the values are equal" if same else ""),
        )
    low, high = percent(min(ratios)), percent(max(ratios))
    if all(ratio == 1.0 for ratio in ratios):
        claim = f"exactly equal at {which}; nothing is claimed beyond"
    else:
        claim = f"exactly {low if low == high else f'{low} to {high}'} at {which}; nothing is claimed beyond"
    if all(not beyond(ratio, threshold_percent) for ratio in ratios):
        return Judgement(Verdict.EQUIVALENT, f"{claim}, and within ±{threshold_percent:g} %")
    if better is None:
        return Judgement(Verdict.INCONCLUSIVE, f"{claim}; which direction is better is not known")
    directions = {direction(ratio, better) if beyond(ratio, threshold_percent) else None for ratio in ratios}
    if len(directions) == 1 and (verdict := directions.pop()) is not None:
        return Judgement(verdict, claim)
    more = PAIRS_MIN - len(seeds)
    reason = f"{claim}; the seeds disagree about ±{threshold_percent:g} %, {more} more would give an interval"
    return Judgement(Verdict.INCONCLUSIVE, reason, more_pairs=more)


def _of_zeros(better: Better | None) -> Judgement:
    """A latency or a spread may well be zero on both sides; a rate of zero means that nothing ran."""
    if better is Better.LOWER:
        return Judgement(Verdict.EQUIVALENT, "every value is zero, on both sides")
    return Judgement(Verdict.INCONCLUSIVE, "every value is zero: nothing was measured")


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the experiment's verdict from those of its primary metrics.

    One regression outweighs any improvement, since a gate must see it; an improvement counts beside equivalent and
    inconclusive metrics; equivalent takes all of them.
    """
    if Verdict.REGRESSED in verdicts:
        return Verdict.REGRESSED
    if Verdict.IMPROVED in verdicts:
        return Verdict.IMPROVED
    if verdicts and all(verdict is Verdict.EQUIVALENT for verdict in verdicts):
        return Verdict.EQUIVALENT
    return Verdict.INCONCLUSIVE


def beyond(ratio: float, threshold_percent: float) -> bool:
    """Tell whether a change is as large as the threshold."""
    return abs(ratio - 1.0) * 100.0 >= threshold_percent and ratio != 1.0


def direction(ratio: float, better: Better) -> Verdict:
    """Return which way a change goes."""
    return Verdict.IMPROVED if (ratio > 1.0) == (better is Better.HIGHER) else Verdict.REGRESSED


def counted(number: int, replicates: str) -> str:
    """Return `pairs`, `seeds` or `runs a side` as it goes with a number."""
    first, _, rest = replicates.partition(" ")
    return replicates if number != 1 else f"{first.removesuffix('s')} {rest}".rstrip()


def percent(ratio: float) -> str:
    """Return a ratio as a signed change in per cent, two significant digits at least."""
    change = (ratio - 1.0) * 100.0
    size = abs(change)
    digits = 0 if size >= 99.95 else 1 if size >= 9.995 else 2
    if 0.0 < 100.0 + change < 0.5:  # a fall to almost nothing is none to nothing
        digits = min(6, 1 - math.floor(math.log10(100.0 + change)))
    if 0.0 < size < 0.1:
        digits = min(6, 1 - math.floor(math.log10(size)))
    return f"{change:+.{digits}f} %" if size else "0 %"


def _within(interval: tuple[float, float], threshold_percent: float) -> bool:
    return all(abs(end - 1.0) * 100.0 < threshold_percent for end in interval)


def _too_few(case: Case) -> str:
    if case.n == 0:
        return case.effect.trouble or "no value on one side"
    if case.n == 1:
        have = "one sample a side" if case.baseline_n == case.candidate_n == 1 else "one sample on one side"
        return (
            f"{have} shows no spread, so nothing can be told from noise; a verdict needs {PAIRS_MIN} {case.replicates}"
        )
    if case.paired:
        floor = signed_rank_null(case.n).two_sided_p(0)
        return (
            f"{case.n} {case.replicates} cannot reach p < {LEVEL:g} (their smallest is {floor:.3g}); "
            f"a verdict needs {PAIRS_MIN} at least"
        )
    return f"{case.n} {case.replicates}; a verdict needs {PAIRS_MIN} at least"


def _equivalent(case: Case, interval: tuple[float, float]) -> str:
    if case.effect.spread == 0.0 and case.effect.ratio == 1.0:
        return f"all {case.n} {case.replicates} are equal"
    said = f"the interval {percent(interval[0])} to {percent(interval[1])} lies inside ±{case.threshold_percent:g} %"
    if case.p_adjusted is not None and case.p_adjusted < LEVEL:
        said += f"; a change is there (p = {_p(case.p_adjusted)}), too small to name"
    return said


def _changed(case: Case) -> str:
    trouble = f"; {case.effect.trouble}" if case.effect.trouble else ""
    return f"{_size(case.effect)}, p = {_p(case.p_adjusted)}{_holm(case)}{trouble}"


def _open(case: Case, detectable: float | None, more: int | None) -> str:
    effect = case.effect
    assert effect.ratio is not None
    floor = _smallest_p(case) * case.share
    changed = case.p_adjusted is not None and case.p_adjusted < LEVEL
    if floor >= LEVEL and not changed:
        said = (
            f"{_size(effect)}; {case.n} {case.replicates} cannot reach p < {LEVEL:g} over {case.family} primary "
            f"comparisons (their smallest is {floor:.3g})"
        )
    elif changed:
        said = f"{_size(effect)}: a change is there (p = {_p(case.p_adjusted)}), whether it reaches "
        said += f"{case.threshold_percent:g} % is open"
    elif effect.interval is not None and not effect.interval[0] <= 1.0 <= effect.interval[1]:
        said = f"{_size(effect)}: taken alone a change, but among so many comparisons not beyond chance "
        said += f"(p = {_p(case.p_adjusted)}{_holm(case)})"
    else:
        said = f"{_size(effect)}, p = {_p(case.p_adjusted)}{_holm(case)}: neither a change nor its absence is shown"
    if effect.trouble:
        said += f"; {effect.trouble}"
    if detectable is not None and detectable >= DETECTABLE_MIN_PERCENT:
        said += f"; a change of {significant(detectable, 2)} % would have been found four times in five"
    if more is not None:
        said += f"; about {more} more {counted(more, case.replicates)} would settle it"
    elif effect.spread:
        said += f"; more than {RUNS_LIMIT} {case.replicates} would be needed"
    return said


def _size(effect: Effect) -> str:
    assert effect.ratio is not None
    if effect.interval is None:
        return f"changed by {percent(effect.ratio)}"
    return f"changed by {percent(effect.ratio)} ({percent(effect.interval[0])} to {percent(effect.interval[1])})"


def _holm(case: Case) -> str:
    said = [f"Holm over {case.family}"] if case.family > 1 else []
    said += [f"{case.looks} looks"] if case.looks > 1 else []
    said += [f"{case.cells[0]} of {case.cells[1]} cells"] if case.cells[1] > 1 else []
    return f" ({', '.join(said)})" if said else ""


def _p(p_value: float | None) -> str:
    return "unknown" if p_value is None else f"{p_value:.2g}" if p_value >= 1e-4 else f"{p_value:.0e}"


def _smallest_p(case: Case) -> float:
    null = signed_rank_null(case.n) if case.paired else rank_sum_null(case.baseline_n, case.candidate_n)
    return null.two_sided_p(0)


def _detectable_percent(case: Case) -> float | None:
    if case.effect.spread is None:
        return None
    if case.paired:
        factor = paired_factor(case.n, case.level)
    else:
        factor = unpaired_factor(case.baseline_n, case.candidate_n, case.level)
    return None if factor is None else math.expm1(min(factor * case.effect.spread, 700.0)) * 100.0


def _more(case: Case) -> int | None:
    """How many more replicates about settle the case: enough to show the change seen, or that it is within bounds."""
    shortfall = max(0, PAIRS_MIN - case.n)
    effect = case.effect
    if not effect.spread or effect.ratio is None or effect.ratio <= 0.0 or case.n < 3:
        return shortfall or None
    threshold = case.threshold_percent / 100.0
    if beyond(effect.ratio, case.threshold_percent):
        margin, level = abs(math.log(effect.ratio)), case.level
    else:
        to_upper = math.log1p(threshold) - math.log(effect.ratio)
        to_lower = math.log(effect.ratio) - math.log1p(-threshold) if threshold < 1.0 else math.inf
        margin, level = min(to_upper, to_lower), LEVEL / case.looks
    needed = runs_to_detect(margin / effect.spread, level, paired=case.paired, at_least=max(PAIRS_MIN, case.n + 1))
    return None if needed is None else needed - case.n
