"""Completions over time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class DeviceSeries:
    """Mean depth of the device, and the part of the time (0 to 1) in which it had something, in equal intervals."""

    interval_ns: int
    depth: NDArray[np.float64]
    utilisation: NDArray[np.float64]

    def to_dict(self) -> dict[str, object]:
        """Return plain lists."""
        return {
            "interval_ns": self.interval_ns,
            "depth": self.depth.tolist(),
            "utilisation": self.utilisation.tolist(),
        }


@dataclass(frozen=True, slots=True)
class Series:
    """Equal intervals from the start of the simulation; I/Os count where they are reaped, ramp time left out.

    `latency_sum_ns` and `latency_max_ns` are of the total latency (fio's lat).
    """

    interval_ns: int
    ios: NDArray[np.int64]
    bytes: NDArray[np.int64]
    latency_sum_ns: NDArray[np.int64]
    latency_max_ns: NDArray[np.int64]

    def to_dict(self) -> dict[str, object]:
        """Return plain lists of integers."""
        return {
            "interval_ns": self.interval_ns,
            "ios": self.ios.tolist(),
            "bytes": self.bytes.tolist(),
            "latency_sum_ns": self.latency_sum_ns.tolist(),
            "latency_max_ns": self.latency_max_ns.tolist(),
        }
