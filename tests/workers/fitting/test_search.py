"""A fit finds again what a device does: results that the simulator made with other parameters are the oracle."""

from __future__ import annotations

import json

import pytest

from app.catalog import devices
from app.errors import RequestError
from workers.fitting import fit, read_points
from workers.fitting.points import Point
from workers.runners.fio_output import fio_json
from workers.runners.simulated import fio_jobs
from workers.simulator import DeviceParameters, QueueParameters, SimulationParameters, simulate

Load = tuple[str, str, int]

READS: list[Load] = [("randread", "4k", depth) for depth in (1, 2, 4, 8, 16, 32, 64, 256)]
STREAMS: list[Load] = [("read", "128k", 1), ("read", "128k", 4), ("read", "128k", 8)]
DISK_READS: list[Load] = [("randread", "4k", depth) for depth in (1, 2, 4, 8, 16, 32)]


def measured(profile: str, loads: list[Load], seconds: int, **overrides: int) -> list[Point]:
    """What fio would print for a device that is the profile with other parameters; another seed than the fit's."""
    kind, values = devices.resolve(profile, overrides)
    results = []
    for number, (rw, block, depth) in enumerate(loads):
        options = {"ioengine": "libaio", "direct": "1", "filename": "/dev/sdx", "rw": rw, "bs": block}
        options |= {"iodepth": str(depth), "runtime": str(seconds), "time_based": "1"}
        text = "[sweep]\n" + "".join(f"{name}={value}\n" for name, value in options.items())
        parameters = SimulationParameters(
            jobs=fio_jobs(text, values, 77),
            device=DeviceParameters(kind, values),
            queue=QueueParameters(devices.profile(profile).default_scheduler),
        )
        result = simulate(parameters, seed=77)
        results.append((f"{number}.json", json.dumps(fio_json([(result.jobs[0], options)]))))
    return read_points(results)


def test_a_flash_device_is_found_again_at_the_points_left_out() -> None:
    changed = {"first_page_read_ns": 50_000, "second_page_read_ns": 60_000, "controller_busy_ns": 4_000}
    points = measured("nvme-flash", [*READS, *STREAMS], 1, link_bytes_per_s=1_500_000_000, **changed)
    found = fit(points, profile="nvme-flash")
    left_out = [row for row in found.rows if not row.fitted]
    assert len(left_out) == 3
    assert found.error_before > 0.25
    assert max(abs(row.error) for row in left_out) < 0.1
    # deep queues are bound by one parameter alone; a stream's rate may be that of the link or of the channels
    assert found.overrides["controller_busy_ns"] == pytest.approx(4_000, rel=0.05)


def test_a_disk_is_found_again_and_its_profile_with_it() -> None:
    changed = {"read_seek_span_ns": 20_000_000, "positioning_error_ns": 12_000_000}
    rates = {"outer_bytes_per_s": 150_000_000, "inner_bytes_per_s": 75_000_000}
    points = measured("hdd-ent", [*DISK_READS, *STREAMS], 60, **changed, **rates)
    found = fit(points)
    assert devices.profile(found.profile).kind == "hdd"
    assert max(abs(row.error) for row in found.rows if not row.fitted) < 0.1
    assert found.overrides["outer_bytes_per_s"] == pytest.approx(150_000_000, rel=0.05)


def test_the_same_results_and_seed_give_the_same_fit() -> None:
    points = measured("constant", [("randread", "4k", depth) for depth in (1, 2, 4, 8)], 1, service_ns=120_000)
    assert fit(points, profile="constant") == fit(points, profile="constant")


def test_what_is_known_stays_and_what_nothing_decides_stays_the_profiles() -> None:
    points = measured("nvme-flash", READS, 1, first_page_read_ns=50_000, second_page_read_ns=60_000)
    found = fit(points, profile="nvme-flash", fixed={"dies_per_channel": 3, "controller_busy_ns": 2_170})
    assert {"dies_per_channel", "controller_busy_ns", "program_ns", "buffer_write_ns"} & set(found.overrides) == set()
    assert {setting.moves for setting in found.settings if setting.name == "program_ns"} == {0.0}


def test_a_figure_that_no_parameter_moves_is_named() -> None:
    # a device that takes no time leaves the processor time of the thread, which is no parameter of a device
    points = measured("constant", [("randread", "4k", depth) for depth in (1, 2, 4)], 1, service_ns=0)
    found = fit(points, profile="constant", fixed={"service_ns": 0, "servers": 0}, hold_out=0)
    assert [row.movable for row in found.rows] == [False, False, False]


def test_too_few_points_are_refused() -> None:
    points = measured("constant", [("randread", "4k", 1), ("randread", "4k", 2), ("randread", "4k", 4)], 1)
    with pytest.raises(RequestError, match="3 points are given, of which 2 would be fitted; at least 3"):
        fit(points)


def test_a_device_that_has_no_fit_is_refused() -> None:
    points = measured("constant", [("randread", "4k", 1 << depth) for depth in range(4)], 1)
    with pytest.raises(RequestError, match="stalling"):
        fit(points, profile="stalling")


def test_a_job_that_the_simulator_cannot_run_is_refused_with_file_and_job() -> None:
    point = Point(
        "x", "r.json: job a (line 3)", "[a]\nrw=randread\nsize=1g\n", {"read.iops": 1.0}, 100, {"read": 1.0}, ()
    )
    with pytest.raises(RequestError, match=r"r\.json: job a \(line 3\).*direct=1"):
        fit([point] * 4)
