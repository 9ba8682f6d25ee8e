"""The entry: the document it gives, its kind, its comparison, and the import rules it keeps."""

from __future__ import annotations

import json

import pytest

from app.analysis.compare import compare
from app.ingest.report import read_report

FIO = "Before this patch:\n  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\nAfter this patch:\n  read: IOPS=150, BW=600KiB/s (614kB/s)(6000KiB/10000msec)\n"
DBENCH = "Throughput 512.5 MB/sec  24 clients  24 procs  max_latency=77.5 ms\n"


def test_the_document_has_the_fields_that_scripts_rely_on():
    document = read_report(FIO, compare).to_json()
    assert set(document) >= {
        "schema",
        "kind",
        "results",
        "tests",
        "totals",
        "comparison",
        "claims",
        "patches",
        "experiment",
        "warnings",
    }
    assert set(document["results"][0]) >= {
        *("variant", "job", "group", "copies", "metric", "value", "unit", "better", "n", "samples", "error"),
        *("min", "max", "line"),
    }
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_a_row_says_what_was_printed_and_where():
    row = read_report(FIO).to_json()["results"][0]
    assert (row["variant"], row["metric"], row["value"], row["unit"], row["better"], row["line"]) == (
        *("Before this patch", "read.iops", 100.0, "IOPS", "higher", 2),
    )
    assert (row["n"], row["samples"], row["error"]) == (1, [100.0], None)


def test_a_comparison_has_the_statistics_and_order_of_results_measured_elsewhere():
    comparison = read_report(FIO, compare).comparison
    assert comparison is not None
    assert (comparison.baseline, comparison.order) == ("Before this patch", "unknown")
    row = comparison.candidates[0].metrics[0]
    assert (round(row.ratio or 0, 9), row.verdict, row.ci95) == (1.5, "inconclusive", None)


def test_without_the_statistics_the_report_has_the_sides():
    report = read_report(FIO)
    assert report.comparison is None
    assert (report.baseline, {run.variant for run in report.runs}) == (
        "Before this patch",
        {"Before this patch", "After this patch"},
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (FIO, "fio"),
        (DBENCH, "dbench"),
        ("FSUse% Count Size Files/sec App Overhead\n 1 1000 0 250.0 1\n", "fs_mark"),
        ("Process Creation    4000.0 lps   (30.0 s, 2 samples)\n", "unixbench"),
        ("intial create total runs 2 avg 3.0 MB/s (user 0.52s sys 0.81s)\n", "compilebench"),
        ("generic/001 [not run] x\n", "xfstests"),
        ("| op | base | patched |\n|---|---|---|\n| a | 1 | 2 |\n", "table"),
        (DBENCH + "\n" + FIO, "mail"),
        ("Hello.\n", None),
        ("", None),
    ],
)
def test_the_kind_is_the_format_that_gave_most(text, kind):
    assert read_report(text).kind == kind


def test_totals_are_there_only_with_tests():
    assert read_report(FIO).totals == {}
    assert read_report("generic/001 [not run] x\n").totals["notrun"] == 1


def test_a_text_without_results_has_empty_lists_and_no_comparison():
    document = read_report("Nothing was measured.\n", compare).to_json()
    assert [document[name] for name in ("results", "tests", "claims", "patches", "warnings")] == [[]] * 5
    assert (document["comparison"], document["experiment"]) == (None, None)


def test_warnings_come_in_the_order_of_lines():
    text = "fio: pid=1, err=5/x, error=b\n" + FIO + "fio: pid=1, err=5/x, error=a\n"
    assert [remark.line for remark in read_report(text).warnings] == [1, 6]


def test_a_log_is_not_searched_for_tables():
    log = "".join(f"step {n}: took {n % 7} tries of 9\n" for n in range(25_000))
    report = read_report(log)
    assert report.results == ()
    assert "are not looked for" in report.warnings[0].message
