"""The flash device against closed queueing networks, against its own bottlenecks, and against a published drive."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.catalog import devices
from tests.workers.simulator.machines import FLASH, GIB, MS, S, device, job, machine
from workers.simulator import DeviceParameters, DirectionResult, HostParameters, SimulationResult, merge_jobs, simulate
from workers.simulator.device.trace import DeviceTrace
from workers.simulator.kinds import READ, WRITE

# 60 us dies, 20 us of fixed delay, everything else free: the network of which the figures are known.
ARRAY = {
    "dies_per_channel": 1,
    "page_types": 1,
    "first_page_read_ns": 60_000,
    "read_retry_per_million": 0,
    "channel_bytes_per_s": 10**12,
    "link_bytes_per_s": 10**12,
    "controller_ns": 20_000,
    "controller_busy_ns": 0,
}


def run(changes: dict[str, Any], *jobs: Any, host: HostParameters | None = None) -> SimulationResult:
    parameters = machine("flash", *jobs, host=host or HostParameters(0, 0))
    return simulate(dataclasses.replace(parameters, device=device("flash", **changes)), seed=1)


def published(depth: int, **fields: Any) -> DirectionResult:
    kind, values = devices.resolve("nvme-flash")
    whole = job(iodepth=depth, size_bytes=values["capacity_bytes"], runtime_ns=S, **fields)
    parameters = dataclasses.replace(machine("constant", whole), device=DeviceParameters(kind, values))
    return next(iter(simulate(parameters, seed=1).jobs[0].directions.values()))


@pytest.mark.parametrize(
    ("dies", "outstanding", "expected"),
    [(32, 1, 12_500), (32, 16, 172_051), (32, 64, 395_463), (32, 256, 498_927), (64, 64, 566_194)],
)
def test_a_closed_network_of_deterministic_dies_delivers_the_known_throughput(
    dies: int, outstanding: int, expected: float
) -> None:
    result = run({**ARRAY, "channels": dies}, job(iodepth=outstanding, runtime_ns=S, size_bytes=32 * GIB))
    assert result.jobs[0].directions["read"].iops == pytest.approx(expected, rel=0.005)


def test_die_utilisation_is_throughput_times_service() -> None:
    result = run({**ARRAY, "channels": 32}, job(iodepth=16, runtime_ns=S))
    assert result.counters["die_busy_ns"] == 60_000 * result.counters["page_reads"]


def test_reads_of_one_die_come_one_after_another() -> None:
    given = [(0, READ, 32 * 8 * n, 8) for n in range(4)]
    values = {**FLASH, **ARRAY, "channels": 4, "dies_per_channel": 2}
    done = DeviceTrace(DeviceParameters("flash", values), 1, given).completions()
    steps = np.diff([20_000, *done])
    assert all(60_000 <= step < 60_100 for step in steps)


def test_a_large_read_is_spread_over_the_dies() -> None:
    values = {**FLASH, **ARRAY, "channels": 8}
    given = [(0, READ, 0, 8 * 32), (10 * MS, READ, 0, 16 * 32)]
    one, two = DeviceTrace(DeviceParameters("flash", values), 1, given).completions()
    assert one == pytest.approx(80_000, rel=0.01)
    assert two - 10 * MS == pytest.approx(140_000, rel=0.01)


def test_page_types_are_drawn_evenly_and_retries_at_their_rate() -> None:
    kinds = {"page_types": 3, "second_page_read_ns": 160_000, "third_page_read_ns": 260_000}
    changes = {**ARRAY, **kinds, "channels": 32, "read_retry_per_million": 20_000, "read_retry_ns": 1_000_000}
    result = run(changes, job(runtime_ns=2 * S))
    lat = result.jobs[0].directions["read"].lat
    quantiles = lat.percentiles_ns([15, 50, 80, 99])
    assert [round(quantiles[q] / 100_000) for q in (15, 50, 80)] == [1, 2, 3]
    assert quantiles[99] > 1_000_000
    assert result.counters["read_retries"] / result.counters["page_reads"] == pytest.approx(0.02, rel=0.15)


def test_the_controller_bounds_the_iops() -> None:
    changes = {**ARRAY, "channels": 256, "controller_busy_ns": 2_500}
    result = run(changes, *(job(n, iodepth=128, runtime_ns=S // 4) for n in (1, 2, 3, 4)))
    assert merge_jobs(result.jobs).directions["read"].iops == pytest.approx(400_000, rel=0.002)


def test_the_link_bounds_large_reads() -> None:
    changes = {"channels": 64, "link_bytes_per_s": 1_000_000_000}
    result = run(changes, job(iodepth=32, rw="read", block_size_bytes=131_072))
    assert result.jobs[0].directions["read"].bytes_per_second == pytest.approx(1e9, rel=0.01)


def test_a_channel_bounds_what_its_dies_can_deliver() -> None:
    changes = {"channels": 1, "dies_per_channel": 64, "channel_bytes_per_s": 200_000_000}
    result = run(changes, job(iodepth=256, runtime_ns=S))
    assert result.jobs[0].directions["read"].bytes_per_second == pytest.approx(200e6, rel=0.01)


def write_rate(**fields: Any) -> float:
    changes = {"channels": 8, "program_bytes": 65_536, "channel_bytes_per_s": 10**12, "program_ns": 1_000_000}
    result = run({**changes, "waf_percent": 400}, job(iodepth=32, ramp_time_ns=S // 2, runtime_ns=S, **fields))
    return result.jobs[0].directions["write"].bytes_per_second


def test_sequential_writes_run_at_the_rate_of_all_dies() -> None:
    assert write_rate(rw="write", block_size_bytes=131_072) == pytest.approx(16 * 65_536 / 1e-3, rel=0.01)


def test_random_writes_pay_for_collection() -> None:
    assert write_rate(rw="randwrite") == pytest.approx(16 * 65_536 / 1e-3 / 4, rel=0.02)


def test_writes_are_fast_until_the_buffer_is_full() -> None:
    burst = [(n * 1500, WRITE, 2 * n * 8, 8) for n in range(2000)]
    done = DeviceTrace(DeviceParameters("flash", {**FLASH, "controller_busy_ns": 100}), 1, burst).completions()
    waits = [end - time_ns for end, (time_ns, *_) in zip(done, burst, strict=True)]
    held = (4 << 20) // 4096
    assert max(waits[:held]) < 30_000
    assert max(waits[held:]) > 500_000


def test_suspending_programs_keeps_reads_short() -> None:
    jobs = (job(1, runtime_ns=S), job(2, iodepth=16, rw="randwrite", runtime_ns=S))
    latencies = [
        run({"program_suspend": word}, *jobs).jobs[0].directions["read"].lat.percentiles_ns([90])[90]
        for word in ("no", "yes")
    ]
    assert latencies[1] < 0.5 * latencies[0]


def test_reads_without_end_cannot_keep_a_program_from_ending() -> None:
    jobs = (job(1, iodepth=256, runtime_ns=S), job(2, iodepth=4, rw="randwrite", runtime_ns=S))
    result = run({}, *jobs)
    assert result.counters["programs"] > 500
    assert result.jobs[1].directions["write"].ios > 1000


@pytest.mark.parametrize(("depth", "iops", "mean_us"), [(1, 12_800, 77.9), (16, 167_200, 93.9)])
def test_nvme_flash_reads_like_the_measured_drive(depth: int, iops: float, mean_us: float) -> None:
    read = published(depth)
    assert read.iops == pytest.approx(iops, rel=0.05)
    assert read.lat.mean_ns / 1000 == pytest.approx(mean_us, rel=0.05)


def test_nvme_flash_at_depth_one_has_the_measured_percentiles() -> None:
    quantiles = published(1).lat.percentiles_ns([50, 99])
    assert quantiles[50] == pytest.approx(76_000, rel=0.15)
    assert quantiles[99] == pytest.approx(96_000, rel=0.15)


def test_nvme_flash_writes_within_its_data_sheet() -> None:
    assert published(1, rw="randwrite").lat.percentiles_ns([50])[50] == pytest.approx(20_000, rel=0.1)
    assert published(32, rw="randwrite", ramp_time_ns=S).iops == pytest.approx(90_000, rel=0.1)
