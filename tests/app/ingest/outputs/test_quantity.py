"""Numbers and units."""

from __future__ import annotations

import pytest

from app.ingest.outputs.fio_rates import Rate, settle
from app.ingest.outputs.quantity import better_of, bytes_in, common_factor, number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("35.0k", 35_000),
        ("1357.9K", 1_357_900),
        ("1.5M", 1_500_000),
        ("1,234,567.5", 1_234_567.5),
        ("1e3", 1000),
        (" 7 ", 7),
        ("-3", -3),
    ],
)
def test_numbers(text, value):
    assert number(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "k", "1,23", "1,2345", "nan", "inf", "1e999", "1_000", "0x10", "٣k", "1.2.3"])
def test_what_is_no_number(text):
    assert number(text) is None


@pytest.mark.parametrize(
    ("unit", "thousand", "size"),
    [
        ("KiB", 1000, 1024),
        ("KB", 1024, 1024),
        ("KB", 1000, 1000),
        ("kB", 1000, 1000),
        ("MiB", 1024, 2**20),
        ("MB", 1000, 1e6),
        ("B", 1000, 1),
        ("Mbit", 1000, 125_000),
        ("Kib", 1000, 128),
        ("TiB", 1024, 2**40),
        ("k", 1024, 1024),
    ],
)
def test_sizes_of_units(unit, thousand, size):
    assert bytes_in(unit, thousand) == size


@pytest.mark.parametrize("unit", ["", "s", "ms", "IOPS", "files", "x"])
def test_what_is_no_size(unit):
    assert bytes_in(unit) is None


def test_units_of_one_kind_convert_and_others_do_not():
    assert common_factor("MiB/s", "KiB/s") == 1024
    assert common_factor("ms", "us") == 1000
    assert common_factor("MB/s", "ms") is None
    assert common_factor("MB", "MB/s") is None


@pytest.mark.parametrize(
    ("name", "unit", "better"),
    [
        ("x", "MB/s", "higher"),
        ("x", "us", "lower"),
        ("x", "IOPS", "higher"),
        ("avg latency", "", "lower"),
        ("throughput", "", "higher"),
        ("user time", "", "lower"),
        ("p99", "", "lower"),
        ("P96", "", None),
        ("extents", "", None),
        ("Stddev ops/sec-1", "", "lower"),
        ("CoeffVar MB/sec-8", "MB/s", "lower"),
        ("iops std dev", "IOPS", "lower"),
    ],
)
def test_which_direction_is_better_follows_unit_then_name(name, unit, better):
    assert better_of(name, unit) == better


def rate(value, binary=True):
    return Rate(value, binary, f"{value:g}B/s")


def test_rates_that_agree_need_no_decision():
    assert settle([rate(1000.0), rate(1004.0, False)], None, None, None) == (1000.0, "")


def test_io_over_runtime_decides_between_rates_that_do_not():
    value, why = settle([rate(2000.0), rate(1000.0, False)], io=10_000.0, runtime_ns=10e9, requests=None)
    assert (value, "io/runtime" in why) == (1000.0, True)


def test_iops_times_block_size_decides_without_a_runtime():
    value, why = settle([rate(2000.0), rate(1000.0, False)], None, None, requests=2001.0)
    assert (value, "IOPS" in why) == (2000.0, True)


def test_a_judge_whom_neither_fits_is_believed():
    assert settle([rate(2000.0), rate(1000.0, False)], io=50_000.0, runtime_ns=10e9, requests=None)[0] == 5000.0


def test_decimal_units_of_an_old_fio_show_in_iops_times_block_size():
    value, why = settle([rate(1024.0e6)], None, None, requests=1000.0e6)
    assert value == pytest.approx(1000.0e6)
    assert "decimal" in why


def test_a_short_run_is_not_judged_by_its_rounded_runtime():
    assert settle([rate(1000.0)], io=1.0, runtime_ns=2e6, requests=None) == (1000.0, "")
