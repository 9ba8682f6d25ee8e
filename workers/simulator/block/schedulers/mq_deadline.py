"""`mq-deadline` as in Linux 6.12 (block/mq-deadline.c): sorted batches, and a deadline for every request."""

from collections.abc import Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    BACK_MERGE,
    FAULT_ELEVATOR,
    FOREVER,
    FRONT_MERGE,
    IOPRIO_CLASS_BE,
    IOPRIO_CLASS_SHIFT,
    IOPRIO_CLASSES,
    NO_MERGE,
    NONE,
    READ,
)

WAYS = 2  # reads; writes, which discards count as
CLASSES = IOPRIO_CLASSES
LISTS = WAYS * CLASSES

# Time under dd->lock for each request: 32 threads reached 901,000 IOPS with 94 % of the time spent waiting for it
# (J. Axboe, "[PATCHSET 0/4] block/mq-deadline scaling", linux-block, 18 January 2024; AMD 7950X).
ELEVATOR_NS = 1110

# Times in milliseconds, as in sysfs; async_depth 0 stands for nr_requests.
DEFAULTS = {
    "read_expire": 500,
    "write_expire": 5000,
    "fifo_batch": 16,
    "writes_starved": 2,
    "prio_aging_expire": 10_000,
    "front_merges": 1,
    "async_depth": 0,
}
RANGES = {
    "read_expire": (0, 1 << 30),
    "write_expire": (0, 1 << 30),
    "fifo_batch": (0, 1 << 30),
    "writes_starved": (0, 1 << 30),
    "prio_aging_expire": (0, 1 << 30),
    "front_merges": (0, 1),
    "async_depth": (0, 2048),
}


