"""fio's normal output: against the JSON of the same real run, and layouts of older versions and of mailers."""

from __future__ import annotations

import textwrap

import pytest

ROUNDING = 0.006
"""fio prints three digits at least."""

OLD = """
four: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=4
fio 1.50
Starting 1 process
Jobs: 1 (f=1): [r] [61.0% done] [9999K/0K /s] [99999 /0  iops] [eta 00m:03s]
four: (groupid=0, jobs=1): err= 0: pid=77
  read : io=40000KB, bw=2000.0KB/s, iops=500 , runt= 20000msec
    slat (usec): min=2 , max=1234 , avg=10.50, stdev= 3.25
    clat (msec): min=1 , max=1357.9K, avg= 7.25, stdev=18.75
     lat (msec): min=1 , max=1357.9K, avg= 7.50, stdev=18.75
    bw (KB/s) : min=  400, max= 2100, per=99.50%, avg=1990.00, stdev=50.25
  cpu          : usr=0.50%, sys=4.25%, ctx=98765, majf=0, minf=25
     lat (usec): 500=0.25%, 750=40.50%, 1000=51.25%
     lat (msec): 2=5.50%, 4=0.25%

Run status group 0 (all jobs):
   READ: io=40000KB, aggrb=2000KB/s, minb=2048KB/s, maxb=2048KB/s, mint=20000msec, maxt=20000msec

Disk stats (read/write):
  sda: ios=9999/0, merge=0/0, ticks=123456/0, in_queue=654321, util=99.71%
"""


def unit_ns(text, line):
    """The unit of the latencies on a line: that of its own label, or of the heading over a row of percentiles."""
    lines = text.split("\n")[:line]
    label = next(label for label in reversed(lines) if "sec):" in label)
    return {"nsec": 1.0, "usec": 1e3, "msec": 1e6}[label[label.index("(") + 1 : label.index(")")]]


def of_json(job, direction):
    """What fio's JSON says of a direction, by our names, in our units."""
    part = job[direction]
    said = {"iops": part["iops"], "bw": part["bw_bytes"], "io": part["io_bytes"], "runtime": part["runtime"] * 1e6}
    for what in ("slat", "clat", "lat"):
        latency = part[f"{what}_ns"]
        if latency["N"]:
            said |= {f"{what}_{name}": latency[key] for name, key in (("min", "min"), ("max", "max"), ("mean", "mean"))}
            said |= {
                f"{what}_p{float(percent):g}": value
                for percent, value in latency.get("percentile", {}).items()
                if float(percent) in (50, 90, 99, 99.5, 99.99)
            }
    return said


@pytest.mark.parametrize(
    ("name", "direction"), [("mixed", "read"), ("mixed", "write"), ("syncing", "write"), ("trimming", "trim")]
)
def test_every_figure_of_the_text_is_that_of_the_json_of_the_same_run(fio, reading, name, direction):
    read = reading(fio.normal)
    for quantity, expected in of_json(fio.jobs[name], direction).items():
        metric = f"{direction}.{quantity}"
        # extremes and percentiles are whole numbers of the line's unit
        digit = (
            1.0 if quantity in ("iops", "bw", "io", "runtime") else unit_ns(fio.normal, read.one(metric, job=name).line)
        )
        assert read.value(metric, job=name) == pytest.approx(expected, rel=ROUNDING, abs=digit), metric


def test_a_direction_without_io_has_no_result(fio, reading):
    read = reading(fio.normal)
    assert not {r.metric for r in read.report.results if r.job == "syncing" and r.metric.startswith(("read", "trim"))}


def test_a_synchronous_engine_has_no_submission_latency(fio, reading):
    assert not [r for r in reading(fio.normal).report.results if r.job == "syncing" and ".slat" in r.metric]


def test_the_latency_of_fsync_is_told_from_that_of_writes(fio, reading):
    expected = fio.jobs["syncing"]["sync"]["lat_ns"]
    read = reading(fio.normal)
    assert read.value("sync.lat_mean") == pytest.approx(expected["mean"], rel=ROUNDING)
    assert read.value("sync.lat_p99") == pytest.approx(expected["percentile"]["99.000000"], rel=ROUNDING)


def test_groups_carry_their_numbers(fio, reading):
    read = reading(fio.normal)
    assert [
        read.one(m, job=j).group for m, j in (("read.bw", "mixed"), ("write.bw", "syncing"), ("trim.bw", "trimming"))
    ] == [0, 1, 2]


def test_quoting_and_indenting_change_nothing(fio, reading):
    plain = [r._replace(line=0) for r in reading(fio.normal).report.results]
    quoted = textwrap.indent(textwrap.indent(fio.normal, "   "), "> > ", lambda _: True)
    assert [r._replace(line=0) for r in reading(quoted).report.results] == plain


def test_wrapping_at_72_columns_changes_nothing(fio, reading):
    plain = [r._replace(line=0) for r in reading(fio.normal).report.results]
    wrapped = "\n".join(
        "\n".join(textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False)) if len(line) > 72 else line
        for line in fio.normal.split("\n")
    )
    assert [r._replace(line=0) for r in reading(wrapped).report.results] == plain


def test_a_blank_line_after_every_line_changes_nothing(fio, reading):
    plain = [r._replace(line=0) for r in reading(fio.normal).report.results]
    assert [r._replace(line=0) for r in reading(fio.normal.replace("\n", "\n\n")).report.results] == plain


