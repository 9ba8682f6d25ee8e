"""fio's JSON and json+, read against Python's own reading of it."""

from __future__ import annotations

import json

import pytest

from app.domain.latency_histogram import LatencyHistogram
from app.ingest.outputs import fio_json


def test_every_percentile_is_kept(fio, reading):
    read = reading(fio.json_text)
    for percent, value in fio.jobs["mixed"]["read"]["clat_ns"]["percentile"].items():
        assert read.value(f"read.clat_p{float(percent):g}", job="mixed") == value


def test_bins_become_histograms_with_every_io(fio, reading):
    distributions = {(d.metric, d.job): d.histogram for d in reading(fio.json_text).report.distributions}
    for name, direction in (("mixed", "read"), ("syncing", "write"), ("trimming", "trim")):
        latency = fio.jobs[name][direction]["clat_ns"]
        assert distributions[f"{direction}.clat", name].count == latency["N"]


def test_percentiles_of_the_histogram_are_those_fio_prints(fio, reading):
    histogram: LatencyHistogram = next(
        d.histogram
        for d in reading(fio.json_text).report.distributions
        if d.metric == "write.clat" and d.job == "mixed"
    )
    printed = fio.jobs["mixed"]["write"]["clat_ns"]["percentile"]
    assert {percent: histogram.percentile_ns(float(percent)) for percent in printed} == printed


def test_directions_without_io_have_no_results(fio, reading):
    read = reading(fio.json_text)
    assert not [r for r in read.report.results if r.job == "trimming" and not r.metric.startswith("trim.")]


def test_each_job_has_the_line_it_stands_on(fio, reading):
    text = "note: something first\n" + fio.json_text
    lines = text.split("\n")
    for name in fio.jobs:
        line = next(r.line for r in reading(text).report.results if r.job == name)
        # the brace before the name
        assert f'"jobname" : "{name}"' in lines[line]


def test_notes_and_errors_around_the_json_are_warnings(fio, reading):
    text = (
        f"note: queue depth will be capped\n{fio.json_text}\nfio: pid=3, err=5/file:a.c:1, error=Input/output error\n"
    )
    read = reading(text)
    assert read.warned("capped") == [1]
    assert read.warned("Input/output error") == [len(text.split("\n")) - 1]


def test_json_terse_and_text_of_one_run_are_one_run(fio, reading):
    together = [r._replace(line=0) for r in reading(fio.output).report.results]
    assert together == [r._replace(line=0) for r in reading(fio.json_text).report.results]


def test_quoted_json_is_read_and_keeps_its_lines(fio, reading):
    quoted = "\n".join(f"> {line}" for line in fio.json_text.split("\n"))
    assert reading(quoted).report.results == reading(fio.json_text).report.results


def test_a_file_that_was_cut_gives_the_jobs_before_the_cut(fio, reading):
    cut = fio.json_text[: fio.json_text.index('"jobname" : "trimming"') + 2000]
    read = reading(cut)
    assert {r.job for r in read.report.results} == {"mixed", "syncing"}
    assert read.warned("breaks off")


def test_two_labelled_documents_are_two_sides(reading):
    def side(iops):
        part = {"io_bytes": 4096, "io_kbytes": 4, "bw_bytes": 4096, "iops": iops, "runtime": 1000, "total_ios": 1}
        job = {"jobname": "j", "groupid": 0, "error": 0, "read": part}
        return json.dumps({"fio version": "fio-3.33", "jobs": [job]}, indent=1)

    read = reading(f"Before this patch:\n{side(100)}\nAfter this patch:\n{side(125)}\n")
    assert read.ratio("read.iops") == 1.25


def test_fio_2_counted_microseconds_and_kibibytes(reading):
    part = {"io_bytes": 8, "bw": 4, "iops": 1.0, "runtime": 2000, "total_ios": 2}
    part["clat"] = {"min": 1, "max": 9, "mean": 5.5, "stddev": 1.5, "percentile": {"50.000000": 5, "0.00": 0}}
    read = reading(
        json.dumps({"fio version": "fio-2.1", "jobs": [{"jobname": "j", "groupid": 0, "error": 0, "write": part}]})
    )
    assert read.value("write.bw") == 4096
    assert read.value("write.io") == 8192
    assert read.value("write.clat_mean") == 5500
    assert read.value("write.clat_p50") == 5000
    assert "write.clat_p0" not in read.metrics


def test_the_sum_of_all_clients_is_no_job(reading):
    part = {"io_bytes": 4096, "io_kbytes": 4, "bw_bytes": 4096, "iops": 5, "runtime": 1000, "total_ios": 1}
    stats = [{"jobname": name, "groupid": 0, "error": 0, "read": part} for name in ("a", "All clients")]
    read = reading(json.dumps({"fio version": "fio-3.33", "client_stats": stats}))
    assert [r.job for r in read.report.results if r.metric == "read.iops"] == ["a"]


def test_an_error_is_carried_by_every_result_of_its_job(reading):
    part = {"io_bytes": 4096, "io_kbytes": 4, "bw_bytes": 4096, "iops": 5, "runtime": 1000, "total_ios": 1}
    read = reading(
        json.dumps({"fio version": "f", "jobs": [{"jobname": "j", "groupid": 0, "error": 28, "read": part}]})
    )
    assert {r.error for r in read.report.results} == {28}


@pytest.mark.parametrize(
    "text",
    ['{"jobs": [', '{"fio version" : 3, "jobs" : 7}', '{"jobs" : [{"jobname" : null}]}', '{"jobs": {"jobname": []}}'],
)
def test_json_of_another_shape_gives_nothing(text):
    assert [result for run in fio_json.find(text) for result in run.results] == []
