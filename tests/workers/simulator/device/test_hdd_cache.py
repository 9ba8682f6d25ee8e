"""The disk's volatile write cache: against the same disk without it, by hand, and against a measured consumer disk."""

import dataclasses
import random
from functools import cache
from statistics import fmean
from typing import Any

import pytest

from app.catalog import devices
from tests.workers.simulator.machines import HDD, MS, S, job, machine
from workers.simulator import DeviceParameters, HostParameters, SimulationResult, simulate
from workers.simulator.device.trace import Arrival, DeviceTrace
from workers.simulator.kinds import FLUSH, READ, WRITE

CACHED = {**HDD, "write_cache": 1, "write_cache_entries": 1024}
OVERHEAD_NS = 50_000
LINK_NS = 8 * (512 * S // 600_000_000)
SECTORS = int(HDD["capacity_bytes"]) // 512


def completions(arrivals: list[Arrival], **changes: Any) -> list[int]:
    return DeviceTrace(DeviceParameters("hdd", {**CACHED, **changes}), 1, arrivals).completions()


def scattered(count: int, seed: int, sectors: int = SECTORS) -> list[Arrival]:
    rng = random.Random(seed)
    return [(0, WRITE, 8 * rng.randrange(sectors // 8 - 1), 8) for _ in range(count)]


def test_a_cached_write_takes_overhead_and_link() -> None:
    assert completions([(0, WRITE, 123_456, 8)]) == [OVERHEAD_NS + LINK_NS]


def test_a_flush_of_a_clean_cache_takes_the_overhead() -> None:
    assert completions([(0, FLUSH, 0, 0)]) == [OVERHEAD_NS]


@pytest.mark.parametrize("window", [1, 4, 32])
@pytest.mark.parametrize("count", [1, 7, 60])
def test_a_flush_ends_when_a_disk_without_cache_had_written_the_same_writes(window: int, count: int) -> None:
    writes = scattered(count, seed=window)
    flushed = completions([*writes, (1000, FLUSH, 0, 0)], destage_window=window)[-1]
    uncached = completions(writes, write_cache=0, ncq_window=window, ncq_age_per_mille=0)
    assert flushed == max(uncached)


def test_an_older_write_is_destaged_before_a_flush_ends_and_a_younger_need_not_be() -> None:
    # With a window of one the order is that of arrival; the third write comes after the flush.
    writes = scattered(3, seed=5)
    late = (2000, *writes[2][1:])
    flushed = completions([*writes[:2], (1000, FLUSH, 0, 0), late], destage_window=1)[2]
    assert flushed == completions(writes[:2], write_cache=0, ncq_window=1)[-1]


def test_writing_a_block_again_while_it_is_cached_adds_no_work() -> None:
    parameters = machine("hdd", job(rw="randwrite", size_bytes=4096, runtime_ns=S, time_based=True, fsync=100))
    cached = dataclasses.replace(parameters, device=DeviceParameters("hdd", CACHED))
    counters = simulate(cached, seed=1).counters
    # Between two syncs a hundred writes: one is destaged at once, one at the sync.
    assert counters["cache_overwrites"] > 40 * counters["destages"]


def test_a_cached_block_is_read_from_the_cache_and_a_destaged_one_from_the_medium() -> None:
    # With a window of one the first write is destaged first, for longer than a millisecond.
    busy = [(0, WRITE, 8, 8), (0, WRITE, 8 * 10**8, 8)]
    hit, miss = (
        completions([*busy, (time_ns, READ, 8 * 10**8, 8)], destage_window=1)[-1] - time_ns for time_ns in (MS, S)
    )
    assert hit == OVERHEAD_NS + LINK_NS
    assert miss > 10 * hit


def test_a_write_makes_the_read_buffer_stale() -> None:
    reads = [(0, READ, 1_000_000, 8), (100 * MS, READ, 1_000_000, 8)]
    assert completions(reads)[1] - 100 * MS == OVERHEAD_NS + LINK_NS
    between = [reads[0], (50 * MS, WRITE, 1_000_000, 8), reads[1]]
    assert completions(between)[2] - 100 * MS > OVERHEAD_NS + LINK_NS


def test_a_full_cache_makes_writes_wait_for_room() -> None:
    waits = completions(scattered(40, seed=1), write_cache_entries=16)
    assert max(waits[:16]) == OVERHEAD_NS + LINK_NS
    assert min(waits[16:]) > 2 * MS


def test_destaging_gives_way_to_reads_until_a_write_waits() -> None:
    reads = [(n * 100, READ, sector, 8) for n, (_, _, sector, _) in enumerate(scattered(30, seed=2))]
    writes = [(0, WRITE, sector, 8) for _, _, sector, _ in scattered(16, seed=3)]
    alone = max(completions(reads))
    roomy = completions([*writes, *reads])
    full = completions([*writes, *writes[:1], *reads], write_cache_entries=15)
    # One destaging may be under way when the reads arrive.
    assert max(roomy[16:]) < alone + 40 * MS
    assert max(full[17:]) > max(roomy[16:])


def test_sequential_cached_writes_run_at_media_rate() -> None:
    fields = {"rw": "write", "block_size_bytes": 131_072, "runtime_ns": 20 * S, "size_bytes": 1 << 40}
    parameters = machine("hdd", job(**fields))
    result = simulate(dataclasses.replace(parameters, device=DeviceParameters("hdd", CACHED)), seed=1)
    # What the cache holds at the end has been accepted and not written.
    assert result.jobs[0].directions["write"].bytes_per_second == pytest.approx(200e6 + (64 << 20) / 20, rel=0.01)


def test_with_a_cache_the_depth_of_writes_does_not_matter() -> None:
    one, many = (consumer(rw="randwrite", iodepth=depth, runtime_ns=30 * S).iops for depth in (1, 32))
    assert one == pytest.approx(many, rel=0.01)


def consumer(**fields: Any) -> Any:
    """Return what one job finds on the measured consumer disk."""
    return next(iter(measured(tuple(fields.items())).jobs[0].directions.values()))


@cache
def measured(fields: tuple[tuple[str, Any], ...]) -> SimulationResult:
    kind, values = devices.resolve("hdd-cons")
    whole = job(**{"size_bytes": values["capacity_bytes"], "runtime_ns": 1000 * S, **dict(fields)})
    parameters = machine("hdd", whole, host=HostParameters(0, 0))
    return simulate(dataclasses.replace(parameters, device=DeviceParameters(kind, values)), seed=1)


@pytest.mark.parametrize(("depth", "iops"), [(1, 57.6), (2, 64.5), (4, 71.2), (8, 78.6), (16, 86.3), (32, 93.6)])
def test_hdd_cons_reads_like_the_measured_disk(depth: int, iops: float) -> None:
    assert consumer(iodepth=depth).iops == pytest.approx(iops, rel=0.12)


def test_hdd_cons_has_the_measured_latencies_at_depth_one() -> None:
    lat = consumer(iodepth=1).lat
    quantiles = lat.percentiles_ns([50, 99])
    assert lat.mean_ns / MS == pytest.approx(17.57, rel=0.03)
    assert quantiles[50] / MS == pytest.approx(17.7, rel=0.03)
    assert quantiles[99] / MS == pytest.approx(28.4, rel=0.05)


def test_hdd_cons_writes_at_random_like_the_measured_disk() -> None:
    assert consumer(rw="randwrite", runtime_ns=30 * S).iops == pytest.approx(124, rel=0.12)


@pytest.mark.parametrize(("rw", "bytes_per_s"), [("read", 143e6), ("write", 132e6)])
def test_hdd_cons_streams_like_the_measured_disk(rw: str, bytes_per_s: float) -> None:
    found = consumer(rw=rw, block_size_bytes=1 << 20, runtime_ns=20 * S)
    assert found.bytes_per_second == pytest.approx(bytes_per_s, rel=0.12)


@pytest.mark.parametrize("count", [4, 8, 16, 32, 64, 128])
def test_hdd_cons_flushes_scattered_writes_in_the_measured_time(count: int) -> None:
    kind, values = devices.resolve("hdd-cons")
    sectors = int(values["capacity_bytes"]) // 512
    begin_ns = count * 120_000
    times = []
    for seed in range(30):
        writes = [(n * 120_000, *rest) for n, (_, *rest) in enumerate(scattered(count, seed, sectors))]
        trace = DeviceTrace(DeviceParameters(kind, values), seed, [*writes, (begin_ns, FLUSH, 0, 0)])  # type: ignore[list-item]
        times.append(trace.completions()[-1] - begin_ns)
    assert fmean(times) / MS == pytest.approx(28 + 9.4 * count, rel=0.12)


def test_a_larger_positioning_error_gains_less_from_depth() -> None:
    gains = []
    for error_ns in (0, 8 * MS, 32 * MS):
        values = {**HDD, "positioning_error_ns": error_ns}
        rates = []
        for depth in (1, 32):
            whole = job(size_bytes=values["capacity_bytes"], runtime_ns=500 * S, iodepth=depth)
            parameters = dataclasses.replace(machine("hdd", whole), device=DeviceParameters("hdd", values))
            rates.append(simulate(parameters, seed=1).jobs[0].directions["read"].iops)
        gains.append(rates[1] / rates[0])
    assert gains[0] > 1.1 * gains[1] > 1.1 * 1.1 * gains[2]
