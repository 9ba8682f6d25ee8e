"""The stalling device: queueing laws while it serves, and the direct-I/O figures of December 2012."""

import random
from dataclasses import replace
from functools import cache

import pytest

from app.catalog import devices
from tests.workers.simulator.machines import GIB, STALLING, S, device, job, machine
from workers.simulator import DeviceParameters, HostParameters, JobResult, merge_jobs, simulate
from workers.simulator.device.tables import QUANTILE_CELLS, UNIT, erlang_quantiles
from workers.simulator.device.trace import DeviceTrace
from workers.simulator.kinds import READ
from workers.simulator.observation.histogram import bin_of

NEVER = {"on_ns": 1_000_000_000_000, "on_shape": 0, "off_ns": 0, "off_shape": 0}


def mean_wait(load: float, shape: int, channels: int = 1) -> float:
    """Return the mean wait, in service times, of Poisson arrivals at servers that never pause."""
    rng = random.Random(1)
    service_ns = 100_000
    time_ns = 0.0
    arrivals = []
    for _ in range(400_000):
        time_ns += rng.expovariate(load * channels / service_ns)
        arrivals.append((int(time_ns), READ, 8 * rng.randrange(1_000_000), 8))
    values = {**STALLING, **NEVER, "channels": channels, "read_service_ns": service_ns, "service_shape": shape}
    done = DeviceTrace(DeviceParameters("stalling", values), 1, arrivals).completions()
    total = sum(end - start for end, (start, *_) in zip(done, arrivals, strict=True))
    return total / len(arrivals) / service_ns - 1


@pytest.mark.parametrize(("load", "expected"), [(0.5, 1.0), (0.8, 4.0)])
def test_one_exponential_server_waits_like_mm1(load: float, expected: float) -> None:
    assert mean_wait(load, shape=1) == pytest.approx(expected, rel=0.04)


@pytest.mark.parametrize(("load", "expected"), [(0.5, 0.5), (0.8, 2.0)])
def test_one_constant_server_waits_like_md1(load: float, expected: float) -> None:
    assert mean_wait(load, shape=0) == pytest.approx(expected, rel=0.04)


def test_gamma_service_waits_like_mg1() -> None:
    # Pollaczek-Khinchine with a squared coefficient of variation of 1/4.
    assert mean_wait(0.8, shape=4) == pytest.approx(0.8 * 1.25 / (2 * 0.2), rel=0.04)


@pytest.mark.parametrize(("channels", "outstanding"), [(32, 16), (32, 64), (8, 64)])
def test_a_closed_network_of_exponential_channels_has_its_product_form_throughput(
    channels: int, outstanding: int
) -> None:
    changes = {**NEVER, "channels": channels, "read_service_ns": 60_000, "service_shape": 1}
    parameters = machine("stalling", job(iodepth=outstanding, runtime_ns=4 * S, size_bytes=16 * GIB))
    parameters = replace(parameters, device=device("stalling", **changes), host=HostParameters(0, 0))
    expected = outstanding / (outstanding + channels - 1) * channels / 60e-6
    assert simulate(parameters, seed=1).jobs[0].directions["read"].iops == pytest.approx(expected, rel=0.005)


def test_a_pause_adds_its_length_to_whatever_is_being_served() -> None:
    rhythm = {"on_ns": 1_000_000, "on_shape": 0, "off_ns": 5_000_000, "off_shape": 0}
    values = {**STALLING, **rhythm, "channels": 1, "read_service_ns": 300_000, "service_shape": 0}
    arrivals = [(0, READ, 0, 8)] * 4 + [(2_000_000, READ, 0, 8), (8_000_000, READ, 0, 8)]
    done = DeviceTrace(DeviceParameters("stalling", values), 1, arrivals).completions()
    # Serving from 0 to 1 ms and from 6 to 7 ms; the fourth is interrupted, the fifth waits, the last finds a pause.
    assert done == [300_000, 600_000, 900_000, 6_200_000, 6_500_000, 12_300_000]


def test_it_stands_still_for_its_share_of_the_time() -> None:
    result = simulate(
        machine("stalling", job(iodepth=64, rw="randrw", runtime_ns=300 * S, size_bytes=32 * GIB)), seed=1
    )
    assert result.counters["stalled_ns"] / result.ended_at_ns == pytest.approx(203 / (203 + 58), rel=0.03)
    assert result.counters["stalls"] == pytest.approx(300 / 0.261, rel=0.05)


@pytest.mark.parametrize("shape", [0, 1, 2, 4, 16])
def test_a_quantile_table_has_mean_one_and_rises(shape: int) -> None:
    table = erlang_quantiles(shape)
    mean = (sum(table) - (table[0] + table[-1]) / 2) / QUANTILE_CELLS
    assert mean == pytest.approx(UNIT, rel=1e-6)
    assert list(table) == sorted(table)


@cache
def job_of_2012(seed: int) -> JobResult:
    kind, values = devices.resolve("stalling")
    clones = [
        job(n, name="fio", iodepth=16, rw="randrw", size_bytes=10 * GIB, runtime_ns=120 * S) for n in (1, 2, 3, 4)
    ]
    parameters = replace(machine("constant", *clones), device=DeviceParameters(kind, values))
    return merge_jobs(simulate(parameters, seed=seed).jobs)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_job_of_2012_reaches_its_iops(seed: int) -> None:
    assert sum(part.iops for part in job_of_2012(seed).directions.values()) == pytest.approx(6_219, rel=0.05)


def share(of: JobResult, low_ms: float, high_ms: float) -> float:
    """Return the share of I/Os of both directions with a clat in the range."""
    inside = n = 0
    for part in of.directions.values():
        inside += int(part.clat.bins[bin_of(int(low_ms * 1e6)) : bin_of(int(high_ms * 1e6))].sum())
        n += part.clat.n
    return inside / n


def test_three_in_a_hundred_of_its_ios_wait_for_a_pause() -> None:
    assert share(job_of_2012(1), 100, 500) == pytest.approx(0.0308, abs=0.006)
    assert share(job_of_2012(1), 0, 20) == pytest.approx(0.966, abs=0.01)


# Published clat percentiles in microseconds, of the run without patches.
READS = {1: 266, 5: 524, 10: 660, 20: 924, 30: 1240, 50: 1832, 70: 2896, 80: 3568, 90: 4768, 95: 7200}
WRITES = {1: 199, 5: 346, 10: 572, 20: 788, 30: 1112, 50: 1720, 70: 2640, 80: 3440, 90: 4640, 95: 7456}
PAUSED = {99: 232_448, 99.5: 276_480, 99.9: 468_992, 99.95: 561_152, 99.99: 618_496}


@pytest.mark.parametrize(("direction", "published"), [("read", READS), ("write", WRITES)])
def test_its_percentiles_follow_the_published_ones(direction: str, published: dict[float, int]) -> None:
    clat = job_of_2012(1).directions[direction].clat
    ours = clat.percentiles_ns([*published, *PAUSED])
    assert all(ours[p] / 1000 == pytest.approx(us, rel=0.26) for p, us in published.items())
    assert all(ours[p] / 1000 == pytest.approx(us, rel=0.20) for p, us in PAUSED.items())
    assert ours[50] / 1000 == pytest.approx(published[50], rel=0.05)
