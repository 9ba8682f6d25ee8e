"""fs_mark's tables: one run or several, rows left out, averages."""

from __future__ import annotations

import pytest

HEAD = "FSUse%        Count         Size    Files/sec     App Overhead\n"


def row(count, rate, overhead=50_000):
    return f"     5 {count:12d}         1024 {rate:12.1f} {overhead:16d}\n"


def test_one_row_is_one_run(reading):
    result = reading(HEAD + row(1000, 250.0)).one("files_per_second")
    assert (result.value, result.n, result.unit, result.better) == (250.0, 1, "files/s", "higher")


def test_a_growing_count_is_one_run_of_files_over_time(reading):
    # 1000 files at 100/s and 1000 at 300/s take 10 s and 3.33 s
    result = reading(HEAD + row(1000, 100.0) + row(2000, 300.0)).one("files_per_second")
    assert result.value == pytest.approx(2000 / (10 + 10 / 3))
    assert (result.n, result.samples) == (1, (100.0, 300.0))


def test_a_count_that_starts_again_is_another_run(reading):
    result = reading(HEAD + row(1000, 100.0) + row(1000, 300.0)).one("files_per_second")
    assert (result.value, result.n, result.samples) == (200.0, 2, (100.0, 300.0))


def test_tables_under_one_label_are_its_runs(reading):
    read = reading(f"Before:\n{HEAD}{row(1000, 100.0)}{HEAD}{row(1000, 300.0)}\nAfter:\n{HEAD}{row(1000, 400.0)}")
    assert read.one("files_per_second", variant="Before").samples == (100.0, 300.0)
    assert read.ratio("files_per_second") == pytest.approx(2.0)


def test_a_stated_average_wins_where_rows_are_left_out(reading):
    text = HEAD + row(1000, 100.0) + "     ...\n" + row(9000, 300.0) + "Average Files/sec:   170.5\n"
    assert reading(text).value("files_per_second") == 170.5


def test_rows_left_out_without_an_average_are_told(reading):
    read = reading(HEAD + row(1000, 100.0) + "...\n" + row(9000, 300.0))
    assert read.warned("left out") == [2]


def test_an_average_of_the_rates_is_told(reading):
    read = reading(HEAD + row(1000, 100.0) + row(2000, 300.0) + "Average Files/sec: 200.0\n")
    assert read.value("files_per_second") == pytest.approx(150.0)
    assert read.warned("not files over time") == [4]


def test_the_overhead_is_no_result(reading):
    assert reading(HEAD + row(1000, 100.0, overhead=77_777)).metrics == {"files_per_second"}
