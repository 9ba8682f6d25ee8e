from __future__ import annotations

import pytest

from app.analysis.effect import Effect
from app.analysis.verdict import Case, Judgement, beyond, judge, judge_seeds, overall, percent
from app.domain.comparison import SeedDifference, Verdict
from app.domain.metric import Better

IMPROVED, REGRESSED, EQUIVALENT, INCONCLUSIVE = Verdict


def judged(
    ratio: float | None,
    interval: tuple[float, float] | None,
    p_adjusted: float | None,
    *,
    n: int = 10,
    better: Better | None = Better.HIGHER,
    family: int = 1,
    spread: float = 0.01,
) -> Judgement:
    effect = Effect(ratio, "hodges-lehmann", interval, p_adjusted, spread)
    return judge(
        Case(
            effect=effect,
            baseline_n=n,
            candidate_n=n,
            paired=True,
            better=better,
            p_adjusted=p_adjusted,
            family=family,
            threshold_percent=2.0,
        )
    )


@pytest.mark.parametrize(
    ("ratio", "interval", "p_adjusted", "better", "verdict"),
    [
        (1.05, (1.03, 1.07), 0.002, Better.HIGHER, IMPROVED),
        (1.05, (1.03, 1.07), 0.002, Better.LOWER, REGRESSED),
        (0.95, (0.93, 0.97), 0.002, Better.HIGHER, REGRESSED),
        (0.95, (0.93, 0.97), 0.002, Better.LOWER, IMPROVED),
        (
            1.05,
            (1.01, 1.09),
            0.04,
            Better.HIGHER,
            IMPROVED,
        ),  # the estimate passes the threshold
        (1.05, (1.01, 1.09), 0.06, Better.HIGHER, INCONCLUSIVE),  # significant alone, not among the primaries
        (1.00, (0.99, 1.01), 0.9, Better.HIGHER, EQUIVALENT),
        (1.01, (1.005, 1.015), 0.002, Better.HIGHER, EQUIVALENT),  # there, but too small to name
        (1.015, (1.005, 1.025), 0.002, Better.HIGHER, INCONCLUSIVE),  # there, size open
        (1.00, (0.95, 1.05), 0.9, Better.HIGHER, INCONCLUSIVE),
        (1.00, (0.98, 1.01), 0.9, Better.HIGHER, INCONCLUSIVE),  # touching the threshold is not inside
        (1.00, (0.99, 1.01), 0.9, None, EQUIVALENT),
        (1.05, (1.03, 1.07), 0.002, None, INCONCLUSIVE),
    ],
)
def test_the_word_follows_from_interval_p_value_and_threshold(
    ratio: float, interval: tuple[float, float], p_adjusted: float, better: Better | None, verdict: Verdict
) -> None:
    assert judged(ratio, interval, p_adjusted, better=better).verdict is verdict


def test_five_pairs_are_inconclusive_and_say_why() -> None:
    judgement = judged(1.5, None, 0.0625, n=5)
    assert judgement.verdict is INCONCLUSIVE
    assert judgement.reason == "5 pairs cannot reach p < 0.05 (their smallest is 0.0625); a verdict needs 6 at least"
    assert judgement.more_pairs == 1


def test_one_sample_a_side_says_what_is_missing() -> None:
    judgement = judged(1.5, None, None, n=1)
    assert judgement.verdict is INCONCLUSIVE
    assert "one sample a side" in judgement.reason
    assert judgement.more_pairs == 5


def test_six_pairs_cannot_decide_three_primary_metrics_and_say_so() -> None:
    judgement = judged(1.5, (1.4, 1.6), 3 * 2 / 64, n=6, family=3)
    assert judgement.verdict is INCONCLUSIVE
    assert "6 pairs cannot reach p < 0.05 over 3 primary comparisons" in judgement.reason
    assert judgement.more_pairs == 1


def test_an_open_case_says_what_would_have_been_found_and_what_would_settle_it() -> None:
    judgement = judged(1.0, (0.95, 1.05), 0.9, spread=0.07)
    assert judgement.detectable_percent == pytest.approx(100 * 1.023 * 0.07, rel=0.08)
    assert judgement.more_pairs is not None
    assert f"about {judgement.more_pairs} more pairs would settle it" in judgement.reason


def test_a_change_at_the_threshold_is_beyond_patience() -> None:
    judgement = judged(1.0199, (0.99, 1.05), 0.2, spread=0.05)
    assert judgement.more_pairs is None
    assert "more than 500 pairs would be needed" in judgement.reason


