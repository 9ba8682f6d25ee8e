"""Which figure a claim is about, and that none is taken where several may be meant."""

from __future__ import annotations

import pytest

SIDE = (
    "  read: IOPS={reads}, BW={read_bw}MiB/s\n    clat (usec): min=4, max={longest}, avg={mean}, stdev=31\n"
    "    clat percentiles (usec):\n     |  99.00th=[{p99}]\n  write: IOPS={writes}, BW={write_bw}MiB/s\n"
)
BOTH = (
    "Before:\n\n"
    + SIDE.format(reads="40.0k", read_bw=156, longest=8000, mean=500, p99=2000, writes="8000", write_bw="31.3")
    + "\nAfter:\n\n"
    + SIDE.format(reads="50.0k", read_bw=195, longest=6000, mean=450, p99=1000, writes="12.0k", write_bw="46.9")
    + "\n"
)


def claim_of(reading, text):
    (claim,) = reading(f"{BOTH}{text}.\n").report.claims
    return claim


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("Read IOPS increased by 25%", "read.iops"),
        ("read.iops increased by 25%", "read.iops"),
        ("write IOPS increased by 50%", "write.iops"),
        ("Read bandwidth increased by 25%", "read.bw"),
        ("Read IOPS increased by 25% and write IOPS by 50%", "read.iops"),
        ("p99 latency falls by 50%", "read.clat_p99"),
        ("The 99th percentile falls by 50%", "read.clat_p99"),
        ("Max completion latency falls by 25%", "read.clat_max"),
        ("Average latency falls by 10%", "read.clat_mean"),
        ("Latency falls by 10%", "read.clat_mean"),
        ("Write IOPS went from 8000 to 12k", "write.iops"),
        ("IOPS went from 8000 to 12k", "write.iops"),
        ("Max latency went from 8ms to 6 ms", "read.clat_max"),
        ("Max latency went from 8000 (usec) to 6000 (usec)", "read.clat_max"),
        ("p99 latency went from 2000 to 1000", "read.clat_p99"),
        ("write iops: 8.0k -> 12.0k", "write.iops"),
    ],
)
def test_a_claim_is_held_against_the_metric_it_names(reading, text, metric):
    claim = claim_of(reading, text)
    assert (claim.metric, claim.agrees) == (metric, True)


@pytest.mark.parametrize(
    "text",
    [
        "IOPS increased by 50%",
        "Read and write IOPS increased by 25%",
        "IOPS and bandwidth increased by 25%",
        "Tail latency falls by 50%",
        "The 95th percentile latency falls by 50%",
        "Max submission latency falls by 25%",
        "Bandwidth went from 1 GB/s to 2 GB/s",
        "Read IOPS went from 1 ms to 2 ms",
        "Trim IOPS increased by 25%",
    ],
)
def test_where_several_figures_or_none_may_be_meant_nothing_is_checked(reading, text):
    claim = claim_of(reading, text)
    assert (claim.metric, claim.computed_percent, claim.agrees) == (None, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "Read IOPS increased by 50%",
        "p99 latency falls by 10%",
        "Read IOPS went from 40k to 60k",
        "Max latency went from 8 ms to 7 ms",
        "write iops: 8.0k -> 50.0k",
    ],
)
def test_a_wrong_claim_is_told_at_its_line(reading, text):
    read = reading(f"{BOTH}{text}.\n")
    assert read.report.claims[0].agrees is False
    assert read.report.claims[0].line in [warning.line for warning in read.report.warnings]


def test_milliseconds_are_no_millions(reading):
    claim = claim_of(reading, "It went from 10ms to 6ms")
    assert (claim.value, claim.unit) == (10.0, "ms")


def test_of_two_jobs_the_one_that_is_named_is_meant(reading):
    job = "{0}: (groupid=0, jobs=1): err= 0: pid={1}\n  write: IOPS={2}, BW=40MiB/s\n"
    sides = [
        f"{name}:\n\n" + "".join(job.format(each, pid, iops) for each, pid, iops in jobs) + "\n"
        for name, jobs in (
            ("Before", (("small", 1, 1000), ("large", 2, 1000))),
            ("After", (("small", 3, 1100), ("large", 4, 1300))),
        )
    ]
    named, unnamed = (
        reading("".join(sides) + text).report.claims[0]
        for text in ("Write IOPS of large improved by 30%.\n", "Write IOPS improved by 30%.\n")
    )
    assert (named.metric, named.agrees) == ("write.iops", True)
    assert unnamed.metric is None


def test_of_two_tests_with_a_claim_under_each_the_nearest_is_meant(reading):
    pair = "before: Throughput {0} MB/sec 4 procs\nafter: Throughput {1} MB/sec 4 procs\n\n"
    first, second = pair.format(100, 150), pair.format(200, 220)
    read = reading(f"{first}throughput improves by 50%.\n\n{second}throughput improves by 10%.\n")
    assert [claim.agrees for claim in read.report.claims] == [True, True]
