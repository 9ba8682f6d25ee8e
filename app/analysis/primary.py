"""Choosing the at most three metrics that decide when nobody named them."""

from __future__ import annotations

from collections.abc import Sequence

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


def default_primary(measured: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics that decide by default, from the names measured in the order they came.

    A mixed fio job is decided by its total IOPS, another by the IOPS of each direction; UnixBench by its total score,
    fs_mark, dbench and compilebench by their throughputs; anything else by its first three metrics.
    """
    present = set(measured)
    for line in _PREFERENCES:
        chosen = tuple(name for name in line if name in present)
        if chosen:
            return chosen[:PRIMARY_MAX]
    return tuple(dict.fromkeys(measured))[:PRIMARY_MAX]