def test_a_missing_ratio_is_explained() -> None:
    effect = Effect(None, "medians", None, 0.03, None, "values below zero have no ratio")
    judgement = judge(Case(effect, 10, 10, True, Better.HIGHER, 0.03, 1, 2.0))
    assert (judgement.verdict, judgement.reason) == (
        INCONCLUSIVE,
        "values below zero have no ratio (plain differences: p = 0.03)",
    )


def test_a_collapse_to_zero_is_a_regression() -> None:
    effect = Effect(0.0, "medians", None, 0.002, None, "values of zero …")
    assert judge(Case(effect, 10, 10, True, Better.HIGHER, 0.002, 1, 2.0)).verdict is REGRESSED


def seeds(*ratios: float) -> list[SeedDifference]:
    return [
        SeedDifference(seed=at, baseline=100.0, candidate=100 * ratio, difference=100 * (ratio - 1), ratio=ratio)
        for at, ratio in enumerate(ratios, start=1)
    ]


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ((1.05,), IMPROVED),
        ((0.95,), REGRESSED),
        ((1.0,), EQUIVALENT),
        ((1.01,), EQUIVALENT),
        ((1.05, 1.03, 1.09), IMPROVED),
        ((1.05, 1.01), INCONCLUSIVE),
        ((1.05, 0.95), INCONCLUSIVE),
        ((1.01, 0.99), EQUIVALENT),
    ],
)
def test_exact_differences_speak_for_their_seeds_when_the_seeds_agree(
    ratios: tuple[float, ...], verdict: Verdict
) -> None:
    judgement = judge_seeds(seeds(*ratios), better=Better.HIGHER, threshold_percent=2.0, wavering=False)
    assert judgement.verdict is verdict
    assert "nothing is claimed beyond" in judgement.reason


def test_a_runner_that_wavers_at_one_seed_is_not_exact() -> None:
    judgement = judge_seeds(seeds(1.05), better=Better.HIGHER, threshold_percent=2.0, wavering=True)
    assert judgement.verdict is INCONCLUSIVE


def test_a_seed_with_a_baseline_of_zero_has_no_ratio() -> None:
    zero = SeedDifference(seed=1, baseline=0.0, candidate=0.0, difference=0.0, ratio=None)
    judgement = judge_seeds([zero], better=Better.HIGHER, threshold_percent=2.0, wavering=False)
    assert judgement.verdict is INCONCLUSIVE
    assert "nothing was measured" in judgement.reason


def test_a_latency_of_zero_on_both_sides_is_equal() -> None:
    zero = SeedDifference(seed=1, baseline=0.0, candidate=0.0, difference=0.0, ratio=None)
    judgement = judge_seeds([zero], better=Better.LOWER, threshold_percent=2.0, wavering=False)
    assert judgement.verdict is EQUIVALENT


def test_a_seed_whose_baseline_alone_is_zero_has_no_ratio() -> None:
    seed = SeedDifference(seed=1, baseline=0.0, candidate=1.0, difference=1.0, ratio=None)
    judgement = judge_seeds([seed], better=Better.HIGHER, threshold_percent=2.0, wavering=False)
    assert judgement.verdict is INCONCLUSIVE
    assert "no ratio" in judgement.reason


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ((), INCONCLUSIVE),
        ((IMPROVED, EQUIVALENT), IMPROVED),
        ((IMPROVED, INCONCLUSIVE), IMPROVED),
        ((IMPROVED, REGRESSED), REGRESSED),
        ((EQUIVALENT, EQUIVALENT), EQUIVALENT),
        ((EQUIVALENT, INCONCLUSIVE), INCONCLUSIVE),
    ],
)
def test_the_primary_metrics_make_the_experiments_verdict(verdicts: tuple[Verdict, ...], verdict: Verdict) -> None:
    assert overall(verdicts) is verdict


@pytest.mark.parametrize(
    ("ratio", "shown"),
    [(1.0346, "+3.46 %"), (0.9, "-10.0 %"), (2.63, "+163 %"), (1.0, "0 %"), (1.00042, "+0.042 %"), (0.0, "-100 %")],
)
def test_changes_are_shown_as_signed_per_cent(ratio: float, shown: str) -> None:
    assert percent(ratio) == shown


def test_a_change_as_large_as_the_threshold_counts() -> None:
    assert beyond(1.25, 25.0)
    assert not beyond(1.0, 0.0)
