from __future__ import annotations

import numpy as np
import pytest

from app.analysis.quantile_shift import BEYOND_MIN, quantile_shifts
from app.domain.latency_histogram import LatencyHistogram, merged


def runs(count: int, shift: float, seed: int, ios: int = 5000) -> list[LatencyHistogram]:
    stream = np.random.default_rng(seed)
    return [
        LatencyHistogram.of_latencies(int(latency) for latency in shift * 100_000 * np.exp(stream.normal(0, 0.5, ios)))
        for _ in range(count)
    ]


def test_quantiles_are_those_of_the_merged_histogram() -> None:
    before, after = runs(6, 1.0, 1), runs(6, 1.2, 2)
    (shift,) = quantile_shifts(before, after, paired=True, percents=[99.0])
    assert shift.baseline_ns == merged(before).percentile_ns(99.0)
    assert shift.candidate_ns == merged(after).percentile_ns(99.0)


def test_a_shift_of_a_fifth_is_seen_at_every_quantile() -> None:
    for shift in quantile_shifts(runs(8, 1.0, 1), runs(8, 1.2, 2), paired=True, percents=[50.0, 90.0, 99.0]):
        assert shift.band95 is not None
        assert 1.0 < shift.band95[0] < 1.2 < shift.band95[1]


def test_one_slow_run_widens_the_band_as_a_run_not_as_its_many_ios() -> None:
    even = runs(8, 1.0, 1)
    one_slow = [*runs(7, 1.0, 2), *runs(1, 3.0, 3)]
    (shift,) = quantile_shifts(even, one_slow, paired=True, percents=[99.0])
    assert shift.band95 is not None
    assert shift.band95[0] < 1.05
    assert shift.band95[1] > 1.5


def test_a_tail_of_few_ios_has_no_band_and_says_so() -> None:
    (shift,) = quantile_shifts(runs(6, 1.0, 1, ios=100), runs(6, 1.0, 2, ios=100), paired=True, percents=[99.9])
    assert shift.band95 is None
    assert shift.beyond < BEYOND_MIN
    assert shift.reason is not None
    assert "lie beyond" in shift.reason


def test_five_runs_have_no_band_and_say_so() -> None:
    (shift,) = quantile_shifts(runs(5, 1.0, 1), runs(5, 1.0, 2), paired=True, percents=[50.0])
    assert (shift.band95, shift.reason) == (None, "5 runs a side; 6 are needed for a band")


def test_no_latencies_are_no_quantile() -> None:
    (shift,) = quantile_shifts([LatencyHistogram()] * 6, runs(6, 1.0, 1), paired=True, percents=[50.0])
    assert (shift.baseline_ns, shift.ratio, shift.reason) == (None, None, "no latencies on one side")


def test_the_resolution_is_the_bins_width() -> None:
    (shift,) = quantile_shifts(runs(6, 1.0, 1), runs(6, 1.0, 2), paired=True, percents=[50.0])
    assert shift.resolution_percent is not None
    assert 100 / 128 <= shift.resolution_percent <= 100 / 64


def test_the_same_histograms_give_the_same_bands() -> None:
    before, after = runs(6, 1.0, 1), runs(6, 1.2, 2)
    assert quantile_shifts(before, after, paired=False) == quantile_shifts(before, after, paired=False)


def test_pairs_need_equal_sides() -> None:
    with pytest.raises(ValueError, match="3 runs cannot be paired with 2"):
        quantile_shifts(runs(3, 1.0, 1), runs(2, 1.0, 2), paired=True)
