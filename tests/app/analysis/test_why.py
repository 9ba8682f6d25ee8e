"""The stages' changes add up to the change of the whole, and the sentence names those that make it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from app.analysis.compare import compare
from app.analysis.why import reasons
from app.domain.comparison import MeasuredRun, StageTime


def run(variant: str, means_ns: Mapping[str, int], *, count: int = 1000, **more: object) -> MeasuredRun:
    stages = tuple(
        StageTime(name=name, meaning=f"in {name}", count=count, total_ns=mean * count)
        for name, mean in means_ns.items()
    )
    return MeasuredRun.model_validate({"variant": variant, "replicate": 0, "stages": stages, **more})


BEFORE = {"read.submit": 1500, "read.i2d": 10_000, "read.d2c": 80_000}


def test_shares_are_of_the_whole_change_and_add_up_to_it() -> None:
    after = {**BEFORE, "read.i2d": 28_000, "read.d2c": 82_000}
    (why,) = reasons([run("a", BEFORE), run("b", after)], "a")
    assert (why.direction, why.baseline_ns, why.candidate_ns) == ("read", 91_500, 111_500)
    assert [(stage.name, stage.change_ns, stage.share) for stage in why.stages] == [
        ("i2d", 18_000, pytest.approx(0.9)),
        ("d2c", 2_000, pytest.approx(0.1)),
        ("submit", 0, 0),
    ]
    assert sum(stage.share or 0 for stage in why.stages) == pytest.approx(1)
    assert why.sentence == (
        "a read takes 20.00 µs longer (+21.9 %): i2d +18.00 µs (90 % of it: in read.i2d), "
        "d2c +2.000 µs (10 % of it: in read.d2c)"
    )


def test_a_stage_may_give_back_what_another_takes() -> None:
    (why,) = reasons([run("a", BEFORE), run("b", {**BEFORE, "read.i2d": 60_000, "read.d2c": 20_000})], "a")
    assert [stage.share for stage in why.stages] == [pytest.approx(6.0), pytest.approx(-5.0), 0]
    assert "less" in why.sentence


def test_no_change_is_not_taken_apart() -> None:
    (why,) = reasons([run("a", BEFORE), run("b", {**BEFORE, "read.d2c": 80_100})], "a")
    assert all(stage.share is None for stage in why.stages)
    assert "as long as before" in why.sentence


def test_means_are_over_all_ios_of_all_runs() -> None:
    many = run("a", {"read.d2c": 10_000}, count=3000)
    few = run("a", {"read.d2c": 50_000}, count=1000)
    (why,) = reasons([many, few, run("b", {"read.d2c": 40_000})], "a")
    assert why.baseline_ns == 20_000


def test_cells_and_runners_are_explained_apart() -> None:
    runs = [
        run(variant, {"read.d2c": depth * mean}, cell={"depth": depth})
        for depth in (1, 2)
        for variant, mean in (("a", 1000), ("b", 2000))
    ]
    assert [why.group.cell for why in reasons(runs, "a")] == [{"depth": 1}, {"depth": 2}]


def test_counters_that_moved_come_clearest_first() -> None:
    before = run("a", BEFORE, counters={"merges": 100, "dispatches": 1000, "requeues": 0})
    after = run("b", BEFORE, counters={"merges": 200, "dispatches": 1010, "requeues": 5})
    (why,) = reasons([before, after], "a")
    assert [(change.name, change.baseline, change.candidate) for change in why.counters] == [
        ("requeues", 0, 5),
        ("merges", 100, 200),
    ]


def test_a_side_without_stages_is_not_explained() -> None:
    assert reasons([run("a", BEFORE), MeasuredRun(variant="b", replicate=0)], "a") == ()
    assert compare([MeasuredRun(variant="a", replicate=0)], baseline="a").why == ()
