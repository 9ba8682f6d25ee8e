"""Keeping false alarms down over many metrics.

Two families: the primary metrics decide, so the chance of one false alarm among them is held (Holm 1979); the
exploratory rest gets a false-discovery rate (Benjamini and Hochberg 1995). Over the cells of a matrix that chance
cannot be held without making every verdict impossible; there the rate of cells with a false alarm among the cells that
have a verdict is held, and within each cell the chance as before (Benjamini and Bogomolov 2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


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


class OverCells(NamedTuple):
    """Adjusted p-values by cell, and how many cells may have a verdict at all."""

    adjusted: list[list[float]]
    selected: int


def over_cells(p_values: Sequence[Sequence[float]], level: float) -> OverCells:
    """Return p-values adjusted over cells of a few comparisons each, to be held against `level`.

    Each cell is Holm's family; its smallest adjusted value stands for it, and Benjamini and Hochberg select the cells.
    What was selected R times out of C is held against R/C of the level, here written as C/R times the p-value.
    """
    within = [holm(cell) for cell in p_values]
    smallest = sorted(min(cell) for cell in within if cell)
    cells = len(smallest)
    selected = max((rank for rank, p_value in enumerate(smallest, 1) if p_value <= level * rank / cells), default=0)
    factor = cells / max(1, selected)
    return OverCells([[min(1.0, p_value * factor) for p_value in cell] for cell in within], selected)
