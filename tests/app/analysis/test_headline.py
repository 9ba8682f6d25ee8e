"""The sentence says what the primary metrics say, and stays one sentence over many groups."""

from __future__ import annotations

from app.analysis.compare import compare
from app.analysis.headline import headline
from app.domain.comparison import MeasuredRun
from app.domain.metric import Group, measured


def runs(factors: dict[str, float], replicates: int = 8) -> list[MeasuredRun]:
    found = []
    for replicate in range(replicates):
        for variant in ("before", "after"):
            samples = tuple(
                measured(
                    "read.iops", 1000 * (1 + replicate / 1000) * (factor if variant == "after" else 1), Group(job=job)
                )
                for job, factor in factors.items()
            )
            found.append(MeasuredRun(variant=variant, replicate=replicate, samples=samples))
    return found


def sentence(factors: dict[str, float], replicates: int = 8) -> str:
    return headline(compare(runs(factors, replicates), baseline="before", primary=["read.iops"]))


def test_one_job_needs_no_label() -> None:
    said = sentence({"a": 1.5})
    assert said.startswith("after has 1.500× the read.iops of before, improved (higher is better), 95 % interval")
    assert "job=a" not in said


def test_several_jobs_are_told_apart() -> None:
    said = sentence({"a": 1.5, "b": 1.0})
    assert "read.iops (job=a)" in said
    assert "read.iops (job=b) of after is that of before within the threshold" in said


def test_many_groups_are_counted_and_the_worst_is_named() -> None:
    said = sentence({"a": 1.5, "b": 1.0, "c": 1.0, "d": 0.5}, replicates=12)
    assert said.startswith("of 4 primary comparisons 1 regressed, 1 improved, 2 equivalent; after has 0.5000×")


def test_nothing_to_compare_is_said() -> None:
    assert headline(compare([], baseline="before"))


def test_an_inconclusive_ratio_is_said_with_its_reason() -> None:
    said = sentence({"a": 1.5}, replicates=1)
    assert said.startswith("read.iops of after is 1.500× that of before, inconclusive: one sample a side")


def test_a_reason_that_all_share_is_said_once() -> None:
    said = sentence({"a": 1.5, "b": 0.9}, replicates=1)
    assert said.count("one sample a side") == 1
    assert "0.9000×" in said
    assert "1.500×" in said


def test_an_improvement_names_what_got_worse_beside_it() -> None:
    found = [
        run.model_copy(
            update={
                "samples": (*run.samples, measured("read.clat_p99", 1e6 * (2.0 if run.variant == "after" else 1.0)))
            }
        )
        for run in runs({"a": 1.5})
    ]
    said = headline(compare(found, baseline="before", primary=["read.iops"]))
    assert said.endswith("; but worse: read.clat_p99 2.000×")
