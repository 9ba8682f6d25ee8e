"""Describing one side's values."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from app.domain.comparison import Summary


def summarise(values: Sequence[float]) -> Summary:
    """Return n, mean, median, stdev (n - 1), min and max of finite values, in their own unit."""
    if not values:
        return Summary(n=0)
    return Summary(
        n=len(values),
        mean=statistics.fmean(values),
        median=statistics.median(values),
        stdev=statistics.stdev(values) if len(values) > 1 else None,
        min=min(values),
        max=max(values),
    )
