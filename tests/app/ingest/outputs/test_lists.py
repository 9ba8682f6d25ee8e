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
