"""The hard disk against closed forms, against our own published rows, and against what a disk cannot do."""

import dataclasses
import math
import random
from typing import Any

import pytest

from tests.workers.simulator.machines import HDD, S, device, job, machine
from workers.simulator import DeviceParameters, HostParameters, SimulationResult, simulate
from workers.simulator.device.tables import SEEK_COARSE, SEEK_ENTRIES, seek_shifts, seek_table, zones_of
from workers.simulator.device.trace import Arrival, DeviceTrace
from workers.simulator.kinds import READ, WRITE

SIZE = int(HDD["capacity_bytes"])
REVOLUTION_NS = 60 * S // 7200
A_NS, B_NS = 230_000, 13_440_000


def run(changes: dict[str, int] | None = None, **fields: Any) -> SimulationResult:
    fields = {"size_bytes": SIZE, "runtime_ns": 1000 * S, **fields}
    parameters = machine("hdd", job(**fields), host=HostParameters(0, 0))
    return simulate(dataclasses.replace(parameters, device=device("hdd", **(changes or {}))), seed=1)


def iops(changes: dict[str, int] | None = None, **fields: Any) -> float:
    return sum(part.iops for part in run(changes, **fields).jobs[0].directions.values())


def rate(**fields: Any) -> float:
    result = run({}, runtime_ns=20 * S, **fields)
    return sum(part.bytes_per_second for part in result.jobs[0].directions.values())


def test_random_reads_over_the_whole_disk_come_at_the_closed_form() -> None:
    # a + 8b/15 + R/2 + transfer = 11.59 ms.
    assert iops(runtime_ns=4000 * S) == pytest.approx(86.3, rel=0.01)


def test_seek_and_rotation_are_their_expectations() -> None:
    result = run(runtime_ns=4000 * S)
    count = result.counters["media_commands"]
    assert result.counters["seek_ns"] / count == pytest.approx(A_NS + 8 * B_NS / 15, rel=0.005)
    assert result.counters["rotation_ns"] / count == pytest.approx(REVOLUTION_NS / 2, rel=0.01)


@pytest.mark.parametrize(
    ("depth", "expected"), [(1, 86.3), (2, 104.2), (4, 125.4), (8, 152.5), (16, 188.0), (32, 232.3)]
)
def test_choosing_by_positioning_time_gains_what_theory_says(depth: int, expected: float) -> None:
    assert iops(iodepth=depth, runtime_ns=2000 * S) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("depth", [2, 8, 32])
def test_a_window_of_one_is_first_come_first_served_and_gains_nothing(depth: int) -> None:
    assert iops({"ncq_window": 1}, iodepth=depth) == pytest.approx(86.3, rel=0.02)


