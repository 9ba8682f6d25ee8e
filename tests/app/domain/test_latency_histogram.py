from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.domain.latency_histogram import (
    BINS,
    LatencyHistogram,
    bin_bounds_ns,
    bin_of,
    bin_value_ns,
    merged,
)

LADDER = (1.0, 10.0, 33.3, 50.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99, 100.0)


@pytest.fixture(scope="module")
def fio_document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    fio = shutil.which("fio")
    if fio is None:
        pytest.skip("fio is not installed, so its percentiles cannot be asked for")
    directory: Path = tmp_path_factory.mktemp("fio")
    command = [
        *(fio, "--name=two", "--numjobs=2", "--rw=randrw", "--bs=4k", "--size=40m", f"--directory={directory}"),
        *("--ioengine=psync", "--output-format=json+", "--randrepeat=1", "--lat_percentiles=1"),
        f"--percentile_list={':'.join(str(p) for p in LADDER)}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    document: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{") :])
    return document


def test_percentiles_equal_those_that_fio_prints(fio_document: dict[str, Any]) -> None:
    compared = 0
    for job in fio_document["jobs"]:
        for direction in ("read", "write"):
            for latency in ("clat_ns", "lat_ns"):
                printed = job[direction][latency]
                histogram = LatencyHistogram.of_json_plus(printed["bins"])
                assert histogram.count == printed["N"]
                for percent, value in printed["percentile"].items():
                    assert histogram.percentile_ns(float(percent)) == value, (direction, latency, percent)
                    compared += 1
    assert compared == 2 * 2 * 2 * len(LADDER)


def test_the_values_of_bins_are_those_that_fio_prints(fio_document: dict[str, Any]) -> None:
    for job in fio_document["jobs"]:
        for value in job["read"]["clat_ns"]["bins"]:
            assert bin_value_ns(bin_of(int(value))) == int(value)


@pytest.mark.parametrize(
    ("latency_ns", "index", "value_ns"),
    [
        (0, 0, 0),
        (127, 127, 127),  # the last bin of one nanosecond
        (128, 128, 129),  # 128 and 129 share a bin
        (129, 128, 129),
        (130, 129, 131),
        (255, 191, 255),
        (256, 192, 258),  # 256 … 259
        (1_000_000, 14 * 64 + 58, 1_003_520),  # 2^19 ≤ 1e6 < 2^20: bins of 8192 ns, the 58th starts at 999,424
    ],
)
def test_bins_worked_by_hand(latency_ns: int, index: int, value_ns: int) -> None:
    assert bin_of(latency_ns) == index
    assert bin_value_ns(index) == value_ns


def test_the_bins_tile_all_latencies() -> None:
    for index in range(BINS - 1):
        assert bin_bounds_ns(index)[1] == bin_bounds_ns(index + 1)[0]


def test_every_latency_lies_in_its_bin() -> None:
    stream = random.Random(1)
    for _ in range(2000):
        latency = stream.randrange(1 << stream.randrange(1, 34))
        low, end = bin_bounds_ns(bin_of(latency))
        assert low <= latency < end


def test_what_is_too_long_is_counted_in_the_last_bin() -> None:
    assert bin_of(1 << 60) == BINS - 1


def test_a_percentile_is_the_first_bin_that_reaches_its_count() -> None:
    histogram = LatencyHistogram(((10, 50), (20, 49), (30, 1)))
    assert [histogram.percentile_ns(p) for p in (50.0, 50.1, 99.0, 99.1, 100.0)] == [10, 20, 20, 30, 30]


def test_ninety_nine_point_nine_of_a_thousand_needs_all_thousand() -> None:
    # as a double 99.9 lies a little above itself, and fio's long double keeps that
    histogram = LatencyHistogram(((10, 999), (30, 1)))
    assert histogram.percentile_ns(99.9) == 30


def test_an_empty_histogram_has_no_percentile() -> None:
    assert LatencyHistogram().percentile_ns(99.0) is None


def test_merging_is_the_histogram_of_all_latencies() -> None:
    stream = random.Random(2)
    parts = [[stream.randrange(10**7) for _ in range(300)] for _ in range(3)]
    together = LatencyHistogram.of_latencies(latency for part in parts for latency in part)
    assert merged(LatencyHistogram.of_latencies(part) for part in parts) == together


def test_a_merged_percentile_is_not_the_mean_of_percentiles() -> None:
    quick, slow = LatencyHistogram(((10, 990),)), LatencyHistogram(((100, 10),))
    assert merged([quick, slow]).percentile_ns(99.0) == 10


@pytest.mark.parametrize("bins", [((2, 1), (1, 1)), ((1, 0),), ((BINS, 1),), ((-1, 1),)])
def test_a_malformed_histogram_is_refused(bins: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="out of"):
        LatencyHistogram(bins)
