"""The whole machine as a queue: Poisson arrivals, equal servers, and the closed forms for how long one waits."""

import math
import statistics
from dataclasses import replace

import pytest

from tests.workers.simulator.machines import S, device, job
from workers.simulator import HostParameters, JobParameters, SimulationParameters, SimulationResult, simulate

SERVICE_NS = 100_000
SEEDS = range(1, 9)
ARRIVALS = 1_000_000


def machine(servers: int, distribution: str, *jobs: JobParameters, submit_ns: int = 0) -> SimulationParameters:
    values = {"queue_depth": 10_240, "service_ns": SERVICE_NS, "servers": servers, "service_distribution": distribution}
    return SimulationParameters(jobs=jobs, device=device("constant", **values), host=HostParameters(submit_ns, 0))


def waits(servers: int, load: float) -> float:
    """Return the mean wait of M/M/c in service times, by Erlang's C formula."""
    offered = servers * load
    last = offered**servers / math.factorial(servers) / (1 - load)
    waiting = last / (sum(offered**count / math.factorial(count) for count in range(servers)) + last)
    return waiting / (servers * (1 - load))


def pollaczek(_servers: int, load: float) -> float:
    """Return the mean wait of M/D/1 in service times."""
    return load / (2 * (1 - load))


def open_loop(servers: int, distribution: str, load: float, seed: int) -> SimulationResult:
    iops = round(servers * load * S / SERVICE_NS)
    arrivals = job(
        iodepth=8192,
        norandommap=True,
        rate_iops=(iops, 0, 0),
        rate_process="poisson",
        io_submit_mode="offload",
        runtime_ns=ARRIVALS * S // iops,
        time_based=True,
    )
    return simulate(machine(servers, distribution, arrivals), seed=seed)


@pytest.mark.parametrize("load", [0.5, 0.8, 0.9])
@pytest.mark.parametrize(
    ("servers", "distribution", "expected"),
    [(1, "exponential", waits), (1, "constant", pollaczek), (4, "exponential", waits), (8, "exponential", waits)],
    ids=["M/M/1", "M/D/1", "M/M/4", "M/M/8"],
)
def test_the_mean_wait_in_the_device_is_the_closed_form_s(
    servers: int, distribution: str, expected: object, load: float
) -> None:
    assert callable(expected)
    ratios = []
    for seed in SEEDS:
        result = open_loop(servers, distribution, load, seed)
        read = result.jobs[0].directions["read"]
        # A million arrivals have a load of their own; the formula at that load removes most of the sampling error.
        service_ns = result.counters["server_busy_ns"] / read.ios
        drawn_load = result.counters["server_busy_ns"] / result.ended_at_ns / servers
        assert drawn_load == pytest.approx(load, rel=0.005)
        ratios.append((read.lat.mean_ns - service_ns) / service_ns / expected(servers, drawn_load))
    assert statistics.mean(ratios) == pytest.approx(1, abs=0.005)


def mean_value_analysis(dies: int, depth: int, service_s: float, delay_s: float) -> float:
    """Return the I/Os a second of `depth` customers between a delay and equal exponential dies chosen at random."""
    at_one_die = throughput = 0.0
    for customers in range(1, depth + 1):
        response_s = service_s * (1 + at_one_die)
        throughput = customers / (response_s + delay_s)
        at_one_die = throughput * response_s / dies
    return throughput


@pytest.mark.parametrize(("dies", "depth"), [(32, 1), (32, 16), (32, 64), (32, 256), (64, 64)])
def test_a_closed_network_of_exponential_dies_has_the_rate_of_mean_value_analysis(dies: int, depth: int) -> None:
    # With offload the time of submission is each I/O's own: a delay, not a server.
    load = job(iodepth=depth, io_submit_mode="offload", norandommap=True, runtime_ns=3 * S)
    values = {"channels": dies, "read_service_ns": 60_000, "service_shape": 1, "off_ns": 0, "queue_depth": 1023}
    parameters = SimulationParameters(jobs=(load,), device=device("stalling", **values), host=HostParameters(20_000, 0))
    rates = [simulate(parameters, seed=seed).jobs[0].directions["read"].iops for seed in (1, 2, 3)]
    assert statistics.mean(rates) == pytest.approx(mean_value_analysis(dies, depth, 60e-6, 20e-6), rel=0.01)


@pytest.mark.parametrize("depth", [16, 64, 256])
def test_fixed_service_lies_between_the_exponential_rate_and_the_bound(depth: int) -> None:
    load = job(iodepth=depth, io_submit_mode="offload", norandommap=True, runtime_ns=S)
    values = {"channels": 32, "read_service_ns": 60_000, "service_shape": 0, "off_ns": 0, "queue_depth": 1023}
    parameters = SimulationParameters(jobs=(load,), device=device("stalling", **values), host=HostParameters(20_000, 0))
    rate = simulate(parameters, seed=1).jobs[0].directions["read"].iops
    assert mean_value_analysis(32, depth, 60e-6, 20e-6) < rate < min(depth / 80e-6, 32 / 60e-6)


def test_a_depth_that_is_used_up_delays_arrivals_but_loses_none() -> None:
    full = job(
        iodepth=2,
        rate_iops=(20_000, 0, 0),
        io_submit_mode="offload",
        runtime_ns=None,
        number_ios=5000,
        time_based=False,
    )
    result = simulate(machine(1, "constant", full), seed=1)
    # One server of 100 us does 10,000 a second, half of what is asked for.
    assert result.jobs[0].directions["read"].ios == 5000
    assert result.ended_at_ns == pytest.approx(S // 2, rel=0.01)


def test_an_arrival_does_not_depend_on_completions_with_offload_and_does_without() -> None:
    arrivals = job(iodepth=64, rate_iops=(9000, 0, 0), rate_process="poisson", runtime_ns=S, time_based=True)
    inline = simulate(machine(1, "constant", arrivals), seed=1)
    offload = simulate(machine(1, "constant", replace(arrivals, io_submit_mode="offload")), seed=1)
    assert inline.counters["device_depth_most"] < offload.counters["device_depth_most"]
