"""Distributions over blocks as tables of cells: a draw picks a cell by its weight, and a block in it evenly.

The tables are all that floating point is used for. Beyond the first thousand blocks a cell is 1/256 of its distance
wide, so that the density in it is even to a few thousandths, and a table has some thousand cells whatever the size.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

WEIGHT_BITS = 62
SINGLE_CELLS = 1024
WIDTH_SHIFT = 8


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells in the order of their blocks: the first block of each, how many it has, and the weight up to its end.

    Weights are of 2^62; a cell without weight is left out.
    """

    first: tuple[int, ...]
    length: tuple[int, ...]
    until: tuple[int, ...]


def cells_of(parts: Sequence[tuple[int, int, float]]) -> Cells:
    """Return the cells of (first block, blocks, weight); weights need not add up to one. Raises ValueError for none."""
    used = [part for part in parts if part[1] > 0 and part[2] > 0]
    if not used:
        raise ValueError("no block has any weight")
    total = math.fsum(weight for _, _, weight in used)
    until = []
    weight = 0.0
    for part in used:
        weight += part[2]
        until.append(round(min(1.0, weight / total) * (1 << WEIGHT_BITS)))
    until[-1] = 1 << WEIGHT_BITS
    return Cells(tuple(part[0] for part in used), tuple(part[1] for part in used), tuple(until))


def _edges(count: int) -> list[int]:
    edges = list(range(min(count, SINGLE_CELLS) + 1))
    while edges[-1] < count:
        edges.append(min(count, edges[-1] + max(1, edges[-1] >> WIDTH_SHIFT)))
    return edges


def _by_mass(count: int, mass: Callable[[int, int], float]) -> Cells:
    edges = _edges(count)
    return cells_of(
        [(low, high - low, mass(low, high)) for low, high in zip(edges[:-1], edges[1:], strict=True)]  # noqa: RUF007
    )


@lru_cache(maxsize=64)
def zipf(count: int, theta: float) -> Cells:
    """Return the cells of Zipf's distribution: block k, counted from 0, has the weight 1 / (k + 1)^theta.

    Sums over a cell are those of Euler and Maclaurin, with the first derivative.
    """

    def mass(low: int, high: int) -> float:
        if high - low == 1:
            return math.pow(high, -theta)
        begin, end = low + 1.0, high + 1.0
        power = 1 - theta
        integral = math.log(end / begin) if power == 0 else (math.pow(end, power) - math.pow(begin, power)) / power
        halves = (math.pow(begin, -theta) - math.pow(end, -theta)) / 2
        return integral + halves + theta / 12 * (math.pow(begin, -theta - 1) - math.pow(end, -theta - 1))

    return _by_mass(count, mass)


@lru_cache(maxsize=64)
def pareto(count: int, part: float) -> Cells:
    """Return the cells of fio's pareto: the first `part` of the blocks has 1 - `part` of the accesses, at every scale.

    As fio's lib/zipf.c has it: a uniform draw to the power ln(part) / ln(1 - part), times the blocks but one.
    """
    exponent = math.log(1 - part) / math.log(part)
    span = max(1, count - 1)
    return _by_mass(span, lambda low, high: math.pow(high / span, exponent) - math.pow(low / span, exponent))
