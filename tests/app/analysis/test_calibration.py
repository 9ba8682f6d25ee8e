from __future__ import annotations

import pytest
from scipy import stats

from app.analysis.calibration import false_alarms
from app.domain.comparison import Verdict


def test_alarms_are_counted_both_ways() -> None:
    said = [Verdict.IMPROVED, Verdict.REGRESSED, *[Verdict.EQUIVALENT] * 30, *[Verdict.INCONCLUSIVE] * 18]
    measured = false_alarms(said)
    assert (measured.comparisons, measured.alarms, measured.rate) == (50, 2, 0.04)
    expected = stats.binomtest(2, 50).proportion_ci(0.95, method="exact")
    assert measured.ci95 == pytest.approx((expected.low, expected.high))


def test_no_alarm_in_two_hundred_is_not_a_rate_of_zero() -> None:
    # 1 - 0.025^(1/200)
    assert false_alarms([Verdict.EQUIVALENT] * 200).ci95 == pytest.approx((0.0, 1 - 0.025 ** (1 / 200)))


def test_without_comparisons_nothing_is_known() -> None:
    measured = false_alarms([])
    assert (measured.rate, measured.ci95) == (None, (0.0, 1.0))
