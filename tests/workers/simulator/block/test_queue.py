"""The request queue: tags, hardware queues, nr_requests."""

import dataclasses

import numpy as np
import pytest

from tests.workers.simulator.machines import MS, device, job, machine
from workers.simulator import TRACE_NAMES, SimulationResult, simulate
from workers.simulator.block.limits import default_nr_requests


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
