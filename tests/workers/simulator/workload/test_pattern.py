"""Access patterns: fio's rules for offsets and directions."""

import collections
import itertools

import pytest
from scipy import stats

from tests.workers.simulator.machines import GIB, job
from workers.simulator import JobParameters
from workers.simulator.kinds import READ, TRIM, WRITE
from workers.simulator.workload.pattern import Pattern

BLOCK = 4096


def draws(parameters: JobParameters, count: int, seed: int = 1) -> list[tuple[int, int, int]]:
    """Return (direction, offset, size) of a job's first I/Os, in bytes."""
    pattern = Pattern([parameters], seed)
    found = []
    for _ in range(count):
        pattern.choose(0)
        found.append((pattern.direction, pattern.sector * 512, pattern.sectors * 512))
    return found


def test_a_random_job_touches_each_block_once_a_pass_and_each_pass_in_another_order() -> None:
    offsets = [offset for _, offset, _ in draws(job(size_bytes=1000 * BLOCK, offset_bytes=GIB), 2000)]
    everything = [GIB + block * BLOCK for block in range(1000)]
    assert sorted(offsets[:1000]) == everything
    assert sorted(offsets[1000:]) == everything
    assert offsets[:1000] != offsets[1000:]


def test_reads_and_writes_of_one_block_size_share_the_map() -> None:
    found = draws(job(rw="randrw", size_bytes=1000 * BLOCK), 1000)
    assert len({offset for _, offset, _ in found}) == 1000
    assert {direction for direction, _, _ in found} == {READ, WRITE}


def test_directions_of_different_block_sizes_have_maps_of_their_own() -> None:
    found = draws(job(rw="randrw", size_bytes=64 * BLOCK, write_block_size_bytes=4 * BLOCK), 60)
    writes = [(offset, size) for direction, offset, size in found if direction == WRITE]
    assert {size for _, size in writes} == {4 * BLOCK}
    assert all(offset % (4 * BLOCK) == 0 for offset, _ in writes)
    assert len(set(writes[:16])) == 16


@pytest.mark.parametrize("percent", [0, 25, 50, 70, 100])
def test_reads_are_an_independent_share_of_the_mix(percent: int) -> None:
    directions = [direction for direction, _, _ in draws(job(rw="randrw", rwmixread=percent), 20_000)]
    reads = directions.count(READ)
    assert stats.binomtest(reads, 20_000, percent / 100).pvalue > 1e-4
    runs = sum(first != second for first, second in itertools.pairwise(directions))
    share = percent / 100
    assert runs == pytest.approx(2 * share * (1 - share) * 19_999, abs=300)


def test_norandommap_draws_are_uniform_and_repeat() -> None:
    offsets = [offset // BLOCK for _, offset, _ in draws(job(norandommap=True, size_bytes=16 * BLOCK), 16_000)]
    counts = collections.Counter(offsets)
    assert set(counts) == set(range(16))
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_a_sequential_job_walks_its_region_and_wraps() -> None:
    found = draws(job(rw="write", size_bytes=3 * BLOCK, offset_bytes=BLOCK), 7)
    assert [offset // BLOCK for _, offset, _ in found] == [1, 2, 3, 1, 2, 3, 1]


def test_sequential_reads_and_writes_have_a_position_each() -> None:
    found = draws(job(rw="rw"), 100)
    for way in (READ, WRITE):
        offsets = [offset for direction, offset, _ in found if direction == way]
        assert offsets == [index * BLOCK for index in range(len(offsets))]


def test_a_region_that_is_no_multiple_of_the_block_is_used_up_to_its_last_whole_block() -> None:
    found = draws(job(size_bytes=10 * BLOCK + 512), 20)
    assert max(offset for _, offset, _ in found) == 9 * BLOCK


def test_clones_draw_differently_and_the_same_clone_the_same() -> None:
    assert draws(job(1), 100) == draws(job(1), 100)
    assert draws(job(1), 100) != draws(job(2), 100)
    assert draws(job(1), 100) != draws(job(1, random_seed=5), 100)
    assert draws(job(1), 100, seed=1) != draws(job(1), 100, seed=2)


def test_trims_use_their_own_block_size() -> None:
    assert draws(job(rw="trim", trim_block_size_bytes=8192), 1) == [(TRIM, 0, 8192)]