def naive_completions(values: dict[str, int], given: list[Arrival]) -> list[int]:
    """Serve the commands as the description says, each time looking at all of them."""
    sectors = values["capacity_bytes"] // 512
    zones = zones_of(sectors, values["zones"], values["outer_bytes_per_s"], values["inner_bytes_per_s"], REVOLUTION_NS)
    tables = {
        way: seek_table(values[f"{name}_seek_min_ns"], values[f"{name}_seek_span_ns"], sectors)
        for way, name in ((READ, "read"), (WRITE, "write"))
    }

    def zone(sector: int) -> int:
        return min(sector // zones.sectors, values["zones"] - 1)

    def seek_ns(way: int, distance: int, at: int) -> int:
        if distance * zones.sector_ns[zone(at)] < REVOLUTION_NS << 8:
            return 0
        shifts = seek_shifts(sectors)
        level = next((each for each in (0, 1) if distance >> shifts[each] >= SEEK_COARSE), 2)
        cell, inside = divmod(distance, 1 << shifts[level])
        low, high = tables[way][level * SEEK_ENTRIES + cell : level * SEEK_ENTRIES + cell + 2]
        return low + ((high - low) * inside >> shifts[level])

    def cost_ns(index: int, now_ns: int, head: int, began: int) -> int:
        _, way, sector, _ = given[index]
        moving_ns = seek_ns(way, abs(sector - head), began)
        home = zone(sector)
        angle_ns = zones.angle_ns[home] + ((sector - home * zones.sectors) * zones.sector_ns[home] >> 8)
        return moving_ns + (angle_ns - now_ns - moving_ns) % REVOLUTION_NS

    done = [0] * len(given)
    left = list(range(len(given)))
    now_ns = head = began = 0
    while left:
        now_ns = max(now_ns, given[left[0]][0]) + values["command_overhead_ns"]
        here = [index for index in left if given[index][0] <= now_ns][: values["ncq_window"]]
        weight = values["ncq_age_per_mille"]
        chosen = min(
            here,
            key=lambda index: cost_ns(index, now_ns, head, began) - (now_ns - given[index][0]) * weight // 1000,
        )
        _, _, sector, length = given[chosen]
        now_ns += cost_ns(chosen, now_ns, head, began) + (length * zones.sector_ns[zone(sector)] >> 8)
        done[chosen] = now_ns
        head, began = sector + length, sector
        left.remove(chosen)
    return done


@pytest.mark.parametrize("region", [1 << 13, 1 << 22, SIZE // 512])
@pytest.mark.parametrize(
    "changes", [{}, {"ncq_window": 4}, {"ncq_age_per_mille": 0}, {"ncq_age_per_mille": 300}, {"ncq_window": 500}]
)
def test_every_choice_is_the_one_that_looking_at_all_commands_gives(region: int, changes: dict[str, int]) -> None:
    values = {**HDD, "readahead_bytes": 0, **changes}
    rng = random.Random(1)
    given: list[Arrival] = []
    time_ns = 0
    for _ in range(600):
        # The smallest region is two tracks under a deep queue: many commands need no seek at all.
        time_ns += rng.randrange(200_000 if region == 1 << 13 else 8_000_000)
        given.append((time_ns, rng.choice([READ, WRITE]), 16 * rng.randrange((region - 16) // 16), 8))
    done = DeviceTrace(DeviceParameters("hdd", values), 1, given).completions()
    assert done == naive_completions(values, given)


def test_a_smaller_window_gains_less() -> None:
    few, many = (iops({"ncq_window": window}, iodepth=32) for window in (4, 32))
    assert iops({"ncq_window": 4}, iodepth=4) == pytest.approx(few, rel=0.02)
    assert few < 0.6 * many


def test_ageing_shortens_the_longest_wait_for_little_throughput() -> None:
    pure, aged = (run({"ncq_age_per_mille": weight}, iodepth=32).jobs[0].directions["read"] for weight in (0, 5))
    assert aged.lat.max_ns < 0.8 * pure.lat.max_ns
    assert aged.iops > 0.98 * pure.iops


@pytest.mark.parametrize(("block", "depth"), [(65_536, 1), (131_072, 1), (1 << 20, 1), (4096, 32), (131_072, 32)])
def test_sequential_reads_run_at_media_rate(block: int, depth: int) -> None:
    assert rate(rw="read", block_size_bytes=block, iodepth=depth) == pytest.approx(200e6, rel=0.005)


def test_small_sequential_reads_at_depth_one_are_bounded_by_the_command_overhead() -> None:
    link_ns = 8 * (512 * S // 600_000_000)
    assert rate(rw="read", block_size_bytes=4096) == pytest.approx(4096 * 1e9 / (50_000 + link_ns), rel=0.01)


def test_the_innermost_zone_reads_at_half_the_rate() -> None:
    offset = (SIZE - SIZE // 32) // 4096 * 4096
    inner = rate(rw="read", block_size_bytes=131_072, offset_bytes=offset, size_bytes=1 << 30)
    assert inner == pytest.approx(100e6, rel=0.005)


def test_a_sequential_write_at_depth_one_loses_a_revolution_each_time() -> None:
    transfer_ns = 4096 * 1e9 / 200e6
    assert iops(rw="write", runtime_ns=20 * S) == pytest.approx(1e9 / (REVOLUTION_NS + transfer_ns), rel=0.002)


def test_queued_sequential_writes_stream() -> None:
    assert rate(rw="write", block_size_bytes=65_536, iodepth=8) == pytest.approx(200e6, rel=0.005)


def test_the_same_sector_passes_once_a_revolution() -> None:
    values = {**HDD, "readahead_bytes": 0}
    given = [(time_ns, READ, 123_456_789, 8) for time_ns in (0, 50_000_000, 111_111_111)]
    done = DeviceTrace(DeviceParameters("hdd", values), 1, given).completions()
    # 8,333,333 ns is what the integer clock makes of a 120th of a second.
    assert [(end - done[0]) % REVOLUTION_NS for end in done] == [0, 0, 0]


def test_reading_again_what_was_just_read_comes_from_the_buffer_and_not_after_a_write() -> None:
    reads = [(0, READ, 1_000_000, 8), (100_000_000, READ, 1_000_000, 8)]
    done = DeviceTrace(DeviceParameters("hdd", HDD), 1, reads).completions()
    assert done[1] - 100_000_000 < 100_000
    between = [reads[0], (50_000_000, WRITE, 1_000_000, 8), reads[1]]
    done = DeviceTrace(DeviceParameters("hdd", HDD), 1, between).completions()
    assert done[2] - 100_000_000 > 100_000


def test_the_arm_does_one_thing_at_a_time() -> None:
    result = run(iodepth=32, rw="randrw", runtime_ns=100 * S)
    counters = result.counters
    moved_ns = counters["seek_ns"] + counters["rotation_ns"] + counters["transfer_ns"]
    overhead_ns = 50_000 * counters["media_commands"]
    assert moved_ns + overhead_ns == pytest.approx(counters["device_busy_ns"], rel=1e-3)


def test_no_stream_keeps_another_waiting_for_long() -> None:
    jobs = [
        job(n, rw="read", block_size_bytes=65_536, offset_bytes=n << 38, runtime_ns=20 * S, size_bytes=1 << 34)
        for n in (1, 2, 3, 4)
    ]
    result = simulate(machine("hdd", *jobs), seed=1)
    shares = [each.directions["read"].ios for each in result.jobs]
    assert min(shares) > 0.3 * max(shares)
    assert max(each.directions["read"].lat.max_ns for each in result.jobs) < 2 * S


def test_the_seek_tables_are_the_curve() -> None:
    sectors = SIZE // 512
    table = seek_table(A_NS, B_NS, sectors)
    rng = random.Random(1)
    for distance in (600, 5_000, 10**6, 10**9, sectors, *(int(sectors ** rng.uniform(0.3, 1)) for _ in range(1000))):
        shifts = seek_shifts(sectors)
        level = next((each for each in (0, 1) if distance >> shifts[each] >= SEEK_COARSE), 2)
        cell, inside = divmod(distance, 1 << shifts[level])
        low, high = table[level * SEEK_ENTRIES + cell], table[level * SEEK_ENTRIES + cell + 1]
        ours_ns = low + (high - low) * inside / (1 << shifts[level])
        assert ours_ns == pytest.approx(A_NS + B_NS * math.sqrt(distance / sectors), abs=1000)


def test_zones_join_without_a_jump_in_angle() -> None:
    zones = zones_of(SIZE // 512, 16, 200_000_000, 100_000_000, REVOLUTION_NS)
    assert (zones.sector_ns[0], zones.sector_ns[-1]) == (2560 << 8, 5120 << 8)
    for zone in range(15):
        end_ns = zones.angle_ns[zone] + (zones.sectors * zones.sector_ns[zone] >> 8)
        assert end_ns % REVOLUTION_NS == zones.angle_ns[zone + 1]
