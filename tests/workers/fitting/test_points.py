"""The points of fio's JSON: options of all levels, clones, stone walls, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.errors import RequestError
from workers.fitting import read_points


def job(name: str, options: dict[str, str], *, error: int = 0, **iops: float) -> dict[str, Any]:
    parts = {
        direction: {
            "io_bytes": 4096,
            "iops": rate,
            "runtime": 1000,
            "total_ios": int(rate),
            "lat_ns": {"mean": 5e4, "N": 9},
        }
        for direction, rate in iops.items()
    }
    return {"jobname": name, "groupid": 0, "error": error, "job options": options, **parts}


def run(*jobs: dict[str, Any], disk: str = "sda", **options: str) -> str:
    return json.dumps(
        {"fio version": "fio-3.33", "global options": options, "jobs": jobs, "disk_util": [{"name": disk}]}
    )


def test_options_of_global_and_of_the_job_make_the_job_file() -> None:
    text = run(job("a", {"iodepth": "4"}, read=100.0), ioengine="libaio", rw="randread", bs="8k", iodepth="1")
    (point,) = read_points([("r.json", text)])
    assert point.label == "randread 8k depth 4"
    assert point.job_file == "[a]\nioengine=libaio\nrw=randread\nbs=8k\niodepth=4\n"
    assert point.measured == {"read.iops": 100.0}


def test_clones_add_up_and_a_stone_wall_begins_a_new_point() -> None:
    first = {"numjobs": "2", "rw": "randread"}
    second = {"rw": "randwrite", "stonewall": ""}
    text = run(job("a", first, read=100.0), job("a", first, read=50.0), job("b", second, write=7.0))
    points = read_points([("r.json", text)])
    assert [point.measured for point in points] == [{"read.iops": 150.0}, {"write.iops": 7.0}]


def test_jobs_without_a_stone_wall_between_them_are_one_point() -> None:
    (point,) = read_points([("r.json", run(job("a", {}, read=100.0), job("b", {"rw": "write"}, write=7.0)))])
    assert point.measured == {"read.iops": 100.0, "write.iops": 7.0}
    assert point.job_file.count("[") == 2


def test_the_latency_counts_where_a_pace_decides_the_rate() -> None:
    (point,) = read_points([("r.json", run(job("a", {"rate_iops": "100"}, read=100.0)))])
    assert point.measured == {"read.lat_mean": 5e4}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "r.json: no JSON output of fio"),
        (run(job("a", {}, error=5, read=1.0)), "r.json: job a (line 1) ended with error 5"),
        (run(job("a", {}, read=0.0)), "r.json: job a (line 1) did no I/O"),
        (run(job("a", {}, read=1.0))[:-40], "breaks off"),
        (run(job("a", {"numjobs": "3"}, read=1.0), job("a", {"numjobs": "3"}, read=1.0)), "2 of its 3 clones"),
        (run(job("a", {"numjobs": "x"}, read=1.0)), "numjobs=x"),
        (run(job("a", {"b\nc": "x"}, read=1.0)), "none of fio's"),
        (run(job("a", {"rate": "1m"}, read=1.0)).replace("50000.0", "0"), "its latency counts, and it has none"),
    ],
)
def test_what_cannot_be_fitted_is_refused_with_file_and_job(text: str, said: str) -> None:
    with pytest.raises(RequestError) as caught:
        read_points([("r.json", text)])
    assert said in caught.value.message


def test_results_of_two_devices_are_refused() -> None:
    one, other = (run(job("a", {}, read=1.0), disk=disk) for disk in ("sda", "sdb"))
    with pytest.raises(RequestError, match=r"sdb.*sda.*one device"):
        read_points([("one.json", one), ("other.json", other)])
