"""UnixBench's index: what each test is measured against, and the arithmetic of the score.

Baselines are those of a SPARCstation 20-61 (byte-unixbench, UnixBench/pgms/index.base of 5.1.3 and 4.1.0). An index is
ten times the ratio to the baseline, the score the geometric mean of the indexes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

BASELINES = {
    "Dhrystone 2 using register variables": 116700.0,
    "Double-Precision Whetstone": 55.0,
    "Execl Throughput": 43.0,
    "File Copy 1024 bufsize 2000 maxblocks": 3960.0,
    "File Copy 256 bufsize 500 maxblocks": 1655.0,
    "File Copy 4096 bufsize 8000 maxblocks": 5800.0,
    "Pipe Throughput": 12440.0,
    "Pipe-based Context Switching": 4000.0,
    "Process Creation": 126.0,
    "Shell Scripts (1 concurrent)": 42.4,
    "Shell Scripts (8 concurrent)": 6.0,
    "System Call Overhead": 15000.0,
}

FULL_INDEX_TESTS = len(BASELINES)


def index(result: float, baseline: float) -> float:
    """Return ten times the ratio of a result to its baseline."""
    return 10.0 * result / baseline


def score(indexes: Iterable[float]) -> float:
    """Return the geometric mean of indexes above zero."""
    logs = [math.log(value) for value in indexes]
    return math.exp(sum(logs) / len(logs))
