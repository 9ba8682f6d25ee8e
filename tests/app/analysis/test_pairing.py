from __future__ import annotations

import math

from app.analysis.pairing import FAILURES_NAMED_MAX, Series, align, line_up
from app.domain.comparison import MeasuredRun
from app.domain.metric import Group, measured


def run(variant: str, replicate: int, *values: float, seed: int | None = None) -> MeasuredRun:
    samples = tuple(measured("write.iops", value) for value in values)
    return MeasuredRun(variant=variant, replicate=replicate, seed=seed, samples=samples)


def test_pairs_are_made_by_replicate_whatever_the_order_of_the_runs() -> None:
    lineup = line_up([run("b", 1, 2.0), run("a", 0, 3.0), run("a", 1, 4.0), run("b", 0, 1.0)], deterministic=False)
    aligned = align(lineup.of("b", (), "write.iops"), lineup.of("a", (), "write.iops"), paired=True)
    assert (aligned.baseline, aligned.candidate, aligned.places) == ((1.0, 2.0), (3.0, 4.0), (0, 1))


def test_deterministic_runs_are_paired_by_seed() -> None:
    lineup = line_up([run("b", 0, 1.0, seed=7), run("a", 5, 2.0, seed=7)], deterministic=True)
    assert align(lineup.of("b", (), "write.iops"), lineup.of("a", (), "write.iops"), paired=True).places == (7,)


def test_a_value_without_a_partner_is_left_out_and_counted() -> None:
    aligned = align(Series({0: 1.0, 1: 2.0, 2: 3.0}), Series({1: 5.0}), paired=True)
    assert (aligned.baseline, aligned.candidate, aligned.left_out) == ((2.0,), (5.0,), 2)


def test_unpaired_sides_keep_all_their_values() -> None:
    aligned = align(Series({0: 1.0, 1: 2.0, 2: 3.0}), Series({1: 5.0}), paired=False)
    assert (aligned.baseline, aligned.candidate) == ((1.0, 2.0, 3.0), (5.0,))


def test_several_values_inside_a_run_count_once() -> None:
    lineup = line_up([run("b", 0, 1.0, 2.0, 9.0)], deterministic=False)
    assert lineup.of("b", (), "write.iops").values == {0: 2.0}


def test_what_is_not_finite_is_not_a_value() -> None:
    series = line_up([run("b", 0, math.nan), run("b", 1, math.inf)], deterministic=False).of("b", (), "write.iops")
    assert (series.values, series.not_finite) == ({}, 2)


def test_values_too_large_to_square_are_not_finite_either() -> None:
    assert line_up([run("b", 0, 1e200)], deterministic=False).of("b", (), "write.iops").not_finite == 1


def test_the_cell_and_the_runner_of_a_run_belong_to_its_samples_groups() -> None:
    one = MeasuredRun(
        variant="b",
        replicate=0,
        cell={"device.scheduler": "none"},
        runner="qemu",
        samples=(measured("write.iops", 1.0),),
    )
    (group,) = line_up([one], deterministic=False).groups.values()
    assert group == Group(cell={"device.scheduler": "none"}, runner="qemu")


def test_a_failed_run_is_named_with_its_reason() -> None:
    failed = MeasuredRun(variant="after", replicate=3, failed="guest panicked")
    assert line_up([failed], deterministic=False).notes == [
        "after, replicate 3, failed and is left out: guest panicked"
    ]


def test_many_failures_are_counted() -> None:
    failed = [MeasuredRun(variant="after", replicate=at, failed="lost") for at in range(FAILURES_NAMED_MAX + 5)]
    notes = line_up(failed, deterministic=False).notes
    assert len(notes) == FAILURES_NAMED_MAX + 1
    assert notes[-1] == "5 more runs failed and are left out"


def test_two_values_at_one_seed_betray_a_runner_that_is_not_deterministic() -> None:
    runs = [run("b", 0, 1.0, seed=7), run("b", 1, 1.5, seed=7)]
    assert line_up(runs, deterministic=True).of("b", (), "write.iops").wavering
