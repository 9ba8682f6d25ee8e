"""The page map against the closed form of greedy collection, against a naive second map, and against its own counts."""

import math
import random
import resource
import time

import pytest
from scipy.special import lambertw

from tests.workers.simulator.interpreted import run
from workers.simulator.device.ftl import EMPTY, FILLED, STEADY, Ftl, preconditioned
from workers.simulator.device.tables import BLOCK_PAGES
from workers.simulator.stream import Streams


def amplification(spare: float) -> float:
    """Return Xiang and Kurkoski's write amplification of uniform random writes; `spare` is spare over user pages."""
    a = 1 + spare
    return float(a / (a + lambertw(-a * math.exp(-a)).real))


def test_the_closed_form_gives_the_published_values() -> None:
    published = {0.07: 7.82, 0.10: 5.68, 0.15: 4.02, 0.20: 3.19, 0.28: 2.48, 0.30: 2.364, 0.50: 1.716, 1.00: 1.255}
    assert {spare: amplification(spare) for spare in published} == pytest.approx(published, rel=0.002)


@pytest.mark.parametrize("spare", [70, 100, 150, 200, 280, 300, 500, 1000])
def test_uniform_random_writes_are_amplified_as_the_closed_form_says(spare: int) -> None:
    ftl = preconditioned(1 << 17, spare, STEADY)
    ftl.overwrite(Streams([7]), 1 << 18)
    assert 1 + ftl.moved / ftl.written == pytest.approx(amplification(spare / 1000), rel=0.04)


def test_the_steady_state_is_steady_from_its_first_write_on() -> None:
    ftl = preconditioned(1 << 17, 150, STEADY)
    ftl.overwrite(Streams([7]), 1 << 18)
    early, late = ftl.amplifications()
    assert early == pytest.approx(late, rel=0.03)


