"""The page that explains verdicts says what the code does."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from app.analysis import primary
from app.analysis.compare import compare
from app.domain.comparison import MeasuredRun, MetricComparison, Verdict
from app.domain.metric import measured

PAGE = (Path(__file__).parents[3] / "docs" / "verdicts.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(
    r"^```(exact)?\nbefore +([\d ]+)\nafter +([\d ]+)\n```\n\n> (.+)$", PAGE.partition("## The method")[0], re.MULTILINE
)


def judged(before: str, after: str, deterministic: bool) -> MetricComparison:
    runs = [
        MeasuredRun(variant=variant, replicate=at, seed=at + 1, samples=(measured("write.iops", float(value)),))
        for variant, values in (("before", before), ("after", after))
        for at, value in enumerate(values.split())
    ]
    done = compare(runs, baseline="before", primary=["write.iops"], deterministic=deterministic)
    return done.candidates[0].metrics[0]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[3][:30])
def test_an_example_has_the_reason_that_the_page_gives(example: tuple[str, str, str, str]) -> None:
    kind, before, after, reason = example
    assert judged(before, after, bool(kind)).reason == reason


@pytest.mark.parametrize("verdict", Verdict)
def test_each_word_has_a_worked_example(verdict: Verdict) -> None:
    section = PAGE.partition(f"\n## {verdict}\n")[2].partition("\n## ")[0]
    _, before, after, _ = next(example for example in EXAMPLES if example[1] in section)
    assert judged(before, after, False).verdict is verdict


@pytest.mark.parametrize(("name", "value"), re.findall(r"^\| `([a-z_]+\.[A-Z_]+)` \| ([\d.]+) \|", PAGE, re.MULTILINE))
def test_a_number_on_the_page_is_the_codes(name: str, value: str) -> None:
    module, _, constant = name.partition(".")
    assert getattr(importlib.import_module(f"app.analysis.{module}"), constant) == float(value)


def test_the_page_has_all_its_numbers() -> None:
    assert len(re.findall(r"^\| `[a-z_]+\.[A-Z_]+` \|", PAGE, re.MULTILINE)) == 8
    assert len(EXAMPLES) == 5


def test_the_default_primary_metrics_are_listed() -> None:
    listed = PAGE.partition("**Primary metrics nobody named.**")[2].partition("\n\n")[0]
    for name in ("total.iops", "files_per_second", "throughput", "initial create", "compile", "read compiled tree"):
        assert f"`{name}`" in listed
        assert primary.default_primary(["zzz", name]) == (name,)
