"""Writeback throttling: limits and windows, counted by hand from the rules of block/blk-wbt.c."""

import itertools
from typing import Any

import pytest

from tests.workers.simulator.machines import device
from workers.simulator.block.trace import BioArrival, QueueTrace
from workers.simulator.kinds import BACKGROUND, READ, TRIM, WAITED, WRITE, WRITEBACK
from workers.simulator.parameters import QueueParameters

MS = 1_000_000
SERVICE_NS = 5 * MS


def run(arrivals: list[BioArrival], values: dict[str, Any] | None = None, **settings: Any) -> QueueTrace:
    parameters = device("constant", **{"service_ns": SERVICE_NS, **(values or {})})
    trace = QueueTrace(parameters, QueueParameters("none", nomerges=2, **settings), arrivals)
    assert -1 not in trace.completions()
    return trace


def writes(count: int, flags: int = WRITEBACK, direction: int = WRITE) -> list[BioArrival]:
    return [(0, direction, 80 * place, 8, flags, 0) for place in range(count)]


def in_flight(trace: QueueTrace, at_ns: int, directions: tuple[int, ...] = (WRITE, TRIM)) -> int:
    """How many such commands the device has at a time."""
    return sum(begin <= at_ns < end for begin, end, direction, *_ in trace.commands if direction in directions)


@pytest.mark.parametrize(
    ("flags", "direction", "limit"),
    [
        (WRITEBACK, WRITE, 8),  # (16 + 1) / 2
        (WRITEBACK | BACKGROUND, WRITE, 4),  # (16 + 3) / 4
        (WRITEBACK | WAITED, WRITE, 16),
        (0, TRIM, 4),
        (0, WRITE, 100),  # direct: REQ_SYNC | REQ_IDLE
        (0, READ, 100),
    ],
    ids=["normal", "background", "waited for", "discard", "direct", "read"],
)
def test_so_many_are_in_flight_at_first(flags: int, direction: int, limit: int) -> None:
    trace = run(writes(100, flags, direction))
    assert in_flight(trace, 1, (direction,)) == limit
    assert (trace.queue.counters()["wbt_waits"] > 0) == (limit < 100)


@pytest.mark.parametrize(
    ("queue_depth", "normal", "background"),
    [(6, 3, 2), (5, 3, 2), (2, 2, 1), (1, 1, 1)],
    ids=["(6 + 1) / 2, (6 + 3) / 4", "5", "2", "one tag"],
)
def test_a_small_queue_has_small_limits(queue_depth: int, normal: int, background: int) -> None:
    values = {"queue_depth": queue_depth}
    assert in_flight(run(writes(20), values), 1) == normal
    assert in_flight(run(writes(20, WRITEBACK | BACKGROUND), values), 1) == background


def test_a_recent_read_leaves_a_quarter() -> None:
    read: BioArrival = (0, READ, 1 << 20, 8, 0, 0)
    trace = run([read, *writes(100)])
    assert in_flight(trace, 1) == 4


def test_a_target_of_0_switches_it_off() -> None:
    assert in_flight(run(writes(100), wbt_lat_usec=0), 1) == 100


def test_a_device_with_a_volatile_cache_gets_the_next_ones_when_all_have_ended() -> None:
    begins = sorted(begin for begin, *_ in run(writes(24), {"write_cache": 1}).commands)
    assert begins == [0] * 8 + [SERVICE_NS] * 8 + [2 * SERVICE_NS] * 8


def test_reads_that_miss_the_target_halve_the_depth_window_by_window() -> None:
    # A read each 10 ms takes 5 ms, the target is 2 ms. The first window has 100 ms, the next 100 / sqrt(2) and
    # 100 / sqrt(3), with the kernel's integer roots: 1600 / 22 and 1600 / 27. Depths 16, 8, 4, 2; a quarter of each.
    reads = [(10 * MS * place, READ, 1 << 20, 8, 0, 1) for place in range(60)]
    trace = run(sorted([*writes(2000), *reads]))
    ends = list(itertools.accumulate([100 * MS, 1600 * MS // 22, 1600 * MS // 27]))
    before = 1 * MS
    assert [in_flight(trace, end - before) for end in ends] == [4, 2, 1]
    counters = trace.queue.counters()
    assert counters["wbt_scale_downs"] >= 4


def test_writes_alone_double_the_depth_window_by_window() -> None:
    trace = run(writes(4000))
    for window, at in enumerate((50, 150, 250, 350)):
        depth = 1 + (15 << window)
        limit, background = (depth + 1) // 2, (depth + 3) // 4
        # Those that wait are woken when half the background limit is free.
        assert limit - background // 2 < in_flight(trace, at * MS) <= limit


def test_no_more_than_three_quarters_of_the_queue() -> None:
    trace = run(writes(4000), {"queue_depth": 32})
    assert trace.queue.wbt.max_depth <= 24
    assert max(in_flight(trace, at * MS) for at in range(0, 400, 5)) == 12


def test_reads_in_time_restore_the_depth() -> None:
    # Slow reads for 300 ms by a flood of a device of one, then none and then quick ones: the depth comes back to 16.
    reads = [(10 * MS * place, READ, 1 << 20, 8, 0, 1) for place in range(30)]
    trace = run(sorted([*writes(300), *reads]))
    assert trace.queue.counters()["wbt_scale_downs"] > 2
    assert trace.queue.wbt.step <= 0
