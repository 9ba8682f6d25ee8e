from __future__ import annotations

import json
import math
import time
from collections.abc import Callable

import numpy as np
import pytest

from app.analysis.compare import compare
from app.analysis.headline import headline
from app.analysis.render_csv import render_csv
from app.analysis.render_text import render_text
from app.domain.comparison import Comparison, MeasuredRun, MetricComparison, Order, Verdict
from app.domain.metric import Better, Group, Sample, known_names, measured

MakeRuns = Callable[..., list[MeasuredRun]]


def noisy(n: int, shift: float = 1.0, *, seed: int = 1) -> tuple[list[float], list[float]]:
    before, after = 1000.0 * np.exp(np.random.default_rng(seed).normal(0.0, 0.01, (2, n)))
    return before.tolist(), (after * shift).tolist()


def only(comparison: Comparison) -> MetricComparison:
    ((metric,),) = [candidate.metrics for candidate in comparison.candidates]
    return metric


def named(comparison: Comparison, name: str) -> MetricComparison:
    (metric,) = [row for candidate in comparison.candidates for row in candidate.metrics if row.name == name]
    return metric


def test_a_clear_change_is_named_with_its_direction(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": noisy(10, 1.05), "write.clat_p99": noisy(10, 1.05, seed=2)})
    done = compare(runs, baseline="before", primary=["write.iops"])
    assert named(done, "write.iops").verdict is Verdict.IMPROVED
    assert named(done, "write.clat_p99").verdict is Verdict.REGRESSED
    assert done.verdict is Verdict.IMPROVED


def test_only_primary_metrics_decide(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": noisy(10), "write.clat_p99": noisy(10, 1.5)})
    done = compare(runs, baseline="before", primary=["write.iops"], threshold_percent=5)
    assert done.verdict is Verdict.EQUIVALENT


def test_holm_counts_the_primary_metrics_alone(make_runs: MakeRuns) -> None:
    runs = make_runs({name: noisy(10, 1.05, seed=at) for at, name in enumerate(known_names()[2:22])})
    done = compare(runs, baseline="before", primary=["read.iops", "read.bw"])
    assert named(done, "read.iops").p_adjusted == pytest.approx(2 * 2 / 2**10)
    assert named(done, "read.io").p_adjusted == pytest.approx(2 / 2**10)  # all 18 equal: the rate is their own p


def test_one_sample_a_side_is_inconclusive_in_words(make_runs: MakeRuns) -> None:
    metric = only(compare(make_runs({"write.iops": ([100.0], [110.0])}), baseline="before"))
    assert (metric.verdict, metric.ci95, metric.p_adjusted) == (Verdict.INCONCLUSIVE, None, None)
    assert metric.ratio == pytest.approx(1.1)
    assert "one sample a side" in metric.reason


def test_a_deterministic_runner_at_one_seed_is_exact_and_claims_nothing_beyond(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": ([100.0], [110.0])}, first_seed=7)
    metric = only(compare(runs, baseline="before", deterministic=True))
    assert (metric.exact, metric.ci95, metric.p_value, metric.verdict) == (True, None, None, Verdict.IMPROVED)
    assert metric.reason == "exactly +10.0 % at seed 7; nothing is claimed beyond"
    assert [(entry.seed, entry.difference) for entry in metric.seeds] == [(7, 10.0)]


def test_six_seeds_of_a_deterministic_runner_give_an_interval_over_seeds(make_runs: MakeRuns) -> None:
    metric = only(compare(make_runs({"write.iops": noisy(6, 1.05)}), baseline="before", deterministic=True))
    assert not metric.exact
    assert metric.ci95 is not None
    assert len(metric.seeds) == 6


def test_a_deterministic_runner_gains_nothing_from_repeating_a_seed() -> None:
    runs = [
        MeasuredRun(variant=variant, replicate=at, seed=1, samples=(measured("write.iops", value),))
        for at in range(10)
        for variant, value in (("before", 100.0), ("after", 110.0))
    ]
    done = compare(runs, baseline="before", deterministic=True)
    assert (only(done).n, only(done).exact) == (1, True)
    assert "18 runs repeat a seed; a deterministic runner repeats itself, so each seed counts once" in done.notes


def test_of_several_runners_only_the_deterministic_ones_are_exact(make_runs: MakeRuns) -> None:
    one = make_runs({"write.iops": ([100.0], [110.0])})
    runs = [run.model_copy(update={"runner": runner}) for runner in ("simulator", "hardware:rack") for run in one]
    done = compare(runs, baseline="before", deterministic=frozenset({"simulator"}))
    exact = {candidate.group.runner: candidate.metrics[0].exact for candidate in done.candidates}
    assert exact == {"simulator": True, "hardware:rack": False}
    assert not done.deterministic


def test_a_failed_run_drops_its_pair_and_is_named(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": noisy(10, 1.05)})
    failed = MeasuredRun(variant="after", replicate=9, seed=10, failed="guest panicked")
    done = compare([*runs[:-1], failed], baseline="before")
    assert only(done).n == 9
    assert only(done).reason.endswith("1 without a partner left out")
    assert "after, replicate 9, failed and is left out: guest panicked" in done.notes


def test_jobs_copies_and_cells_are_compared_apart(make_runs: MakeRuns) -> None:
    runs = []
    for group in (Group(job="a"), Group(job="b"), Group(copies=8), Group(cell={"device.scheduler": "none"})):
        runs += make_runs({"write.iops": noisy(6)}, group=group)
    done = compare(runs, baseline="before")
    assert [candidate.model_dump(mode="json")["group"] for candidate in done.candidates] == [
        {"job": "a"},
        {"job": "b"},
        {"copies": 8},
        {"cell": {"device.scheduler": "none"}},
    ]


def test_every_other_variant_is_a_candidate() -> None:
    runs = [
        MeasuredRun(variant=variant, replicate=at, samples=(measured("write.iops", 100.0 + at),))
        for variant in ("base", "one", "two")
        for at in range(6)
    ]
    assert [candidate.variant for candidate in compare(runs, baseline="base").candidates] == ["one", "two"]


def test_a_chosen_primary_is_noted(make_runs: MakeRuns) -> None:
    done = compare(make_runs({"write.iops": noisy(6), "write.bw": noisy(6)}), baseline="before")
    assert done.primary == ("write.iops",)
    assert "no primary metric was named; decided by write.iops" in done.notes


def test_a_primary_metric_that_nobody_measured_leaves_the_verdict_open(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": ([100.0] * 10, [100.0] * 10)})
    done = compare(runs, baseline="before", primary=["write.iops", "read.iops"])
    assert done.verdict is Verdict.INCONCLUSIVE
    assert "primary, but not measured by any run: read.iops" in done.notes


def test_a_primary_metric_that_one_side_lost_is_a_row_and_leaves_the_verdict_open(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": ([100.0] * 6, []), "write.bw": ([1.0] * 6, [1.0] * 6)})
    done = compare(runs, baseline="before", primary=["write.iops"])
    assert named(done, "write.iops").reason == "after has no value of this metric"
    assert done.verdict is Verdict.INCONCLUSIVE


def test_a_trade_between_primary_metrics_is_a_regression_and_noted(make_runs: MakeRuns) -> None:
    runs = make_runs({"read.iops": noisy(10, 1.1), "write.iops": noisy(10, 0.9)})
    done = compare(runs, baseline="before")
    assert done.verdict is Verdict.REGRESSED
    assert any(note.startswith("a trade") for note in done.notes)


def test_equal_values_are_equivalent(make_runs: MakeRuns) -> None:
    metric = only(compare(make_runs({"write.iops": ([100.0] * 6, [100.0] * 6)}), baseline="before"))
    assert (metric.verdict, metric.ratio, metric.ci95) == (Verdict.EQUIVALENT, 1.0, (1.0, 1.0))
    assert metric.reason == "all 6 pairs are equal"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([0.0] * 6, [0.0] * 6, "nothing was measured"),
        ([0.0] * 6, [5.0] * 6, "the baseline's median is zero"),
        ([-1.0] * 6, [2.0] * 6, "below zero"),
        ([math.nan] * 6, [2.0] * 6, "before has no finite value"),
        ([1.0] * 6, [math.inf] * 6, "after has no finite value"),
    ],
)
def test_what_has_no_ratio_is_inconclusive_in_words(
    make_runs: MakeRuns, before: list[float], after: list[float], words: str
) -> None:
    for deterministic in (False, True):
        done = compare(make_runs({"write.iops": (before, after)}), baseline="before", deterministic=deterministic)
        assert only(done).verdict is Verdict.INCONCLUSIVE
        assert words in only(done).reason
        json.loads(done.model_dump_json())


def test_a_nan_drops_its_pair(make_runs: MakeRuns) -> None:
    before, after = noisy(8, 1.05)
    metric = only(compare(make_runs({"write.iops": (before, [math.nan, *after[1:]])}), baseline="before"))
    assert metric.n == 7
    assert metric.verdict is Verdict.IMPROVED


def mixed(one: Sample, other: Sample) -> MetricComparison:
    runs = [
        MeasuredRun(variant=variant, replicate=at, samples=(sample,))
        for at in range(6)
        for variant, sample in (("before", one), ("after", other))
    ]
    return only(compare(runs, baseline="before"))


def test_mixed_units_are_not_compared() -> None:
    one = Sample(metric="rate", unit="MB/s", value=100, better=Better.HIGHER)
    row = mixed(one, one.model_copy(update={"unit": "KB/s"}))
    assert (row.verdict, row.ratio, row.reason) == (
        Verdict.INCONCLUSIVE,
        None,
        "units differ (MB/s, KB/s), so nothing is compared",
    )


def test_mixed_directions_are_not_compared() -> None:
    one = Sample(metric="rate", unit="MB/s", value=100, better=Better.HIGHER)
    row = mixed(one, one.model_copy(update={"better": Better.LOWER}))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "disagree about which direction is better" in row.reason


@pytest.mark.parametrize("runs", [[], [MeasuredRun(variant="before", replicate=0)]])
def test_nothing_to_compare_is_said_and_no_error(runs: list[MeasuredRun]) -> None:
    done = compare(runs, baseline="before")
    assert (done.candidates, done.verdict) == ((), Verdict.INCONCLUSIVE)
    assert done.notes


def test_a_missing_baseline_is_said(make_runs: MakeRuns) -> None:
    done = compare(make_runs({"write.iops": noisy(6)}), baseline="base")
    assert "there is no run of the baseline base" in done.notes
    assert done.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("order", "word"), [("blocked", "in blocks"), ("unknown", "not known")])
def test_an_order_that_lets_drift_in_is_said(make_runs: MakeRuns, order: Order, word: str) -> None:
    done = compare(make_runs({"write.iops": noisy(6)}), baseline="before", order=order)
    assert any(word in note for note in done.notes)
    assert only(done).estimator == "medians"


def test_the_same_runs_give_the_same_bytes(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": noisy(10), "write.clat_p99": noisy(10)})
    first, second = (compare(runs, baseline="before").model_dump_json() for _ in range(2))
    assert first == second


@pytest.mark.parametrize("order", ["interleaved", "blocked"])
def test_the_order_in_which_runs_arrive_does_not_change_a_number(make_runs: MakeRuns, order: Order) -> None:
    runs = make_runs({"write.iops": noisy(10)})
    one, other = (only(compare(arrived, baseline="before", order=order)) for arrived in (runs, runs[::-1]))
    assert one == other


def test_a_hundred_runs_of_forty_metrics_take_less_than_a_second(make_runs: MakeRuns) -> None:
    runs = make_runs({name: noisy(50, seed=at) for at, name in enumerate(known_names()[:40])})
    start = time.perf_counter()
    done = compare(runs, baseline="before")
    assert time.perf_counter() - start < 1.0
    assert len(done.candidates[0].metrics) == 40


@pytest.mark.parametrize("seeds", range(1, 13))
def test_more_seeds_never_take_a_word_away(make_runs: MakeRuns, seeds: int) -> None:
    before = [1000.0 + seed for seed in range(seeds)]
    after = [value * 0.85 for value in before]
    runs = [
        run for job in ("a", "b", "c", "d") for run in make_runs({"read.iops": (before, after)}, group=Group(job=job))
    ]
    done = compare(runs, baseline="before", primary=["read.iops"], deterministic=True)
    assert done.verdict is Verdict.REGRESSED
    for candidate in done.candidates:
        (row,) = candidate.metrics
        assert row.exact is (4 * 2.0 ** (1 - seeds) >= 0.05)
        assert (row.ci95 is None) is row.exact


def test_seeds_that_disagree_stay_inconclusive_however_many_comparisons(make_runs: MakeRuns) -> None:
    before = [1000.0] * 6
    after = [850.0] * 5 + [1001.0]
    runs = [run for job in ("a", "b") for run in make_runs({"read.iops": (before, after)}, group=Group(job=job))]
    assert compare(runs, baseline="before", deterministic=True).verdict is Verdict.INCONCLUSIVE


def test_metrics_that_never_differ_cost_the_others_nothing(make_runs: MakeRuns) -> None:
    names = known_names()[2:22]
    changed = {name: noisy(6, 1.5, seed=at) for at, name in enumerate(names[:2])}
    constant = {name: ([5.0] * 6, [5.0] * 6) for name in names[2:]}
    done = compare(make_runs(changed | constant), baseline="before", primary=["write.iops"])
    assert named(done, names[0]).p_adjusted == pytest.approx(2 / 2**6)
    assert named(done, names[5]).verdict is Verdict.EQUIVALENT


def test_what_only_one_runner_measures_does_not_decide_by_default(make_runs: MakeRuns) -> None:
    values = {"read.iops": noisy(6, 1.5), "write.iops": noisy(6, 1.5)}
    here = [run.model_copy(update={"runner": "simulator"}) for run in make_runs(values)]
    there = [run.model_copy(update={"runner": "noop"}) for run in make_runs(values | {"total.iops": noisy(6)})]
    assert compare([*here, *there], baseline="before").primary == ("read.iops", "write.iops")


def test_one_variant_has_its_figures_and_no_verdict_of_anything(make_runs: MakeRuns) -> None:
    runs = [run for run in make_runs({"read.iops": noisy(7), "read.clat_p99": noisy(7)}) if run.variant == "before"]
    done = compare(runs, baseline="before", primary=["read.clat_p99"])
    assert done.candidates == ()
    assert [(row.name, row.summary.n, row.primary) for row in done.measured] == [
        ("read.clat_p99", 7, True),
        ("read.iops", 7, False),
    ]
    assert headline(done).startswith("one variant, so nothing is compared: read.clat_p99 ")
    text = render_text(done)
    assert "Verdict:    none" in text
    assert "read.iops" in text
    assert max(map(len, text.splitlines())) <= 72
    assert render_csv(done).count("read.iops") == 1
