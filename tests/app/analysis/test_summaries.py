from __future__ import annotations

from app.analysis.summaries import summarise
from app.domain.comparison import Summary


def test_a_summary_worked_by_hand() -> None:
    # deviations from 5: 9 1 1 1 0 0 4 16 = 32, over 7
    assert summarise([2, 4, 4, 4, 5, 5, 7, 9]) == Summary(
        n=8, mean=5.0, median=4.5, stdev=(32 / 7) ** 0.5, min=2.0, max=9.0
    )


def test_one_value_has_no_stdev() -> None:
    assert summarise([3.0]) == Summary(n=1, mean=3.0, median=3.0, min=3.0, max=3.0)


def test_no_values_have_no_statistics() -> None:
    assert summarise([]) == Summary(n=0)


def test_equal_values_have_no_spread_at_all() -> None:
    assert summarise([0.1] * 7).stdev == 0.0
