"""Which sides stand against which."""

from __future__ import annotations

import pytest


def run(iops, job=""):
    head = f"{job}: (groupid=0, jobs=1): err= 0: pid=1\n" if job else ""
    return f"{head}  read: IOPS={iops}, BW={iops * 4}KiB/s ({iops * 4.096:.0f}kB/s)({iops * 40}KiB/10000msec)\n\n"


def sides(*labelled):
    return "".join(f"{label}:\n\n{run(iops)}" for label, iops in labelled)


def test_the_side_that_says_before_is_the_baseline_wherever_it_stands(reading):
    read = reading(sides(("After this patch", 200), ("Before this patch", 100)))
    assert read.report.baseline == "Before this patch"
    assert read.ratio("read.iops") == 2


def test_without_such_a_word_the_first_is(reading):
    assert reading(sides(("ext4", 100), ("xfs", 150))).report.baseline == "ext4"


def test_one_before_serves_all_afters(reading):
    read = reading(sides(("Before the cleanup", 100), ("After the cleanup", 50), ("After this fix", 110)))
    assert {c.variant: round(c.metrics[0].ratio, 9) for c in read.report.comparison.candidates} == {
        "After the cleanup": 0.5,
        "After this fix": 1.1,
    }


def test_setups_are_compared_each_with_itself(reading):
    read = reading(
        sides(
            ("null_blk before this patch", 100),
            ("null_blk after this patch", 101),
            ("nvme before this patch", 400),
            ("nvme after this patch", 404),
        )
    )
    assert read.ratio("read.iops", cell={"setup": "null_blk"}) == pytest.approx(1.01)
    assert read.ratio("read.iops", cell={"setup": "nvme"}) == pytest.approx(1.01)


def test_labels_that_return_begin_another_test(reading):
    text = "".join(
        f"**** {n} jobs ****\n\n" + sides(("Before patch", 100 * n), ("After patch", 110 * n)) for n in (1, 8)
    )
    read = reading(text)
    assert read.ratio("read.iops", cell={"test": "1 jobs"}) == pytest.approx(1.1)
    assert read.ratio("read.iops", cell={"test": "8 jobs"}) == pytest.approx(1.1)


def test_jobs_are_compared_each_with_itself(reading):
    text = "before:\n" + run(100, "a") + run(500, "b") + "after:\n" + run(200, "a") + run(600, "b")
    read = reading(text)
    assert read.ratio("read.iops", job="a") == 2
    assert read.ratio("read.iops", job="b") == pytest.approx(1.2)


def test_the_same_label_twice_in_a_row_is_a_repetition(reading):
    read = reading(sides(("before", 100), ("before", 300), ("after", 400)))
    row = read.report.comparison.candidates[0].metrics[0]
    assert (row.baseline.n, row.baseline.median) == (2, 200)


def test_a_metric_of_one_side_alone_is_listed_and_not_compared(reading):
    read = reading(
        "before:\n" + run(100) + "after:\n" + run(200) + "    clat (usec): min=1, max=9, avg=5.00, stdev=1.00\n"
    )
    assert "read.clat_mean" in read.metrics
    assert {row.name for c in read.report.comparison.candidates for row in c.metrics} == {
        "read.iops",
        "read.bw",
        "read.io",
        "read.runtime",
    }


def test_an_unlabelled_pair_is_not_paired(reading):
    assert reading(run(100, "j") + "\nand once more\n\n" + run(150, "j")).report.comparison is None


def test_names_of_one_state_in_a_table_and_over_runs_are_one(reading):
    text = (
        sides(("Before this patch", 100), ("After this patch", 200))
        + "op    base  patched\nuntar  10s   8s\nrm     5s    4s\n"
    )
    read = reading(text)
    assert len({c.variant for c in read.report.comparison.candidates}) == 1
    assert read.ratio("untar") == 0.8


def test_sides_of_another_comparison_are_told(reading):
    text = (
        sides(("Before this patch", 100), ("After this patch", 200))
        + "op     ext4   xfs\nuntar  10s   8s\nrm     5s    4s\n"
    )
    assert reading(text).warned("are listed, but not compared")


def test_jobs_of_one_name_in_one_run_count_as_their_median_and_are_told(reading):
    read = reading("before:\n" + run(100, "a") + run(300, "a") + "after:\n" + run(400, "a"))
    row = read.report.comparison.candidates[0].metrics[0]
    assert (row.baseline.n, row.baseline.median) == (1, 200)
    assert read.warned("the median of them is compared")


def test_sides_of_different_versions_of_fio_are_told(reading):
    read = reading("before:\nfio-3.1\n" + run(100, "a") + "after:\nfio-3.33\n" + run(200, "a"))
    assert read.warned("fio-3.1, fio-3.33")
    assert not reading("before:\nfio-3.1\n" + run(100, "a") + "after:\nfio-3.1\n" + run(200, "a")).report.warnings
