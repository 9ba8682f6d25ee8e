"""The flush machinery over a device of fixed times: the command sequences that Documentation/block/writeback_cache_control describes.

A write takes 80 us, a flush 1 ms; what the device got is compared with what the rules say, counted by hand.
"""

from itertools import pairwise
from typing import Any

import pytest

from tests.workers.simulator.machines import device
from workers.simulator.block.trace import BioArrival, QueueTrace
from workers.simulator.kinds import FLUSH, FUA, PREFLUSH, READ, SYNC, WRITE
from workers.simulator.parameters import QueueParameters

US = 1000
MS = 1_000_000
WRITE_NS = 80 * US
FLUSH_NS = MS


def sync(time_ns: int, thread: int = 0) -> BioArrival:
    return (time_ns, SYNC, 0, 0, PREFLUSH, thread)


def write(time_ns: int, flags: int = 0, sector: int = 8, thread: int = 0) -> BioArrival:
    return (time_ns, WRITE, sector, 8, flags, thread)


def run(
    arrivals: list[BioArrival], scheduler: str = "none", **changes: Any
) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Return when each bio ended, and (begin, end, direction) of each command, in order of their begin."""
    values: dict[str, Any] = {"write_cache": 1, **changes}
    trace = QueueTrace(device("constant", **values), QueueParameters(scheduler), arrivals)
    ended = trace.completions()
    return ended, sorted((begin, end, direction) for begin, end, direction, _, _, _ in trace.commands)


@pytest.fixture(params=["none", "mq-deadline"])
def scheduler(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_sync_is_one_flush_command(scheduler: str) -> None:
    assert run([sync(0)], scheduler) == ([FLUSH_NS], [(0, FLUSH_NS, FLUSH)])


def test_a_fua_write_to_a_device_without_fua_is_the_write_and_a_flush(scheduler: str) -> None:
    ended, commands = run([write(0, FUA)], scheduler)
    assert commands == [(0, WRITE_NS, WRITE), (WRITE_NS, WRITE_NS + FLUSH_NS, FLUSH)]
    assert ended == [WRITE_NS + FLUSH_NS]


def test_a_fua_write_to_a_device_with_fua_is_one_command_that_carries_it(scheduler: str) -> None:
    trace = QueueTrace(device("constant", write_cache=1, fua=1), QueueParameters(scheduler), [write(0, FUA)])
    assert trace.completions() == [WRITE_NS]
    assert trace.commands == [(0, WRITE_NS, WRITE, 8, 8, FUA)]


def test_a_write_with_preflush_and_fua_is_flush_write_flush(scheduler: str) -> None:
    ended, commands = run([write(0, PREFLUSH | FUA)], scheduler)
    assert [direction for _, _, direction in commands] == [FLUSH, WRITE, FLUSH]
    assert ended == [FLUSH_NS + WRITE_NS + FLUSH_NS]


def test_a_write_with_preflush_and_fua_over_a_device_with_fua_has_no_flush_behind(scheduler: str) -> None:
    ended, commands = run([write(0, PREFLUSH | FUA)], scheduler, fua=1)
    assert [direction for _, _, direction in commands] == [FLUSH, WRITE]
    assert ended == [FLUSH_NS + WRITE_NS]


def test_over_a_device_without_volatile_cache_the_flags_mean_nothing(scheduler: str) -> None:
    ended, commands = run([write(0, PREFLUSH | FUA)], scheduler, write_cache=0)
    assert (ended, commands) == ([WRITE_NS], [(0, WRITE_NS, WRITE)])


def test_syncs_that_arrive_while_a_flush_runs_share_the_next_one(scheduler: str) -> None:
    ended, commands = run([sync(0), *(sync(n * US) for n in range(1, 11))], scheduler)
    assert ended == [FLUSH_NS] + 10 * [2 * FLUSH_NS]
    assert commands == [(0, FLUSH_NS, FLUSH), (FLUSH_NS, 2 * FLUSH_NS, FLUSH)]


def test_at_most_one_flush_of_a_hardware_queue_is_in_flight() -> None:
    _, commands = run([sync(n * 100 * US) for n in range(50)])
    assert all(later[0] >= earlier[1] for earlier, later in pairwise(commands))


def test_each_hardware_queue_flushes_for_itself() -> None:
    ended, commands = run([sync(0, 0), sync(10, 1)], hw_queues=2)
    assert ended == [FLUSH_NS, FLUSH_NS + 10]
    assert len(commands) == 2


def test_a_flush_is_put_off_while_the_data_of_a_sequence_is_in_flight(scheduler: str) -> None:
    # The FUA write's data runs from 0 to 80 us; the sync at 10 us waits for it and shares the flush behind it.
    ended, commands = run([write(0, FUA), sync(10 * US)], scheduler)
    assert ended == [WRITE_NS + FLUSH_NS] * 2
    assert [direction for _, _, direction in commands] == [WRITE, FLUSH]


def test_plain_writes_do_not_put_a_flush_off() -> None:
    _, commands = run([write(0), sync(10 * US)])
    assert commands == [(0, WRITE_NS, WRITE), (10 * US, 10 * US + FLUSH_NS, FLUSH)]


def test_fua_writes_without_end_put_a_flush_off_for_five_seconds_at_most() -> None:
    slow = 100 * MS
    overlapping = [write(n * 60 * MS, FUA, sector=8 * n + 8) for n in range(100)]
    ended, commands = run([*overlapping, sync(10 * MS)], service_ns=slow)
    first = next(begin for begin, _, direction in commands if direction == FLUSH)
    # Pending since the sync came at 10 ms; looked at whenever a write's data ends, each 60 ms.
    assert 5010 * MS <= first <= 5070 * MS
    assert ended[-1] == first + FLUSH_NS


def test_a_flush_that_is_not_queued_waits_for_everything_and_lets_nothing_in(scheduler: str) -> None:
    given = [write(0), sync(10 * US), write(20 * US, sector=800), (30 * US, READ, 16, 8, 0, 0)]
    ended, commands = run(given, scheduler, flush_queued=0)
    assert commands == [
        (0, WRITE_NS, WRITE),
        (WRITE_NS, WRITE_NS + FLUSH_NS, FLUSH),
        (WRITE_NS + FLUSH_NS, 2 * WRITE_NS + FLUSH_NS, READ),
        (WRITE_NS + FLUSH_NS, 2 * WRITE_NS + FLUSH_NS, WRITE),
    ]
    assert ended[1] == WRITE_NS + FLUSH_NS


def test_a_flush_finds_a_tag_though_all_requests_are_taken(scheduler: str) -> None:
    ended, _ = run([sync(n) for n in range(20)], scheduler, queue_depth=1)
    assert all(end > 0 for end in ended)
