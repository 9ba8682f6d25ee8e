"""UnixBench reports: raw lines, index tables, copies, damage, and the arithmetic of the index."""

from __future__ import annotations

import math

import pytest

# results chosen so that every index is ten times its ratio to the baseline, and the score their geometric mean
COPY, SMALL, LARGE = 396_000.0, 331_000.0, 2_320_000.0
SCORE = round((1000.0 * 2000.0 * 4000.0) ** (1 / 3), 1)
TABLE = f"""
System Benchmarks Partial Index              BASELINE       RESULT    INDEX
File Copy 1024 bufsize 2000 maxblocks          3960.0     {COPY}   1000.0
File Copy 256 bufsize 500 maxblocks            1655.0     {SMALL}   2000.0
File Copy 4096 bufsize 8000 maxblocks          5800.0    {LARGE}   4000.0
                                                                   ========
System Benchmarks Index Score (Partial Only)                         {SCORE}
"""
PARTIAL = "System Benchmarks Index Score (Partial Only)"
NAME = "File Copy 1024 bufsize 2000 maxblocks"


def test_results_indexes_and_the_score_are_read_and_the_baselines_are_not(reading):
    read = reading(TABLE)
    assert sorted(r.value for r in read.report.results) == sorted([COPY, SMALL, LARGE, 1000, 2000, 4000, SCORE])
    assert read.value(NAME) == COPY
    assert read.one(NAME).unit == "KBps"
    assert read.value(f"{NAME} index") == 1000
    assert read.value(PARTIAL) == SCORE


def test_a_table_that_adds_up_gives_no_warning(reading):
    assert reading(TABLE).report.warnings == ()


def test_an_index_that_is_not_result_over_baseline_is_told(reading):
    read = reading(TABLE.replace("1000.0\n", "1010.0\n"))
    assert read.warned("the index 1010 should be 1000.0") == [3]


def test_a_score_that_is_not_the_geometric_mean_is_told(reading):
    arithmetic = round((1000 + 2000 + 4000) / 3, 1)
    head, _, _ = TABLE.rpartition(str(SCORE))
    read = reading(f"{head}{arithmetic}\n")
    assert read.warned(f"the 3 indexes shown give {SCORE}")


def test_another_baseline_is_told(reading):
    assert reading(TABLE.replace("3960.0 ", "3961.0 ")).warned("is not UnixBench's") == [3]


@pytest.mark.parametrize("depth", [1, 2])
def test_quotation_changes_nothing(reading, depth):
    quoted = "\n".join("> " * depth + line for line in TABLE.split("\n"))
    assert reading(quoted).report.results == reading(TABLE).report.results


def test_a_table_flattened_to_one_line_keeps_its_values(reading):
    flat = " ".join(TABLE.split())
    assert {(r.metric, r.value) for r in reading(flat).report.results} == {
        (r.metric, r.value) for r in reading(TABLE).report.results
    }


def test_rows_broken_in_two_are_put_together(reading):
    broken = TABLE.replace("maxblocks ", "maxblocks\n  ")
    assert {(r.metric, r.value) for r in reading(broken).report.results} == {
        (r.metric, r.value) for r in reading(TABLE).report.results
    }


def test_flat_sides_are_named_by_the_words_before_them(reading):
    def part(scale):
        return " ".join(f"File {what} 1024 bufsize 2000 maxblocks {1000 * scale}" for what in ("Copy", "Read", "Write"))

    read = reading(
        f"We see this. Test cmd: ./Run fs -c 8 Before this patch set: {part(2)} After this patch set: {part(3)} Good."
    )
    assert read.report.baseline == "Before this patch set"
    assert read.ratio(NAME) == pytest.approx(1.5)
    assert {r.copies for r in read.report.results} == {8}


def test_a_raw_line_and_its_row_of_the_index_are_one_result(reading):
    read = reading(f"{NAME}      {COPY} KBps  (30.0 s, 2 samples)\n{TABLE}")
    assert read.one(NAME).n == 1


