"""In which order the requests of one of bfq's queues go: by the way of the head, or the oldest once it is due."""

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.bfq_queue import BfqQueues
from workers.simulator.engine import Engine
from workers.simulator.kinds import FAULT_ELEVATOR, NONE


class RequestOrder:
    """All waiting requests, sorted by queue, then by sector; and linked in each queue by age.

    Of two requests the one with the shorter way from the last position goes first; backwards counts `back_penalty`
    times, and beyond `back_max` sectors a request is out of reach until nothing lies ahead. Once in a slice the oldest
    request goes before, when it is due.
    """

    def __init__(
        self, engine: Engine, requests: Requests, queues: BfqQueues, back_max_sectors: int, back_penalty: int
    ) -> None:
        self.engine = engine
        self.requests = requests
        self.queues = queues
        self.back_max = back_max_sectors
        self.back_penalty = back_penalty
        self.sorted = longs(requests.capacity)
        self.count = 0
        self.owner = longs(requests.capacity)
        self.expires_ns = longs(requests.capacity)

    def add(self, request: int) -> None:
        """Sort a request into its owner's, and link it behind the owner's youngest."""
        self.sort_in(request)
        queue = self.owner[request]
        self.put_behind(request, self.queues.fifo_tail[queue])

    def remove(self, request: int) -> None:
        self.sort_out(request)
        self.take_out(request)

    def choose(self, first: int, second: int, last: int) -> int:
        """Return the one of two requests, or of one and NONE, that lies better for a head at `last`."""
        if first in (NONE, second):
            return second
        if second == NONE:
            return first
        first_way = self.way(self.requests.sector[first], last)
        second_way = self.way(self.requests.sector[second], last)
        if first_way < 0 and second_way < 0:
            # Both are far behind: begin with the lowest.
            return first if self.requests.sector[first] <= self.requests.sector[second] else second
        if first_way < 0 or second_way < 0:
            return second if first_way < 0 else first
        if first_way == second_way:
            return first if self.requests.sector[first] >= self.requests.sector[second] else second
        return first if first_way < second_way else second

    def way(self, sector: int, last: int) -> int:
        """Return the way of the head to a sector, -1 when it lies too far behind."""
        if sector >= last:
            return sector - last
        if sector + self.back_max >= last:
            return (last - sector) * self.back_penalty
        return -1

    def following(self, request: int) -> int:
        """Return what goes after a request that is about to leave its queue, or NONE."""
        queue = self.owner[request]
        if not self.queues.fifo_tried[queue]:
            self.queues.fifo_tried[queue] = 1
            oldest = self.queues.fifo_head[queue]
            if oldest != request and self.engine.now_ns >= self.expires_ns[oldest]:
                return oldest
        place = self.place_of(request)
        before = self.neighbour(queue, place - 1)
        after = self.neighbour(queue, place + 1)
        if after == NONE:
            after = self.sorted[self.position_of(queue, 0)]
            if after == request:
                after = NONE
        last = self.requests.sector[request] + self.requests.sectors[request]
        return self.choose(after, before, last)

    def neighbour(self, queue: int, place: int) -> int:
        """Return the queue's request at a place of the sorted list, NONE when there is another's or nothing."""
        if place < 0 or place >= self.count:
            return NONE
        request = self.sorted[place]
        return request if self.owner[request] == queue else NONE

    def position_of(self, queue: int, sector: int) -> int:
        """Return the place of the queue's first request at or above a sector."""
        low = 0
        high = self.count
        while low < high:
            middle = (low + high) >> 1
            request = self.sorted[middle]
            owner = self.owner[request]
            if owner < queue or (owner == queue and self.requests.sector[request] < sector):
                low = middle + 1
            else:
                high = middle
        return low

    def place_of(self, request: int) -> int:
        place = self.position_of(self.owner[request], self.requests.sector[request])
        while place < self.count and self.sorted[place] != request:
            place += 1
        if place == self.count:
            self.engine.fail(FAULT_ELEVATOR)
            return 0
        return place

    def sort_in(self, request: int) -> None:
        place = self.position_of(self.owner[request], self.requests.sector[request] + 1)
        for later in range(self.count, place, -1):
            self.sorted[later] = self.sorted[later - 1]
        self.sorted[place] = request
        self.count += 1

    def sort_out(self, request: int) -> None:
        place = self.place_of(request)
        self.count -= 1
        for later in range(place, self.count):
            self.sorted[later] = self.sorted[later + 1]

    def put_behind(self, request: int, before: int) -> None:
        """Link a request behind another of its queue, or in front when that is NONE."""
        queue = self.owner[request]
        after = self.queues.fifo_head[queue] if before == NONE else self.requests.next[before]
        self.requests.previous[request] = before
        self.requests.next[request] = after
        if before == NONE:
            self.queues.fifo_head[queue] = request
        else:
            self.requests.next[before] = request
        if after == NONE:
            self.queues.fifo_tail[queue] = request
        else:
            self.requests.previous[after] = request

    def take_out(self, request: int) -> None:
        queue = self.owner[request]
        before = self.requests.previous[request]
        after = self.requests.next[request]
        if before == NONE:
            self.queues.fifo_head[queue] = after
        else:
            self.requests.next[before] = after
        if after == NONE:
            self.queues.fifo_tail[queue] = before
        else:
            self.requests.previous[after] = before
