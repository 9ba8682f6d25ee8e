"""How a latency distribution moved: shifts of merged quantiles, with bands by run.

Histograms are merged before a quantile is taken. The bands resample whole runs (pairs of runs when paired), merge each
draw and take its quantiles: an I/O is not a replicate. A percentile bootstrap of few runs is too narrow; it is widened
to the percentiles that Student's t and n - 1 ask for (Hesterberg, "What Teachers Should Know About the Bootstrap", The
American Statistician 69(4), 2015, section on the expanded percentile interval).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from app.analysis.effect import CONFIDENCE
from app.analysis.verdict import PAIRS_MIN
from app.domain.comparison import QuantileShift
from app.domain.latency_histogram import BINS, LatencyHistogram, bin_bounds_ns, bin_of, bin_value_ns, merged

QUANTILES = (50.0, 90.0, 95.0, 99.0, 99.9, 99.99)
DRAWS = 2000
BEYOND_MIN = 20
"""I/Os that have to lie past a quantile on both sides; fewer make it the story of single I/Os."""

_Counts = npt.NDArray[np.float64]


def quantile_shifts(
    baseline: Sequence[LatencyHistogram],
    candidate: Sequence[LatencyHistogram],
    *,
    paired: bool,
    percents: Sequence[float] = QUANTILES,
    seed: int = 1,
) -> tuple[QuantileShift, ...]:
    """Return the shift of each quantile from baseline to candidate, one histogram a run.

    `paired` takes runs of the same index as pairs (both sides of equal length, else ValueError). The same seed gives
    the same bands. Quantiles are fio's, in nanoseconds.
    """
    if paired and len(baseline) != len(candidate):
        raise ValueError(f"{len(baseline)} runs cannot be paired with {len(candidate)}")
    sides = merged(baseline), merged(candidate)
    runs = min(len(baseline), len(candidate))
    bands: list[tuple[float, float] | None] = [None] * len(percents)
    if runs >= PAIRS_MIN and all(side.count for side in sides):
        bands = _bands(baseline, candidate, paired, percents, np.random.default_rng(seed))
    return tuple(_shift(sides, percent, band, runs) for percent, band in zip(percents, bands, strict=True))


def _shift(
    sides: tuple[LatencyHistogram, LatencyHistogram], percent: float, band: tuple[float, float] | None, runs: int
) -> QuantileShift:
    before, after = (side.percentile_ns(percent) for side in sides)
    beyond = min(side.count_beyond(percent) for side in sides)
    reason = None
    if before is None or after is None:
        reason = "no latencies on one side"
    elif before == 0:
        reason = "a quantile of zero has no ratio"
    elif beyond < BEYOND_MIN:
        reason = f"only {beyond} I/Os lie beyond it; {BEYOND_MIN} are needed for a band"
    elif runs < PAIRS_MIN:
        reason = f"{runs} runs a side; {PAIRS_MIN} are needed for a band"
    return QuantileShift(
        percent=percent,
        baseline_ns=before,
        candidate_ns=after,
        ratio=after / before if before and after is not None else None,
        band95=_blurred(band, before, after) if band and before and after and reason is None else None,
        resolution_percent=_resolution(before) * 100.0 if before else None,
        beyond=beyond,
        reason=reason,
    )


def _bands(
    baseline: Sequence[LatencyHistogram],
    candidate: Sequence[LatencyHistogram],
    paired: bool,
    percents: Sequence[float],
    stream: np.random.Generator,
) -> list[tuple[float, float] | None]:
    drawn_before = _draws(len(baseline), stream)
    drawn_after = drawn_before if paired else _draws(len(candidate), stream)
    before = _drawn_quantiles(baseline, drawn_before, percents)
    after = _drawn_quantiles(candidate, drawn_after, percents)
    outside = _expanded_tail(min(len(baseline), len(candidate)))
    bands: list[tuple[float, float] | None] = []
    for column in range(len(percents)):
        if not (before[:, column].all() and after[:, column].all()):
            bands.append(None)
            continue
        low, high = np.quantile(after[:, column] / before[:, column], [outside, 1.0 - outside])
        bands.append((float(low), float(high)))
    return bands


def _draws(runs: int, stream: np.random.Generator) -> _Counts:
    """How often each run is in each draw: (draws, runs)."""
    return stream.multinomial(runs, np.full(runs, 1.0 / runs), size=DRAWS).astype(np.float64)


def _drawn_quantiles(
    histograms: Sequence[LatencyHistogram], drawn: _Counts, percents: Sequence[float]
) -> npt.NDArray[np.float64]:
    """The quantiles of every draw's merged histogram: (draws, percents)."""
    counts = np.zeros((len(histograms), BINS))
    for row, histogram in enumerate(histograms):
        for index, count in histogram.bins:
            counts[row, index] = count
    used = np.flatnonzero(counts.any(axis=0))
    values = np.array([bin_value_ns(int(index)) for index in used], dtype=np.float64)
    running = np.cumsum(drawn @ counts[:, used], axis=1)
    totals = running[:, -1]
    # a draw of runs that measured nothing has no quantile; zero keeps it out of the ratios
    columns = [
        np.where(totals > 0, values[np.argmax(running >= (percent / 100.0 * totals)[:, None], axis=1)], 0.0)
        for percent in percents
    ]
    return np.stack(columns, axis=1)


def _expanded_tail(runs: int) -> float:
    """The bootstrap percentile that stands for the tail of the interval at so few runs."""
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    student = float(stdtrit(runs - 1, (1.0 - CONFIDENCE) / 2.0))
    return NormalDist().cdf(math.sqrt(runs / (runs - 1)) * student)


def _blurred(band: tuple[float, float], before_ns: int, after_ns: int) -> tuple[float, float]:
    """Widen a band by what the bins hide: half a bin on either side of the ratio."""
    hidden = 1.0 + (_resolution(before_ns) + _resolution(after_ns)) / 2.0
    return band[0] / hidden, band[1] * hidden


def _resolution(value_ns: int) -> float:
    low, end = bin_bounds_ns(bin_of(value_ns))
    return (end - low) / value_ns
