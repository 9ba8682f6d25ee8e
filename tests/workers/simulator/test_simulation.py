"""The public face: laws that hold for any run, fio's rules for jobs, hooks, and bad input."""

import dataclasses
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.workers.simulator.machines import CONSTANT, GIB, HDD, MS, S, assorted, device, job, machine
from workers.simulator import (
    DeviceParameters,
    HostParameters,
    JobResult,
    Progress,
    QueueParameters,
    SimulationCancelled,
    SimulationParameters,
    SimulationResult,
    merge_groups,
    merge_jobs,
    simulate,
    simulation,
)


def only(result: SimulationResult, direction: str = "read") -> Any:
    return merge_jobs(result.jobs).directions[direction]


def as_text(result: SimulationResult) -> str:
    return json.dumps(result.to_dict())


@pytest.mark.parametrize("kind", ["constant", "hdd", "flash", "stalling"])
def test_sixty_four_outstanding_obey_littles_law(kind: str) -> None:
    runtime_ns = {"hdd": 300 * S, "stalling": 60 * S}.get(kind, S)
    jobs = [job(n, iodepth=16, runtime_ns=runtime_ns, size_bytes=10 * GIB) for n in (1, 2, 3, 4)]
    result = only(simulate(machine(kind, *jobs, scheduler="mq-deadline" if kind == "hdd" else "none"), seed=1))
    assert result.lat.mean_ns / 1e9 * result.iops == pytest.approx(64, rel=0.005)


@pytest.mark.parametrize("name", sorted(assorted()))
def test_the_stages_of_all_ios_add_up_to_their_latency(name: str) -> None:
    result = simulate(assorted()[name], seed=5)
    for direction, stages in result.stages.items():
        lat = sum(j.directions[direction].lat.sum_ns for j in result.jobs if direction in j.directions)
        assert sum(stage.sum_ns for stage in stages.values()) == lat


@pytest.mark.parametrize("name", sorted(assorted()))
def test_series_and_jobs_count_the_same_ios(name: str) -> None:
    result = simulate(assorted()[name], seed=5)
    for direction, series in result.series.items():
        parts = [j.directions[direction] for j in result.jobs if direction in j.directions]
        assert int(series.ios.sum()) == sum(part.ios for part in parts)
        assert int(series.bytes.sum()) == sum(part.bytes for part in parts)
        assert int(series.latency_sum_ns.sum()) == sum(part.lat.sum_ns for part in parts)
        assert int(series.latency_max_ns.max()) == max(part.lat.max_ns for part in parts)


@pytest.mark.parametrize("name", sorted(assorted()))
def test_depth_and_utilisation_over_time_add_up_to_the_counters(name: str) -> None:
    result = simulate(dataclasses.replace(assorted()[name], series_interval_ns=10_000_000), seed=5)
    device = result.device
    covered_ns = device.interval_ns * len(device.depth)
    assert covered_ns <= result.ended_at_ns < covered_ns + device.interval_ns
    rest_ns = result.ended_at_ns - covered_ns
    depth_ns, busy_ns = (float(part.sum()) * device.interval_ns for part in (device.depth, device.utilisation))
    most = result.counters["device_depth_most"]
    assert -1 <= result.counters["device_depth_ns"] - depth_ns <= rest_ns * most + 1
    assert -1 <= result.counters["device_busy_ns"] - busy_ns <= rest_ns + 1
    assert ((device.utilisation >= 0) & (device.utilisation <= 1)).all()


