"""What can be known before any run is said before any run."""

from __future__ import annotations

from typing import Any

import pytest

from app.analysis import verdict
from app.analysis.effect import CONFIDENCE
from app.errors import InvalidDefinition
from app.experiments import foresight
from app.experiments.admission import admit
from app.ingest.definition import definition_from
from app.ingest.fio_job import read
from tests.support.definitions import noop, simulated


def said(**changes: Any) -> str:
    return " | ".join(notice.message for notice in admit(definition_from(noop(**changes)), {}))


def test_the_rule_before_the_runs_is_the_rule_after_them() -> None:
    assert foresight.PAIRS_MIN == verdict.PAIRS_MIN
    assert pytest.approx(1 - CONFIDENCE) == foresight.SIGNIFICANCE


def test_too_few_repetitions_for_the_primary_metrics_are_named() -> None:
    job = {"fio": "[a]\ndirect=1\nrw=randrw\nsize=1m\n"}
    three = ["read.iops", "read.bw", "write.iops"]
    assert "3 primary comparisons need 7 repetitions" in said(workload=job, primary=three, repeat=6)
    assert "need" not in said(workload=job, primary=three, repeat=7)
    assert "need" not in said(workload=job, primary=["read.iops"], repeat=6)


@pytest.mark.parametrize(
    ("job", "rows"),
    [
        ("[a]\nrw=randread\nsize=1m\n", 1),
        ("[a]\nrw=randrw\nsize=1m\n", 1),
        ("[a]\nrw=randread\nsize=1m\n[b]\nrw=randwrite\nsize=1m\n", 2),
        ("[a]\nrw=rw:4\nsize=1m\n[b]\nrw=randwrite\nsize=1m\n", 1),
        ("[global]\ngroup_reporting\nrw=read\nsize=1m\n[a]\n[b]\n", 1),
        ("[a]\nrw=trimwrite\nsize=1m\n", 1),
    ],
)
def test_the_rows_that_will_decide_are_those_of_the_jobs(job: str, rows: int) -> None:
    assert foresight.primary_rows((), read(job)) == rows


def test_rows_of_named_metrics_are_counted_where_the_jobs_have_them() -> None:
    job = read("[a]\nrw=randread\nsize=1m\n[b]\nrw=randrw\nsize=1m\n")
    assert foresight.primary_rows(("read.iops",), job) == 2
    assert foresight.primary_rows(("read.iops", "write.clat_p99"), job) == 3
    assert foresight.primary_rows(("total.iops",), job) == 1


def test_made_up_figures_do_not_stand_beside_measured_ones() -> None:
    with pytest.raises(InvalidDefinition, match="makes its figures up"):
        admit(definition_from(noop(runner=["simulator", "noop"])), {})


@pytest.mark.parametrize("name", ["a\u202eb", "a\u200b", "a\x9bb", "\u2066x"])
def test_names_with_signs_that_cannot_be_seen_are_refused(name: str) -> None:
    with pytest.raises(InvalidDefinition, match=r"variants\.0\.name.*cannot be seen"):
        definition_from(noop(variants=[{"name": name}, {"name": "b"}]))
    with pytest.raises(InvalidDefinition, match=r"title.*cannot be seen"):
        definition_from(noop(title=name))
    with pytest.raises(InvalidDefinition, match="cannot be seen"):
        admit(definition_from(simulated(workload={"fio": f"[{name}]\ndirect=1\nsize=1m\n"})), {})


def test_a_value_that_stands_twice_in_a_matrix_is_refused() -> None:
    with pytest.raises(InvalidDefinition, match="has 8 twice"):
        definition_from(noop(matrix={"device.nr_requests": [8, 8]}))


def test_the_job_inside_a_mail_is_what_runs() -> None:
    mail = "Hi all,\n\nthe numbers are from this job:\n\n[global]\ndirect=1\n[a]\nrw=randread\nsize=1m\n\nThanks\n"
    assert "no job file" not in said(workload={"fio": mail})
    with pytest.raises(InvalidDefinition, match=r"line 9.*iodpeth"):
        admit(
            definition_from(simulated(workload={"fio": mail.replace("rw=randread\n", "rw=randread\niodpeth=1\n")})), {}
        )


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


def test_a_patch_is_refused_where_no_kernel_is_built() -> None:
    variants = [{"name": "before"}, {"name": "after", "patches": ["0" * 64]}]
    with pytest.raises(InvalidDefinition, match=r"the runner simulator does not use patches; .*qemu, hardware"):
        admit(definition_from(simulated(variants=variants)), {})
