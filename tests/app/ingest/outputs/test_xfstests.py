"""xfstests: check's lines, noise between them, its lists, and the reports of its wrappers."""

from __future__ import annotations

LOG = """
SECTION       -- quota
FSTYP         -- xfs (debug)
PLATFORM      -- Linux/x86_64 box 6.9.0
MKFS_OPTIONS  -- -f /dev/vdc

generic/001 3s ...  4s
generic/002        1s
generic/003       [not run] this test requires atime
generic/004       [expunged]
generic/005       [failed, exit status 1]- output mismatch (see /results/generic/005.out.bad)
    --- tests/generic/005.out 2024-01-01
    +++ /results/generic/005.out.bad 2024-01-02
    @@ -1,2 +1,3 @@
     QA output created by 005
    +oops
    ...
generic/006       - output mismatch (see /results/generic/006.out.bad)
xfs/007        _check_dmesg: something found in dmesg (see /results/xfs/007.dmesg)
Ran: generic/001 generic/002 generic/003 generic/005 generic/006
xfs/007
Not run: generic/003
Failures: generic/005 generic/006 xfs/007
Failed 3 of 6 tests
"""


def statuses(read):
    return {outcome.name: outcome.status.value for outcome in read.report.tests}


def test_each_test_has_its_status(reading):
    assert statuses(reading(LOG)) == {
        "generic/001": "passed",
        "generic/002": "passed",
        "generic/003": "notrun",
        "generic/004": "expunged",
        "generic/005": "failed",
        "generic/006": "failed",
        "xfs/007": "failed",
    }


def test_totals_count_every_status(reading):
    assert reading(LOG).report.totals == {"passed": 2, "failed": 3, "notrun": 1, "expunged": 1, "broken": 0, "flaky": 0}


def test_the_seconds_are_those_of_this_run(reading):
    assert next(o for o in reading(LOG).report.tests if o.name == "generic/001").seconds == 4


def test_the_section_is_kept(reading):
    assert {o.section for o in reading(LOG).report.tests} == {"quota"}


def test_seconds_after_a_message_of_the_kernel_belong_to_the_test_before(reading):
    read = reading("FSTYP -- ext4\next4/010        loop0: detected capacity change\n\n12s\next4/011        3s\n")
    assert [(o.name, o.status.value, o.seconds) for o in read.report.tests] == [
        ("ext4/010", "passed", 12),
        ("ext4/011", "passed", 3),
    ]


def test_a_failure_without_a_line_of_its_own_is_in_the_list(reading):
    assert statuses(reading("generic/010   2s\nRan: generic/009 generic/010\nFailures: generic/009\n")) == {
        "generic/009": "failed",
        "generic/010": "passed",
    }


def test_a_test_that_never_ended_is_told_and_has_no_status(reading):
    read = reading("FSTYP         -- xfs\ngeneric/001    2s\ngeneric/002    watchdog: soft lockup\n")
    assert statuses(read) == {"generic/001": "passed"}
    assert read.warned("generic/002") == [3]


def test_passing_and_failing_in_one_section_is_flaky(reading):
    read = reading(
        "FSTYP         -- xfs\ngeneric/001    2s\ngeneric/001    - output mismatch (see x)\ngeneric/001    2s\n"
    )
    assert [(o.status.value, o.runs, o.failures) for o in read.report.tests] == [("flaky", 3, 1)]


def test_failing_every_time_is_failed(reading):
    read = reading("FSTYP         -- xfs\n" + "generic/001    - output mismatch (see x)\n" * 2)
    assert [(o.status.value, o.runs, o.failures) for o in read.report.tests] == [("failed", 2, 2)]


def test_wrappers_list_flaky_tests_by_configuration(reading):
    read = reading(
        "ext4/4k: 10 tests, 3 failures, 99 seconds\n  Flaky: generic/475: 30% (3/10)\next4/1k: 10 tests, 80 seconds\n"
    )
    assert [(o.name, o.status.value, o.section, o.runs, o.failures) for o in read.report.tests] == [
        ("generic/475", "flaky", "ext4/4k", 10, 3)
    ]


def test_bare_numbers_of_old_versions_are_tests(reading):
    read = reading(
        "072 5s ... - output mismatch (see 072.out.bad)\n073 1s ... 2s\nRan: 072 073\nFailures: 072\nFailed 1 of 2 tests\n"
    )
    assert statuses(read) == {"072": "failed", "073": "passed"}


def test_a_review_that_names_tests_has_no_results(reading):
    assert reading("I think generic/475 and xfs/016 should be extended; generic/475 fails.\n").report.tests == ()


XUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="xfstests" failures="2" skipped="1" tests="4" time="6">
	<testcase classname="xfstests.quota" name="generic/001" time="3">
	</testcase>
	<testcase classname="xfstests.quota" name="generic/002" time="0">
		<skipped message="needs &lt;atime&gt;" />
	</testcase>
	<testcase classname="xfstests.quota" name="generic/003" time="1">
		<failure message="- output mismatch" type="TestFail" />
	</testcase>
	<testcase classname="xfstests.quota" name="generic/003" time="2"/>
	<testcase classname="xfstests.global" name="generic/004" time="2"/>
</testsuite>
"""


def test_xunit_gives_status_section_and_runs(reading):
    assert [(o.name, o.status.value, o.section, o.runs, o.failures) for o in reading(XUNIT).report.tests] == [
        ("generic/001", "passed", "quota", None, None),
        ("generic/002", "notrun", "quota", None, None),
        ("generic/003", "flaky", "quota", 2, 1),
        ("generic/004", "passed", None, None, None),
    ]


def test_a_cut_xunit_report_gives_what_is_whole(reading):
    assert len(reading(XUNIT[: XUNIT.index('name="generic/004"')]).report.tests) == 3
