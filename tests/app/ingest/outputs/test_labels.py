"""What sides are called, and which side it is."""

from __future__ import annotations

import pytest

from app.ingest.outputs.labels import Side, bare_label, context_of, label_in, side_of, without_context

RUN = "  read: IOPS={0}, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n"


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("== w/ patches ==", "w/ patches"),
        ("Before this patch set:", "Before this patch set"),
        ("- Baseline (6.9-rc7)", "Baseline (6.9-rc7)"),
        ("1) null_blk before:", "null_blk before"),
        ("**** 4 jobs, 8M file ****", "4 jobs, 8M file"),
        ("[patched]", "patched"),
        ("**After**", "After"),
        ("xfs + log change", "xfs + log change"),
        ("6.9-rc7+:", "6.9-rc7+"),
        ("(a) with the fix", "with the fix"),
        ("### Results after ###", "Results after"),
    ],
)
def test_labels_lose_their_decoration(written, label):
    assert bare_label(written) == label


@pytest.mark.parametrize(
    ("label", "side"),
    [
        ("before this patch", Side.BEFORE),
        ("without the series", Side.BEFORE),
        ("w/o patches", Side.BEFORE),
        ("vanilla", Side.BEFORE),
        ("base", Side.BEFORE),
        ("unpatched kernel", Side.BEFORE),
        ("after this patch", Side.AFTER),
        ("w/ patches", Side.AFTER),
        ("6.9 + my patch", Side.AFTER),
        ("patched", Side.AFTER),
        ("Revert", Side.AFTER),
        ("ext4", None),
        ("6.9-rc1", None),
        ("withdrawn", None),
        ("renewal", None),
    ],
)
def test_words_tell_the_side(label, side):
    assert side_of(label) is side


def test_the_rest_of_a_label_is_its_context():
    assert context_of("nvme before this patch") == "nvme"
    assert without_context("nvme before this patch") == "before this patch"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Before this patch:\n", "After this patch:\n"),
        ("ext4\n====\n", "xfs\n===\n"),
        ("=====\n6.8\n=====\n", "=====\n6.9\n=====\n"),
        ("== w/o patches ==\nStarting 4 threads\n", "== w/ patches ==\nStarting 4 threads\n"),
        ("- Baseline\n\n", "- Patched\n\n"),
        ("1) before:\n$ fio job.fio\n", "2) after:\n$ fio job.fio\n"),
        ("vanilla kernel\n\n\n", "patched kernel\n\n\n"),
        ("before: ", "after: "),
        ("I ran it on two machines. Before this change:\n\n", "and after this change:\n\n"),
    ],
)
def test_headings_of_many_kinds_make_two_sides(reading, before, after):
    read = reading(before + RUN.format(100) + "\n" + after + RUN.format(150))
    assert read.ratio("read.iops") == 1.5


def test_a_sentence_is_no_label(reading):
    read = reading(
        "The disk was full after the first run, so I deleted everything and ran it again.\n\n" + RUN.format(100)
    )
    assert read.one("read.iops").variant is None


@pytest.mark.parametrize("heading", ["Results:", "fio output:", "Here are the numbers:", "run complete:", "details:"])
def test_headings_that_name_no_side_are_no_labels(reading, heading):
    assert reading(f"{heading}\n\n{RUN.format(100)}").one("read.iops").variant is None


def test_a_label_in_a_flattened_line_is_its_last_clause():
    found = label_in("We measured on a machine with 8 cores ./Run fs -c 8 After this patch set: ", 1)
    assert found is not None
    assert found.text == "After this patch set"


NESTED = ("{0}:\n\n", "{0}\n======\n", "== {0} ==\n\n")


@pytest.mark.parametrize("heading", NESTED)
@pytest.mark.parametrize("inner", ["{0}:\n", "{0}\n-----\n"])
def test_before_and_after_above_other_headings_are_the_sides_and_those_the_jobs(reading, heading, inner):
    runs = {"Before": {"small": 100, "large": 300}, "After": {"small": 150, "large": 600}}
    text = "".join(
        heading.format(side) + "".join(inner.format(job) + RUN.format(value) + "\n" for job, value in jobs.items())
        for side, jobs in runs.items()
    )
    read = reading(text)
    assert read.report.baseline == "Before"
    assert (read.ratio("read.iops", job="small"), read.ratio("read.iops", job="large")) == (1.5, 2.0)


@pytest.mark.parametrize("inner", ["run {0}\n", "Run {0}:\n\n", "-- iteration #{0} --\n", "run {0}: "])
def test_headings_that_count_runs_make_repetitions(reading, inner):
    text = "".join(
        f"{side}:\n" + "".join(inner.format(run) + RUN.format(value) for run, value in enumerate(values, 1)) + "\n"
        for side, values in (("Before", (100, 110, 120)), ("After", (200, 220, 240)))
    )
    (candidate,) = reading(text).report.comparison.candidates
    iops = next(row for row in candidate.metrics if row.name == "read.iops")
    assert (candidate.variant, iops.baseline.n, iops.candidate.n) == ("After", 3, 3)


def test_runs_without_sides_are_not_compared_with_each_other(reading):
    assert reading("Run 1:\n" + RUN.format(100) + "\nRun 2:\n" + RUN.format(150)).report.comparison is None


def test_setups_are_called_by_the_heading_over_their_sides(reading):
    text = "".join(
        f"{name}:\n  before:\n{RUN.format(before)}  after:\n{RUN.format(after)}"
        for name, before, after in (("ext4", 100, 150), ("xfs", 200, 400))
    )
    read = reading(text)
    assert (read.ratio("read.iops", cell={"test": "ext4"}), read.ratio("read.iops", cell={"test": "xfs"})) == (1.5, 2.0)
