"""The size of a change: ratio, interval and p-value of one metric from lined-up values."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.analysis.pairing import Aligned
from app.analysis.ranks import Floats, ShiftInference, paired_shift, unpaired_shift

CONFIDENCE = 0.95
"""Of every interval; the tests' level is its complement."""

LEVEL = round(1.0 - CONFIDENCE, 12)

_LOG_RATIO_MAX = 700.0
"""e^700 is about the largest double."""

Estimator = Literal["hodges-lehmann", "medians"]


@dataclass(frozen=True)
class Effect:
    """What the values say, before any threshold.

    `ratio` and `interval` are candidate/baseline. `spread` is the standard deviation of the log-ratios of pairs, or the
    pooled one of the log values when unpaired. `trouble` says why a part is missing.
    """

    ratio: float | None
    estimator: Estimator
    interval: tuple[float, float] | None
    p_value: float | None
    spread: float | None
    trouble: str | None = None
    all_zero: bool = False


def effect_of(aligned: Aligned, level: float = LEVEL) -> Effect:
    """Measure the change; the interval misses the truth with a chance of `level` at most.

    Positive values are compared on the log scale: paired by the Hodges-Lehmann estimate over pairs, unpaired by the
    ratio of medians with the rank interval (stretched to hold that ratio, should it lie outside). Where zeros occur on
    either side the ratio is that of the medians and the p-value comes from plain differences; negative values or a
    baseline whose median is zero have no ratio.
    """
    if aligned.n == 0:
        return Effect(None, "medians", None, None, None, "no value on one side")
    baseline, candidate = np.array(aligned.baseline), np.array(aligned.candidate)
    if min(baseline.min(), candidate.min()) <= 0.0:
        return _on_the_plain_scale(baseline, candidate, aligned.paired)
    log_baseline, log_candidate = np.log(baseline), np.log(candidate)
    shift = _shift(log_baseline, log_candidate, aligned.paired, level)
    estimate = shift.estimate
    if not aligned.paired:
        estimate = math.log(statistics.median(aligned.candidate)) - math.log(statistics.median(aligned.baseline))
    return Effect(
        ratio=_ratio(estimate),
        estimator="hodges-lehmann" if aligned.paired else "medians",
        interval=_ratio_interval(shift, estimate),
        p_value=shift.p_value if aligned.n > 1 else None,
        spread=_spread(log_baseline, log_candidate, aligned.paired),
    )


def _on_the_plain_scale(baseline: Floats, candidate: Floats, paired: bool) -> Effect:
    p_value = _shift(baseline, candidate, paired).p_value if min(len(baseline), len(candidate)) > 1 else None
    below, middle = float(np.median(baseline)), float(np.median(candidate))
    if not baseline.any() and not candidate.any():
        return Effect(None, "medians", None, None, None, "every value is zero", all_zero=True)
    if min(baseline.min(), candidate.min()) < 0.0:
        return Effect(None, "medians", None, p_value, None, "values below zero have no ratio")
    if below == 0.0:
        return Effect(None, "medians", None, p_value, None, "the baseline's median is zero, which has no ratio")
    trouble = "values of zero have no place on the log scale, so the ratio of the medians stands without an interval"
    return Effect(
        _ratio(math.log(middle) - math.log(below)) if middle else 0.0, "medians", None, p_value, None, trouble
    )


def _shift(baseline: Floats, candidate: Floats, paired: bool, level: float = LEVEL) -> ShiftInference:
    return paired_shift(candidate - baseline, level) if paired else unpaired_shift(baseline, candidate, level)


def _ratio_interval(shift: ShiftInference, estimate: float) -> tuple[float, float] | None:
    if shift.interval is None:
        return None
    low = _ratio(min(shift.interval[0], estimate))
    high = _ratio(max(shift.interval[1], estimate))
    return None if low is None or high is None else (low, high)


def _spread(baseline: Floats, candidate: Floats, paired: bool) -> float | None:
    if paired:
        differences = candidate - baseline
        return _stdev(differences) if len(differences) > 1 else None
    degrees = len(baseline) + len(candidate) - 2
    if degrees < 1:
        return None
    squares = sum(_stdev(side) ** 2 * (len(side) - 1) for side in (baseline, candidate) if len(side) > 1)
    return math.sqrt(squares / degrees)


def _stdev(values: Floats) -> float:
    # rounding must not lend equal values a spread
    return 0.0 if values.min() == values.max() else float(values.std(ddof=1))


def _ratio(log_ratio: float) -> float | None:
    return math.exp(log_ratio) if log_ratio < _LOG_RATIO_MAX else None
