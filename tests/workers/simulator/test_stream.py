"""Random streams: the published generator, independent components, permutations that miss nothing."""

import collections

import pytest
from scipy import stats

from workers.simulator.stream import Streams, seed_of


def test_draws_are_splitmix64s_published_ones() -> None:
    # The test values that the algorithm's descriptions give for seed 1234567.
    stream = Streams([1234567])
    assert [stream.draw(0) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_streams_do_not_disturb_each_other() -> None:
    alone = Streams([7])
    together = Streams([7, 8])
    for _ in range(10):
        together.draw(1)
    assert [alone.draw(0) for _ in range(10)] == [together.draw(0) for _ in range(10)]


def test_a_component_has_the_same_seed_whatever_else_there_is() -> None:
    assert seed_of(1, "device") == seed_of(1, "device")
    assert len({seed_of(1, "device"), seed_of(2, "device"), seed_of(1, "workload/1")}) == 3


@pytest.mark.parametrize("limit", [7, 1000, (1 << 31) - 1, (1 << 31) + 5, (1 << 40) + 3])
def test_draws_below_a_limit_are_uniform(limit: int) -> None:
    stream = Streams([99])
    cells = collections.Counter(stream.below(0, limit) * 7 // limit for _ in range(70_000))
    assert set(cells) == set(range(7))
    assert stats.chisquare(list(cells.values())).pvalue > 1e-4


@pytest.mark.parametrize("count", [1, 2, 3, 5, 64, 1000, 4097])
def test_a_permutation_contains_everything_once(count: int) -> None:
    stream = Streams([0])
    assert sorted(stream.permuted(position, count, 12345) for position in range(count)) == list(range(count))


def test_a_permutations_first_place_is_uniform_over_keys() -> None:
    stream = Streams([0])
    count = 11
    firsts = collections.Counter(stream.permuted(0, count, stream.draw(0)) for _ in range(22_000))
    assert stats.chisquare([firsts[value] for value in range(count)]).pvalue > 1e-4


def test_neighbours_in_a_permutation_are_independent() -> None:
    stream = Streams([0])
    count = 1 << 20
    order = [stream.permuted(position, count, 4711) for position in range(20_000)]
    assert abs(stats.pearsonr(order[:-1], order[1:]).statistic) < 0.03


def test_a_permutation_of_a_petabyte_costs_no_memory_and_stays_inside() -> None:
    stream = Streams([0])
    count = (1 << 50) // 512 - 1
    order = {stream.permuted(position, count, 1) for position in range(1000)}
    assert len(order) == 1000
    assert max(order) < count
