from __future__ import annotations

import pytest
from scipy import stats

from app.analysis.multiplicity import benjamini_hochberg, holm


def test_holm_worked_by_hand() -> None:
    # sorted 0.01, 0.03, 0.04: times 3, 2, 1 = 0.03, 0.06, 0.04; never falling: 0.03, 0.06, 0.06
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])


def test_holm_never_exceeds_one() -> None:
    assert holm([0.6, 0.9]) == [1.0, 1.0]


def test_benjamini_and_hochberg_equal_scipys() -> None:
    p_values = [0.001, 0.2, 0.03, 0.03, 0.8, 0.011, 0.5]
    assert benjamini_hochberg(p_values) == pytest.approx(stats.false_discovery_control(p_values).tolist())


def test_nothing_adjusts_to_nothing() -> None:
    assert holm([]) == benjamini_hochberg([]) == []