class Naive:
    """The rules of the map, each time looking at all blocks."""

    def __init__(self, pages: int, spare: int) -> None:
        blocks = max(-(-pages // BLOCK_PAGES) + 2, -(-pages * (1000 + spare) // (1000 * BLOCK_PAGES))) + 2
        self.free = list(range(blocks))
        self.held: dict[int, list[int]] = {block: [] for block in self.free}
        self.used = dict.fromkeys(self.free, 0)
        self.host = self.free.pop(0)
        self.target = self.free.pop(0)
        self.full: list[int] = []  # the last one to have changed in front, which decides between equals
        self.where: dict[int, int] = {}
        self.moved = 0

    def put(self, page: int, block: int) -> None:
        self.held[block].append(page)
        self.used[block] += 1
        self.where[page] = block

    def write(self, page: int) -> None:
        if page in self.where:
            block = self.where[page]
            self.held[block].remove(page)
            if block in self.full:
                self.full.remove(block)
                self.full.insert(0, block)
        self.put(page, self.host)
        if self.used[self.host] == BLOCK_PAGES:
            self.full.insert(0, self.host)
            self.host = self.free.pop(0)
            while len(self.free) < 2:
                self.collect()

    def collect(self) -> None:
        victim = min(self.full, key=lambda block: len(self.held[block]))
        self.full.remove(victim)
        for page in self.held[victim]:
            if self.used[self.target] == BLOCK_PAGES:
                self.full.insert(0, self.target)
                self.target = self.free.pop(0)
            self.put(page, self.target)
            self.moved += 1
        self.held[victim] = []
        self.used[victim] = 0
        self.free.insert(0, victim)


@pytest.mark.parametrize("spare", [100, 500])
def test_a_map_that_looks_at_every_block_moves_as_many_pages(spare: int) -> None:
    pages = 8 * BLOCK_PAGES
    rng = random.Random(spare)
    writes = [*range(pages), *(rng.randrange(pages) for _ in range(12 * pages))]
    ftl = Ftl(pages, spare)
    for page in writes:
        ftl.write(page)
    assert ftl.verify()
    reference = Naive(pages, spare)
    for page in writes:
        reference.write(page)
    assert ftl.moved == reference.moved > 0


def test_sequential_overwrites_move_nothing() -> None:
    ftl = preconditioned(1 << 14, 70, FILLED)
    for _ in range(3):
        for page in range(1 << 14):
            ftl.write(page)
    assert ftl.moved == 0


def test_an_empty_map_moves_nothing_until_its_blocks_are_used_up() -> None:
    ftl = preconditioned(1 << 14, 280, EMPTY)
    ftl.overwrite(Streams([1]), 1 << 14)
    assert ftl.moved == 0


@pytest.mark.parametrize("spare", [70, 150, 500])
def test_the_ratio_is_what_is_moved_for_each_page_written(spare: int) -> None:
    ftl = preconditioned(1 << 17, spare, STEADY)
    draws = Streams([3])
    ratios = []
    for _ in range(200):
        ratios.append(ftl.ratio / (1 << 16))
        ftl.overwrite(draws, BLOCK_PAGES)
    assert sum(ratios) / len(ratios) == pytest.approx(ftl.moved / ftl.written, rel=0.02)
    assert all(ratio == pytest.approx(ftl.moved / ftl.written, rel=0.2) for ratio in ratios)


def test_a_hot_sixteenth_ends_up_with_the_spare_pages_to_itself() -> None:
    # The cold blocks are full, so all spare pages are the hot ones': a tenth over a sixteenth is 1.6.
    ftl = preconditioned(1 << 16, 100, FILLED)
    draws = Streams([3])
    for _ in range(20 << 12):
        ftl.write(draws.below(0, 1 << 12))
    moved, written = ftl.moved, ftl.written
    for _ in range(4 << 12):
        ftl.write(draws.below(0, 1 << 12))
    assert 1 + (ftl.moved - moved) / (ftl.written - written) == pytest.approx(amplification(1.6), rel=0.15)


def test_discarded_pages_are_not_moved() -> None:
    # With half of the pages gone, the rest has the over-provisioning of (1.1 - 0.5) / 0.5.
    ftl = preconditioned(1 << 16, 100, STEADY)
    for page in range(1 << 15):
        ftl.trim(page)
    assert ftl.verify()
    draws = Streams([5])
    for _ in range(4 << 15):
        ftl.write((1 << 15) + draws.below(0, 1 << 15))
    moved, written = ftl.moved, ftl.written
    for _ in range(4 << 15):
        ftl.write((1 << 15) + draws.below(0, 1 << 15))
    assert 1 + (ftl.moved - moved) / (ftl.written - written) == pytest.approx(amplification(1.2), rel=0.03)


@pytest.mark.parametrize("pages", [1, 255, 256, 257, 12_800])
@pytest.mark.parametrize("spare", [20, 1000])
def test_maps_of_any_size_stay_consistent(pages: int, spare: int) -> None:
    ftl = Ftl(pages, spare)
    ftl.fill()
    ftl.overwrite(Streams([1]), 5 * pages + 2000)
    assert ftl.verify()
    assert ftl.written == 6 * pages + 2000


def test_the_interpreted_map_moves_the_same_pages() -> None:
    code = """
from workers.simulator.device.ftl import preconditioned
from workers.simulator.device.tables import BLOCK_PAGES
from workers.simulator.stream import Streams
ftl = preconditioned(1 << 15, 280, 2)
ftl.overwrite(Streams([9]), 5000)
print(ftl.moved, ftl.ratio, ftl.free_blocks, ftl.amplifications())
"""
    assert run(code, interpreted=True) == run(code, interpreted=False)


def test_a_map_does_a_million_writes_a_core_second_at_28_percent() -> None:
    ftl = preconditioned(1 << 17, 280, STEADY)
    began = time.process_time()
    ftl.overwrite(Streams([1]), 1 << 20)
    assert (1 << 20) / (time.process_time() - began) > 1e6


def test_the_largest_map_fits_two_hundred_megabytes() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    preconditioned(1 << 22, 100, EMPTY)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 200
