"""What so many runs can show: the smallest detectable change, and how many more runs would settle an open case.

A shift of f spreads is found in four of five experiments, where f comes from Student's t at the level that the rank
test attains and from the rank test's efficiency of 3/π against t under normal noise; where only unanimous pairs reach
the level, f is the shift at which all n agree that often. Checked by simulation in the tests.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

from app.analysis.ranks import NullDistribution, rank_sum_null, signed_rank_null

POWER = 0.8
"""The share of experiments in which a change of the detectable size is found."""

RUNS_LIMIT = 500
"""Runs a side beyond which nothing is promised: what needs more is not settled by patience."""

_RANK_EFFICIENCY = 3.0 / math.pi


@lru_cache(maxsize=4096)
def paired_factor(pairs: int, level: float) -> float | None:
    """Return the detectable shift in standard deviations of the pairs' differences, or None when none is."""
    null = signed_rank_null(pairs)
    critical = null.critical(level)
    if critical is None:
        return None
    factor = _student_factor(null, critical, pairs - 1) / math.sqrt(pairs)
    if critical > 0:
        return factor
    return max(factor, NormalDist().inv_cdf(POWER ** (1.0 / pairs)))


@lru_cache(maxsize=4096)
def unpaired_factor(baseline_runs: int, candidate_runs: int, level: float) -> float | None:
    """Return the detectable shift in standard deviations of one side's values, or None when none is."""
    null = rank_sum_null(baseline_runs, candidate_runs)
    critical = null.critical(level)
    if critical is None:
        return None
    per_side = math.sqrt(1.0 / baseline_runs + 1.0 / candidate_runs)
    return _student_factor(null, critical, baseline_runs + candidate_runs - 2) * per_side


def runs_to_detect(shift_in_spreads: float, level: float, *, paired: bool, at_least: int) -> int | None:
    """Return about how many pairs (runs a side when unpaired) show such a shift; None when over `RUNS_LIMIT`."""
    low, high = at_least, RUNS_LIMIT
    if not _enough(high, shift_in_spreads, level, paired):
        return None
    while low < high:
        middle = (low + high) // 2
        if _enough(middle, shift_in_spreads, level, paired):
            high = middle
        else:
            low = middle + 1
    return low


def _enough(runs: int, shift_in_spreads: float, level: float, paired: bool) -> bool:
    factor = paired_factor(runs, level) if paired else unpaired_factor(runs, runs, level)
    return factor is not None and factor <= shift_in_spreads


def _student_factor(null: NullDistribution, critical: int, degrees: int) -> float:
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    attained = null.two_sided_p(critical)
    quantiles = float(stdtrit(degrees, 1.0 - attained / 2.0)) + float(stdtrit(degrees, POWER))
    return quantiles / math.sqrt(_RANK_EFFICIENCY)
