"""Replayed traces: every I/O at its time or as fast as the depth allows, in its order and at its place."""

from typing import Any

import numpy as np
import pytest

from tests.workers.simulator.machines import MS, machine
from workers.simulator import HostParameters, JobParameters, Recording, SimulationResult, simulate

TIMES = (0, MS, MS, 3 * MS, 10 * MS)
RECORDED = Recording(TIMES, (0, 1, 0, 2, 1), (0, 8, 1_000_000, 64, 8), (8, 16, 256, 1024, 1))


def replay(recording: Recording = RECORDED, **fields: Any) -> SimulationResult:
    options: dict[str, Any] = {"io_submit_mode": "offload", "iodepth": 64, "size_bytes": 1 << 30, **fields}
    job = JobParameters(name="replay", recording=recording, **options)
    host = HostParameters(0, 0)
    return simulate(machine("constant", job, host=host, trace_ios=100_000, check_invariants=True), seed=1)


def test_each_io_goes_at_its_time_to_its_place() -> None:
    rows = replay().trace
    rows = rows[np.lexsort((rows[:, 2], rows[:, 5]))]
    assert rows[:, 5].tolist() == sorted(TIMES)
    assert {tuple(row[1:4]) for row in rows.tolist()} == set(
        zip(RECORDED.direction, RECORDED.sector, RECORDED.sectors, strict=True)
    )


def test_directions_are_counted_apart() -> None:
    directions = replay().jobs[0].directions
    assert {name: (found.ios, found.bytes) for name, found in directions.items()} == {
        "read": (2, 264 * 512),
        "write": (2, 17 * 512),
        "trim": (1, 1024 * 512),
    }


def test_arrivals_do_not_wait_for_a_slow_device_until_the_depth_is_used_up() -> None:
    recording = Recording(tuple(range(0, 1000, 10)), (0,) * 100, tuple(range(0, 800, 8)), (8,) * 100)
    assert replay(recording, iodepth=100).counters["device_depth_most"] == 100
    assert replay(recording, iodepth=7).counters["device_depth_most"] == 7
    assert replay(recording, iodepth=7).jobs[0].directions["read"].ios == 100


def test_as_fast_as_possible_keeps_the_depth_and_forgets_the_times() -> None:
    recording = Recording(
        tuple(range(0, 10_000 * MS, 100 * MS)), (0,) * 100, tuple(range(0, 800, 8)), (8,) * 100, False
    )
    result = replay(recording, io_submit_mode="inline", iodepth=4)
    assert result.counters["device_depth_most"] == 4
    assert result.ended_at_ns == 100 // 4 * 80_000


@pytest.mark.parametrize(
    ("recording", "message"),
    [
        (Recording((5, 3), (0, 0), (0, 0), (8, 8)), r"recording\[1\]: the time 3"),
        (Recording((0,), (0,), (1 << 40,), (8,)), r"recording\[0\]: ends at sector"),
        (Recording((0,), (3,), (0,), (8,)), r"recording\[0\]: 3 is no read"),
        (Recording((0,), (0,), (0,), (0,)), r"recording\[0\]: 0 sectors"),
        (Recording((), (), (), ()), r"recording \(I/Os\)"),
        (Recording((0, 1), (0,), (0,), (8,)), "differ in length"),
    ],
)
def test_what_cannot_be_replayed_is_refused_by_its_position(recording: Recording, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replay(recording)
