"""The flash device against closed queueing networks, against its own bottlenecks, and against a published drive."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.catalog import devices
from tests.workers.simulator.device.test_ftl import amplification
from tests.workers.simulator.machines import FLASH, GIB, MS, S, device, job, machine
from workers.simulator import DeviceParameters, DirectionResult, HostParameters, SimulationResult, merge_jobs, simulate
from workers.simulator.device.trace import DeviceTrace
from workers.simulator.kinds import FLUSH, READ, WRITE

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


def published(depth: int, profile: str = "nvme-flash", jobs: int = 1, **fields: Any) -> DirectionResult:
    kind, values = devices.resolve(profile)
    whole = {"iodepth": depth, "size_bytes": values["capacity_bytes"], "runtime_ns": S, **fields}
    clones = [job(number, **whole) for number in range(1, jobs + 1)]
    parameters = dataclasses.replace(machine("constant", *clones), device=DeviceParameters(kind, values))
    return list(merge_jobs(simulate(parameters, seed=1).jobs).directions.values())[-1]


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


# Sixteen dies that program 64 KiB in a millisecond, and nothing else that takes time.
PROGRAMS = {
    "channels": 8,
    "program_bytes": 65_536,
    "channel_bytes_per_s": 10**12,
    "program_ns": 1_000_000,
    "first_page_read_ns": 0,
    "second_page_read_ns": 0,
    "erase_ns": 0,
    "mapped_pages": 1 << 17,
}
DIES_BYTES_PER_S = 16 * 65_536 / 1e-3


def write(changes: dict[str, Any], **fields: Any) -> SimulationResult:
    whole = job(iodepth=32, ramp_time_ns=S // 2, runtime_ns=S, size_bytes=64 * GIB, **fields)
    return run({**PROGRAMS, **changes}, whole)


def test_sequential_writes_on_a_sequentially_written_device_run_at_the_rate_of_all_dies() -> None:
    result = write({"precondition": "sequential"}, rw="write", block_size_bytes=131_072)
    assert result.jobs[0].directions["write"].bytes_per_second == pytest.approx(DIES_BYTES_PER_S, rel=0.01)
    assert result.counters["collection_programs"] == 0


@pytest.mark.parametrize("spare", [70, 280, 1000])
def test_random_writes_pay_for_collection(spare: int) -> None:
    # Xiang and Kurkoski's closed form, as in test_ftl.
    result = write({"over_provisioning_per_mille": spare}, rw="randwrite")
    expected = DIES_BYTES_PER_S / amplification(spare / 1000)
    assert result.jobs[0].directions["write"].bytes_per_second == pytest.approx(expected, rel=0.06)
    host = result.counters["programs"] - result.counters["collection_programs"]
    assert result.counters["programs"] / host == pytest.approx(amplification(spare / 1000), rel=0.06)


def test_memory_that_is_overwritten_in_place_collects_nothing() -> None:
    result = write({"collection": "no"}, rw="randwrite")
    assert result.jobs[0].directions["write"].bytes_per_second == pytest.approx(DIES_BYTES_PER_S, rel=0.01)


def test_each_block_of_programs_costs_one_erase() -> None:
    with_erases = write({"erase_ns": 4_000_000, "block_bytes": 1 << 20, "collection": "no"}, rw="randwrite")
    # Sixteen programs of a millisecond, then four more.
    rate = with_erases.jobs[0].directions["write"].bytes_per_second
    assert rate == pytest.approx(DIES_BYTES_PER_S * 16 / 20, rel=0.01)
    assert with_erases.counters["erases"] == pytest.approx(with_erases.counters["programs"] / 16, rel=0.01)


def test_following_one_page_in_many_gives_the_amplification_of_following_all() -> None:
    # 1 GiB has 2^18 pages; the second map follows one in 8 of them.
    rates = []
    for pages in (1 << 18, 1 << 15):
        changes = {**PROGRAMS, "capacity_bytes": GIB, "mapped_pages": pages, "over_provisioning_per_mille": 150}
        result = run(changes, job(iodepth=32, ramp_time_ns=S, runtime_ns=8 * S, rw="randwrite", norandommap=True))
        rates.append(result.jobs[0].directions["write"].iops)
    assert rates[1] == pytest.approx(rates[0], rel=0.05)


def test_large_random_writes_are_amplified_like_small_ones() -> None:
    rates = []
    for block in (4096, 131_072):
        whole = job(iodepth=8, ramp_time_ns=S, runtime_ns=8 * S, rw="randwrite", block_size_bytes=block)
        result = run({**PROGRAMS, "capacity_bytes": GIB, "mapped_pages": 1 << 15}, whole)
        rates.append(result.jobs[0].directions["write"].bytes_per_second)
    assert rates[1] == pytest.approx(rates[0], rel=0.1)


def test_discarding_everything_makes_random_writes_free_of_collection_for_the_spare() -> None:
    # 64 KiB discards of the whole gibibyte take some 40 ms; the writer begins after that.
    trim = job(1, rw="trim", block_size_bytes=65_536, runtime_ns=None, iodepth=8)
    later = job(2, rw="randwrite", iodepth=32, start_delay_ns=S, runtime_ns=S // 2)
    result = run({**PROGRAMS, "capacity_bytes": GIB, "mapped_pages": 1 << 18}, trim, later)
    assert result.jobs[0].directions["trim"].bytes == GIB
    # The ratio of 1.5 fades away over some eight blocks of 256 pages, 24 programs for each.
    assert result.counters["collection_programs"] <= 8 * 24
    assert result.counters["collection_programs"] < 0.03 * result.counters["programs"]


def flush_times(**changes: Any) -> list[int]:
    """Return the latencies of a write, a flush just behind it, and one long after."""
    values = {**FLASH, **PROGRAMS, "collection": "no", "write_cache": 1, "controller_busy_ns": 0, **changes}
    given = [(0, WRITE, 0, 8), (30_000, FLUSH, 0, 0), (20 * MS, FLUSH, 0, 0)]
    done = DeviceTrace(DeviceParameters("flash", values), 1, given).completions()
    return [end - begin for end, (begin, *_) in zip(done, given, strict=True)]


def test_a_flush_of_a_volatile_buffer_waits_for_its_programs() -> None:
    write_ns, busy_ns, idle_ns = flush_times()
    assert write_ns < 30_000
    # The controller's 6 us, the program of a part of a unit, and flush_ns.
    assert busy_ns == pytest.approx(6_000 + MS + 100_000, rel=0.001)
    assert idle_ns == 6_000 + 100_000


def test_a_flush_of_a_protected_buffer_waits_for_nothing() -> None:
    assert flush_times(power_loss_protection="yes")[1:] == [6_000 + 100_000] * 2


@pytest.mark.parametrize(("protected", "expected"), [("no", MS), ("yes", 5_000)])
def test_fua_waits_for_the_program_unless_the_buffer_is_protected(protected: str, expected: int) -> None:
    changes = {**PROGRAMS, "collection": "no", "write_cache": 1, "fua": 1, "power_loss_protection": protected}
    write = run(changes, job(rw="randwrite", sync="dsync")).jobs[0].directions["write"]
    assert write.lat.mean_ns == pytest.approx(8_000 + 1_365 + expected, rel=0.002)


@pytest.mark.parametrize(
    ("state", "fields", "words"),
    [
        ("random", {"rw": "randwrite"}, None),
        ("random", {"rw": "write", "block_size_bytes": 65_536}, "sequentially: shorter than its warm-up"),
        ("sequential", {"rw": "randwrite"}, "randomly: shorter than its warm-up"),
        ("sequential", {"rw": "write", "block_size_bytes": 65_536}, None),
        ("empty", {"rw": "write", "block_size_bytes": 65_536}, "the device began empty"),
        ("workload", {"rw": "write", "block_size_bytes": 65_536}, None),
        ("workload", {"rw": "randrw"}, None),
        ("random", {"rw": "randread"}, None),
    ],
)
def test_a_run_that_is_too_short_for_its_state_says_so(state: str, fields: dict[str, Any], words: str | None) -> None:
    warnings = write({"precondition": state}, **fields).warnings
    assert len(warnings) == (words is not None)
    assert words is None or words in warnings[0]


def test_a_drifting_amplification_is_told() -> None:
    # A hot quarter of a device that was written all over: the spare pages gather there, and collection gets cheap.
    changes = {**PROGRAMS, "capacity_bytes": 4 * GIB, "mapped_pages": 1 << 18, "over_provisioning_per_mille": 100}
    result = run(changes, job(iodepth=32, rw="randwrite", runtime_ns=8 * S, time_based=True))
    assert len(result.warnings) == 1
    assert "write amplification went from" in result.warnings[0]


def test_writes_are_fast_until_the_buffer_is_full() -> None:
    burst = [(n * 1500, WRITE, 2 * n * 8, 8) for n in range(2000)]
    done = DeviceTrace(DeviceParameters("flash", {**FLASH, "controller_busy_ns": 100}), 1, burst).completions()
    waits = [end - time_ns for end, (time_ns, *_) in zip(done, burst, strict=True)]
    held = (4 << 20) // 4096
    assert max(waits[:held]) < 30_000
    assert max(waits[held:]) > 500_000


def test_a_write_larger_than_the_buffer_gets_through() -> None:
    writes = job(rw="write", block_size_bytes=4 << 20, iodepth=4, runtime_ns=S)
    result = run({"write_buffer_bytes": 1 << 20}, writes)
    assert result.jobs[0].directions["write"].ios > 10


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


@pytest.mark.parametrize(("depth", "iops", "mean_us", "p99_us"), [(1, 12_800, 77.9, 96), (16, 167_200, 93.9, 163)])
def test_nvme_flash_reads_like_the_measured_drive(depth: int, iops: float, mean_us: float, p99_us: float) -> None:
    read = published(depth)
    assert read.iops == pytest.approx(iops, rel=0.05)
    assert read.lat.mean_ns / 1000 == pytest.approx(mean_us, rel=0.05)
    assert read.lat.percentiles_ns([99])[99] / 1000 == pytest.approx(p99_us, rel=0.15)


def test_nvme_flash_at_depth_one_has_the_measured_median() -> None:
    assert published(1).lat.percentiles_ns([50])[50] == pytest.approx(76_000, rel=0.15)


def test_nvme_flash_writes_within_its_data_sheet() -> None:
    assert published(1, rw="randwrite").lat.percentiles_ns([50])[50] == pytest.approx(20_000, rel=0.1)
    assert published(32, rw="randwrite", ramp_time_ns=S).iops == pytest.approx(90_000, rel=0.1)
    stream = published(32, rw="write", block_size_bytes=131_072, ramp_time_ns=S)
    assert stream.bytes_per_second == pytest.approx(1.9e9, rel=0.1)


@pytest.mark.parametrize(
    ("jobs", "depth", "iops", "mean_us", "p99_us"), [(1, 1, 108_300, 8.9, 10), (4, 4, 584_800, 25.5, 41)]
)
def test_nvme_xpoint_reads_like_the_measured_drive(
    jobs: int, depth: int, iops: float, mean_us: float, p99_us: float
) -> None:
    read = published(depth, "nvme-xpoint", jobs)
    assert read.iops == pytest.approx(iops, rel=0.05)
    assert read.lat.mean_ns / 1000 == pytest.approx(mean_us, rel=0.05)
    assert read.lat.percentiles_ns([99])[99] / 1000 == pytest.approx(p99_us, rel=0.15)


def test_nvme_xpoint_writes_at_random_as_fast_as_its_data_sheet_says() -> None:
    assert published(8, "nvme-xpoint", 4, rw="randwrite").iops == pytest.approx(500_000, rel=0.05)


@pytest.mark.parametrize(
    ("profile", "mean_us", "iops", "syncs"), [("sata-ssd", 93, 98_400, 315), ("sata-ssd-plp", 120, 98_000, 15_500)]
)
def test_a_sata_drive_reads_and_syncs_like_the_published_one(
    profile: str, mean_us: float, iops: float, syncs: float
) -> None:
    assert published(1, profile).lat.mean_ns / 1000 == pytest.approx(mean_us, rel=0.05)
    assert published(32, profile).iops == pytest.approx(iops, rel=0.05)
    synced = published(1, profile, rw="randwrite", engine="psync", fsync=1)
    assert synced.iops == pytest.approx(syncs, rel=0.1)


def test_power_loss_protection_decides_the_rate_of_syncs() -> None:
    kind, values = devices.resolve("sata-ssd-plp", {"power_loss_protection": "no"})
    syncing = job(rw="randwrite", engine="psync", fsync=1, runtime_ns=S, size_bytes=values["capacity_bytes"])
    parameters = dataclasses.replace(machine("constant", syncing), device=DeviceParameters(kind, values))
    rate = simulate(parameters, seed=1).jobs[0].directions["sync"].iops
    # Each sync waits for a program of 0.7 ms and its load.
    assert rate == pytest.approx(1 / (0.7e-3 + 16_384 / 215e6 + 65e-6), rel=0.03)
