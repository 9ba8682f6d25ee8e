"""What authors say in words, and what the figures say."""

from __future__ import annotations

import pytest

from app.ingest.outputs.percentages import disagreement

PAIR = (
    "Before this change:\n\nThroughput 100 MB/sec  8 clients  8 procs  max_latency=500.0 ms\n\n"
    "After this change:\n\nThroughput 150 MB/sec  8 clients  8 procs  max_latency=400.0 ms\n\n"
)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("It is about 20%\nfaster than before.\n", 20, "%"),
        ("This improves throughput by 12.5%.\n", 12.5, "%"),
        ("+5.0% throughput\n", 5, "%"),
        ("-20.5% max latency\n", -20.5, "%"),
        ("a 3% regression was seen\n", 3, "%"),
        ("It is 2.5x faster now.\n", 2.5, "x"),
        ("The latency went down from 91000 usec to 12000 usec.\n", 91000, "usec"),
    ],
)
def test_claims_are_kept_with_value_and_unit(reading, text, value, unit):
    claim = reading(text).report.claims[0]
    assert (claim.value, claim.unit, claim.line) == (value, unit, 1)


def test_numbers_without_a_change_are_no_claims(reading):
    assert reading("The disk is 58% full, and 3 of 4 tests ran for 10 minutes.\n").report.claims == ()


def test_a_claim_without_any_figures_cannot_be_checked(reading):
    assert reading("Hello,\n\nit is about 20% faster.\n").warned("said without figures") == [3]


def test_a_claim_that_fits_is_not_warned_of(reading):
    assert reading(PAIR + "+50% throughput, -20% max latency\n").report.warnings == ()


def test_percentages_over_the_mean_are_recognised(reading):
    # (150 - 100) / 125 and (400 - 500) / 450
    read = reading(PAIR + "+40.0% throughput, -22.2% max latency\n")
    assert [r.message.partition(":")[0] for r in read.report.warnings] == ["max_latency", "throughput"]
    assert len(read.warned("over the mean of both values")) == 2


def test_a_claim_that_is_wrong_stands_beside_the_computed_change(reading):
    assert reading(PAIR + "+70% throughput\n").warned("after/before is +50.0 %") == [9]


def test_a_list_of_results_that_differs_from_the_runs_is_told(reading):
    text = "iops\n  nvme before: 380k\n  nvme after: 384k\n\n"
    text += "nvme before:\n  read: IOPS=370k, BW=1445MiB/s (1515MB/s)(141GiB/100000msec)\n\n"
    text += "nvme after:\n  read: IOPS=384k, BW=1500MiB/s (1573MB/s)(146GiB/100000msec)\n"
    assert reading(text).warned("its run says read.iops 370000") == [2]


@pytest.mark.parametrize(
    ("before", "after", "printed", "fits"),
    [
        (100, 150, 50, True),
        (100, 150, 40, False),
        (100, 150, 33.3, False),
        (3, 4, 33.3, True),
        (100, 100.04, 0, True),
        (100, 50, -50, True),
    ],
)
def test_percentages_are_checked_to_their_own_rounding(before, after, printed, fits):
    assert (disagreement(before, after, printed, rounding=0.051) is None) == fits


@pytest.mark.parametrize(
    ("printed", "how"), [(40, "mean of both"), (33.3, "over the value after"), (150, "whole ratio")]
)
def test_other_ways_to_count_are_named(printed, how):
    said = disagreement(100, 150, printed, rounding=0.051)
    assert said is not None
    assert how in said


def test_a_claim_that_a_quotation_cut_is_listed_once(reading):
    text = "On my slow old disk the throughput is about 20% better than before.\n\nBob wrote:\n"
    text += "> disk the throughput is about 20% better than before.\n\nNice.\n"
    assert len(reading(text).report.claims) == 1
