"""A definition becomes runs in a known order, each with known settings."""

from __future__ import annotations

import pytest

from app.domain.experiment import Definition
from app.domain.plan import cells, planned_runs, setup_of
from app.ingest.definition import definition_from
from tests.support.definitions import noop


def order(definition: Definition, repeat: int) -> str:
    return "".join(run.variant[0] for run in planned_runs(definition, repeat))


def test_interleaved_runs_go_abba() -> None:
    assert order(definition_from(noop()), 4) == "baabbaab"


def test_blocked_runs_go_side_by_side() -> None:
    assert order(definition_from(noop(order="blocked")), 3) == "bbbaaa"


def test_variants_of_a_replicate_share_a_seed() -> None:
    runs = list(planned_runs(definition_from(noop(seed=7)), 3))
    assert {run.replicate: run.seed for run in runs} == {0: 7, 1: 8, 2: 9}


def test_positions_count_up_without_gaps() -> None:
    definition = definition_from(noop(matrix={"device.scheduler": ["none", "bfq"]}))
    assert [run.position for run in planned_runs(definition, 6)] == list(range(24))
    assert definition.run_count == 24


def test_the_matrix_has_every_combination() -> None:
    definition = definition_from(noop(matrix={"kernel": ["a", "b"], "sysctl.vm.dirty_ratio": [1, 2, 3]}))
    assert len(cells(definition)) == 6


def test_a_variant_wins_over_cell_runner_and_definition() -> None:
    definition = definition_from(
        noop(
            runner=[{"runner": "noop", "device": {"scheduler": "runner", "nr_requests": 4, "ncq": 1}}],
            device={"profile": "p", "scheduler": "definition", "nr_requests": 2, "depth": 9},
            matrix={"device.nr_requests": [8]},
            variants=[{"name": "a"}, {"name": "b", "device": {"scheduler": "variant"}}],
        )
    )
    (cell,) = cells(definition)
    device = setup_of(definition, runner="noop", variant="b", cell=cell, seed=1).device
    assert (device.scheduler, device.nr_requests) == ("variant", 8)
    assert device.overrides == {"depth": 9, "ncq": 1}


def test_a_matrix_may_not_touch_what_it_is_about() -> None:
    definition = definition_from(noop(matrix={"workload.fio": ["x"]}))
    with pytest.raises(ValueError, match="a matrix ranges over"):
        setup_of(definition, runner="noop", variant="before", cell={"workload.fio": "x"}, seed=1)
