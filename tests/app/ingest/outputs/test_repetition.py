"""What a text says twice is read once."""

from __future__ import annotations

RUN = (
    "j: (groupid=0, jobs=1): err= 0: pid=1\n  read: IOPS=123, BW=492KiB/s (504kB/s)(4920KiB/10000msec)\n"
    "    clat (usec): min=11, max=9876, avg=123.45, stdev=6.78\n"
)


def quoted(text):
    return "".join(f"> {line}\n" for line in text.split("\n"))


def test_a_quotation_of_the_results_is_no_second_run(reading):
    assert reading(f"{RUN}\nBob wrote:\n{quoted(RUN)}").report.results == reading(RUN).report.results


def test_an_answer_above_the_quotation_is_read_once_too(reading):
    assert len(reading(f"{quoted(RUN)}\nand again\n{RUN}").report.results) == len(reading(RUN).report.results)


def test_a_quotation_of_a_part_is_no_second_run(reading):
    part = "\n".join(RUN.split("\n")[:2])
    assert len(reading(f"{RUN}\nBob wrote:\n{quoted(part)}").report.results) == len(reading(RUN).report.results)


def test_another_run_with_other_figures_is_one(reading):
    other = RUN.replace("123", "124")
    assert len(reading(f"before:\n{RUN}\nafter:\n{other}").report.results) == 2 * len(reading(RUN).report.results)


def test_one_equal_figure_on_two_sides_is_no_repetition(reading):
    read = reading("before:\n\nThroughput 100 MB/sec  8 procs\n\nafter:\n\nThroughput 100 MB/sec  8 procs\n")
    assert read.ratio("throughput") == 1.0


LINE = "  read: IOPS=50.0k, BW=195MiB/s (204MB/s)(1950MiB/10001msec)\n"
INDEX = "System Benchmarks Index Score                                        812.4\n"
UNIXBENCH = (
    "Pipe Throughput                            12440.0    1000000.0    803.9\n"
    "System Call Overhead                       15000.0    1200000.0    800.0\n"
    "Execl Throughput                              43.0       3500.0    814.0\n"
)


def test_equal_figures_of_both_sides_are_no_change(reading):
    assert reading(f"before:\n{LINE}after:\n{LINE}").ratio("read.iops") == 1.0


def test_a_side_that_is_back_at_the_first_ones_figures_is_kept(reading):
    other = LINE.replace("50.0k", "60.0k")
    read = reading(f"v1:\n{LINE}\nv2:\n{other}\nv3:\n{LINE}")
    assert [r.variant for r in read.report.results if r.metric == "read.iops"] == ["v1", "v2", "v3"]


def test_runs_of_a_loop_with_equal_figures_are_runs(reading):
    runs = [RUN.replace("pid=1\n", f"pid={pid}\n") for pid in (11, 12, 13, 14)]
    assert len(reading("".join(runs)).report.results) == 4 * len(reading(RUN).report.results)


def test_tables_of_unixbench_that_are_equal_on_both_sides_are_both_kept(reading):
    read = reading(f"before:\n{UNIXBENCH}{INDEX}\nafter:\n{UNIXBENCH}{INDEX}")
    assert read.ratio("System Benchmarks Index Score") == 1.0


def test_the_same_run_copied_below_is_read_once_and_told(reading):
    read = reading(
        f"{RUN}\nThis is what I sent last week already, once more and unchanged for all who came late.\n\n{RUN}"
    )
    assert len(read.report.results) == len(reading(RUN).report.results)
    assert read.warned("word for word") == [8]


def test_a_quoted_before_and_an_equal_after_in_the_answer_are_two_sides(reading):
    text = quoted(f"before:\n{RUN}") + f"\nafter:\n{RUN}"
    assert reading(text).ratio("read.iops") == 1.0
