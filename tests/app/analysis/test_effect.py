from __future__ import annotations

import math

import numpy as np
import pytest

from app.analysis.effect import effect_of
from app.analysis.pairing import Aligned


def paired(before: list[float], after: list[float]) -> Aligned:
    return Aligned(tuple(before), tuple(after), tuple(range(len(before))), True, 0)


def unpaired(before: list[float], after: list[float]) -> Aligned:
    return Aligned(tuple(before), tuple(after), (), False, 0)


def test_a_paired_ratio_worked_by_hand() -> None:
    # ratios 1.1 1.2 1.3: pairwise geometric means 1.1 1.149 1.196 1.2 1.249 1.3, whose median is √(1.196 · 1.2)
    effect = effect_of(paired([100.0, 200.0, 50.0], [110.0, 240.0, 65.0]))
    assert effect.ratio == pytest.approx(math.sqrt(math.sqrt(1.1 * 1.3) * 1.2))


def test_pairing_takes_out_what_a_pair_shares() -> None:
    before = [100.0, 150.0, 80.0, 300.0, 120.0, 60.0]
    effect = effect_of(paired(before, [value * 1.05 for value in before]))
    assert effect.interval == pytest.approx((1.05, 1.05))


def test_an_unpaired_ratio_is_that_of_the_medians() -> None:
    effect = effect_of(unpaired([90.0, 100.0, 120.0], [99.0, 130.0, 140.0]))
    assert (effect.ratio, effect.estimator) == (pytest.approx(1.3), "medians")


def test_an_unpaired_interval_always_holds_its_ratio() -> None:
    stream = np.random.default_rng(1)
    for _ in range(200):
        sides = np.where(stream.random((2, 8)) < 0.5, 100.0, 200.0) * np.exp(stream.normal(0, 0.001, (2, 8)))
        effect = effect_of(unpaired(sides[0].tolist(), sides[1].tolist()))
        assert effect.ratio is not None
        assert effect.interval is not None
        assert effect.interval[0] <= effect.ratio <= effect.interval[1]


def test_four_runs_a_side_are_enough_for_an_unpaired_interval_and_three_are_not() -> None:
    # 2 / C(8, 4) = 0.029 and 2 / C(6, 3) = 0.1
    assert effect_of(unpaired([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0])).interval is not None
    assert effect_of(unpaired([1.0, 2.0, 3.0], [5.0, 6.0, 7.0])).interval is None


def test_swapping_the_sides_inverts_ratio_and_interval() -> None:
    stream = np.random.default_rng(2)
    before, after = np.exp(stream.normal(0, 0.1, (2, 9))).tolist()
    one, other = effect_of(paired(before, after)), effect_of(paired(after, before))
    assert one.ratio is not None
    assert one.interval is not None
    assert other.ratio == pytest.approx(1 / one.ratio)
    assert other.interval == pytest.approx((1 / one.interval[1], 1 / one.interval[0]))
    assert other.p_value == one.p_value


def test_scaling_both_sides_changes_nothing() -> None:
    stream = np.random.default_rng(3)
    before, after = np.exp(stream.normal(0, 0.1, (2, 9)))
    small, large = (effect_of(paired((k * before).tolist(), (k * after).tolist())) for k in (1.0, 1e9))
    assert small.interval == pytest.approx(large.interval)


def test_zeros_leave_a_ratio_of_medians_without_an_interval() -> None:
    effect = effect_of(paired([10.0] * 6, [0.0] * 6))
    assert (effect.ratio, effect.interval) == (0.0, None)
    assert effect.p_value == pytest.approx(2 / 64)
    assert effect.trouble is not None
    assert "zero" in effect.trouble


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ([0.0] * 6, [5.0] * 6, "baseline's median is zero"),
        ([0.0] * 6, [0.0] * 6, "every value is zero"),
        ([-1.0] * 6, [5.0] * 6, "below zero"),
        ([1.0] * 6, [-5.0] * 6, "below zero"),
    ],
)
def test_where_a_ratio_makes_no_sense_there_is_none(before: list[float], after: list[float], word: str) -> None:
    effect = effect_of(paired(before, after))
    assert effect.ratio is None
    assert effect.interval is None
    assert effect.trouble is not None
    assert word in effect.trouble


def test_a_ratio_out_of_range_is_none_and_no_error() -> None:
    assert effect_of(paired([1e-140] * 6, [1e140] * 6)).ratio == pytest.approx(1e280)
    assert effect_of(paired([5e-324] * 6, [1e140] * 6)).ratio is None


def test_one_pair_has_no_p_value_and_no_spread() -> None:
    effect = effect_of(paired([100.0], [110.0]))
    assert (effect.ratio, effect.interval, effect.p_value, effect.spread) == (pytest.approx(1.1), None, None, None)
