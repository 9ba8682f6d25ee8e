"""The integer tables that a device's parameters are compiled into; floating point ends in this file."""

import math
from dataclasses import dataclass
from functools import lru_cache

from workers.simulator.kinds import SECTOR_BYTES

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


SEEK_CELLS = 4096
SEEK_LEVELS = 3  # each 256 times finer than the one before, for short distances
SEEK_ENTRIES = SEEK_CELLS + 2  # of one level
SEEK_COARSE = 16  # cells of a level below which the next level is used: there the curve is too bent for it


def seek_shifts(capacity_sectors: int) -> tuple[int, ...]:
    """Return, for each level, the binary logarithm of a cell's width in sectors."""
    shift = max(0, (capacity_sectors - 1).bit_length() - SEEK_CELLS.bit_length() + 1)
    return tuple(max(0, shift - 8 * level) for level in range(SEEK_LEVELS))


def seek_table(minimum_ns: int, span_ns: int, capacity_sectors: int) -> tuple[int, ...]:
    """Return seek times in nanoseconds, minimum + span x sqrt(distance / capacity), of all levels in a row.

    Entry i of a level is the time at i cells; between two entries the time is linear (off by less than 1 us).
    """
    table = []
    for shift in seek_shifts(capacity_sectors):
        for cell in range(SEEK_ENTRIES):
            # isqrt keeps the table the same on every machine.
            table.append(minimum_ns + math.isqrt(span_ns * span_ns * (cell << shift) // capacity_sectors))
    return tuple(table)


RATE_BITS = 8  # nanoseconds a sector, times 256


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones of a platter: equal shares of the capacity, `sectors` each.

    `sector_ns` is the time in which a sector passes under the head, times 256;
    `angle_ns` is the angle of a zone's first sector, as the time since the index mark. Sectors follow each other
    along one spiral at the zone's rate, so that a sequential transfer runs at the rate that data sheets give: head
    and track switches are inside the rate.
    """

    sectors: int
    sector_ns: tuple[int, ...]
    angle_ns: tuple[int, ...]


def zones_of(capacity_sectors: int, count: int, outer_rate: int, inner_rate: int, revolution_ns: int) -> Zones:
    """Return `count` zones whose rates (bytes a second) fall linearly from the outermost to the innermost."""
    sectors = -(-capacity_sectors // count)
    sector_ns = []
    angle_ns = []
    angle = 0
    for zone in range(count):
        rate = outer_rate - (outer_rate - inner_rate) * zone // max(1, count - 1)
        sector_ns.append((SECTOR_BYTES * 1_000_000_000 << RATE_BITS) // rate)
        angle_ns.append(angle)
        angle = (angle + (sectors * sector_ns[-1] >> RATE_BITS)) % revolution_ns
    return Zones(sectors, tuple(sector_ns), tuple(angle_ns))


# Of a page map; how large a block is matters little to the amplification.
BLOCK_PAGES = 256
RATIO_BITS = 16  # pages moved for each page written are fixed point

# What an event inside a flash device is about; the rest of its argument is the piece, die or request.
DIE_DONE = 0
CHANNEL_DONE = 1
PROGRAM_DONE = 2
ADMITTED = 3
FLUSH_READY = 4
KIND_BITS = 3
