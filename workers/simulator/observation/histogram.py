"""Latency histograms in fio's bin layout, with fio's percentiles."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workers.simulator.kinds import PLAT_BINS, PLAT_BITS, PLAT_VALUES

# fio's default list (FIO_IO_U_LIST_MAX_LEN entries in stat.c).
DEFAULT_PERCENTILES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)


def bin_value_ns(index: int) -> int:
    """Return the latency that fio prints for a bin: the value itself below 128 ns, else the middle of the bin."""
    if index < 2 * PLAT_VALUES:
        return index
    shift = (index >> PLAT_BITS) - 1
    return (1 << (shift + PLAT_BITS)) + ((2 * (index % PLAT_VALUES) + 1) << shift >> 1)


def bin_of(value_ns: int) -> int:
    """Return the bin of a latency; the last bin takes everything above."""
    if value_ns < 2 * PLAT_VALUES:
        return value_ns
    shift = value_ns.bit_length() - 1 - PLAT_BITS
    return min(((shift + 1) << PLAT_BITS) + ((value_ns >> shift) & (PLAT_VALUES - 1)), PLAT_BINS - 1)


def _no_bins() -> NDArray[np.int64]:
    return np.zeros(PLAT_BINS, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class LatencyHistogram:
    """1,856 bins of counts (29 groups of 64) and exact sums; times in nanoseconds."""

    bins: NDArray[np.int64] = field(default_factory=_no_bins)
    n: int = 0
    min_ns: int = 0
    max_ns: int = 0
    sum_ns: int = 0
    sum_squares_ns2: int = 0

    @property
    def mean_ns(self) -> float:
        """Return the mean, 0 when empty."""
        return self.sum_ns / self.n if self.n else 0.0

    @property
    def stdev_ns(self) -> float:
        """Return the sample standard deviation (n - 1), 0 below two samples."""
        if self.n < 2:
            return 0.0
        return math.sqrt((self.n * self.sum_squares_ns2 - self.sum_ns**2) / (self.n * (self.n - 1)))

    def percentiles_ns(self, wanted: Sequence[float] = DEFAULT_PERCENTILES) -> dict[float, int]:
        """Return the value of each percentile as fio prints it: of the first bin that reaches the share of samples."""
        if self.n == 0:
            return dict.fromkeys(wanted, 0)
        cumulative = np.cumsum(self.bins)
        values = {}
        for percentile in wanted:
            # fio compares in long double, which is exact here; so is this (calc_clat_percentiles in stat.c).
            share = Fraction(percentile) / 100 * self.n
            values[percentile] = bin_value_ns(int(np.searchsorted(cumulative, math.ceil(share), side="left")))
        return values

    def to_dict(self) -> dict[str, object]:
        """Return plain integers; bins as {bin's value in ns: count}, empty bins left out, as in fio's json+."""
        return {
            "n": self.n,
            "min_ns": self.min_ns,
            "max_ns": self.max_ns,
            "sum_ns": self.sum_ns,
            "sum_squares_ns2": self.sum_squares_ns2,
            "bins": {str(bin_value_ns(int(index))): int(self.bins[index]) for index in np.flatnonzero(self.bins)},
        }


def from_bins(bins: Mapping[int, int]) -> LatencyHistogram:
    """Return a histogram of fio's json+ `bins` (value in ns to count); sums are those of the bins' values."""
    counts = _no_bins()
    for value_ns, count in bins.items():
        counts[bin_of(value_ns)] += count
    used = [int(index) for index in np.flatnonzero(counts)]
    weighted = [(bin_value_ns(index), int(counts[index])) for index in used]
    return LatencyHistogram(
        bins=counts,
        n=int(counts.sum()),
        min_ns=weighted[0][0] if weighted else 0,
        max_ns=weighted[-1][0] if weighted else 0,
        sum_ns=sum(value * count for value, count in weighted),
        sum_squares_ns2=sum(value * value * count for value, count in weighted),
    )


def merged(histograms: Iterable[LatencyHistogram]) -> LatencyHistogram:
    """Return the histogram of all samples together."""
    bins = _no_bins()
    n = sum_ns = sum_squares = max_ns = 0
    min_ns: int | None = None
    for histogram in histograms:
        if histogram.n == 0:
            continue
        bins += histogram.bins
        n += histogram.n
        sum_ns += histogram.sum_ns
        sum_squares += histogram.sum_squares_ns2
        max_ns = max(max_ns, histogram.max_ns)
        min_ns = histogram.min_ns if min_ns is None else min(min_ns, histogram.min_ns)
    return LatencyHistogram(bins, n, min_ns or 0, max_ns, sum_ns, sum_squares)
