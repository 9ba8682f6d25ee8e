"""The event queue: a binary heap ordered by (time, sequence number), so equal times keep the order of scheduling."""

import cython  # type: ignore[import-untyped]

from workers.simulator.arrays import longs
from workers.simulator.kinds import EVENT_BITS, FAULT_HEAP, FAULT_NONE, FAULT_TIME_WENT_BACK, FAULT_TOO_MANY_EVENTS

COMPILED: bool = bool(cython.compiled)
EVENT_MASK = (1 << EVENT_BITS) - 1


class Engine:
    """Pending events and the simulated clock.

    Times are integer nanoseconds. An event is a kind and an argument; `advance` takes the earliest one off the
    heap into `now_ns`, `kind` and `argument`. A broken invariant is kept in `fault` and stops the run.
    """

    def __init__(self, capacity: int) -> None:
        self.now_ns = 0
        self.kind = 0
        self.argument = 0
        self.processed = 0
        self.fault = FAULT_NONE
        self.size = 0
        self.capacity = capacity
        self.sequence = 0
        self.time_ns = longs(capacity)
        self.order = longs(capacity)
        self.event = longs(capacity)

    def reserve(self, events: int) -> None:
        """Make room for so many more pending events; only while a machine is put together, before any is scheduled."""
        if self.size > 0:
            raise ValueError("events are pending already")
        self.capacity += events
        self.time_ns = longs(self.capacity)
        self.order = longs(self.capacity)
        self.event = longs(self.capacity)

    def schedule(self, time_ns: int, kind: int, argument: int) -> None:
        if time_ns < self.now_ns:
            self.fail(FAULT_TIME_WENT_BACK)
            return
        if self.size >= self.capacity:
            self.fail(FAULT_TOO_MANY_EVENTS)
            return
        # The new event has the highest sequence number: among equal times it stays below.
        position = self.size
        self.size += 1
        while position > 0:
            parent = (position - 1) >> 1
            if self.time_ns[parent] <= time_ns:
                break
            self.time_ns[position] = self.time_ns[parent]
            self.order[position] = self.order[parent]
            self.event[position] = self.event[parent]
            position = parent
        self.time_ns[position] = time_ns
        self.order[position] = self.sequence
        self.event[position] = (argument << EVENT_BITS) | kind
        self.sequence += 1

    def advance(self) -> bool:
        if self.size == 0:
            return False
        self.now_ns = self.time_ns[0]
        self.kind = self.event[0] & EVENT_MASK
        self.argument = self.event[0] >> EVENT_BITS
        self.processed += 1
        self.size -= 1
        last = self.size
        time_ns = self.time_ns[last]
        order = self.order[last]
        position = 0
        child = 1
        while child < last:
            right = child + 1
            if right < last and (
                self.time_ns[right] < self.time_ns[child]
                or (self.time_ns[right] == self.time_ns[child] and self.order[right] < self.order[child])
            ):
                child = right
            if self.time_ns[child] > time_ns or (self.time_ns[child] == time_ns and self.order[child] > order):
                break
            self.time_ns[position] = self.time_ns[child]
            self.order[position] = self.order[child]
            self.event[position] = self.event[child]
            position = child
            child = 2 * position + 1
        self.time_ns[position] = time_ns
        self.order[position] = order
        self.event[position] = self.event[last]
        return True

    def verify(self) -> None:
        for position in range(1, self.size):
            parent = (position - 1) >> 1
            if self.time_ns[parent] > self.time_ns[position] or (
                self.time_ns[parent] == self.time_ns[position] and self.order[parent] > self.order[position]
            ):
                self.fail(FAULT_HEAP)
        if self.size > 0 and self.time_ns[0] < self.now_ns:
            self.fail(FAULT_TIME_WENT_BACK)

    def fail(self, fault: int) -> None:
        if self.fault == FAULT_NONE:
            self.fault = fault
