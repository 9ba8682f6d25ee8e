"""The time under the elevator's lock: a thread waits for it, and it bounds what a device can be given."""

import dataclasses

import pytest

from tests.workers.simulator.machines import MS, device, job, machine
from workers.simulator import HostParameters, QueueParameters, SimulationResult, simulate


def run(threads: int, depth: int, queue: QueueParameters) -> SimulationResult:
    jobs = [job(number, iodepth=depth, engine="io_uring", runtime_ns=20 * MS) for number in range(1, threads + 1)]
    parameters = machine("constant", *jobs, host=HostParameters(500, 500))
    return simulate(dataclasses.replace(parameters, device=device("constant", service_ns=10_000), queue=queue), seed=1)


@pytest.mark.parametrize(("scheduler", "published"), [("mq-deadline", 901_000), ("bfq", 567_000)])
def test_thirty_two_threads_reach_what_the_lock_allows(scheduler: str, published: int) -> None:
    # The set-up of the published figures: 32 threads of depth 4, 94 and 96 % of their time in the lock.
    queue = QueueParameters(scheduler, scheduler_options={"slice_idle": 0} if scheduler == "bfq" else {})
    result = run(32, 4, queue)
    iops = sum(each.directions["read"].iops for each in result.jobs)
    assert iops == pytest.approx(published, rel=0.02)


@pytest.mark.parametrize("scheduler", ["none", "kyber"])
def test_without_a_lock_for_the_device_threads_do_not_wait(scheduler: str) -> None:
    result = run(32, 4, QueueParameters(scheduler))
    assert sum(each.directions["read"].iops for each in result.jobs) > 5e6
    assert result.counters["elevator_lock_ns"] == 0


def test_one_thread_spends_the_time_once_an_io() -> None:
    result = run(1, 1, QueueParameters("mq-deadline", elevator_ns=2000))
    assert result.stages["read"]["g2i"].mean_ns == 2000
    direction = result.jobs[0].directions["read"]
    assert direction.slat.mean_ns == 500 + 2000
    assert direction.lat.mean_ns == 500 + 2000 + 10_000 + 500
    assert result.counters["elevator_lock_ns"] == 2000 * result.counters["completions"]


def test_two_threads_wait_for_each_other() -> None:
    # Both submit at the same times: one is through after 3 us, the other after 6.
    result = run(2, 1, QueueParameters("mq-deadline", elevator_ns=3000, nomerges=2))
    assert result.stages["read"]["g2i"].min_ns == 3000
    assert result.stages["read"]["g2i"].max_ns <= 6000
    assert result.stages["read"]["g2i"].max_ns > 3000
