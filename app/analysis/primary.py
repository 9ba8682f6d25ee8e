"""Choosing the at most three metrics that decide when nobody named them."""

from __future__ import annotations

from collections.abc import Iterable

from app.domain.metric import UNIXBENCH_TOTALS

PRIMARY_MAX = 3
"""More deciding metrics would cost each of them too much of the false-alarm budget."""

_PREFERENCES: tuple[tuple[str, ...], ...] = (
    ("total.iops",),
    ("read.iops", "write.iops", "trim.iops"),
    *((total,) for total in UNIXBENCH_TOTALS),
    ("files_per_second",),
    ("throughput",),
    ("initial create", "compile", "read compiled tree"),
)
"""The first line with a metric that was measured wins: what a workload's author would quote first."""


def default_primary(*measured: Iterable[str]) -> tuple[str, ...]:
    """Return the metrics that decide by default, from the names measured in the order they came, by each runner.

    A mixed fio job is decided by its total IOPS, another by the IOPS of each direction; UnixBench by its total score,
    fs_mark, dbench and compilebench by their throughputs; anything else by its first three metrics. Of several runners
    each has to have measured what decides.
    """
    everywhere = [dict.fromkeys(names) for names in measured]
    for line in _PREFERENCES:
        chosen = tuple(name for name in line if any(name in names for names in everywhere))
        if chosen and all(any(name in names for name in chosen) for names in everywhere):
            return chosen[:PRIMARY_MAX]
    return tuple(dict.fromkeys(name for names in everywhere for name in names))[:PRIMARY_MAX]
