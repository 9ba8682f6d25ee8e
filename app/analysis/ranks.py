"""Rank inference on a shift: one sorted list of contrasts gives estimate, interval and p-value together.

Paired: Walsh averages of the differences and the sign-flip distribution of the signed-rank sum (Wilcoxon).
Unpaired: all differences between the sides and the permutation distribution of the rank sum (Mann and Whitney).
Estimates are those of Hodges and Lehmann. The distributions are exact up to `EXACT_MAX` values a side, so that the
interval excludes no change exactly when p is below its level. Ties count against a change, which keeps both valid.
Reference: Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd ed., sections 3.1 to 3.3 and 4.1 to 4.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

EXACT_MAX = 60
"""Values a side up to which null distributions are enumerated; beyond, the normal limit with continuity correction."""


class ShiftInference(NamedTuple):
    """A shift's estimate, its interval (None when so few values cannot have one) and its two-sided p-value."""

    estimate: float
    interval: tuple[float, float] | None
    p_value: float


@dataclass(frozen=True)
class NullDistribution:
    """The distribution of a rank statistic under no change: symmetric on 0 … `total`."""

    total: int
    mean: float
    stdev: float
    cumulative: tuple[float, ...] | None
    """P(statistic ≤ k) for each k, or None when the normal limit serves."""

    def two_sided_p(self, smaller: int) -> float:
        """Return P of a statistic at least as far out as `smaller`, counted from the nearer end."""
        if self.cumulative is not None:
            return min(1.0, 2.0 * self.cumulative[smaller])
        return min(1.0, 2.0 * NormalDist().cdf((smaller + 0.5 - self.mean) / self.stdev))

    def critical(self, level: float) -> int | None:
        """Return the largest count whose two-sided p is within `level`, or None when none is."""
        if self.cumulative is not None:
            allowed = int(np.searchsorted(self.cumulative, level / 2.0 * (1.0 + 1e-12), side="right")) - 1
        else:
            allowed = math.floor(self.mean - 0.5 + self.stdev * NormalDist().inv_cdf(level / 2.0))
        return allowed if allowed >= 0 else None


@lru_cache(maxsize=256)
def signed_rank_null(n: int) -> NullDistribution:
    """Return the null distribution of the signed-rank sum over all 2^n sign flips."""
    total = n * (n + 1) // 2
    cumulative = None
    if n <= EXACT_MAX:
        mass = np.zeros(total + 1)
        mass[0] = 1.0
        for rank in range(1, n + 1):
            flipped = np.zeros_like(mass)
            flipped[rank:] = mass[: total + 1 - rank]
            mass = (mass + flipped) / 2.0
        cumulative = tuple(np.cumsum(mass).tolist())
    return NullDistribution(total, total / 2.0, math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0), cumulative)


@lru_cache(maxsize=256)
def rank_sum_null(n: int, m: int) -> NullDistribution:
    """Return the null distribution of Mann and Whitney's U over all choices of n out of n + m values."""
    total = n * m
    cumulative = None
    if max(n, m) <= EXACT_MAX:
        # ways[k, u]: k of the values seen so far are on the first side, having beaten u of the second side's
        ways = np.zeros((n + 1, total + 1))
        ways[0, 0] = 1.0
        for seen in range(n + m):
            following = np.zeros_like(ways)
            for k in range(max(0, seen - m), min(n, seen) + 1):
                beaten = seen - k
                if k < n:
                    following[k + 1, beaten:] += ways[k, : total + 1 - beaten]
                if beaten < m:
                    following[k] += ways[k]
            ways = following
        cumulative = tuple((np.cumsum(ways[n]) / math.comb(n + m, n)).tolist())
    return NullDistribution(total, total / 2.0, math.sqrt(n * m * (n + m + 1) / 12.0), cumulative)


def paired_shift(differences: Floats, level: float = 0.05) -> ShiftInference:
    """Infer the centre of paired differences (at least one, finite)."""
    first, second = np.triu_indices(len(differences))
    return _infer((differences[first] + differences[second]) / 2.0, signed_rank_null(len(differences)), level)


def unpaired_shift(baseline: Floats, candidate: Floats, level: float = 0.05) -> ShiftInference:
    """Infer the shift from baseline to candidate (at least one finite value each)."""
    contrasts = np.subtract.outer(candidate, baseline).ravel()
    return _infer(contrasts, rank_sum_null(len(baseline), len(candidate)), level)


def _infer(contrasts: Floats, null: NullDistribution, level: float) -> ShiftInference:
    ordered = np.sort(contrasts)
    clearly_one_way = max(int(np.count_nonzero(ordered > 0.0)), int(np.count_nonzero(ordered < 0.0)))
    outside = null.critical(level)
    interval = None if outside is None else (float(ordered[outside]), float(ordered[len(ordered) - 1 - outside]))
    return ShiftInference(
        estimate=float(np.median(ordered)),
        interval=interval,
        p_value=null.two_sided_p(null.total - clearly_one_way),
    )
