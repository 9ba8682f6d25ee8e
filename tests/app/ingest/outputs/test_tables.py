"""Before/after tables of people's own making: which cells are keys, sides and metrics, and what their figures are."""

from __future__ import annotations

import pytest

from app.ingest.outputs.table_cells import figure, percent, split_unit, unit_in_prose


def rows(read):
    return {(r.metric, r.variant, r.value, r.unit) for r in read.report.results}


def test_aligned_columns_under_sides(reading):
    read = reading(
        "op         bs   base patched\n--------------------------\nrandread   4k  1,500   1,800  +20%\nwrite    128k    900     900   0%\n"
    )
    assert rows(read) == {
        ("randread 4k", "base", 1500, ""),
        ("randread 4k", "patched", 1800, ""),
        ("write 128k", "base", 900, ""),
        ("write 128k", "patched", 900, ""),
    }
    assert read.ratio("randread 4k") == pytest.approx(1.2)


def test_rows_that_are_sides_make_columns_metrics(reading):
    read = reading(
        " Polling  iops    avg-lat(us)    bw\n ---------------------------\n On       400     1000.5         16.5MB/s\n Off      800      500.25        33MB/s\n"
    )
    assert rows(read) == {
        ("iops", "On", 400, ""),
        ("iops", "Off", 800, ""),
        ("avg-lat", "On", 1000.5, "us"),
        ("avg-lat", "Off", 500.25, "us"),
        ("bw", "On", 16.5, "MB/s"),
        ("bw", "Off", 33, "MB/s"),
    }
    assert (read.one("avg-lat", variant="On").better, read.one("iops", variant="On").better) == ("lower", "higher")
    assert read.report.baseline == "On"


GROUPED = """
|machine A |        many           |          one          |
|          |-----------------------|-----------------------|
|          | base  | patched       | base  | patched       |
|----------|-------|---------------|-------|---------------|
|scan=0    | 100   | 300 (+200%)   | 1000  | 1100 (+10%)   |
|scan=1    | 200   | 300 (+50%)    | 2000  | 2000 (+0%)    |
"""


def test_under_a_group_heading_the_inner_label_is_the_side(reading):
    read = reading(GROUPED)
    assert read.value("scan=0 many", variant="base") == 100
    assert read.ratio("scan=0 many") == 3
    assert read.ratio("scan=0 one") == pytest.approx(1.1)
    assert read.report.warnings == ()


def test_an_outer_heading_that_names_sides_is_the_side(reading):
    read = reading(
        "                 |      base       |     patched     |\n-----------------|--------|--------|--------|--------|\n"
        "mode             | linear | scan   | linear | scan   |\n-----------------|--------|--------|--------|--------|\n"
        "bw(MiB/s)        | 10     | 20     | 30     | 80     |\n"
    )
    assert rows(read) == {
        ("bw linear", "base", 10, "MiB/s"),
        ("bw scan", "base", 20, "MiB/s"),
        ("bw linear", "patched", 30, "MiB/s"),
        ("bw scan", "patched", 80, "MiB/s"),
    }


def test_two_tables_with_the_same_rows_are_told_apart(reading):
    read = reading(GROUPED + GROUPED.replace("machine A", "machine B").replace("| 300 (+200%) ", "| 400 (+300%) "))
    assert read.ratio("scan=0 many, machine A") == 3
    assert read.ratio("scan=0 many, machine B") == 4


def test_ranges_have_ends_and_no_value(reading):
    read = reading(
        "    FS:   ext4               xfs                  xfs+ (that one)\n  READ:   111MB/s-222MB/s    2.5MB/s-6.5MB/s      700MB/s-750MB/s\n"
    )
    result = read.one("READ", variant="xfs+ (that one)")
    assert (result.value, result.min, result.max, result.unit, result.n) == (None, 700, 750, "MB/s", None)


def test_ranges_are_not_compared(reading):
    assert reading("  FS:   before      after\n  READ:   1MB/s-2MB/s    3MB/s-4MB/s\n").report.comparison is None


