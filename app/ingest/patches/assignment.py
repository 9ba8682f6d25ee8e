"""The linear assignment problem: one column for every row, at the least total cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf


def cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row so that their costs add up to the least; needs as many columns as rows at least.

    Shortest augmenting paths with potentials (Jonker and Volgenant 1987), O(rows² × columns).
    """
    rows, columns = len(costs), len(costs[0]) if costs else 0
    row_potential, column_potential = [0.0] * (rows + 1), [0.0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        column = 0
        nearest = [inf] * (columns + 1)
        came_from = [0] * (columns + 1)
        reached = [False] * (columns + 1)
        while row_of[column]:
            reached[column] = True
            here = row_of[column]
            step, following = inf, 0
            for other in range(1, columns + 1):
                if reached[other]:
                    continue
                reduced = costs[here - 1][other - 1] - row_potential[here] - column_potential[other]
                if reduced < nearest[other]:
                    nearest[other], came_from[other] = reduced, column
                if nearest[other] < step:
                    step, following = nearest[other], other
            for other in range(columns + 1):
                if reached[other]:
                    row_potential[row_of[other]] += step
                    column_potential[other] -= step
                else:
                    nearest[other] -= step
            column = following
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    chosen = [0] * rows
    for column in range(1, columns + 1):
        if row_of[column]:
            chosen[row_of[column] - 1] = column - 1
    return chosen
