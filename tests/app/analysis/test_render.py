"""What the three renderers share: they take anything for a name, and lose no metric."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest

from app.analysis.compare import compare
from app.analysis.render_csv import COLUMNS, render_csv
from app.analysis.render_svg import ROWS_MAX, render_svg
from app.analysis.render_text import render_text
from app.analysis.untrusted import width
from app.domain.comparison import Comparison, MeasuredRun
from app.domain.metric import Group, Sample, known_names, measured

MakeRuns = Callable[..., list[MeasuredRun]]
HOSTILE = '---\n+++ <script>alert("1")</script> & ]]> \x00\x1b[2J \u202e =HYPERLINK("x") 測測測 ' + "x" * 200


def noisy(n: int, shift: float, seed: int) -> tuple[list[float], list[float]]:
    before, after = 1000.0 * np.exp(np.random.default_rng(seed).normal(0.0, 0.01, (2, n)))
    return before.tolist(), (after * shift).tolist()


@pytest.fixture
def comparison(make_runs: MakeRuns) -> Comparison:
    values = {"write.iops": noisy(10, 1.05, 1), "write.bw": noisy(10, 1.05, 2), "write.clat_p99": noisy(10, 1.0, 3)}
    return compare(make_runs(values, group=Group(job="rand")), baseline="before", primary=["write.iops"])


@pytest.fixture
def hostile() -> Comparison:
    runs = [
        MeasuredRun(
            variant=variant,
            replicate=at,
            samples=(
                Sample(
                    metric=HOSTILE,
                    unit="<&>" + "u" * 40,
                    value=(1.5 if side else 1.0) * 1e9 + at,
                    better="higher",
                    group=Group(job=HOSTILE, cell={HOSTILE: HOSTILE}),
                ),
            ),
        )
        for at in range(7)
        for side, variant in enumerate(("before " + HOSTILE, "=after " + HOSTILE))
    ]
    return compare(runs, baseline="before " + HOSTILE)


def test_the_text_says_all_that_a_commit_message_needs(comparison: Comparison) -> None:
    text = render_text(
        comparison,
        title="ext4: fewer journal handles",
        digest="ab" * 32,
        runner="simulator",
        reproduce="lodestone run experiment.yaml",
        link="https://example.org/s/abc",
    )
    row = comparison.candidates[0].metrics[0]
    assert row.ratio is not None
    assert row.ci95 is not None
    for part in (
        *("Experiment: ext4: fewer journal handles\n", f"Digest: {'ab' * 32}\n", "Runner:     simulator\n"),
        *("10 pairs, interleaved", "IMPROVED by write.iops (threshold 2 %)", "after against before [job=rand]"),
        *(f"x{row.ratio:.4f} [{row.ci95[0]:.4f}, {row.ci95[1]:.4f}]  n=10", "p = 0.002"),
        *("Reproduce:  lodestone run experiment.yaml\n", "Link: https://example.org/s/abc\n"),
    ):
        assert part in text


def test_the_text_lists_changed_exploratory_metrics_and_counts_the_others(comparison: Comparison) -> None:
    text = render_text(comparison)
    assert "write.bw" in text
    assert "exploratory, not listed" not in text
    assert "exploratory, not listed: 1 equivalent, 1 improved" in render_text(comparison, exploratory="none")


def test_a_latency_is_listed_even_if_it_did_not_change(comparison: Comparison) -> None:
    row = next(line for line in render_text(comparison).splitlines() if "write.clat_p99" in line)
    assert row.endswith("equivalent")


def test_no_line_of_the_text_is_wider_than_a_mail(comparison: Comparison, hostile: Comparison) -> None:
    for one in (comparison, hostile):
        text = render_text(
            one, title=HOSTILE, digest="ab" * 32, runner=HOSTILE, reproduce=HOSTILE, link="https://x", exploratory="all"
        )
        assert max(width(line) for line in text.splitlines()) <= 72


def test_no_line_of_the_text_begins_as_a_stranger_wants(hostile: Comparison) -> None:
    text = render_text(hostile, title=HOSTILE, runner=HOSTILE, reproduce=HOSTILE, link=HOSTILE, exploratory="all")
    ours = ("Experiment: ", "Runner: ", "Runs: ", "Verdict: ", "Compared: ", "Note: ", "Reproduce: ", "Link: ", "  ")
    assert all(line.startswith(ours) for line in text.splitlines() if line)


def test_the_text_of_a_thousand_cells_stays_a_mail(make_runs: MakeRuns) -> None:
    runs = []
    for cell in range(200):
        runs += make_runs({"write.iops": ([1.0], [1.0])}, group=Group(cell={"queue": cell}))
    text = render_text(compare(runs, baseline="before"))
    assert len(text.splitlines()) < 400
    assert "140 more metrics are in the full comparison" in text


def test_the_csv_reads_back_exactly(comparison: Comparison) -> None:
    header, *lines = csv.reader(io.StringIO(render_csv(comparison)))
    assert tuple(header) == COLUMNS
    metrics = comparison.candidates[0].metrics
    assert len(lines) == len(metrics)
    for line, metric in zip(lines, metrics, strict=True):
        row = dict(zip(COLUMNS, line, strict=True))
        assert float(row["ratio"]) == metric.ratio
        assert (float(row["ci95_low"]), float(row["ci95_high"])) == metric.ci95
        assert float(row["baseline_median"]) == metric.baseline.median
        assert (row["metric"], row["verdict"], row["job"]) == (metric.name, metric.verdict, "rand")


def test_the_csv_leaves_what_is_unknown_empty() -> None:
    runs = [MeasuredRun(variant=v, replicate=0, samples=(measured("write.iops", 1.0),)) for v in ("before", "after")]
    header, line = csv.reader(io.StringIO(render_csv(compare(runs, baseline="before"))))
    row = dict(zip(header, line, strict=True))
    assert (row["ci95_low"], row["p_adjusted"], row["baseline_stdev"]) == ("", "", "")


def test_the_csv_starts_no_formula(hostile: Comparison) -> None:
    for line in csv.reader(io.StringIO(render_csv(hostile))):
        assert not any(field.startswith(("=", "@", "+")) for field in line)


def test_the_svg_is_well_formed_whatever_the_names(comparison: Comparison, hostile: Comparison) -> None:
    for one in (comparison, hostile):
        root = ElementTree.fromstring(render_svg(one, title=HOSTILE, link=HOSTILE))
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "style", "rect", "text", "line", "path", "circle"}


def test_the_svg_names_every_metric_and_its_verdict(comparison: Comparison) -> None:
    svg = render_svg(comparison)
    for metric in comparison.candidates[0].metrics:
        assert f">{metric.name}</text>" in svg
    assert svg.count(">improved</text>") == 2
    assert svg.count(">equivalent</text>") == 1


def test_the_svg_draws_an_interval_where_the_axis_says(comparison: Comparison) -> None:
    root = ElementTree.fromstring(render_svg(comparison))
    lines = list(root.iter("{http://www.w3.org/2000/svg}line"))
    one = next(float(e.get("x1", "")) for e in lines if e.get("class") == "one")
    bars = [(float(e.get("x1", "")), float(e.get("x2", ""))) for e in lines if e.get("stroke-width") == "2"]
    assert [low > one for low, _ in bars] == [
        metric.ci95 is not None and metric.ci95[0] > 1.0
        for metric in sorted(comparison.candidates[0].metrics, key=lambda metric: not metric.primary)
    ]
    assert all(low < high for low, high in bars)


def test_the_svg_has_colours_for_light_and_dark(comparison: Comparison) -> None:
    svg = render_svg(comparison)
    assert "prefers-color-scheme: dark" in svg
    assert '<rect class="paper"' in svg


@pytest.mark.parametrize("factor", [1.0001, 1.003, 1.05, 1.3, 2.0, 3.0, 9.0, 40.0, 5000.0])
def test_the_labels_of_the_axis_do_not_touch_and_one_of_them_is_no_change(make_runs: MakeRuns, factor: float) -> None:
    runs = make_runs({"write.iops": ([1000.0] * 6, [1000.0 * factor] * 6), "read.iops": ([1000.0] * 6, [990.0] * 6)})
    root = ElementTree.fromstring(render_svg(compare(runs, baseline="before", threshold_percent=0.5)))
    labels = [e for e in root.iter("{http://www.w3.org/2000/svg}text") if e.get("text-anchor") == "middle"]
    places = [float(e.get("x", "")) for e in labels]
    assert len(places) >= 2
    assert all(
        right - left >= 7 * len(e.text or "") for left, right, e in zip(places, places[1:], labels, strict=False)
    )
    assert {"0", "×1"} & {e.text for e in labels}


def test_the_svg_draws_a_limited_number_of_rows(make_runs: MakeRuns) -> None:
    runs = make_runs({name: ([1.0], [1.0]) for name in known_names()[:90]})
    svg = render_svg(compare(runs, baseline="before"))
    assert svg.count("no interval") == 0
    assert svg.count(">inconclusive</text>") == ROWS_MAX
    assert "30 more metrics are in the full comparison" in svg


def test_the_svg_of_a_collapse_and_of_an_explosion_stays_on_the_paper(make_runs: MakeRuns) -> None:
    runs = make_runs({"write.iops": ([1000.0] * 6, [0.0] * 6), "read.iops": ([1.0] * 6, [1e9] * 6)})
    root = ElementTree.fromstring(render_svg(compare(runs, baseline="before")))
    places = [float(e.get(key, "0")) for e in root.iter() for key in ("x", "x1", "x2", "cx")]
    assert all(0.0 <= place <= 860.0 for place in places)


def test_an_empty_comparison_can_be_shown() -> None:
    empty = compare([], baseline="before")
    assert "none, as nothing was compared" in render_text(empty)
    assert len(render_csv(empty).splitlines()) == 1
    ElementTree.fromstring(render_svg(empty))
