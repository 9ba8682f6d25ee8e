"""The integer tables that a device's parameters are compiled into; floating point ends in this file."""

import math
from functools import lru_cache

QUANTILE_BITS = 10  # 1,024 cells, linear inside a cell
QUANTILE_CELLS = 1 << QUANTILE_BITS
UNIT_BITS = 20  # table entries are fixed point: 2^20 is one mean
UNIT = 1 << UNIT_BITS


@lru_cache(maxsize=32)
def erlang_quantiles(shape: int) -> tuple[int, ...]:
    """Return 1,025 quantiles of a gamma distribution with an integer shape and mean 1, in units of 2^-20.

    Entry i is the quantile at i/1024. A draw picks a cell and a place inside it uniformly; the last entry is set so
    that the mean of such draws is 1. Shape 0 is the constant 1.
    """
    if shape == 0:
        return (UNIT,) * (QUANTILE_CELLS + 1)
    table = [round(_erlang_quantile(shape, cell / QUANTILE_CELLS) * UNIT) for cell in range(QUANTILE_CELLS)]
    # The mean of a piecewise linear quantile function is the trapezoid sum of its table.
    inner = sum(table) - table[0] / 2
    return (*table, max(table[-1], round(2 * (QUANTILE_CELLS * UNIT - inner))))


def _erlang_quantile(shape: int, probability: float) -> float:
    low, high = 0.0, 64.0
    for _ in range(60):
        middle = (low + high) / 2
        if _erlang_distribution(shape, middle) < probability:
            low = middle
        else:
            high = middle
    return high


def _erlang_distribution(shape: int, value: float) -> float:
    x = value * shape
    term = total = 1.0
    for order in range(1, shape):
        term *= x / order
        total += term
    return 1.0 - math.exp(-x) * total