def test_spreads_are_the_authors_standard_deviations(reading):
    read = reading("| test | base | patched |\n|---|---|---|\n| a | 100.0 ± 2.5 | 110 +/- 3 |\n| b | 50 ± 10% | 60 |\n")
    assert [
        read.one(m, variant=v).stdev for m, v in (("a", "base"), ("a", "patched"), ("b", "base"), ("b", "patched"))
    ] == [2.5, 3.0, 5.0, None]


MMTESTS = """
                                 6.9.0                  6.9.0
                               vanilla            patched-v1r2
Min       1       10.00 (   0.00%)        8.00 (  20.00%)
Amean     1       20.00 (   0.00%)       15.00 *  25.00%*
Hmean     4      100.00 (   0.00%)      110.00 *  10.00%*
"""


def test_mmtests_rows_have_two_keys_and_two_sides(reading):
    read = reading(MMTESTS)
    assert read.value("Amean 1", variant="patched-v1r2") == 15
    assert read.ratio("Hmean 4") == pytest.approx(1.1)


def test_mmtests_percentages_tell_which_direction_is_better(reading):
    read = reading(MMTESTS)
    assert {read.one(m, variant="vanilla").better for m in ("Min 1", "Amean 1")} == {"lower"}
    assert read.report.warnings == ()


def test_a_percentage_that_does_not_fit_is_shown_beside_the_computed_one(reading):
    read = reading("test   before  after  change\nread   100     150    +40%\nwrite  100     110    +10%\n")
    assert read.warned("+40 % printed") == [2]
    assert "+50.0 %" in read.report.warnings[0].message


def test_a_percentage_over_the_mean_is_recognised(reading):
    read = reading("test   before  after  change\nread   100     150    +40.0%\nwrite  100     110    +10.0%\n")
    assert read.warned("over the mean of both values") == [2]


def test_comma_separated_values(reading):
    read = reading("threads,base (MB/s),patched (MB/s)\n1,100.5,120.6\n8,300,330\n")
    assert read.ratio("8") == pytest.approx(1.1)
    assert read.one("1", variant="base").unit == "MB/s"


def test_a_unit_from_the_caption_is_told(reading):
    read = reading("Throughput in MiB/s:\n\n          base   patched\nread      100    110\nwrite     200    210\n")
    assert read.one("read", variant="base").unit == "MiB/s"
    assert read.warned("taken from the text above") == [3]


def test_missing_cells_have_no_result(reading):
    read = reading("| test | base | patched |\n|---|---|---|\n| a | 100 | - |\n| b | n/a | 60 |\n")
    assert rows(read) == {("a", "base", 100, ""), ("b", "patched", 60, "")}


def test_a_table_without_sides_is_not_read_and_says_so(reading):
    read = reading("threads   iops     bw\n1         1000     4MB/s\n2         2000     8MB/s\n")
    assert read.report.results == ()
    assert read.warned("names no sides")


def test_tables_under_labels_are_sides(reading):
    table = "threads   iops   lat(us)\n1         {0}    10\n2         {1}    20\n\n"
    read = reading(
        "Without the patch:\n\n" + table.format(1000, 2000) + "With the patch:\n\n" + table.format(1500, 3000)
    )
    assert read.ratio("1 iops") == 1.5


@pytest.mark.parametrize(
    "text",
    [
        "We ran it 3 times on 4 machines and saw 5 failures.\nThen 10 more.\n",
        " fs/ext4/inode.c | 12 ++++--\n fs/ext4/super.c |  4 +-\n 2 files changed, 11 insertions(+), 5 deletions(-)\n",
        "- Disk: one that answers in 10 us\n- Memory: 64 GB\n",
        "[1] https://example.org/2018/10/30/811\n[2] https://example.org/2019/1\n",
        "1. first 10\n2. second 20\n3. third 30\n",
    ],
)
def test_prose_lists_and_diffstats_are_no_tables(reading, text):
    assert reading(text).report.results == ()


