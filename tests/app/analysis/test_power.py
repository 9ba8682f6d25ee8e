from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from app.analysis.power import RUNS_LIMIT, paired_factor, runs_to_detect, unpaired_factor
from app.analysis.ranks import signed_rank_null


@pytest.mark.parametrize("pairs", [6, 8, 10, 20])
@pytest.mark.parametrize("primaries", [1, 3])
def test_the_detectable_shift_is_found_about_four_times_in_five(pairs: int, primaries: int) -> None:
    level = 0.05 / primaries
    factor, critical = paired_factor(pairs, level), signed_rank_null(pairs).critical(level)
    if factor is None or critical is None:
        assert (pairs, primaries) == (6, 3)  # 3 x 2/2^6 is above 0.05
        return
    noise = np.random.default_rng(pairs).normal(factor, 1.0, (4000, pairs))
    ranks = stats.rankdata(np.abs(noise), axis=1)
    found = np.mean((ranks * (noise < 0)).sum(axis=1) <= critical)
    assert 0.74 < found < 0.86


def test_the_unpaired_detectable_shift_is_found_about_four_times_in_five() -> None:
    factor = unpaired_factor(10, 10, 0.05)
    assert factor is not None
    stream = np.random.default_rng(1)
    one, other = stream.normal(0.0, 1.0, (2000, 10)), stream.normal(factor, 1.0, (2000, 10))
    found = np.mean(stats.mannwhitneyu(one, other, axis=1, method="exact").pvalue <= 0.05)
    assert 0.76 < found < 0.84


def test_five_pairs_detect_nothing() -> None:
    assert paired_factor(5, 0.05) is None


def test_the_runs_to_detect_are_the_fewest_that_do() -> None:
    needed = runs_to_detect(0.5, 0.05, paired=True, at_least=6)
    assert needed is not None
    enough, short = paired_factor(needed, 0.05), paired_factor(needed - 1, 0.05)
    assert enough is not None
    assert short is not None
    assert enough <= 0.5 < short


def test_a_shift_far_below_the_noise_needs_more_runs_than_are_promised() -> None:
    assert runs_to_detect(0.01, 0.05, paired=True, at_least=6) is None
    assert runs_to_detect(1.0, 0.05, paired=True, at_least=RUNS_LIMIT) == RUNS_LIMIT
