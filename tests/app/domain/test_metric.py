from __future__ import annotations

import math

import pytest

from app.domain.metric import (
    Better,
    Group,
    Sample,
    UnknownMetric,
    exact_value,
    format_value,
    is_known,
    known_names,
    measured,
    metric_named,
)


@pytest.mark.parametrize(
    ("name", "unit", "better"),
    [
        ("write.iops", "IOPS", Better.HIGHER),
        ("read.bw", "B/s", Better.HIGHER),
        ("trim.io", "B", Better.HIGHER),
        ("write.runtime", "ns", Better.LOWER),
        ("read.slat_mean", "ns", Better.LOWER),
        ("sync.lat_max", "ns", Better.LOWER),
        ("write.clat_stdev", "ns", Better.LOWER),
        ("write.clat_p99.9", "ns", Better.LOWER),
        ("write.clat_p100", "ns", Better.LOWER),
        ("total.iops", "IOPS", Better.HIGHER),
        ("File Copy 1024 bufsize 2000 maxblocks", "KBps", Better.HIGHER),
        ("File Copy 1024 bufsize 2000 maxblocks index", "index", Better.HIGHER),
        ("Double-Precision Whetstone", "MWIPS", Better.HIGHER),
        ("Shell Scripts (8 concurrent)", "lpm", Better.HIGHER),
        ("Shell Scripts (32 concurrent) index", "index", Better.HIGHER),
        ("System Benchmarks Index Score (Partial Only)", "index", Better.HIGHER),
        ("FINAL SCORE", "index", Better.HIGHER),
        ("initial create", "MB/s", Better.HIGHER),
        ("stat compiled tree", "s", Better.LOWER),
        ("files_per_second", "files/s", Better.HIGHER),
        ("throughput", "MB/s", Better.HIGHER),
        ("max_latency", "ms", Better.LOWER),
        ("NTCreateX.avg_latency", "ms", Better.LOWER),
    ],
)
def test_a_metric_has_its_unit_and_direction(name: str, unit: str, better: Better) -> None:
    metric = metric_named(name)
    assert (metric.name, metric.unit, metric.better) == (name, unit, better)


@pytest.mark.parametrize("name", ["write.clat_p101", "write.clat_p", "fsync.iops", "write.iops ", "total.lat_mean", ""])
def test_what_is_no_metric_is_not_known(name: str) -> None:
    assert not is_known(name)


def test_an_unknown_name_is_answered_with_close_ones() -> None:
    with pytest.raises(UnknownMetric, match=r"'write\.iosp'; did you mean write\.iops") as caught:
        metric_named("write.iosp")
    assert "write.iops" in caught.value.close


def test_every_listed_name_can_be_looked_up() -> None:
    assert all(metric_named(name).name == name for name in known_names())


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (6219.6, "IOPS", "6220 IOPS"),
        (9999.4, "IOPS", "9999 IOPS"),
        (62_200, "IOPS", "62.20k IOPS"),
        (1_250_000, "IOPS", "1.250M IOPS"),
        (25_495_142, "B/s", "24.31 MiB/s"),
        (4 * 2**30, "B", "4.000 GiB"),
        (512, "B", "512.0 B"),
        (850, "ns", "850.0 ns"),
        (12_400, "ns", "12.40 µs"),
        (3_210_000, "ns", "3.210 ms"),
        (1.2e9, "ns", "1.200 s"),
        (0, "ns", "0 ns"),
        (1_234_567.8, "KBps", "1234568 KBps"),
        (27.61, "MB/s", "27.61 MB/s"),
        (math.nan, "IOPS", "nan IOPS"),
        (-12_400, "ns", "-12.40 µs"),
    ],
)
def test_values_are_shown_with_four_digits_in_the_fields_scale(value: float, unit: str, shown: str) -> None:
    assert format_value(value, unit) == shown


def test_microseconds_can_be_ascii() -> None:
    assert format_value(12_400, "ns", ascii_only=True) == "12.40 us"


@pytest.mark.parametrize("value", [0.1, 1 / 3, 6220.0, 1e300, 5e-324, 2.0**53, -7.0])
def test_exact_values_read_back_as_the_same_number(value: float) -> None:
    assert float(exact_value(value)) == value


def test_whole_numbers_are_exact_without_a_point() -> None:
    assert exact_value(6220.0) == "6220"


def test_groups_are_equal_whatever_the_order_of_the_cell() -> None:
    one = Group(cell={"device.scheduler": "none", "device.nr_requests": 64})
    other = Group(cell={"device.nr_requests": 64, "device.scheduler": "none"})
    assert one.key == other.key


def test_a_group_reads_as_its_settings() -> None:
    assert (
        Group(job="rand", copies=8, cell={"device.scheduler": "none"}).label
        == "job=rand copies=8 device.scheduler=none"
    )


def test_a_measured_sample_takes_unit_and_direction_from_the_table() -> None:
    sample = measured("write.clat_p99", 12_400, Group(job="rand"))
    assert sample == Sample(
        metric="write.clat_p99", unit="ns", value=12_400, better=Better.LOWER, group=Group(job="rand")
    )
