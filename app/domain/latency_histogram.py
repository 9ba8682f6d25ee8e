"""Latency histograms in fio's own bin layout, so that ours, json+ and merged ones are one thing.

fio 3.33 (stat.h: FIO_IO_U_PLAT_BITS 6, FIO_IO_U_PLAT_GROUP_NR 29) keeps 29 groups of 64 bins. Up to 127 ns a bin holds
one nanosecond; from there on each doubling of the latency is cut into 64 bins, so that a bin is 1/64 of its value wide
at most, and stands for its middle. What is too long for the last bin is counted there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

GROUP_BITS = 6
GROUP_BINS = 1 << GROUP_BITS
GROUPS = 29
BINS = GROUPS * GROUP_BINS

_EXTENDED_BITS = 64
"""Significant bits of x86's long double, in which fio works out how many I/Os a percentile spans."""


def bin_of(latency_ns: int) -> int:
    """Return the bin that holds a latency. Raises ValueError for a negative one."""
    if latency_ns < 0:
        raise ValueError(f"a latency of {latency_ns} ns lies before its start")
    if latency_ns < 2 * GROUP_BINS:
        return latency_ns
    dropped_bits = latency_ns.bit_length() - 1 - GROUP_BITS
    within = (latency_ns >> dropped_bits) - GROUP_BINS
    return min((dropped_bits + 1) * GROUP_BINS + within, BINS - 1)


def bin_bounds_ns(index: int) -> tuple[int, int]:
    """Return a bin's lowest latency and the next bin's, in nanoseconds. Raises ValueError for no such bin."""
    if not 0 <= index < BINS:
        raise ValueError(f"there is no bin {index}; the last is {BINS - 1}")
    if index < 2 * GROUP_BINS:
        return index, index + 1
    group, within = divmod(index, GROUP_BINS)
    width = 1 << (group - 1)
    low = (GROUP_BINS + within) * width
    return low, low + width


def bin_value_ns(index: int) -> int:
    """Return the latency that stands for a bin: its middle, in nanoseconds. Raises ValueError for no such bin."""
    low, end = bin_bounds_ns(index)
    return low + (end - low) // 2


@dataclass(frozen=True)
class LatencyHistogram:
    """Counts of I/Os by bin, sparse: (bin, count) in rising order of bins, counts above zero."""

    bins: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        last = -1
        for index, count in self.bins:
            if not last < index < BINS or count <= 0:
                raise ValueError(f"bin {index} with count {count} is out of order or out of range")
            last = index

    @classmethod
    def of_counts(cls, counts: Iterable[tuple[int, int]]) -> LatencyHistogram:
        """Return the histogram of (bin, count) pairs in any order; a bin named twice holds the sum."""
        total: Counter[int] = Counter()
        for index, count in counts:
            if count < 0:
                raise ValueError(f"bin {index} has the count {count}")
            total[index] += count
        return cls(tuple(sorted((index, count) for index, count in total.items() if count)))

    @classmethod
    def of_json_plus(cls, bins: Mapping[str, int]) -> LatencyHistogram:
        """Return the histogram of fio's json+ `bins`: counts by the latency in ns that stands for each bin."""
        return cls.of_counts((bin_of(int(value)), count) for value, count in bins.items())

    @classmethod
    def of_latencies(cls, latencies_ns: Iterable[int]) -> LatencyHistogram:
        """Return the histogram of single latencies in nanoseconds."""
        return cls.of_counts((bin_of(latency), 1) for latency in latencies_ns)

    @property
    def count(self) -> int:
        """How many I/Os it holds."""
        return sum(count for _, count in self.bins)

    def percentile_ns(self, percent: float) -> int | None:
        """Return the percentile as fio prints it, in nanoseconds, or None when empty.

        It is the value of the first bin at which the running count reaches percent/100 of all I/Os, that product taken
        in x86's long double as fio does. Raises ValueError outside 0 < percent ≤ 100.
        """
        if not 0.0 < percent <= 100.0:
            raise ValueError(f"there is no percentile {percent}")
        needed = _extended(_extended(Fraction(percent) / 100) * self.count)
        running = 0
        for index, count in self.bins:
            running += count
            if running >= needed:
                return bin_value_ns(index)
        return None

    def count_beyond(self, percent: float) -> int:
        """Return how many I/Os took longer than the bin of a percentile."""
        at = self.percentile_ns(percent)
        return 0 if at is None else sum(count for index, count in self.bins if bin_value_ns(index) > at)


def merged(histograms: Iterable[LatencyHistogram]) -> LatencyHistogram:
    """Return one histogram of all I/Os: the only way to a percentile over several jobs or runs."""
    return LatencyHistogram.of_counts(pair for histogram in histograms for pair in histogram.bins)


def _extended(value: Fraction) -> Fraction:
    """Round to the nearest long double, ties to even (range does not matter here)."""
    if value == 0:
        return value
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    unit = Fraction(2) ** (exponent - _EXTENDED_BITS + 1)
    return round(value / unit) * unit
