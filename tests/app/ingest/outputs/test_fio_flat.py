"""Lists of figures that scripts make from fio's JSON."""

from __future__ import annotations

import pytest

LIST = """
write_bw_MBps: {bw}
write_iops: 1000.0
write_clat_mean_us: 2000.0
write_clat_stddev: 150.0
write_clat_99%_us: 4096
write_slat_mean_us: 10.0
read_iops: 0.0
read_bw_MBps: 0.0
"""


def test_labelled_units_are_converted(reading):
    read = reading(LIST.format(bw=4.096))
    assert read.value("write.clat_mean") == 2_000_000
    assert read.value("write.clat_p99") == 4_096_000
    assert read.value("write.slat_mean") == 10_000


def test_a_statistic_takes_the_unit_of_its_mean(reading):
    assert reading(LIST.format(bw=4.096)).value("write.clat_stdev") == 150_000


def test_a_direction_of_zeros_did_nothing(reading):
    assert not [m for m in reading(LIST.format(bw=4.096)).metrics if m.startswith("read.")]


@pytest.mark.parametrize(("bw", "expected"), [(4.096, 4096 * 1000), (3.90625, 4096 * 1000)])
def test_megabytes_are_those_that_make_whole_blocks(reading, bw, expected):
    # 4.096 million bytes and 3.90625 × 2^20 are both 1000 blocks of 4096 bytes
    read = reading(LIST.format(bw=bw))
    assert read.value("write.bw") == pytest.approx(expected)
    assert read.warned("MBps") == [2]


def test_submission_slower_than_completion_is_not_believed(reading):
    read = reading(LIST.format(bw=4.096).replace("slat_mean_us: 10.0", "slat_mean_us: 10000.0"))
    assert "write.slat_mean" not in read.metrics
    assert read.warned("slower than completion") == [7]
