"""The bounds of bench/verdicts.py on few experiments, so that a broken method is seen before the long study runs."""

from __future__ import annotations

import numpy as np
import pytest

from bench import verdicts


@pytest.mark.parametrize("study", verdicts.STUDIES, ids=lambda study: study.__name__)
def test_the_study_keeps_its_bounds(study: verdicts.Study) -> None:
    experiments = 15 if study is verdicts.histogram_bands else 30
    lines = list(study(np.random.default_rng([11, verdicts.STUDIES.index(study)]), experiments))
    assert lines
    assert [str(line) for line in lines if not line.holds] == []


def test_a_method_that_cries_wolf_would_be_seen() -> None:
    assert not verdicts.Line("", 0.2, at_most=0.05, trials=30).holds
    assert not verdicts.Line("", 0.8, at_least=0.94, trials=30).holds
