"""Figures one to a line."""

from __future__ import annotations

import pytest


def test_names_that_are_sides_make_a_comparison(reading):
    read = reading("untar time:\n  without patch: 12.5s\n  with patch:    10s\n")
    assert read.ratio("untar time") == 0.8
    assert read.one("untar time", variant="with patch").better == "lower"


def test_lines_under_labels_are_sides(reading):
    read = reading("Before:\n  read: 100 MB/s\n  write: 80 MB/s\nAfter:\n  read: 150 MB/s\n  write: 80 MB/s\n")
    assert read.ratio("read") == 1.5
    assert read.ratio("write") == 1.0


def test_two_units_of_one_metric_become_one(reading):
    read = reading("fio 3.0   --> bw = 200 000 KiB/s   (bad)\nfio 3.14  --> bw = 400 MiB/s      (good)\n")
    assert read.ratio("bw") == pytest.approx(400 * 1024 / 200_000)


def test_different_versions_of_the_tool_are_told(reading):
    read = reading("fio 3.0   --> bw = 200 KiB/s\nfio 3.14  --> bw = 400 KiB/s\n")
    assert read.warned("different versions of fio") == [2]


@pytest.mark.parametrize(
    "text", ["Date: 12\nTo: 13\n", "line 12: 13\n", "host: 10.0.0.1\n", "Fixes: 5 of 6\n", "a: 1\nb: 2\n"]
)
def test_other_numbers_after_colons_are_no_figures(reading, text):
    assert reading(text).report.results == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("7.5ms, 7.7ms, 7.6ms", "6.5ms, 6.7ms, 6.6ms"),
        ("7.5 7.7 7.6 ms", "6.5 6.7 6.6 ms"),
        ("7.5ms / 7700us / 7.6ms", "6.5ms / 6.7ms / 6.6ms"),
    ],
)
def test_several_figures_after_a_name_are_its_samples(reading, before, after):
    read = reading(f"Lookup:\nstock: {before}\ntuned: {after}\n")
    assert {r.variant for r in read.report.results} == {"stock", "tuned"}
    assert read.ratio("Lookup") == pytest.approx(6.6 / 7.6)
    assert [r.n for r in read.report.results] == [3, 3]
    assert read.one("Lookup", variant="tuned").samples == pytest.approx((6.5, 6.7, 6.6))


def test_a_line_above_that_ends_in_a_colon_names_the_metric_of_bare_figures(reading):
    read = reading("Requests per second:\nunpatched: 2000 2020 1980\npatched:   2100 2110 2090\n")
    assert read.metrics == {"Requests per second"}
    assert read.one("Requests per second", variant="unpatched").samples == (2000, 2020, 1980)
    assert read.ratio("Requests per second") == pytest.approx(1.05)


def test_bare_figures_under_a_line_that_names_no_metric_are_not_read(reading):
    assert reading("Reviewers:\nold: 3 4 5\nnew: 4 5 6\n").report.results == ()


def test_figures_of_different_kinds_are_no_samples(reading):
    assert reading("old: 5 ms, 100 MB/s\nnew: 4 ms, 120 MB/s\n").report.results == ()


def test_digits_in_groups_are_told_to_be_one_number(reading):
    read = reading("stock: 12 000 KB/s\ntuned: 15 000 KB/s\n")
    assert read.ratio("KB/s") == 1.25
    assert read.warned("is read as one number") == [1, 2]