class MqDeadline(Scheduler):
    """For each priority class and way, the requests sorted by sector and, linked, in order of arrival.

    A batch goes on upwards while it has served fewer than `fifo_batch` and a request lies at or above the last one.
    A new batch takes reads, unless writes have been passed over `writes_starved` times; it starts at the oldest
    request when that has expired or nothing lies above, else at the next one above. A class is served when those
    above it have nothing queued and nothing in flight, or for requests older than `prio_aging_expire`.

    A bio joins the request merged last, one that ends where it begins (the hash), or with `front_merges` one of its own
    class and way that begins where it ends. Two requests that thereby come to touch become one, with the earlier
    deadline.
    """

    def __init__(self, engine: Engine, requests: Requests, merger: Merger, options: Mapping[str, int]) -> None:
        super().__init__(engine, requests, merger)
        self.read_expire_ns = options["read_expire"] * 1_000_000
        self.write_expire_ns = options["write_expire"] * 1_000_000
        self.fifo_batch = options["fifo_batch"]
        self.writes_starved = options["writes_starved"]
        self.prio_aging_expire_ns = options["prio_aging_expire"] * 1_000_000
        self.front_merges = options["front_merges"]
        self.async_depth = options["async_depth"]
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

    def depth_limit(self, bio: int) -> int:
        if self.async_depth == 0 or self.merger.bios.direction[bio] == READ:
            return FOREVER
        return self.async_depth

    def merge(self, bio: int) -> bool:
        request = self.merger.last
        if request != NONE:
            where = self.merger.match(request, bio)
            if where != NO_MERGE:
                self.merge_into(request, bio, where)
                return True
        if self.merger.nomerges > 0:
            return False
        request = self.merger.find_back(bio)
        if request != NONE:
            self.merge_into(request, bio, BACK_MERGE)
            return True
        if not self.front_merges:
            return False
        row = self.row(self.merger.bios.priority[bio], self.merger.bios.direction[bio])
        place = self.position_of(row, self.merger.bios.sector[bio] + self.merger.bios.sectors[bio])
        if place == self.count[row]:
            return False
        request = self.sorted[row * self.capacity + place]
        if self.merger.match(request, bio) != FRONT_MERGE:
            return False
        self.merge_into(request, bio, FRONT_MERGE)
        return True

    def insert(self, request: int) -> None:
        row = self.row_of(request)
        if self.requests.mergeable[request] and self.queued > 0:
            other = self.merger.find_before(request)
            if other != NONE:
                self.merger.remove(other)
                self.merger.absorb(other, request)
                self.merger.add(other)
                return
        self.sort_in(row, request)
        self.merger.add(request)
        self.expires_ns[request] = self.engine.now_ns + self.expire_ns(row)
        self.put_behind(row, request, self.fifo_tail[row])
        self.held[row // WAYS] += 1
        self.queued += 1

    def dispatch(self, hctx: int) -> int:
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

    def merge_into(self, request: int, bio: int, where: int) -> None:
        """Let the bio join, and the request then join the neighbour that it has come to touch."""
        row = self.row_of(request)
        start = row * self.capacity
        self.merger.remove(request)
        if where == FRONT_MERGE:
            self.sort_out(row, request)
            self.merger.join(request, bio, where)
            self.sort_in(row, request)
            place = self.place_of(row, request)
            before = self.sorted[start + place - 1] if place > 0 else NONE
            if before != NONE and self.merger.touches(before, request):
                self.merge_requests(row, before, request)
                return
        else:
            self.merger.join(request, bio, where)
            place = self.place_of(row, request) + 1
            if place < self.count[row] and self.merger.touches(request, self.sorted[start + place]):
                self.merger.add(request)
                self.merge_requests(row, request, self.sorted[start + place])
                return
        self.merger.add(request)
        self.merger.last = request

    def merge_requests(self, row: int, request: int, behind: int) -> None:
        """Let the first absorb the second, and take its place in the FIFO when that is older (dd_merged_requests)."""
        self.merger.remove(request)
        self.merger.remove(behind)
        if self.expires_ns[behind] < self.expires_ns[request]:
            self.take_out(row, request)
            self.put_behind(row, request, behind)
            self.expires_ns[request] = self.expires_ns[behind]
        self.sort_out(row, behind)
        self.take_out(row, behind)
        self.held[row // WAYS] -= 1
        self.queued -= 1
        self.merger.absorb(request, behind)
        self.merger.add(request)
        self.merger.last = request

    def remove(self, row: int, request: int) -> None:
        self.merger.remove(request)
        self.sort_out(row, request)
        self.take_out(row, request)
        self.queued -= 1

    def place_of(self, row: int, request: int) -> int:
        place = self.position_of(row, self.requests.sector[request])
        while place < self.count[row] and self.sorted[row * self.capacity + place] != request:
            place += 1
        if place == self.count[row]:
            self.engine.fail(FAULT_ELEVATOR)
        return place

    def sort_in(self, row: int, request: int) -> None:
        start = row * self.capacity
        place = self.position_of(row, self.requests.sector[request] + 1)  # behind equal sectors, as elv_rb_add
        for later in range(self.count[row], place, -1):
            self.sorted[start + later] = self.sorted[start + later - 1]
        self.sorted[start + place] = request
        self.count[row] += 1

    def sort_out(self, row: int, request: int) -> None:
        start = row * self.capacity
        place = self.place_of(row, request)
        self.count[row] -= 1
        for later in range(place, self.count[row]):
            self.sorted[start + later] = self.sorted[start + later + 1]

    def put_behind(self, row: int, request: int, before: int) -> None:
        """Link a request into the FIFO behind another, or in front when that is NONE."""
        after = self.fifo_head[row] if before == NONE else self.requests.next[before]
        self.requests.previous[request] = before
        self.requests.next[request] = after
        if before == NONE:
            self.fifo_head[row] = request
        else:
            self.requests.next[before] = request
        if after == NONE:
            self.fifo_tail[row] = request
        else:
            self.requests.previous[after] = request

    def take_out(self, row: int, request: int) -> None:
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

    def row_of(self, request: int) -> int:
        return self.row(self.requests.priority[request], self.requests.direction[request])

    def row(self, ioprio: int, direction: int) -> int:
        priority = ioprio >> IOPRIO_CLASS_SHIFT
        # No class is best effort.
        priority = IOPRIO_CLASS_BE - 1 if priority == 0 else priority - 1
        return priority * WAYS + (0 if direction == READ else 1)

    def expire_ns(self, row: int) -> int:
        return self.read_expire_ns if row % WAYS == 0 else self.write_expire_ns

    def counters(self) -> dict[str, int]:
        """Return how many batches were begun, and how many of them at an expired request."""
        return {"elevator_batches": self.batches, "elevator_expired": self.expired}
