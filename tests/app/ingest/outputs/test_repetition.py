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