def test_progress_is_no_result(reading):
    assert reading(f"1 x {NAME}  1 2 3\n\n4 x Process Creation  1 2 3 4\n").report.results == ()


def test_runs_with_more_copies_are_told_apart(reading):
    def run(copies, word, value):
        return (
            f"Benchmark Run: Tue Jan 02 2024 10:00:00 - 10:10:00\n8 CPUs in system; running {copies} parallel {word} of tests\n\n"
            f"Process Creation                          {value} lps   (30.0 s, 2 samples)\n\n"
        )

    read = reading(run(1, "copy", 4000.5) + run(8, "copies", 16000.5))
    assert read.value("Process Creation", copies=1) == 4000.5
    assert read.value("Process Creation", copies=8) == 16000.5
    assert read.report.comparison is None


def test_processors_are_not_copies(reading):
    read = reading(
        "96 CPUs in system; running 4 parallel copies of tests\nSystem Call Overhead  5000.0 lps  (10.0 s, 7 samples)\n"
    )
    assert {r.copies for r in read.report.results} == {4}


def test_the_final_score_of_version_4_has_its_own_name(reading):
    index = [100.0, 400.0]
    text = (
        "BYTE UNIX Benchmarks (Version 4.1.0)\nExecl Throughput      430.0 lps   (29.8 secs, 3 samples)\n\n"
        "                     INDEX VALUES\nTEST                  BASELINE     RESULT      INDEX\n\n"
        "Execl Throughput          43.0      430.0      100.0\nProcess Creation         126.0     5040.0      400.0\n"
        f"                                  =========\n     FINAL SCORE               {math.sqrt(index[0] * index[1]):.1f}\n"
    )
    read = reading(text)
    assert read.value("FINAL SCORE") == 200.0
    assert read.value("Execl Throughput") == 430.0
    assert read.report.warnings == ()


def test_a_test_without_a_baseline_has_no_index(reading):
    read = reading("File Write 1024 bufsize 2000 maxblocks   3000000.0 KBps  (30.0 s, 7 samples)\n")
    assert read.metrics == {"File Write 1024 bufsize 2000 maxblocks"}


def test_a_quotation_of_the_table_is_not_a_second_run(reading):
    quoted = "\n".join(f"> {line}" for line in TABLE.split("\n"))
    assert len(reading(f"{TABLE}\nBob wrote:\n{quoted}\n").report.results) == 7


def test_an_index_far_from_its_row_is_told_and_the_row_kept(reading):
    read = reading(TABLE.replace("4000.0\n", "5999.9\n"))
    assert read.value("File Copy 4096 bufsize 8000 maxblocks") == LARGE
    assert read.warned("the index 5999.9 should be 4000.0") == [5]
    assert {r.variant for r in read.report.results} == {None}


def test_a_row_that_cannot_be_understood_is_told_and_splits_nothing(reading):
    row = f"File Copy 256 bufsize 500 maxblocks            1655.0     {SMALL}   2000.0"
    read = reading(TABLE.replace(row, row + "   7.0"))
    assert read.value(PARTIAL) == SCORE
    assert read.warned("its figures are not understood") == [4]
    assert {r.variant for r in read.report.results} == {None}


@pytest.mark.parametrize("score", ["System Benchmarks Index Score", PARTIAL])
def test_two_scores_on_a_line_are_of_two_sides(reading, score):
    read = reading(
        f"{'':46}5.4      5.4+patch\n"
        f"{NAME:46}400000.0     600000.0\n"
        f"{'File Copy 256 bufsize 500 maxblocks':46}100000.0     150000.0\n"
        f"{score:46}1200.5     1800.75\n"
    )
    assert read.value(score, variant="5.4") == 1200.5
    assert read.value(score, variant="5.4+patch") == 1800.75
    assert len(read.report.results) == 6
    assert {r.copies for r in read.report.results} == {None}