@pytest.mark.parametrize(
    ("text", "low", "unit"),
    [
        ("271,828", 271_828, ""),
        ("314k", 314_000, ""),
        ("450k IOPS", 450_000, "IOPS"),
        ("16.5MB/s", 16.5, "MB/s"),
        ("**1.5**", 1.5, ""),
        ("1.5e3", 1500, ""),
        ("-3.5", -3.5, ""),
    ],
)
def test_cells(text, low, unit):
    found = figure(text)
    assert found is not None
    assert (found.low, found.high, found.unit) == (low, None, unit)


@pytest.mark.parametrize("text", ["", "4.2.1", "v6.1", "12:30", "2024-01-02", "1,23", "read", "10%", "0x12"])
def test_what_is_no_figure(text):
    assert figure(text) is None


def test_percentages_are_not_figures():
    assert [percent(text) for text in ("+14%", "(-3.5 %)", "0%", "14")] == [14, -3.5, 0, None]


def test_units_in_headings_and_captions():
    assert split_unit("avg-lat(us)") == ("avg-lat", "us")
    assert split_unit("bw [MiB/s]") == ("bw", "MiB/s")
    assert split_unit("xfs+ (that one)") == ("xfs+ (that one)", "")
    assert [unit_in_prose(text) for text in ("time in seconds", "IOPS of a guest", "in MB/s and in seconds")] == [
        "s",
        "IOPS",
        "",
    ]


SIZED = (
    "                   before        after       change\n"
    "append 8k          640 MiB/s     704 MiB/s   +10.0%\n"
    "append 32k         1.5 GiB/s     1.8 GiB/s   +20.0%\n"
    "p95 latency        20 ms         15 ms       -25%\n"
)
SIZED_ROWS = {
    ("append 8k", "before", 640, "MiB/s"),
    ("append 8k", "after", 704, "MiB/s"),
    ("append 32k", "before", 1.5, "GiB/s"),
    ("append 32k", "after", 1.8, "GiB/s"),
    ("p95 latency", "before", 20, "ms"),
    ("p95 latency", "after", 15, "ms"),
}


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (1,), (3,), (1, 3)])
def test_a_size_that_ends_a_row_s_name_is_no_value(reading, order):
    lines = SIZED.splitlines(keepends=True)
    read = reading(lines[0] + "".join(lines[at] for at in order))
    names = {lines[at][:15].strip() for at in order}
    assert rows(read) == {row for row in SIZED_ROWS if row[0] in names}
    assert read.report.warnings == ()


def test_a_row_with_a_size_in_its_name_follows_one_without(reading):
    read = reading(
        "                 before        after\nseq append       300 MB/s      330 MB/s\n\nrand 16k         50 MB/s       60 MB/s\n"
    )
    assert read.ratio("seq append") == pytest.approx(1.1)
    assert read.ratio("rand 16k") == pytest.approx(1.2)


def test_a_row_without_a_figure_on_one_side_keeps_the_other_in_its_column(reading):
    read = reading(
        "             base      patched   patched-v2\nread         100       200       300\nwrite                  210       310\nsync         120       220       320\n"
    )
    assert read.value("write", variant="patched") == 210
    assert read.value("write", variant="patched-v2") == 310
    assert not [r for r in read.report.results if r.metric == "write" and r.variant == "base"]


def test_a_line_that_fits_under_no_headings_is_told(reading):
    read = reading(
        "             base      patched\nread         100       200\nwrite 1 2 3 4 5 6 7 8 9\nsync         120       220\n"
    )
    assert read.metrics == {"read", "sync"}
    assert read.warned("not read") == [3]


@pytest.mark.parametrize("rule", ["|---|---|---|\n", ""])
def test_a_row_of_an_estimate_and_a_bound_is_no_heading(reading, rule):
    read = reading(f"| test | before | after |\n{rule}| mount | ~8 s | <6 s |\n| umount | 4 s | 3 s |\n")
    assert rows(read) == {
        ("mount", "before", 8, "s"),
        ("umount", "before", 4, "s"),
        ("umount", "after", 3, "s"),
    }
    assert read.warned("“<6 s” says a bound") == [2 + bool(rule)]


