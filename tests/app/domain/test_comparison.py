from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from app.domain.comparison import Candidate, Comparison, MetricComparison, Summary, Verdict
from app.domain.metric import Better, Group

ROW = MetricComparison(
    name="write.iops",
    unit="IOPS",
    better=Better.HIGHER,
    primary=True,
    baseline=Summary(n=1, mean=100.0, median=100.0, min=100.0, max=100.0),
    candidate=Summary(n=1, mean=110.0, median=110.0, min=110.0, max=110.0),
    n=1,
    ratio=1.1,
    estimator="medians",
    ci95=None,
    p_value=None,
    p_adjusted=None,
    verdict=Verdict.INCONCLUSIVE,
    exact=False,
    detectable_percent=None,
    reason="one sample a side",
)
COMPARISON = Comparison(
    baseline="before",
    verdict=Verdict.INCONCLUSIVE,
    primary=("write.iops",),
    threshold_percent=2.0,
    deterministic=False,
    order="interleaved",
    candidates=(Candidate(variant="after", group=Group(job="rand"), metrics=(ROW,)),),
)


def test_the_json_has_the_fields_that_scripts_rely_on() -> None:
    document = json.loads(COMPARISON.model_dump_json())
    assert document["schema"] == 1
    assert {"baseline", "candidates", "verdict", "notes"} <= document.keys()
    (candidate,) = document["candidates"]
    assert candidate.keys() == {"variant", "group", "metrics"}
    (metric,) = candidate["metrics"]
    assert {
        *("name", "unit", "better", "primary", "baseline", "candidate", "ratio", "ci95"),
        *("p_adjusted", "verdict", "exact", "detectable_percent", "reason"),
    } <= metric.keys()
    assert metric["baseline"].keys() == {"n", "mean", "median", "stdev", "min", "max"}


def test_a_group_in_json_holds_only_what_is_set() -> None:
    assert COMPARISON.model_dump(mode="json")["candidates"][0]["group"] == {"job": "rand"}


def test_a_comparison_survives_its_json() -> None:
    assert Comparison.model_validate_json(COMPARISON.model_dump_json()) == COMPARISON


def test_a_comparison_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        COMPARISON.verdict = Verdict.IMPROVED  # type: ignore[misc]


def test_json_never_holds_what_json_cannot_say() -> None:
    with pytest.raises(ValidationError, match="finite"):
        Summary(n=1, mean=float("nan"))
