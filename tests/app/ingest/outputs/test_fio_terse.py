"""fio's terse output, each version against the JSON of the same run."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("name", "direction"), [("mixed", "read"), ("mixed", "write"), ("syncing", "write")])
def test_every_figure_is_that_of_the_json_of_the_same_run(fio_terse, reading, name, direction):
    read = reading(fio_terse.terse)
    part = fio_terse.jobs[name][direction]
    assert read.value(f"{direction}.bw", job=name) == pytest.approx(part["bw_bytes"], abs=1024)
    assert read.value(f"{direction}.io", job=name) == part["io_bytes"]
    assert read.value(f"{direction}.iops", job=name) == pytest.approx(part["iops"], abs=1)
    assert read.value(f"{direction}.runtime", job=name) == part["runtime"] * 1e6
    # microseconds with six decimals
    assert read.value(f"{direction}.clat_mean", job=name) == pytest.approx(part["clat_ns"]["mean"], abs=0.01)
    assert read.value(f"{direction}.lat_stdev", job=name) == pytest.approx(part["lat_ns"]["stddev"], abs=0.01)


def test_trims_come_with_version_4(fio_terse, reading):
    read = reading(fio_terse.terse)
    has_trims = fio_terse.terse[0] in "45"
    assert ("trim.iops" in read.metrics) == has_trims


def test_a_percentile_printed_as_zero_is_below_a_microsecond_and_left_out(fio_terse, reading):
    read = reading(fio_terse.terse)
    assert all(r.value for r in read.report.results if "clat_p" in r.metric)
    assert read.warned("below 1 µs")


def test_a_line_that_a_mailer_broke_is_put_together(fio_terse, reading):
    plain = [r._replace(line=0) for r in reading(fio_terse.terse).report.results]
    first, *rest = fio_terse.terse.split("\n")
    at = first.index(";", 300) + 1
    broken = "\n".join([first[:at], first[at:], *rest])
    assert [r._replace(line=0) for r in reading(broken).report.results] == plain