def test_an_aligned_bound_is_told_and_its_row_kept(reading):
    read = reading("            before     after\nmount       >8 s       6 s\numount      4 s        ~3 s\n")
    assert rows(read) == {("mount", "after", 6, "s"), ("umount", "before", 4, "s"), ("umount", "after", 3, "s")}
    assert read.warned("“>8 s” says a bound") == [2]


def test_a_cell_with_digits_that_is_no_figure_is_told(reading):
    read = reading("| test | base | patched |\n|---|---|---|\n| scan | 10 | 12 |\n| walk | 10 | 1.2.3 |\n")
    assert read.warned("“1.2.3” is not understood") == [4]


def test_a_line_of_another_number_of_fields_is_told(reading):
    read = reading("test,base,patched\nscan,10,12\nwalk,10\nstat,5,6\n")
    assert read.metrics == {"scan", "stat"}
    assert read.warned("not read") == [3]


def test_no_word_of_a_sentence_over_figures_is_a_side(reading):
    read = reading("unpatched: 5.1ms, 5.2ms, 5.0ms\npatched: 4.1ms, 4.2ms, 4.0ms\n")
    assert {r.variant for r in read.report.results} == {"unpatched", "patched"}


def test_a_growth_of_a_spread_that_is_printed_as_a_loss_is_no_mistake(reading):
    read = reading(
        "                          vanilla                patch-v3\n"
        "Hmean     MB/sec-2     200.00 (   0.00%)     210.00 (   5.00%)\n"
        "Stddev    MB/sec-2      10.00 (   0.00%)      12.00 ( -20.00%)\n"
    )
    assert read.report.warnings == ()
    assert read.one("Stddev MB/sec-2", variant="patch-v3").better == "lower"
    assert read.one("Hmean MB/sec-2", variant="patch-v3").better == "higher"


@pytest.mark.parametrize(
    "text",
    [
        "| test | before | after |\n|---|---|---|\n| append | 2.345,5 MB/s | 2.500,7 MB/s |\n| scan | 60,5 MB/s | 59,1 MB/s |\n",
        "test         before         after\nappend   2.345,5 MB/s  2.500,7 MB/s\nscan        60,5 MB/s     59,1 MB/s\n",
    ],
)
def test_a_table_of_decimal_commas_is_read(reading, text):
    assert rows(reading(text)) == {
        ("append", "before", 2345.5, "MB/s"),
        ("append", "after", 2500.7, "MB/s"),
        ("scan", "before", 60.5, "MB/s"),
        ("scan", "after", 59.1, "MB/s"),
    }


def test_points_are_thousands_where_commas_are_decimal(reading):
    read = reading("| test | 6.1 | 6.2 |\n|---|---|---|\n| scan | 60,5 | 59,1 |\n| walk | 2.000 | 3.000 |\n")
    assert rows(read) == {
        ("scan", "6.1", 60.5, ""),
        ("scan", "6.2", 59.1, ""),
        ("walk", "6.1", 2000, ""),
        ("walk", "6.2", 3000, ""),
    }


def test_thousands_stay_thousands(reading):
    read = reading("| test | base | patched |\n|---|---|---|\n| scan | 1,250 | 2,500 |\n| walk | 10,000 | 12,000 |\n")
    assert read.value("scan", variant="base") == 1250


def test_decimal_commas_beside_points_are_told(reading):
    read = reading("| test | base | patched |\n|---|---|---|\n| scan | 1,25 | 2,5 |\n| walk | 10.5 | 12.5 |\n")
    assert read.warned("decimal commas and decimal points") == [1]
    assert 10.5 in {r.value for r in read.report.results}


def test_fields_between_commas_are_no_decimals(reading):
    read = reading("threads,base,patched\n1,10,12\n2,20,25\n")
    assert read.value("2", variant="patched") == 25
