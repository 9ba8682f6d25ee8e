"""The recording side of the observation: counts into flat arrays while the simulation runs."""

import numpy as np
from numpy.typing import NDArray

from workers.simulator.arrays import longs, unsigned_longs_of
from workers.simulator.kinds import DIRECTIONS, FOREVER, MASK_64, PLAT_BINS, PLAT_BITS, PLAT_VALUES, TRACE_COLUMNS
from workers.simulator.observation.histogram import LatencyHistogram
from workers.simulator.observation.series import Series

LOW = 0xFFFFFFFF


class Recorder:
    """`histograms` latency histograms, addressed by number, one time series a direction, and a trace.

    Sums are exact integers (sums of squares in 128 bits), so merged and whole runs agree to the last bit. The
    series has at most `points` intervals: when a run outlasts them, neighbours are folded and the interval doubles.
    The trace keeps the first `trace_ios` I/Os one by one.
    """

    def __init__(self, histograms: int, interval_ns: int, points: int, trace_ios: int) -> None:
        self.histograms = histograms
        self.bins = longs(histograms * PLAT_BINS)
        self.count = longs(histograms)
        self.total = longs(histograms)
        self.least = longs(histograms, FOREVER)
        self.most = longs(histograms)
        self.squares_low = unsigned_longs_of([0] * histograms)
        self.squares_high = unsigned_longs_of([0] * histograms)
        self.interval_ns = interval_ns
        self.points = points
        self.ios = longs(DIRECTIONS * points)
        self.bytes = longs(DIRECTIONS * points)
        self.latency_ns = longs(DIRECTIONS * points)
        self.latency_most_ns = longs(DIRECTIONS * points)
        self.trace_rows = trace_ios
        self.traced = 0
        self.trace_values = longs(trace_ios * TRACE_COLUMNS)

    def record(self, histogram: int, value: int) -> None:
        self.bins[histogram * PLAT_BINS + self.bin_of(value)] += 1
        self.count[histogram] += 1
        self.total[histogram] += value
        self.least[histogram] = min(self.least[histogram], value)
        self.most[histogram] = max(self.most[histogram], value)
        self.add_square(histogram, value)

    def bin_of(self, value: int) -> int:
        # fio's plat_val_to_idx: exact below 128 ns, then 64 bins an octave.
        if value < 2 * PLAT_VALUES:
            return value
        shift = 1
        rest = value >> (PLAT_BITS + 2)
        if rest >= 65536:
            shift += 16
            rest >>= 16
        if rest >= 256:
            shift += 8
            rest >>= 8
        while rest > 0:
            shift += 1
            rest >>= 1
        index = ((shift + 1) << PLAT_BITS) + ((value >> shift) & (PLAT_VALUES - 1))
        return index if index < PLAT_BINS else PLAT_BINS - 1

    def add_square(self, histogram: int, value: int) -> None:
        low = value & LOW
        high = value >> 32
        self.add_low(histogram, low * low)
        if high > 0:
            # (high 2^32 + low)^2: the middle term straddles the two words.
            middle = 2 * high * low
            self.add_low(histogram, (middle & LOW) << 32)
            self.squares_high[histogram] += high * high + (middle >> 32)

    def add_low(self, histogram: int, part: int) -> None:
        part = (self.squares_low[histogram] + part) & MASK_64
        if part < self.squares_low[histogram]:
            self.squares_high[histogram] += 1
        self.squares_low[histogram] = part

    def add_point(self, direction: int, time_ns: int, size: int, latency: int) -> None:
        while time_ns >= self.interval_ns * self.points:
            self.halve()
        point = direction * self.points + time_ns // self.interval_ns
        self.ios[point] += 1
        self.bytes[point] += size
        self.latency_ns[point] += latency
        self.latency_most_ns[point] = max(self.latency_most_ns[point], latency)

    def halve(self) -> None:
        for direction in range(DIRECTIONS):
            start = direction * self.points
            for point in range(self.points):
                self.fold(start + point, start + 2 * point, start + self.points)
        self.interval_ns *= 2

    def fold(self, target: int, first: int, end: int) -> None:
        ios = 0
        size = 0
        latency = 0
        most = 0
        for point in range(first, min(first + 2, end)):
            ios += self.ios[point]
            size += self.bytes[point]
            latency += self.latency_ns[point]
            most = max(most, self.latency_most_ns[point])
        self.ios[target] = ios
        self.bytes[target] = size
        self.latency_ns[target] = latency
        self.latency_most_ns[target] = most

    def trace(self) -> NDArray[np.int64]:
        """Return the traced I/Os, one row each in the order in which they were reaped, columns as TRACE_NAMES."""
        values = np.array(self.trace_values[: self.traced * TRACE_COLUMNS], dtype=np.int64)
        return values.reshape(self.traced, TRACE_COLUMNS)

    def histogram(self, number: int) -> LatencyHistogram:
        """Return histogram `number` as a value that is independent of the recorder."""
        count = self.count[number]
        return LatencyHistogram(
            bins=np.array(self.bins[number * PLAT_BINS : (number + 1) * PLAT_BINS], dtype=np.int64),
            n=count,
            min_ns=self.least[number] if count else 0,
            max_ns=self.most[number],
            sum_ns=self.total[number],
            # A product with a Python integer: a shift would be done, and lost, in 64 bits.
            sum_squares_ns2=self.squares_high[number] * (1 << 64) + self.squares_low[number],
        )

    def series(self, direction: int, until_ns: int) -> Series:
        """Return the time series of a direction up to `until_ns`."""
        last = min(self.points, until_ns // self.interval_ns + 1)
        start = direction * self.points
        return Series(
            interval_ns=self.interval_ns,
            ios=np.array(self.ios[start : start + last], dtype=np.int64),
            bytes=np.array(self.bytes[start : start + last], dtype=np.int64),
            latency_sum_ns=np.array(self.latency_ns[start : start + last], dtype=np.int64),
            latency_max_ns=np.array(self.latency_most_ns[start : start + last], dtype=np.int64),
        )
