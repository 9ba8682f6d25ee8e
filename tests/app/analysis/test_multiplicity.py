from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from app.analysis.multiplicity import benjamini_hochberg, holm, over_cells


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


def test_one_cell_is_holm_s() -> None:
    cell = [0.04, 0.01, 0.03]
    assert over_cells([cell], 0.05) == ([holm(cell)], 1)


def test_over_cells_worked_by_hand() -> None:
    # Holm within: 0.002 and 0.04; 0.03; 0.4. The smallest: 0.002, 0.03, 0.4 against 0.05/3, 0.1/3, 0.05: two selected.
    adjusted, selected = over_cells([[0.001, 0.04], [0.03], [0.4]], 0.05)
    assert selected == 2
    assert adjusted == [pytest.approx([0.003, 0.06]), pytest.approx([0.045]), pytest.approx([0.6])]


def test_no_selected_cell_leaves_nothing_below_the_level() -> None:
    adjusted, selected = over_cells([[0.04], [0.2], [0.9]], 0.05)
    assert selected == 0
    assert min(min(cell) for cell in adjusted) > 0.05


def test_a_selected_cell_s_best_is_always_below_the_level() -> None:
    stream = np.random.default_rng(5)
    for _ in range(300):
        cells = [(stream.random(3) ** 3).tolist() for _ in range(12)]
        adjusted, selected = over_cells(cells, 0.05)
        assert sum(min(cell) <= 0.05 + 1e-12 for cell in adjusted) == selected


def test_nothing_but_noise_in_fifty_cells_hardly_ever_gives_a_verdict() -> None:
    stream = np.random.default_rng(6)
    alarms = sum(over_cells(stream.random((50, 3)).tolist(), 0.05).selected > 0 for _ in range(2000))
    assert alarms / 2000 <= 0.05 + 3 * (0.05 * 0.95 / 2000) ** 0.5


def test_of_the_cells_with_a_verdict_few_are_wrong() -> None:
    stream = np.random.default_rng(7)
    wrong = []
    for _ in range(400):
        noise = stream.random((80, 2))
        changed = stream.random((20, 2)) * 1e-4
        adjusted, selected = over_cells([*noise.tolist(), *changed.tolist()], 0.05)
        assert selected >= 20
        wrong.append(sum(min(cell) <= 0.05 for cell in adjusted[:80]) / max(1, selected))
    assert np.mean(wrong) <= 0.05


def test_a_change_in_every_cell_of_a_large_matrix_is_seen_with_ten_pairs() -> None:
    # Holm over 2,000 cells could not: 2,000 x 2/2^10 > 1.
    adjusted, selected = over_cells([[2 / 2**10]] * 2000, 0.05)
    assert selected == 2000
    assert adjusted[0] == pytest.approx([2 / 2**10])
