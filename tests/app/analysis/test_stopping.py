"""`repeat: auto` stops when every primary metric has a word, and no look is one too many."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.analysis.compare import compare
from app.analysis.stopping import settled
from app.domain.comparison import MeasuredRun, Verdict
from app.domain.plan import AUTO_LOOKS, next_look, planned_runs
from app.experiments.comparing import repeat_wanted
from app.ingest.definition import definition_from
from tests.support.definitions import noop

MakeRuns = Callable[..., list[MeasuredRun]]


def sides(n: int, shift: float, noise: float = 0.01, seed: int = 1) -> tuple[list[float], list[float]]:
    before, after = 1000.0 * np.exp(np.random.default_rng(seed).normal(0.0, noise, (2, n)))
    return before.tolist(), (after * shift).tolist()


def test_the_first_look_can_tell_something_from_chance() -> None:
    assert 2 / 2 ** AUTO_LOOKS[0] < 0.05 / len(AUTO_LOOKS)
    assert 2 / 2 ** (AUTO_LOOKS[0] - 1) > 0.05 / len(AUTO_LOOKS)


def test_looks_cost_their_part_of_the_budget(make_runs: MakeRuns) -> None:
    runs = make_runs({"read.iops": sides(8, 1.1)})
    once, five = (compare(runs, baseline="before", looks=looks).candidates[0].metrics[0] for looks in (1, 5))
    assert once.p_adjusted is not None
    assert five.p_adjusted == pytest.approx(5 * once.p_adjusted)
    assert once.ci95 is not None
    assert five.ci95 is not None
    assert five.ci95[0] < once.ci95[0] < once.ci95[1] < five.ci95[1]
    assert "5 looks" in five.reason


def test_what_one_look_would_call_a_change_may_not_be_one_of_five(make_runs: MakeRuns) -> None:
    before, after = [1000.0] * 8, [1050.0] * 7 + [999.0]
    runs = make_runs({"read.iops": (before, after)})
    assert compare(runs, baseline="before").verdict is Verdict.IMPROVED
    assert compare(runs, baseline="before", looks=5).verdict is Verdict.INCONCLUSIVE


def test_a_clear_change_and_a_clear_equality_are_settled(make_runs: MakeRuns) -> None:
    for shift in (1.2, 1.0):
        runs = make_runs({"read.iops": sides(8, shift, 0.001)})
        assert settled(compare(runs, baseline="before", looks=5))


def test_what_is_open_is_not_settled_while_more_pairs_may_help(make_runs: MakeRuns) -> None:
    assert not settled(compare(make_runs({"read.iops": sides(8, 1.02, 0.01)}), baseline="before", looks=5))


def test_what_no_number_of_pairs_settles_is_left(make_runs: MakeRuns) -> None:
    runs = make_runs({"read.iops": ([0.0] * 8, [5.0] * 8)})
    assert settled(compare(runs, baseline="before", looks=5))
    assert settled(compare([], baseline="before"))


def test_the_next_look_follows_until_the_last() -> None:
    assert [next_look(look) for look in AUTO_LOOKS] == [*AUTO_LOOKS[1:], None]


def test_a_number_is_never_extended(make_runs: MakeRuns) -> None:
    open_case = compare(make_runs({"read.iops": sides(8, 1.02)}), baseline="before", looks=5)
    assert repeat_wanted(definition_from(noop(repeat=8)), 8, open_case) is None
    assert repeat_wanted(definition_from(noop(repeat="auto")), 8, open_case) == AUTO_LOOKS[1]
    assert repeat_wanted(definition_from(noop(repeat="auto")), AUTO_LOOKS[-1], open_case) is None


def test_the_runs_of_a_further_look_continue_those_before() -> None:
    definition = definition_from(noop(repeat="auto", matrix={"device.noop_ms": [0, 1]}))
    whole = list(planned_runs(definition, 12))
    assert [*planned_runs(definition, 8), *planned_runs(definition, 12, after=8)] == whole
    assert [run.position for run in whole] == list(range(12 * 4))
