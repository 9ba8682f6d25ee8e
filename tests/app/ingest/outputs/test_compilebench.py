"""compilebench's summary, its own layout and those of mails."""

from __future__ import annotations

import pytest

SUMMARY = """
run complete:
==========================================================================
intial create total runs 10 avg 40.50 MB/s (user 0.52s sys 0.81s)
create total runs 5 avg 20.25 MB/s (user 0.52s sys 0.81s)
no runs for patch
compile total runs 14 avg 80.10 MB/s (user 0.13s sys 0.61s)
read compiled tree total runs 3 avg 99.99 MB/s (user 0.77s sys 2.25s)
no runs for delete tree
delete compiled tree total runs 10 avg 1.25 seconds (user 0.25s sys 0.51s)
no runs for stat tree
"""


def test_phases_have_compilebenchs_names_and_units(reading):
    read = reading(SUMMARY)
    assert {(r.metric, r.value, r.unit) for r in read.report.results} == {
        ("initial create", 40.5, "MB/s"),
        ("create", 20.25, "MB/s"),
        ("compile", 80.1, "MB/s"),
        ("read compiled tree", 99.99, "MB/s"),
        ("delete compiled tree", 1.25, "s"),
    }


def test_times_are_better_when_lower(reading):
    read = reading(SUMMARY)
    assert (read.one("create").better, read.one("delete compiled tree").better) == ("higher", "lower")


def test_a_phase_without_runs_has_no_result(reading):
    assert not reading(SUMMARY).metrics & {"patch", "delete tree", "stat tree"}


RUNS = """
old kernel
==========
initial create 10.0 MB/s 20.0 MB/s 60.0 MB/s
read compiled 5.0 MB/s 6.0 MB/s 7.0 MB/s
stat tree 3.0 seconds 1.0 seconds 2.0 seconds

new kernel
==========
initial create 30.0 MB/s 30.0 MB/s 33.0 MB/s patch 1.0 MB/s 2.0 MB/s 3.0 MB/s
read compiled tree 5.0 MB/s 6.0 MB/s 7.0 MB/s
stat tree 1.0 seconds 1.0 seconds 1.0 seconds
"""


def test_several_runs_are_samples_and_their_mean(reading):
    result = reading(RUNS).one("initial create", variant="old kernel")
    assert (result.value, result.samples, result.n) == (30.0, (10.0, 20.0, 60.0), 3)


def test_the_ratio_is_that_of_medians(reading):
    assert reading(RUNS).ratio("initial create") == pytest.approx(30 / 20)


def test_short_names_are_the_same_phase(reading):
    assert reading(RUNS).ratio("read compiled tree") == 1.0


def test_two_phases_on_one_line_are_two(reading):
    assert reading(RUNS).one("patch").samples == (1.0, 2.0, 3.0)


def test_words_in_a_sentence_are_no_phase(reading):
    assert reading("We create 5 MB/s of logs and compile 3 kernels in 20 seconds.\n").report.results == ()


def test_a_table_of_phases_in_seconds_takes_the_unit_of_its_caption(reading):
    read = reading(
        "compilebench, time of each phase in seconds:\n\n| Phase | ext4 | xfs |\n|---|---|---|\n"
        "| Initial create | 2.0 | **1.0** |\n| Read compiled | 4.0 | 3.0 |\n| Stat tree | 0.5 | 0.5 |\n"
    )
    result = read.one("initial create", variant="xfs")
    assert (result.value, result.unit, result.better) == (1.0, "s", "lower")
    assert read.report.kind == "compilebench"
    assert read.ratio("read compiled tree") == pytest.approx(0.75)


def test_what_is_printed_while_it_runs_hides_no_label(reading):
    running = "using working directory ./, 10 intial dirs 90 runs\nnative unpatched native-0 200MB in 2.00 seconds (100.00 MB/s)\n"
    running += "".join(f"create dir kernel-{n} 200MB in 1.00 seconds (200.00 MB/s)\n" for n in range(90))
    summary = "run complete:\n======\nintial create total runs 10 avg {0} MB/s (user 0.45s sys 0.40s)\n"
    summary += "create total runs 5 avg {0} MB/s (user 0.45s sys 0.40s)\n\n"
    text = f"Before:\n\n{running}{summary.format('100.00')}After:\n\n{running}{summary.format('150.00')}"
    assert reading(text).ratio("create") == 1.5
