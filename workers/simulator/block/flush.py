"""Flushes, and writes that need one before or after their data (the kernel's block/blk-flush.c)."""

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    FAULT_FLUSH,
    FLUSH,
    FLUSHING,
    FREE,
    FUA,
    NONE,
    PREFLUSH,
    STEP_DATA,
    STEP_POSTFLUSH,
    STEP_PREFLUSH,
    STEPS,
)

FLUSH_PENDING_TIMEOUT_NS = 5_000_000_000  # 5 * HZ


class FlushQueues:
    """The flush queue of each hardware queue.

    A request with PREFLUSH or FUA is a sequence of steps: flush, data, flush, those left out that it or the device
    does not need. Requests that wait for a flush stand on one of two lists: the one that the flush in flight answers,
    and the pending one, which the next flush answers for all of them. At most one flush is in flight; the next one is
    put off while data of a sequence is in flight, unless a request has waited for 5 s.

    The machinery only decides: what shall be issued now is left on `ready`, what has ended on `ended`, for the request
    queue to take. Row `first_row + hctx` of the requests is the hardware queue's own flush command.
    """

    def __init__(self, engine: Engine, requests: Requests, first_row: int, has_fua: bool) -> None:
        self.engine = engine
        self.requests = requests
        self.hctxs = hctxs = requests.capacity - first_row
        self.first_row = first_row
        self.has_fua = has_fua
        self.steps_done = longs(requests.capacity, STEPS)
        self.list_head = longs(2 * hctxs, NONE)
        self.list_tail = longs(2 * hctxs, NONE)
        self.pending = longs(hctxs)
        self.running = longs(hctxs)
        self.pending_since_ns = longs(hctxs)
        self.data_in_flight = longs(hctxs)
        self.ready_head = NONE
        self.ready_tail = NONE
        self.ended_head = NONE
        self.ended_tail = NONE
        self.waiting = 0
        self.flushes = 0
        self.answered = 0

    def policy(self, request: int) -> int:
        """Return the steps that a request needs over a device with a volatile cache."""
        steps = STEP_DATA if self.requests.sectors[request] > 0 else 0
        if self.requests.flags[request] & PREFLUSH:
            steps |= STEP_PREFLUSH
        if self.requests.flags[request] & FUA and not self.has_fua:
            steps |= STEP_POSTFLUSH
        return steps

    def is_sequenced(self, request: int) -> bool:
        """Tell whether a request whose data has ended still has to go through here."""
        return self.steps_done[request] != STEPS

    def begin(self, request: int, steps: int) -> None:
        """Take a request that begins with a flush."""
        self.steps_done[request] = STEPS & ~steps
        self.advance(request)

    def begin_with_data(self, request: int) -> None:
        """Note a request that is on its ordinary way to the device and needs a flush afterwards."""
        self.steps_done[request] = STEPS & ~(STEP_DATA | STEP_POSTFLUSH)
        self.data_in_flight[self.requests.hctx[request]] += 1

    def data_ended(self, request: int) -> None:
        self.data_in_flight[self.requests.hctx[request]] -= 1
        self.steps_done[request] |= STEP_DATA
        self.advance(request)

    def flush_ended(self, flush: int) -> None:
        """The flush command has ended: every request that it answers takes its next step."""
        hctx = flush - self.first_row
        self.requests.state[flush] = FREE
        answers = 2 * hctx + self.running[hctx]
        self.running[hctx] ^= 1
        request = self.list_head[answers]
        self.list_head[answers] = NONE
        while request != NONE:
            following = self.requests.next[request]
            self.waiting -= 1
            self.answered += 1
            if self.requests.sectors[request] == 0:
                self.requests.dispatched_ns[request] = self.requests.dispatched_ns[flush]
            if self.steps_done[request] & STEP_PREFLUSH:
                self.steps_done[request] |= STEP_POSTFLUSH
            else:
                self.steps_done[request] |= STEP_PREFLUSH
            self.advance(request)
            request = following

    def advance(self, request: int) -> None:
        """Send a request to its next step, and see whether a flush is to be issued."""
        hctx = self.requests.hctx[request]
        done = self.steps_done[request]
        self.requests.next[request] = NONE
        if done == STEPS:
            if self.ended_head == NONE:
                self.ended_head = request
            else:
                self.requests.next[self.ended_tail] = request
            self.ended_tail = request
        elif done & STEP_PREFLUSH and not done & STEP_DATA:
            self.data_in_flight[hctx] += 1
            self.make_ready(request)
        else:
            self.wait_for_flush(request, 2 * hctx + self.pending[hctx])
        self.kick(hctx)

    def wait_for_flush(self, request: int, row: int) -> None:
        self.requests.state[request] = FLUSHING
        self.waiting += 1
        if self.list_head[row] == NONE:
            self.pending_since_ns[row >> 1] = self.engine.now_ns
            self.list_head[row] = request
        else:
            self.requests.next[self.list_tail[row]] = request
        self.list_tail[row] = request

    def kick(self, hctx: int) -> None:
        """Issue a flush when requests wait for one, none is in flight and no data puts it off (blk_kick_flush)."""
        row = 2 * hctx + self.pending[hctx]
        if self.pending[hctx] != self.running[hctx] or self.list_head[row] == NONE:
            return
        waited_ns = self.engine.now_ns - self.pending_since_ns[hctx]
        if self.data_in_flight[hctx] > 0 and waited_ns < FLUSH_PENDING_TIMEOUT_NS:
            return
        self.pending[hctx] ^= 1
        flush = self.first_row + hctx
        if self.requests.state[flush] != FREE:
            self.engine.fail(FAULT_FLUSH)
            return
        self.flushes += 1
        self.requests.direction[flush] = FLUSH
        self.requests.sector[flush] = 0
        self.requests.sectors[flush] = 0
        self.requests.flags[flush] = 0
        self.requests.hctx[flush] = hctx
        self.requests.next[flush] = NONE
        self.make_ready(flush)

    def make_ready(self, request: int) -> None:
        if self.ready_head == NONE:
            self.ready_head = request
        else:
            self.requests.next[self.ready_tail] = request
        self.ready_tail = request

    def take_ready(self) -> int:
        request = self.ready_head
        if request != NONE:
            self.ready_head = self.requests.next[request]
        return request

    def take_ended(self) -> int:
        request = self.ended_head
        if request != NONE:
            self.ended_head = self.requests.next[request]
        return request

    def verify(self) -> None:
        waiting = 0
        for row in range(2 * self.hctxs):
            request = self.list_head[row]
            while request != NONE:
                waiting += 1
                request = self.requests.next[request]
        states = 0
        for request in range(self.first_row):
            if self.requests.state[request] == FLUSHING:
                states += 1
        if waiting != self.waiting or states != waiting or self.ready_head != NONE or self.ended_head != NONE:
            self.engine.fail(FAULT_FLUSH)
        for hctx in range(self.hctxs):
            flush = self.first_row + hctx
            # A flush is under way exactly while the two indices differ.
            if (self.pending[hctx] == self.running[hctx]) != (self.requests.state[flush] == FREE):
                self.engine.fail(FAULT_FLUSH)
            if self.data_in_flight[hctx] < 0:
                self.engine.fail(FAULT_FLUSH)

    def counters(self) -> dict[str, int]:
        """Return the flush commands issued, and the waits of requests that they ended (more, where they share one)."""
        return {"flushes": self.flushes, "flush_waits": self.answered}
