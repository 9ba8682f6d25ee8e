"""Latency histograms: fio's own bins and percentiles, exact sums, merging."""

import json
import random
import shutil
import statistics
import subprocess
from pathlib import Path

import numpy as np
import pytest

from workers.simulator.kinds import PLAT_BINS
from workers.simulator.observation.histogram import (
    DEFAULT_PERCENTILES,
    LatencyHistogram,
    bin_of,
    bin_value_ns,
    from_bins,
    merged,
)
from workers.simulator.observation.recorder import Recorder

FIO = shutil.which("fio")
needs_fio = pytest.mark.skipif(FIO is None, reason="fio is not installed: its own percentiles are the right answer")


def recorded(values: list[int]) -> LatencyHistogram:
    recorder = Recorder(2, 1000, 16, 0)
    for value in values:
        recorder.record(1, value)
    assert recorder.histogram(0).n == 0
    return recorder.histogram(1)


def fio_json(directory: Path, *options: str) -> list[dict[str, object]]:
    assert FIO is not None
    done = subprocess.run(
        [FIO, "--output-format=json+", "--name=job", f"--directory={directory}", *options],
        capture_output=True,
        text=True,
        check=True,
        cwd=directory,
    )
    job = json.loads(done.stdout[done.stdout.index("{") :])["jobs"][0]
    found = [job[way][kind] for way in ("read", "write") for kind in ("clat_ns", "slat_ns", "lat_ns")]
    return [latency for latency in found if latency.get("bins")]


@needs_fio
@pytest.mark.parametrize(
    "options",
    [
        ("--ioengine=null", "--size=40m", "--rw=randrw", "--iodepth=4"),
        ("--ioengine=psync", "--size=8m", "--rw=randrw", "--fsync=16"),
        ("--ioengine=psync", "--size=16m", "--rw=randread", "--bs=64k", "--percentile_list=50:75:99.99:99.999"),
    ],
)
def test_percentiles_are_those_that_fio_prints_for_its_own_bins(tmp_path: Path, options: tuple[str, ...]) -> None:
    compared = 0
    for latency in fio_json(tmp_path, *options):
        bins = latency["bins"]
        assert isinstance(bins, dict)
        histogram = from_bins({int(value): count for value, count in bins.items()})
        printed = latency.get("percentile", {})
        assert isinstance(printed, dict)
        ours = histogram.percentiles_ns([float(name) for name in printed])
        assert [ours[float(name)] for name in printed] == list(printed.values())
        assert {str(bin_value_ns(int(i))): int(histogram.bins[i]) for i in np.flatnonzero(histogram.bins)} == bins
        compared += len(printed)
    assert compared >= 4


def test_every_bin_holds_the_value_that_is_printed_for_it() -> None:
    assert [bin_of(bin_value_ns(index)) for index in range(PLAT_BINS)] == list(range(PLAT_BINS))


def test_the_compiled_recorder_uses_the_same_bins() -> None:
    rng = random.Random(1)
    values = [0, 1, 127, 128, 129, 1 << 40, *(rng.randrange(1 << rng.randrange(1, 40)) for _ in range(5000))]
    histogram = recorded(values)
    expected = np.bincount([bin_of(value) for value in values], minlength=PLAT_BINS)
    assert (histogram.bins == expected).all()


def test_a_bin_is_off_by_less_than_one_percent() -> None:
    for value in (200, 4_321, 99_999, 12_345_678, 987_654_321):
        assert bin_value_ns(bin_of(value)) == pytest.approx(value, rel=1 / 128)


def test_mean_and_deviation_are_those_of_the_values_themselves() -> None:
    rng = random.Random(2)
    values = [rng.randrange(1, 1 << 36) for _ in range(3000)]
    histogram = recorded(values)
    assert (histogram.n, histogram.min_ns, histogram.max_ns) == (3000, min(values), max(values))
    assert histogram.sum_ns == sum(values)
    assert histogram.sum_squares_ns2 == sum(value * value for value in values)
    assert histogram.mean_ns == pytest.approx(statistics.fmean(values), rel=1e-12)
    assert histogram.stdev_ns == pytest.approx(statistics.stdev(values), rel=1e-9)


def test_merged_histograms_are_the_histogram_of_all_values() -> None:
    rng = random.Random(3)
    first = [rng.randrange(1 << 30) for _ in range(1000)]
    second = [rng.randrange(1 << 20) for _ in range(500)]
    together = recorded(first + second)
    assert merged([recorded(first), LatencyHistogram(), recorded(second)]).to_dict() == together.to_dict()


def test_an_empty_histogram_is_all_zero() -> None:
    empty = LatencyHistogram()
    assert (empty.mean_ns, empty.stdev_ns, merged([]).n) == (0.0, 0.0, 0)
    assert set(empty.percentiles_ns().values()) == {0}


def test_percentiles_of_few_values_can_be_counted_by_hand() -> None:
    histogram = recorded([10, 20, 30, 40])
    assert histogram.percentiles_ns([25, 25.1, 50, 75, 75.1, 100]) == {
        25: 10,
        25.1: 20,
        50: 20,
        75: 30,
        75.1: 40,
        100: 40,
    }
    assert list(histogram.percentiles_ns()) == list(DEFAULT_PERCENTILES)