def test_flattening_to_one_line_keeps_the_values(fio, reading):
    plain = {(r.metric, r.value) for r in reading(fio.normal).report.results}
    flat = " ".join(fio.normal.split())
    assert {(r.metric, r.value) for r in reading(flat).report.results} == plain


def test_kb_means_1024_bytes_before_fio_3(reading):
    read = reading(OLD)
    assert read.value("read.bw") == 2000 * 1024
    assert read.value("read.io") == 40000 * 1024


def test_each_line_has_its_own_unit_and_suffix(reading):
    read = reading(OLD)
    assert read.value("read.slat_mean") == 10_500
    assert read.value("read.clat_mean") == 7_250_000
    assert read.value("read.clat_max") == 1_357_900 * 1_000_000


def test_momentary_rates_and_distributions_are_no_results(reading):
    read = reading(OLD)
    assert read.metrics == {
        *("read.iops", "read.bw", "read.io", "read.runtime"),
        *(f"read.{what}_{name}" for what in ("slat", "clat", "lat") for name in ("min", "mean", "max", "stdev")),
    }


def test_a_status_line_alone_is_a_result(reading):
    read = reading(
        "  WRITE: bw=120MiB/s (126MB/s), 7000KiB/s-8.50MiB/s (7168kB/s-8913kB/s), io=12.0GiB (12.9GB), run=102400-102411msec\n"
    )
    assert read.value("write.bw") == 120 * 2**20
    assert read.value("write.io") == 12 * 2**30
    assert "write.iops" not in read.metrics


def test_a_runtime_that_is_a_range_has_no_value(reading):
    read = reading("WRITE: bw=1MiB/s (1049kB/s), io=60.0MiB (62.9MB), run=59000-60000msec\n")
    runtime = read.one("write.runtime")
    assert (runtime.value, runtime.min, runtime.max) == (None, 59e9, 60e9)


def test_several_jobs_of_a_group_have_their_total_as_well(reading):
    job = (
        "w: (groupid=0, jobs=1): err= 0: pid={pid}\n  write: IOPS={iops}, BW={mib}MiB/s ({mb}MB/s)({io}MiB/1000msec)\n"
    )
    text = (
        job.format(pid=1, iops=2560, mib=10, mb=10.5, io=10)
        + job.format(pid=2, iops=5120, mib=20, mb=21.0, io=20)
        + "\nRun status group 0 (all jobs):\n  WRITE: bw=30.0MiB/s (31.5MB/s), 10.0MiB/s-20.0MiB/s (10.5MB/s-21.0MB/s),"
        " io=30.0MiB (31.5MB), run=1000-1000msec\n"
    )
    read = reading(text)
    assert read.value("write.bw", job=None) == 30 * 2**20
    assert [r.value for r in read.report.results if r.metric == "write.iops"] == [2560, 5120]


def test_a_failed_job_keeps_its_values_and_its_error(reading):
    read = reading(
        "fio: pid=9, err=5/file:io_u.c:1, func=io_u error, error=Input/output error\n"
        "j: (groupid=0, jobs=1): err= 5 (file:io_u.c:1, func=io_u error, error=Input/output error): pid=9\n"
        "  write: IOPS=35, BW=140KiB/s (143kB/s)(1400KiB/10000msec)\n"
    )
    assert read.one("write.iops").error == 5
    assert read.warned("Input/output error")[0] == 1


def test_failed_jobs_are_not_compared(reading):
    run = (
        "j: (groupid=0, jobs=1): err={error}: pid=9\n  write: IOPS={iops}, BW=140KiB/s (143kB/s)(1400KiB/10000msec)\n\n"
    )
    text = "Before:\n" + run.format(error=" 0", iops=35) + "After:\n" + run.format(error=" 5 (x, error=y)", iops=70)
    assert reading(text).report.comparison is None


def test_latencies_of_one_priority_are_not_those_of_the_job(reading):
    read = reading(
        "p: (groupid=0, jobs=1): err= 0: pid=1\n  read: IOPS=160, BW=20.0MiB/s (21.0MB/s)(200MiB/10000msec)\n"
        "    clat (msec): min=5, max=900, avg=150.25, stdev=99.50\n"
        "    clat prio 0/0 (msec): min=5, max=900, avg=160.75, stdev=98.25\n"
        "    clat percentiles (msec):\n     | 50.00th=[  111], 99.00th=[  666]\n"
        "    clat prio 1/0 (10.01% of IOs) percentiles (msec):\n     | 50.00th=[   22], 99.00th=[   44]\n"
    )
    assert read.value("read.clat_mean") == 150_250_000
    assert read.value("read.clat_p50") == 111_000_000


def test_two_versions_of_one_rate_that_contradict_each_other_are_settled_by_io_over_runtime(reading):
    read = reading("  read: IOPS=2560, BW=20.0MiB/s (10.5MB/s)(100MiB/10000msec)\n")
    assert read.value("read.bw") == pytest.approx(10.5e6)
    assert read.warned("contradict") == [1]


def test_a_group_without_steady_state_is_told(reading):
    read = reading(
        "s: (groupid=0, jobs=1): err= 0: pid=1\n  read: IOPS=50, BW=200KiB/s (205kB/s)(2000KiB/10000msec)\n"
        "  steadystate  : attained=no, bw=240KiB/s (240kB/s), iops=60, iops mean dev=12.345%\n"
    )
    assert read.warned("steady state") == [3]
    assert read.value("read.iops") == 50
