"""Exponential random numbers in integers: what Poisson arrivals and memoryless service are made of."""

import math
from collections.abc import Sequence

from workers.simulator.arrays import longs_of
from workers.simulator.kinds import MASK_64
from workers.simulator.stream import Streams

FRACTION_BITS = 24  # of a draw, relative to the mean
CELL_BITS = 10
LN_2 = round(math.log(2) * (1 << FRACTION_BITS))
CELLS = 1 << CELL_BITS
# ln(1 + cell/1024); linear in between, which is off by less than 2e-7 of a mean.
LOGARITHMS = tuple(round(math.log1p(float(cell) / CELLS) * (1 << FRACTION_BITS)) for cell in range(CELLS + 1))
LARGE_MEAN = 1 << 32
LARGE_SHIFT = 20


class Exponential:
    """Independent streams of exponential numbers, addressed by index.

    The negative logarithm of a uniform draw: its leading zeros count factors of two, a table has the logarithm of what
    follows them.
    """

    def __init__(self, seeds: Sequence[int]) -> None:
        self.streams = Streams(seeds)
        self.logarithms = longs_of(LOGARITHMS)

    def draw(self, index: int, mean: int) -> int:
        """Return a number of this mean (up to 2^50), rounded to the nearest integer."""
        bits = self.streams.draw(index) | 1
        factors = 1
        while bits >> 63 == 0:
            bits = (bits << 1) & MASK_64
            factors += 1
        cell = (bits >> (63 - CELL_BITS)) & (CELLS - 1)
        place = (bits >> (47 - CELL_BITS)) & 0xFFFF
        low = self.logarithms[cell]
        logarithm = low + (((self.logarithms[cell + 1] - low) * place) >> 16)
        value = factors * LN_2 - logarithm
        if mean < LARGE_MEAN:
            return (mean * value + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS
        return ((mean >> LARGE_SHIFT) * value) >> (FRACTION_BITS - LARGE_SHIFT)
