"""What can be known before any run is said before any run."""

from __future__ import annotations

from typing import Any

import pytest

from app.analysis import verdict
from app.analysis.effect import CONFIDENCE
from app.errors import InvalidDefinition
from app.experiments import admission
from app.experiments.admission import admit
from app.ingest.definition import definition_from
from tests.support.definitions import noop, simulated


def said(**changes: Any) -> str:
    return " | ".join(notice.message for notice in admit(definition_from(noop(**changes)), {}))


def test_the_rule_before_the_runs_is_the_rule_after_them() -> None:
    assert admission.PAIRS_MIN == verdict.PAIRS_MIN
    assert pytest.approx(1 - CONFIDENCE) == admission.SIGNIFICANCE


def test_too_few_repetitions_for_the_primary_metrics_are_named() -> None:
    three = ["read.iops", "read.bw", "write.iops"]
    assert "3 primary comparisons need 7 repetitions" in said(primary=three, repeat=6)
    assert "need" not in said(primary=three, repeat=7)
    assert "need" not in said(primary=["read.iops"], repeat=6)


def test_identical_variants_are_named() -> None:
    assert "declare the same" in said(variants=[{"name": "a"}, {"name": "b"}])


def test_an_option_that_would_change_the_outcome_is_not_ignored() -> None:
    job = "[a]\ndirect=1\nsize=1m\nexitall\n[b]\ndirect=1\nsize=2m\n"
    with pytest.raises(InvalidDefinition, match="exitall"):
        admit(definition_from(simulated(workload={"fio": job})), {})


def test_two_names_of_one_parameter_may_not_contradict() -> None:
    device = {"profile": "hdd-ent", "ncq": 1, "queue_depth": 8}
    with pytest.raises(InvalidDefinition, match="another name of queue_depth"):
        admit(definition_from(simulated(device=device)), {})


def test_a_matrix_has_a_limit_that_is_named() -> None:
    matrix = {"sysctl.a": list(range(100)), "sysctl.b": list(range(100))}
    with pytest.raises(InvalidDefinition, match="set-ups"):
        admit(definition_from(noop(matrix=matrix, repeat=1, variants=[{"name": "a"}])), {})
