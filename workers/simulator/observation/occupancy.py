"""The device's depth and utilisation over time: running integrals, looked at once an interval."""

from array import array

import numpy as np
from numpy.typing import NDArray

from workers.simulator.arrays import longs
from workers.simulator.kinds import FOREVER


class Occupancy:
    """What the integrals of depth and busy time were at the end of each interval.

    Whoever keeps the integrals compares the time with `next_ns` and calls `pass_to` when that is reached. There are at
    most `points` intervals: when a run outlasts them, every second is dropped and the interval doubles.
    """

    def __init__(self) -> None:
        self.interval_ns = FOREVER
        self.points = 0
        self.next_ns = FOREVER
        self.passed = 0
        self.depth_ns = longs(0)
        self.busy_ns = longs(0)

    def start(self, interval_ns: int, points: int) -> None:
        """Observe from now on, before anything has happened."""
        self.interval_ns = interval_ns
        self.points = points
        self.next_ns = interval_ns
        self.depth_ns = longs(points)
        self.busy_ns = longs(points)

    def pass_to(self, now_ns: int, since_ns: int, depth: int, depth_ns: int, busy_ns: int) -> None:
        """Note the ends of intervals up to now; the integrals are those of `since_ns`, the depth has stood since."""
        while self.next_ns <= now_ns:
            if self.passed == self.points:
                self.halve()
                continue
            elapsed_ns = self.next_ns - since_ns
            self.depth_ns[self.passed] = depth_ns + elapsed_ns * depth
            self.busy_ns[self.passed] = busy_ns + (elapsed_ns if depth > 0 else 0)
            self.passed += 1
            self.next_ns += self.interval_ns

    def halve(self) -> None:
        self.passed = self.passed // 2
        for point in range(self.passed):
            self.depth_ns[point] = self.depth_ns[2 * point + 1]
            self.busy_ns[point] = self.busy_ns[2 * point + 1]
        self.interval_ns = 2 * self.interval_ns
        self.next_ns = (self.passed + 1) * self.interval_ns

    def depth(self) -> NDArray[np.float64]:
        """Return the mean depth of each whole interval."""
        return self._means(self.depth_ns)

    def utilisation(self) -> NDArray[np.float64]:
        """Return the part of each whole interval in which the device had something, from 0 to 1."""
        return self._means(self.busy_ns)

    def _means(self, integral: "array[int]") -> NDArray[np.float64]:
        values = np.array(integral[: self.passed], dtype=np.int64)
        return np.diff(values, prepend=0) / float(self.interval_ns)
