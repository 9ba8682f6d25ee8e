"""`mq-deadline` as in Linux 6.12 (block/mq-deadline.c): sorted batches, and a deadline for every request."""

from collections.abc import Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.engine import Engine
from workers.simulator.kinds import FAULT_ELEVATOR, NONE, READ

WAYS = 2  # reads; writes, which discards count as
CLASSES = 3  # realtime, best effort, idle
LISTS = WAYS * CLASSES

# Times in milliseconds, as in sysfs.
DEFAULTS = {
    "read_expire": 500,
    "write_expire": 5000,
    "fifo_batch": 16,
    "writes_starved": 2,
    "prio_aging_expire": 10_000,
}
RANGES = {
    "read_expire": (0, 1 << 30),
    "write_expire": (0, 1 << 30),
    "fifo_batch": (0, 1 << 30),
    "writes_starved": (0, 1 << 30),
    "prio_aging_expire": (0, 1 << 30),
}


class MqDeadline(Scheduler):
    """For each priority class and way, the requests sorted by sector and, linked, in order of arrival.

    A batch goes on upwards while it has served fewer than `fifo_batch` and a request lies at or above the last one.
    A new batch takes reads, unless writes have been passed over `writes_starved` times; it starts at the oldest
    request when that has expired or nothing lies above, else at the next one above. A class is served when those
    above it have nothing queued and nothing in flight, or for requests older than `prio_aging_expire`.
    """

    def __init__(self, engine: Engine, requests: Requests, options: Mapping[str, int]) -> None:
        super().__init__(engine, requests)
        self.read_expire_ns = options["read_expire"] * 1_000_000
        self.write_expire_ns = options["write_expire"] * 1_000_000
        self.fifo_batch = options["fifo_batch"]
        self.writes_starved = options["writes_starved"]
        self.prio_aging_expire_ns = options["prio_aging_expire"] * 1_000_000
        self.capacity = self.requests.capacity
        self.sorted = longs(LISTS * self.capacity)
        self.count = longs(LISTS)
        self.fifo_head = longs(LISTS, NONE)
        self.fifo_tail = longs(LISTS, NONE)
        self.latest_sector = longs(LISTS)
        self.held = longs(CLASSES)  # queued or in flight
        self.expires_ns = longs(self.capacity)
        self.last_way = 0
        self.batching = 0
        self.starved = 0
        self.batches = 0
        self.expired = 0

    def insert(self, request: int) -> None:
        row = self.row_of(request)
        start = row * self.capacity
        place = self.position_of(row, self.requests.sector[request] + 1)  # behind equal sectors, as elv_rb_add
        for later in range(self.count[row], place, -1):
            self.sorted[start + later] = self.sorted[start + later - 1]
        self.sorted[start + place] = request
        self.count[row] += 1
        self.expires_ns[request] = self.engine.now_ns + self.expire_ns(row)
        tail = self.fifo_tail[row]
        self.requests.next[request] = NONE
        self.requests.previous[request] = tail
        if tail == NONE:
            self.fifo_head[row] = request
        else:
            self.requests.next[tail] = request
        self.fifo_tail[row] = request
        self.held[row // WAYS] += 1
        self.queued += 1

    def dispatch(self) -> int:
        classes_held = 0
        for priority in range(CLASSES):
            if self.held[priority] > 0:
                classes_held += 1
        if classes_held > 1:
            for priority in range(1, CLASSES):
                request = self.dispatch_class(priority, self.engine.now_ns - self.prio_aging_expire_ns)
                if request != NONE:
                    return request
        for priority in range(CLASSES):
            request = self.dispatch_class(priority, self.engine.now_ns)
            if request != NONE or self.held[priority] > 0:
                return request
        return NONE

    def completed(self, request: int) -> None:
        self.held[self.row_of(request) // WAYS] -= 1

    def dispatch_class(self, priority: int, latest_start_ns: int) -> int:
        """Return the class's next request, NONE when it has none that was queued at `latest_start_ns` or before."""
        request = self.next_request(priority * WAYS + self.last_way)
        if request == NONE or self.batching >= self.fifo_batch:
            way = self.choose_way(priority)
            if way == NONE:
                return NONE
            row = priority * WAYS + way
            request = self.next_request(row)
            oldest = self.fifo_head[row]
            if self.expires_ns[oldest] <= self.engine.now_ns:
                self.expired += 1
                request = oldest
            elif request == NONE:
                request = oldest
            self.last_way = way
            self.batching = 0
            self.batches += 1
        row = self.row_of(request)
        if self.expires_ns[request] - self.expire_ns(row) > latest_start_ns:
            return NONE
        self.batching += 1
        self.latest_sector[row] = self.requests.sector[request]
        self.remove(row, request)
        return request

    def choose_way(self, priority: int) -> int:
        row = priority * WAYS
        if self.fifo_head[row] != NONE:
            if self.fifo_head[row + 1] != NONE:
                passed_over = self.starved
                self.starved += 1
                if passed_over >= self.writes_starved:
                    self.starved = 0
                    return 1
            return 0
        if self.fifo_head[row + 1] != NONE:
            self.starved = 0
            return 1
        return NONE

    def next_request(self, row: int) -> int:
        """Return the first request at or above the last dispatched sector, NONE when there is none."""
        place = self.position_of(row, self.latest_sector[row])
        return self.sorted[row * self.capacity + place] if place < self.count[row] else NONE

    def position_of(self, row: int, sector: int) -> int:
        """Return the place of the first request at or above `sector`."""
        start = row * self.capacity
        low = 0
        high = self.count[row]
        while low < high:
            middle = (low + high) >> 1
            if self.requests.sector[self.sorted[start + middle]] < sector:
                low = middle + 1
            else:
                high = middle
        return low

    def remove(self, row: int, request: int) -> None:
        start = row * self.capacity
        place = self.position_of(row, self.requests.sector[request])
        while place < self.count[row] and self.sorted[start + place] != request:
            place += 1
        if place == self.count[row]:
            self.engine.fail(FAULT_ELEVATOR)
            return
        self.count[row] -= 1
        for later in range(place, self.count[row]):
            self.sorted[start + later] = self.sorted[start + later + 1]
        before = self.requests.previous[request]
        after = self.requests.next[request]
        if before == NONE:
            self.fifo_head[row] = after
        else:
            self.requests.next[before] = after
        if after == NONE:
            self.fifo_tail[row] = before
        else:
            self.requests.previous[after] = before
        self.queued -= 1

    def row_of(self, request: int) -> int:
        # Priority 0 (none) is best effort.
        priority = self.requests.priority[request]
        priority = 1 if priority == 0 else priority - 1
        return priority * WAYS + (0 if self.requests.direction[request] == READ else 1)

    def expire_ns(self, row: int) -> int:
        return self.read_expire_ns if row % WAYS == 0 else self.write_expire_ns

    def counters(self) -> dict[str, int]:
        """Return how many batches were begun, and how many of them at an expired request."""
        return {"elevator_batches": self.batches, "elevator_expired": self.expired}
