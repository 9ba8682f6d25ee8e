"""The request queue: tags, hardware queues, nr_requests."""

import dataclasses

import numpy as np
import pytest

from tests.workers.simulator.machines import MS, device, job, machine
from workers.simulator import TRACE_NAMES, SimulationResult, simulate
from workers.simulator.block.limits import default_nr_requests
from workers.simulator.block.trace import QueueTrace
from workers.simulator.kinds import PREFLUSH, READ, SYNC, WRITE
from workers.simulator.parameters import QueueParameters


def column(result: SimulationResult, name: str) -> np.ndarray:
    return result.trace[:, TRACE_NAMES.index(name)]


@pytest.mark.parametrize(
    ("scheduler", "hw_depth", "expected"),
    [
        ("none", 32, 32),
        ("mq-deadline", 32, 64),
        ("none", 1023, 1023),
        ("mq-deadline", 1023, 256),
        ("mq-deadline", 1, 2),
    ],
)
def test_nr_requests_defaults_to_what_linux_sets(scheduler: str, hw_depth: int, expected: int) -> None:
    assert default_nr_requests(scheduler, hw_depth) == expected


def test_without_elevator_the_driver_tags_bound_the_device_and_submitters_wait() -> None:
    parameters = dataclasses.replace(machine("constant", job(iodepth=64)), device=device("constant", queue_depth=8))
    result = simulate(parameters, seed=1)
    assert result.counters["device_depth_most"] == 8
    assert result.stages["read"]["q2g"].mean_ns > 0
    assert result.stages["read"]["i2d"].max_ns == 0


def test_with_an_elevator_requests_wait_inside_it_for_driver_tags() -> None:
    parameters = machine("constant", job(iodepth=16), scheduler="mq-deadline")
    result = simulate(dataclasses.replace(parameters, device=device("constant", queue_depth=8)), seed=1)
    assert result.counters["device_depth_most"] == 8
    assert result.counters["tag_waits"] == 0
    assert result.stages["read"]["i2d"].mean_ns > 50_000


def test_threads_that_wait_for_a_request_get_it_in_order_of_arrival() -> None:
    jobs = [job(number, iodepth=4, runtime_ns=20 * MS) for number in range(1, 9)]
    result = simulate(machine("constant", *jobs, nr_requests=4, trace_ios=100_000), seed=1)
    order = np.lexsort((column(result, "got_ns"), column(result, "queued_ns")))
    got = column(result, "got_ns")[order]
    assert result.counters["tag_waits"] > 100
    assert (np.diff(got) >= 0).all()


def test_each_hardware_queue_has_its_own_tags() -> None:
    jobs = [job(number, iodepth=16) for number in (1, 2, 3)]
    parameters = machine("constant", *jobs)
    result = simulate(dataclasses.replace(parameters, device=device("constant", hw_queues=3, queue_depth=5)), seed=1)
    assert result.counters["device_depth_most"] == 15


def test_the_depth_integral_is_the_sum_of_the_times_in_the_device() -> None:
    result = simulate(machine("flash", job(iodepth=16)), seed=1)
    assert result.counters["device_depth_ns"] == result.stages["read"]["d2c"].sum_ns


def test_a_single_stream_keeps_the_device_busy_for_its_service_times() -> None:
    result = simulate(machine("constant", job()), seed=1)
    assert result.counters["device_busy_ns"] == 80_000 * result.counters["completions"]


def test_what_finds_no_driver_tag_of_its_queue_is_requeued() -> None:
    # Two hardware queues of one tag each under one elevator, which names requests of either.
    jobs = [job(number, iodepth=8) for number in (1, 2)]
    parameters = machine("constant", *jobs, scheduler="mq-deadline", nr_requests=32, check_invariants=True)
    result = simulate(dataclasses.replace(parameters, device=device("constant", hw_queues=2, queue_depth=1)), seed=1)
    assert result.counters["requeues"] > 10
    assert result.counters["device_depth_most"] == 2


def test_a_flush_that_waits_for_the_device_to_be_empty_is_requeued_once() -> None:
    values = {"write_cache": 1, "flush_queued": 0}
    arrivals = [(0, WRITE, 0, 8, 0, 0), (0, WRITE, 80, 8, 0, 0), (1, SYNC, 0, 0, PREFLUSH, 1)]
    trace = QueueTrace(device("constant", **values), QueueParameters("none"), arrivals)
    assert -1 not in trace.completions()
    assert trace.queue.counters()["requeues"] == 1


def test_software_queues_are_served_in_turn() -> None:
    # A flush that excludes everything else holds the reads back; then each CPU's oldest goes, one after another.
    values = {"write_cache": 1, "flush_queued": 0, "queue_depth": 8}
    reads = [(1 + place, READ, 80 * place, 8, 0, thread) for place, thread in enumerate((0, 0, 0, 1, 1, 2))]
    arrivals = [(0, SYNC, 0, 0, PREFLUSH, 3), *reads]
    trace = QueueTrace(device("constant", **values), QueueParameters("none", nomerges=2), arrivals)
    assert -1 not in trace.completions()
    order = [sector // 80 for _, _, direction, sector, _, _ in trace.commands if direction == READ]
    assert order == [0, 3, 5, 1, 4, 2]