def test_a_job_with_pauses_shows_them_in_the_utilisation() -> None:
    jobs = (job(runtime_ns=20 * MS), job(2, runtime_ns=20 * MS, iodepth=4, stonewall=True, start_delay_ns=60 * MS))
    device = simulate(machine("constant", *jobs, series_interval_ns=10 * MS), seed=1).device
    assert device.utilisation.round(1).tolist()[:8] == [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    assert device.depth[6] > 3.5


def test_depth_one_takes_submission_service_and_completion() -> None:
    parameters = machine("constant", job(), host=HostParameters(submit_ns=1500, complete_ns=500))
    result = only(simulate(parameters, seed=1))
    assert (result.slat.min_ns, result.slat.max_ns) == (1500, 1500)
    assert (result.clat.min_ns, result.clat.max_ns) == (80_500, 80_500)
    assert result.iops == pytest.approx(1e9 / 82_000, rel=1e-3)


def test_a_synchronous_engine_has_depth_one_and_no_slat() -> None:
    result = only(simulate(machine("constant", job(engine="psync", iodepth=32)), seed=1))
    assert result.slat.n == 0
    assert (result.clat.min_ns, result.clat.max_ns) == (82_000, 82_000)


def test_waiting_for_a_request_is_part_of_slat() -> None:
    parameters = machine("constant", job(iodepth=16), nr_requests=4)
    result = simulate(parameters, seed=1)
    # Four tags of 80 us: one submission in four waits for the rest of a round, the others find the tags just freed.
    assert only(result).slat.mean_ns == pytest.approx(80_000 / 4, rel=0.2)
    assert only(result).slat.max_ns > 60_000
    assert result.counters["tag_waits"] > 1000
    assert result.counters["device_depth_most"] == 4


def test_a_job_without_runtime_moves_its_size_once_a_loop() -> None:
    result = only(simulate(machine("constant", job(runtime_ns=None, size_bytes=1 << 20, loops=3, iodepth=4)), seed=1))
    assert result.bytes == 3 << 20


def test_io_size_bounds_what_is_moved_and_not_where() -> None:
    parameters = machine("constant", job(runtime_ns=None, io_size_bytes=1 << 20), trace_ios=1000)
    result = simulate(parameters, seed=1)
    assert only(result).bytes == 1 << 20
    assert int(result.trace[:, 2].max()) * 512 > GIB // 2


def test_time_based_jobs_go_round_until_their_time_is_over() -> None:
    result = simulate(machine("constant", job(size_bytes=1 << 16, time_based=True, runtime_ns=10 * MS)), seed=1)
    assert only(result).bytes > 1 << 16
    assert 10 * MS <= result.ended_at_ns < 11 * MS


def test_runtime_cuts_a_job_short_and_outstanding_ios_are_reaped() -> None:
    result = simulate(machine("constant", job(iodepth=8, runtime_ns=MS)), seed=1)
    assert result.counters["completions"] == only(result).ios
    assert MS <= result.ended_at_ns < 2 * MS


def test_ramp_time_is_left_out_of_counts_and_runtime() -> None:
    whole = only(simulate(machine("constant", job(runtime_ns=30 * MS)), seed=1))
    ramped = only(simulate(machine("constant", job(runtime_ns=20 * MS, ramp_time_ns=10 * MS)), seed=1))
    assert ramped.ios == pytest.approx(whole.ios * 2 / 3, rel=0.01)
    assert ramped.runtime_ns == pytest.approx(20 * MS, rel=0.01)
    assert ramped.iops == pytest.approx(whole.iops, rel=0.01)


def test_what_is_moved_while_ramping_does_not_count_against_the_size() -> None:
    fields = {"runtime_ns": None, "io_size_bytes": 4 << 20, "ramp_time_ns": 20 * MS}
    assert only(simulate(machine("constant", job(**fields)), seed=1)).bytes == pytest.approx(4 << 20, abs=8192)


def test_groups_merge_counts_and_histograms_and_keep_the_longest_runtime() -> None:
    jobs = [job(1, group_id=0), job(2, group_id=0, runtime_ns=S // 20), job(3, group_id=1)]
    result = simulate(machine("constant", *jobs), seed=1)
    first, second = merge_groups(result.jobs)
    clones = [clone.directions["read"] for clone in result.jobs]
    assert first.directions["read"].ios == clones[0].ios + clones[1].ios
    assert first.directions["read"].lat.n == clones[0].lat.n + clones[1].lat.n
    assert first.directions["read"].runtime_ns == clones[0].runtime_ns
    assert second.directions["read"].to_dict() == clones[2].to_dict()


def test_merging_no_jobs_is_refused() -> None:
    empty: list[JobResult] = []
    with pytest.raises(ValueError, match="none to merge"):
        merge_jobs(empty)


def test_another_seed_gives_another_run_and_the_same_seed_the_same_bytes() -> None:
    parameters = machine("stalling", job(iodepth=16))
    first, again, other = (as_text(simulate(parameters, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_further_job_leaves_the_offsets_of_the_others_alone() -> None:
    alone = simulate(machine("constant", job(1), trace_ios=200), seed=1).trace
    both = simulate(machine("constant", job(1), job(2), trace_ios=400), seed=1).trace
    of_first = [row[2] for row in both.tolist() if row[0] == 0]
    assert of_first == [row[2] for row in alone.tolist()][: len(of_first)]


def test_hooks_are_called_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # at every look: a quick machine is through with this run before the first of them would be due
    monkeypatch.setattr(simulation, "PROGRESS_S", 0.0)
    parameters = machine("constant", job(iodepth=64, runtime_ns=3 * S, time_based=True))
    reports: list[Progress] = []
    hooked = simulate(parameters, seed=1, progress=reports.append, cancelled=lambda: False)
    assert as_text(hooked) == as_text(simulate(parameters, seed=1))
    assert reports
    assert [report.simulated_ns for report in reports] == sorted(report.simulated_ns for report in reports)
    assert all(0 <= report.fraction <= 1 and report.total_ns == 3 * S for report in reports)


def test_a_cancelled_run_ends_within_a_tenth_of_a_second() -> None:
    parameters = machine("constant", job(iodepth=64, runtime_ns=3600 * S, time_based=True))
    asked: list[float] = []

    def cancelled() -> bool:
        if time.monotonic() - began < 0.3:
            return False
        asked.append(time.monotonic())
        return True

    gaps: list[float] = []
    last = began = time.monotonic()

    def watched() -> bool:
        nonlocal last
        gaps.append(time.monotonic() - last)
        last = time.monotonic()
        return cancelled()

    with pytest.raises(SimulationCancelled):
        simulate(parameters, seed=1, cancelled=watched)
    assert time.monotonic() - asked[0] < 0.1
    assert sorted(gaps)[len(gaps) // 2] < 0.1


def test_other_threads_run_while_the_loop_does() -> None:
    beats: list[float] = []
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(0.002):
            beats.append(time.monotonic())

    thread = threading.Thread(target=beat)
    thread.start()
    began = time.monotonic()
    simulate(machine("constant", job(iodepth=64, runtime_ns=4 * S, time_based=True)), seed=1)
    took_s = time.monotonic() - began
    stop.set()
    thread.join()
    assert len(beats) > 0.2 * took_s / 0.002


def test_the_series_has_at_most_about_six_hundred_points() -> None:
    for runtime_ns in (7 * MS, 100 * MS, 1234 * MS):
        result = simulate(machine("constant", job(runtime_ns=runtime_ns)), seed=1)
        assert 200 <= len(result.series["read"].ios) <= 610


def test_a_run_bounded_by_size_alone_still_has_a_bounded_series() -> None:
    result = simulate(machine("constant", job(runtime_ns=None, size_bytes=256 << 20)), seed=1)
    assert 300 <= len(result.series["read"].ios) <= 1200


def test_a_given_series_interval_is_kept() -> None:
    result = simulate(machine("constant", job(), series_interval_ns=5 * MS), seed=1)
    assert result.series["read"].interval_ns == 5 * MS
    assert len(result.series["read"].ios) == 21


Change = Callable[[], SimulationParameters]


def changed(**fields: Any) -> SimulationParameters:
    return machine("constant", job(**fields))


def with_device(kind: str, **values: int | str) -> SimulationParameters:
    return dataclasses.replace(machine("constant"), device=device(kind, **values))


@pytest.mark.parametrize(
    ("field", "parameters"),
    [
        ("jobs", dataclasses.replace(machine(), jobs=())),
        ("jobs[0].size_bytes", changed(size_bytes=0)),
        ("jobs[0].size_bytes", changed(offset_bytes=64 * GIB)),
        ("jobs[0].size_bytes", changed(size_bytes=4096, block_size_bytes=8192)),
        ("jobs[0].block_size_bytes", changed(block_size_bytes=0)),
        ("jobs[0].block_size_bytes", changed(block_size_bytes=1000)),
        ("jobs[0].block_size_bytes", changed(rw="randwrite", write_block_size_bytes=0)),
        ("jobs[0].offset_bytes", changed(offset_bytes=-512)),
        ("jobs[0].iodepth", changed(iodepth=0)),
        ("jobs[0].iodepth", changed(iodepth=1 << 20)),
        ("jobs[0].rw", changed(rw="sideways")),
        ("jobs[0].engine", changed(engine="warp")),
        ("jobs[0].rwmixread", changed(rwmixread=101)),
        ("jobs[0].runtime_ns", changed(runtime_ns=0)),
        ("jobs[0].time_based", changed(runtime_ns=None, time_based=True)),
        ("jobs[0].loops", changed(loops=0)),
        ("jobs[0].io_size_bytes", changed(io_size_bytes=0)),
        ("jobs.thread_number", machine("constant", job(1), job(1))),
        ("jobs.iodepth (sum)", machine("constant", *(job(n, iodepth=16_384) for n in range(1, 6)))),
        ("jobs[0].rw", machine("hdd", job(rw="randtrim"))),
        ("host.submit_ns", machine("constant", host=HostParameters(submit_ns=-1))),
        ("queue.scheduler", machine("constant", scheduler="noop")),
        ("queue.nr_requests", machine("constant", nr_requests=1024)),
        ("queue.nr_requests", machine("constant", nr_requests=1)),
        ("queue.nr_requests", machine("constant", scheduler="mq-deadline", nr_requests=2049)),
        (
            "queue.scheduler_options.fifo_batsh",
            dataclasses.replace(machine(), queue=QueueParameters("mq-deadline", None, {"fifo_batsh": 1})),
        ),
        (
            "queue.scheduler_options.fifo_batch",
            dataclasses.replace(machine(), queue=QueueParameters("none", None, {"fifo_batch": 1})),
        ),
        ("series_interval_ns", machine("constant", series_interval_ns=1)),
        ("trace_ios", machine("constant", trace_ios=-1)),
        ("device.kind", dataclasses.replace(machine(), device=DeviceParameters("tape", CONSTANT))),
        ("device.service_ns", with_device("constant", service_ns=-1)),
        ("device.service_ms", with_device("constant", service_ms=1)),
        ("device.capacity_bytes", with_device("constant", capacity_bytes=(1 << 30) + 512)),
        ("device.queue_depth", with_device("constant", queue_depth=10_241)),
        ("device.zones", with_device("hdd", zones=0)),
        ("device.rpm", with_device("hdd", rpm=0)),
        ("device.program_suspend", with_device("flash", program_suspend="perhaps")),
    ],
)
def test_bad_input_is_one_value_error_that_names_the_field(field: str, parameters: SimulationParameters) -> None:
    with pytest.raises(ValueError, match=r"^.+: ") as caught:
        simulate(parameters, seed=1)
    assert str(caught.value).startswith(field)


def test_a_missing_device_value_is_named() -> None:
    values = {name: value for name, value in HDD.items() if name != "rpm"}
    with pytest.raises(ValueError, match=r"^device\.rpm: hdd needs it"):
        simulate(dataclasses.replace(machine(), device=DeviceParameters("hdd", values)), seed=1)


def test_a_misspelt_device_value_is_answered_with_close_names() -> None:
    with pytest.raises(ValueError, match="did you mean service_ns"):
        simulate(with_device("constant", service_n=1), seed=1)


def test_memory_does_not_depend_on_the_size_of_the_device() -> None:
    parameters = machine("constant", job(size_bytes=(1 << 50) - (1 << 20), runtime_ns=10 * MS))
    huge = dataclasses.replace(parameters, device=device("constant", capacity_bytes=1 << 50))
    assert only(simulate(huge, seed=1)).ios > 100
