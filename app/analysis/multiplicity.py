"""Keeping false alarms down over many metrics.

Two families: the primary metrics decide, so the chance of one false alarm among them is held (Holm 1979); the
exploratory rest gets a false-discovery rate (Benjamini and Hochberg 1995). A correction of its own for the cells of a
large matrix would be a third function here.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [1.0] * len(p_values)
    running = 0.0
    for step, index in enumerate(order):
        running = max(running, (len(p_values) - step) * p_values[index])
        adjusted[index] = min(1.0, running)
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return Benjamini and Hochberg's adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=True)
    adjusted = [1.0] * len(p_values)
    running = 1.0
    for step, index in enumerate(order):
        running = min(running, len(p_values) / (len(p_values) - step) * p_values[index])
        adjusted[index] = running
    return adjusted
