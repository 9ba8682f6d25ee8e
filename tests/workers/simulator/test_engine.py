"""The event queue."""

import random

import pytest

from workers.simulator.engine import Engine
from workers.simulator.kinds import FAULT_NAMES, FAULT_TIME_WENT_BACK, FAULT_TOO_MANY_EVENTS


def test_events_come_by_time_and_at_equal_times_in_the_order_of_scheduling() -> None:
    rng = random.Random(1)
    engine = Engine(2000)
    expected = []
    for number in range(2000):
        time_ns = rng.randrange(50)
        engine.schedule(time_ns, number % 5, number)
        expected.append((time_ns, number, number % 5))
    got = []
    while engine.advance():
        got.append((engine.now_ns, engine.argument, engine.kind))
    assert got == sorted(expected)


def test_order_holds_when_scheduling_and_advancing_alternate() -> None:
    rng = random.Random(2)
    engine = Engine(64)
    pending: list[tuple[int, int]] = []
    for number in range(5000):
        if len(pending) < 60 and rng.random() < 0.55:
            time_ns = engine.now_ns + rng.randrange(20)
            engine.schedule(time_ns, 0, number)
            pending.append((time_ns, number))
        elif pending:
            pending.sort()
            engine.advance()
            assert (engine.now_ns, engine.argument) == pending.pop(0)


def test_an_event_in_the_past_is_a_fault() -> None:
    engine = Engine(4)
    engine.schedule(10, 0, 0)
    engine.advance()
    engine.schedule(9, 0, 0)
    assert engine.fault == FAULT_TIME_WENT_BACK


def test_more_events_than_room_is_a_fault_and_not_an_overflow() -> None:
    engine = Engine(2)
    for number in range(3):
        engine.schedule(1, 0, number)
    assert engine.fault == FAULT_TOO_MANY_EVENTS
    assert engine.size == 2


def test_room_can_only_be_made_before_events_are_pending() -> None:
    engine = Engine(1)
    engine.reserve(1)
    engine.schedule(1, 0, 0)
    engine.schedule(1, 0, 1)
    assert engine.fault == 0
    with pytest.raises(ValueError, match="pending"):
        engine.reserve(1)


def test_every_fault_has_a_name() -> None:
    from workers.simulator import kinds

    numbers = [value for name, value in vars(kinds).items() if name.startswith("FAULT_") and isinstance(value, int)]
    assert sorted(numbers) == list(range(len(FAULT_NAMES)))
