"""The kernel test robot's tables."""

from __future__ import annotations

import pytest

TABLE = """
commit:
  v6.9
  0123456789 ("fs: do less")

            v6.9 0123456789abcdef0123456789a
---------------- ---------------------------
         %stddev     %change         %stddev
             \\          |                \\
   2000000            +5.0%    2100000        fsmark.files_per_sec
      4.00 ± 25%     -50.0%       2.00 ± 10%  perf-sched.sch_delay.max.ms.io_schedule
 1.000e+10           +20.0%  1.200e+10        fsmark.workload
     30.00            -3.0       27.00        perf-profile.calltrace.cycles-pp.ext4_sync_file
"""


def test_values_of_both_sides_are_read_and_percentages_are_not(reading):
    read = reading(TABLE)
    assert {r.value for r in read.report.results} == {2e6, 2.1e6, 4.0, 2.0, 1e10, 1.2e10, 30.0, 27.0}
    assert read.report.baseline == "v6.9"


def test_ratios_are_of_the_values_whatever_the_change_column_counts(reading):
    read = reading(TABLE)
    assert read.ratio("fsmark.files_per_sec") == pytest.approx(1.05)
    assert read.ratio("perf-profile.calltrace.cycles-pp.ext4_sync_file") == pytest.approx(0.9)


def test_spreads_are_percentages_of_the_value(reading):
    read = reading(TABLE)
    assert [r.stdev for r in read.report.results if "sch_delay" in r.metric] == [1.0, pytest.approx(0.2)]


def test_the_sign_may_have_been_lost_in_transit(reading):
    assert reading(TABLE.replace("±", "\ufffd")).report.results == reading(TABLE).report.results


def test_a_change_that_does_not_fit_is_told(reading):
    assert reading(TABLE.replace("+20.0%", "+30.0%")).warned("+30 % printed") == [12]


@pytest.mark.parametrize("share", ["fio.latency_500us%", "fio.latency_>=2000ms%", "fio.latency_4ms%"])
def test_a_share_of_ios_in_a_bin_of_latencies_is_neither_better_nor_worse(reading, share):
    read = reading(TABLE.replace("fsmark.workload", share))
    assert {r.better for r in read.report.results if r.metric == share} == {None}
    assert {r.better for r in read.report.results if "sch_delay" in r.metric} == {"lower"}
