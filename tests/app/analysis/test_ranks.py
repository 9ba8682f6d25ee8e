from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from app.analysis.ranks import EXACT_MAX, paired_shift, rank_sum_null, signed_rank_null, unpaired_shift


@pytest.mark.parametrize("n", [1, 2, 5, 6, 9])
def test_the_signed_rank_distribution_is_that_of_all_sign_flips(n: int) -> None:
    flips = itertools.product((0, 1), repeat=n)
    sums = [sum(rank for rank, sign in zip(range(1, n + 1), flip, strict=True) if sign) for flip in flips]
    counted = [sum(total <= k for total in sums) / 2**n for k in range(n * (n + 1) // 2 + 1)]
    assert signed_rank_null(n).cumulative == pytest.approx(counted)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 3), (4, 4), (5, 3)])
def test_the_rank_sum_distribution_is_that_of_all_divisions(n: int, m: int) -> None:
    sums = [sum(chosen) - n * (n - 1) // 2 for chosen in itertools.combinations(range(n + m), n)]
    counted = [sum(total <= k for total in sums) / len(sums) for k in range(n * m + 1)]
    assert rank_sum_null(n, m).cumulative == pytest.approx(counted)


@pytest.mark.parametrize(
    ("n", "level", "critical"),
    # the textbook's table of the signed-rank test, two-sided (reject when the smaller sum is at most this)
    [
        (5, 0.05, None),
        (6, 0.05, 0),
        (7, 0.05, 2),
        (8, 0.05, 3),
        (9, 0.05, 5),
        (10, 0.05, 8),
        (20, 0.05, 52),
        (10, 0.01, 3),
    ],
)
def test_critical_values_are_the_tables(n: int, level: float, critical: int | None) -> None:
    assert signed_rank_null(n).critical(level) == critical


@pytest.mark.parametrize("n", [6, 10, 25, 50])
def test_paired_p_values_equal_scipys_signed_rank_test(n: int) -> None:
    stream = np.random.default_rng(n)
    for _ in range(20):
        differences = stream.normal(0.3, 1.0, n)
        expected = stats.wilcoxon(differences, method="exact").pvalue
        assert paired_shift(differences).p_value == pytest.approx(expected)


@pytest.mark.parametrize(("n", "m"), [(6, 6), (10, 8), (30, 30)])
def test_unpaired_p_values_equal_scipys_rank_sum_test(n: int, m: int) -> None:
    stream = np.random.default_rng(n)
    for _ in range(20):
        one, other = stream.normal(0.0, 1.0, n), stream.normal(0.5, 1.0, m)
        expected = stats.mannwhitneyu(one, other, method="exact").pvalue
        assert unpaired_shift(one, other).p_value == pytest.approx(expected)


def test_paired_p_values_equal_scipys_sign_flips() -> None:
    differences = np.random.default_rng(3).normal(0.5, 1.0, 9)

    def signed_rank_sum(x: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.sum(np.sign(x) * stats.rankdata(np.abs(x), axis=axis), axis=axis)

    flipped = stats.permutation_test(
        (differences,), signed_rank_sum, permutation_type="samples", vectorized=True, n_resamples=np.inf
    )
    assert paired_shift(differences).p_value == pytest.approx(flipped.pvalue)


@pytest.mark.parametrize("n", [6, 8, 10, 17])
def test_the_interval_holds_exactly_the_shifts_that_scipys_test_does_not_reject(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.0, 1.0, n)
    interval = paired_shift(differences).interval
    assert interval is not None
    hair = 1e-9
    for end, inward in zip(interval, (hair, -hair), strict=True):
        assert stats.wilcoxon(differences - (end + inward), method="exact").pvalue > 0.05
        assert stats.wilcoxon(differences - (end - inward), method="exact").pvalue <= 0.05


def test_a_hand_worked_table_of_six_pairs() -> None:
    # all six differences lie above zero: p = 2/2^6, interval = smallest to largest, estimate = median of 21 averages
    shift = paired_shift(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    assert shift == (3.5, (1.0, 6.0), 2 / 64)


def test_the_unpaired_estimate_is_the_median_of_all_differences() -> None:
    # differences 9 8 7, 19 18 17, 29 28 27
    assert unpaired_shift(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])).estimate == 18.0


def test_five_pairs_have_no_interval() -> None:
    assert paired_shift(np.array([1.0, 2.0, 3.0, 4.0, 5.0])).interval is None


def test_ties_count_against_a_change() -> None:
    # + + + + + + and two zeros: with every tie broken against it, W- = 3 of 36 pairs, the table's p for n = 8
    shift = paired_shift(np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]))
    assert shift.p_value == pytest.approx(stats.wilcoxon([3, 4, 5, 6, 7, 8, -1, -2], method="exact").pvalue)


def test_equal_values_show_no_change() -> None:
    assert paired_shift(np.zeros(10)) == (0.0, (0.0, 0.0), 1.0)


def test_the_interval_excludes_zero_exactly_when_p_is_below_the_level() -> None:
    stream = np.random.default_rng(5)
    for _ in range(300):
        differences = np.round(stream.normal(0.6, 1.0, int(stream.integers(6, 15))), 1)
        shift = paired_shift(differences)
        assert shift.interval is not None
        assert (shift.p_value <= 0.05) == (shift.interval[0] > 0.0 or shift.interval[1] < 0.0)


def test_the_normal_limit_takes_over_a_little_on_the_safe_side() -> None:
    differences = np.random.default_rng(6).normal(0.2, 1.0, EXACT_MAX + 1)
    expected = stats.wilcoxon(differences, method="exact").pvalue
    assert expected <= paired_shift(differences).p_value <= 1.15 * expected
