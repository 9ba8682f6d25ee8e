"""Random numbers: one SplitMix64 stream per component, and a keyed permutation of any range.

SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014) is 64 bits of state,
one addition and two multiplications: the same generator is a few lines of C inside a kernel driver.
"""

import hashlib
from collections.abc import Sequence

from workers.simulator.arrays import unsigned_longs_of
from workers.simulator.kinds import MASK_64, SPLITMIX_GAMMA

MIX_A = 0xBF58476D1CE4E5B9
MIX_B = 0x94D049BB133111EB


def seed_of(seed: int, component: str) -> int:
    """Return the 64-bit seed of a component: the first eight bytes, little-endian, of SHA-256("SEED/COMPONENT").

    A component's stream depends on its own name alone, so adding a component disturbs no other.
    """
    return int.from_bytes(hashlib.sha256(f"{seed}/{component}".encode()).digest()[:8], "little")


class Streams:
    """Independent generators, addressed by index; the state is the seed at first."""

    def __init__(self, seeds: Sequence[int]) -> None:
        self.state = unsigned_longs_of(seeds)

    def mix(self, value: int) -> int:
        value = ((value ^ (value >> 30)) * MIX_A) & MASK_64
        value = ((value ^ (value >> 27)) * MIX_B) & MASK_64
        return value ^ (value >> 31)

    def draw(self, index: int) -> int:
        self.state[index] = (self.state[index] + SPLITMIX_GAMMA) & MASK_64
        return self.mix(self.state[index])

    def below(self, index: int, limit: int) -> int:
        # High bits times the range; beyond 2^31 a remainder, whose bias is under 2^-20 for any disk.
        if limit <= 0x7FFFFFFF:
            return ((self.draw(index) >> 32) * limit) >> 32
        return (self.draw(index) >> 1) % limit

    def permuted(self, position: int, count: int, key: int) -> int:
        # A Feistel network over the smallest power of two that holds `count`; values outside are walked on
        # until one falls inside (cycle walking: Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
        bits = 2
        while (count - 1) >> bits > 0:
            bits += 1
        left_bits = bits >> 1
        right_bits = bits - left_bits
        value = position
        while True:
            left = value >> right_bits
            right = value & ((1 << right_bits) - 1)
            for turn in range(4):
                # Left and right have different widths when `bits` is odd; they swap widths each turn.
                width = left_bits if turn & 1 == 0 else right_bits
                mixed = self.mix((key + right * SPLITMIX_GAMMA + turn) & MASK_64)
                left, right = right, left ^ (mixed >> (64 - width))
            value = (left << right_bits) | right
            if value < count:
                return value
