"""Reports of one run while it runs are one run."""

from __future__ import annotations

import json

import pytest

TEXT = (
    "j: (groupid=0, jobs=1): err= 0: pid={pid}: Tue Dec  1 10:00:0{second} 2026\n"
    "  read: IOPS={iops}, BW=4000KiB/s (4096kB/s)({io}KiB/{runtime}msec)\n\nRun status group 0 (all jobs):\n"
    "   READ: bw=4000KiB/s (4096kB/s), io={io}KiB, run={runtime}-{runtime}msec\n\n"
)


def as_text(pid, iops, runtime):
    return TEXT.format(pid=pid, iops=iops, second=runtime // 1000, io=4 * runtime, runtime=runtime)


def as_json(began, iops, runtime):
    read = {"io_bytes": 4096 * runtime, "bw_bytes": 4096000, "iops": iops, "runtime": runtime}
    job = {"jobname": "j", "groupid": 0, "error": 0, "read": read}
    stamp = 1_700_000_000_000 + began + runtime
    return json.dumps(
        {"fio version": "fio-3.33", "timestamp": stamp // 1000, "timestamp_ms": stamp, "jobs": [job]}, indent=1
    )


def compared(read):
    (candidate,) = read.report.comparison.candidates
    return next(row for row in candidate.metrics if row.name == "read.iops")


@pytest.mark.parametrize("printed", [as_text, as_json])
def test_of_the_reports_of_one_run_the_last_is_read(reading, printed):
    sides = [
        f"{side}:\n\n" + "\n".join(printed(pid, iops + step, 1000 * step) for step in (1, 2, 3)) + "\n\n"
        for side, pid, iops in (("Before", 10, 1000), ("After", 20, 2000))
    ]
    read = reading("".join(sides))
    row = compared(read)
    assert (row.baseline.n, row.candidate.n) == (1, 1)
    assert [r.value for r in read.report.results if r.metric == "read.iops"] == [1003, 2003]
    assert len(read.warned("one run 3 times")) == 2


@pytest.mark.parametrize(
    "runs",
    [
        [as_text(pid, iops, 3000) for pid, iops in ((10, 1000), (11, 1010), (12, 1020))],
        [as_json(began, iops, 3000) for began, iops in ((0, 1000), (3100, 1010), (6200, 1020))],
    ],
)
def test_runs_one_after_the_other_stay_runs(reading, runs):
    read = reading("\n".join(runs))
    assert [r.value for r in read.report.results if r.metric == "read.iops"] == [1000, 1010, 1020]
    assert read.report.warnings == ()
