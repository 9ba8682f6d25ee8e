"""What differs beyond the declared change is told, and bars a verdict where it is known to change figures."""

from __future__ import annotations

from typing import Any

import pytest

from app.analysis.comparability import guard
from app.analysis.compare import compare
from app.domain.comparison import MeasuredRun, Verdict
from app.domain.metric import measured
from app.experiments.comparing import declared_keys
from app.ingest.definition import definition_from
from tests.support.definitions import noop


def runs(before: dict[str, Any], after: dict[str, Any], runner: str | None = None) -> list[MeasuredRun]:
    return [
        MeasuredRun(
            variant=variant,
            replicate=replicate,
            runner=runner,
            environment=environment,
            samples=(measured("read.iops", (1000 + replicate) * factor),),
        )
        for replicate in range(8)
        for variant, environment, factor in (("before", before, 1.0), ("after", after, 1.5))
    ]


LAB = {
    "host": "nvme-lab1",
    "kernel": {"release": "6.12.1", "debug": []},
    "fio": "3.33",
    "sysctl": {"vm.swappiness": 60},
}


def test_equal_environments_say_nothing() -> None:
    done = compare(runs(LAB, LAB), baseline="before", primary=["read.iops"])
    assert done.verdict is Verdict.IMPROVED
    assert done.notes == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"host": "nvme-lab2"}, "two hosts are two experiments"),
        ({"fio": "3.36"}, "two versions of fio"),
        ({"kernel": {"release": "6.13", "debug": []}}, "kernel.release differs: 6.12.1 (before), 6.13 (after)"),
        ({"clocksource": "hpet"}, "clocksource differs: nothing (before), hpet (after)"),
    ],
)
def test_what_changes_figures_bars_the_verdict_and_leaves_the_ratio(change: dict[str, Any], words: str) -> None:
    done = compare(runs(LAB, LAB | change), baseline="before", primary=["read.iops"])
    (row,) = done.candidates[0].metrics
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.ratio == pytest.approx(1.5)
    assert "cannot be compared" in row.reason
    assert any(words in note for note in done.notes)


def test_other_differences_are_told() -> None:
    done = compare(runs(LAB, LAB | {"sysctl": {"vm.swappiness": 10}}), baseline="before", primary=["read.iops"])
    assert done.verdict is Verdict.IMPROVED
    assert done.notes == ("sysctl.vm.swappiness differs: 60 (before), 10 (after)",)


def test_what_is_declared_is_the_experiment() -> None:
    other = {**LAB, "kernel": {"release": "6.13", "debug": []}}
    assert guard(runs(LAB, other), frozenset({"kernel"})) == ((), ())
    assert guard(runs(LAB, other), frozenset({"kernel.release"})) == ((), ())
    assert guard(runs(LAB, other), frozenset({"kernel.rel"})).bars != ()


def test_a_difference_within_one_side_bars_too() -> None:
    mixed = runs(LAB, LAB)
    mixed[0] = mixed[0].model_copy(update={"environment": LAB | {"host": "another"}})
    assert compare(mixed, baseline="before").verdict is Verdict.INCONCLUSIVE


def test_debug_options_bar_a_verdict_on_either_side_even_if_both_have_them() -> None:
    debug = {**LAB, "kernel": {"release": "6.12.1", "debug": ["CONFIG_PROVE_LOCKING"]}}
    done = compare(runs(debug, debug), baseline="before", primary=["read.iops"], declared=frozenset({"kernel"}))
    assert done.verdict is Verdict.INCONCLUSIVE
    assert "CONFIG_PROVE_LOCKING" in done.candidates[0].metrics[0].reason


def test_each_runner_is_judged_within_itself() -> None:
    here, there = runs(LAB, LAB, "qemu"), runs(LAB | {"host": "b"}, LAB | {"host": "b"}, "hardware:b")
    assert guard([*here, *there]).bars == ()


def test_failed_runs_have_no_say() -> None:
    failed = MeasuredRun(variant="after", replicate=9, environment={"host": "b"}, failed="lost")
    assert guard([*runs(LAB, LAB), failed]).bars == ()


def test_a_definition_declares_what_its_variants_and_matrix_change() -> None:
    assert declared_keys(definition_from(noop(variants=[{"name": "a"}, {"name": "b"}]))) == frozenset()
    variants = [{"name": "a", "kernel": "x"}, {"name": "b", "sysctl": {"vm.swappiness": 1}}]
    assert declared_keys(definition_from(noop(variants=variants))) == {"kernel", "sysctl"}
    matrix = {"device.scheduler": ["none", "mq-deadline"]}
    one = [{"name": "a"}]
    assert declared_keys(definition_from(noop(variants=one, matrix=matrix))) == {"device", "scheduler", "queue"}
    assert declared_keys(definition_from(noop(variants=[{"name": "a", "patches": ["x"]}]))) == {"kernel"}
