"""`bfq` as in Linux 6.12 (block/bfq-iosched.c): budgets of sectors, shared out by weight, one queue at a time."""

from collections.abc import Mapping

from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.block.schedulers.bfq_order import RequestOrder
from workers.simulator.block.schedulers.bfq_queue import BfqQueues
from workers.simulator.block.schedulers.bfq_slice import Slices
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    BACK_MERGE,
    BUDGET_EXHAUSTED,
    BUDGET_TIMEOUT,
    FOREVER,
    FRONT_MERGE,
    IOPRIO_CLASS_BE,
    IOPRIO_CLASS_SHIFT,
    NO_MERGE,
    NO_MORE_REQUESTS,
    NONE,
    PREEMPTED,
    READ,
    TOO_IDLE,
    WAITED,
    WRITE,
    WRITEBACK,
)

LEVELS = 8
LEVEL_MASK = 7
IDLE_CLASS = 2
HISTORY_MASK = 0xFFFFFFFF

# Time under bfqd->lock for each request: 32 threads reached 567,000 IOPS with 96 % of the time spent waiting for it
# (J. Axboe, "block/bfq: use separate insertion lists", linux-block, January 2024; AMD 7950X).
ELEVATOR_NS = 1760

# As in sysfs: times in milliseconds, back_seek_max in KiB, max_budget in sectors (0: by the device's rate).
DEFAULTS = {
    "slice_idle": 8,
    "low_latency": 1,
    "max_budget": 0,
    "strict_guarantees": 0,
    "back_seek_max": 16_384,
    "back_seek_penalty": 2,
    "fifo_expire_sync": 125,
    "fifo_expire_async": 250,
    "timeout_sync": 125,
}
RANGES = {
    "slice_idle": (0, 10_000),
    "low_latency": (0, 1),
    "max_budget": (0, 1 << 30),
    "strict_guarantees": (0, 1),
    "back_seek_max": (0, 1 << 30),
    "back_seek_penalty": (1, 1 << 20),
    "fifo_expire_sync": (0, 1 << 30),
    "fifo_expire_async": (0, 1 << 30),
    "timeout_sync": (1, 10_000),
}
MS = 1_000_000


class Bfq(Scheduler):
    """Each thread has a queue for reads and for writes that are waited for, each priority one for other I/O.

    The queue in service keeps the device until its budget is used up, its time is over, or it has no more requests;
    before it is left for want of requests the device may be kept idle for it. What it was served decides when it has
    its turn again, by weight, and how it behaved what budget it gets then.
    """

    def __init__(self, engine: Engine, requests: Requests, merger: Merger, options: Mapping[str, int]) -> None:
        super().__init__(engine, requests, merger)
        self.bios = merger.bios
        self.depth = options["nr_requests"]
        self.strict = options["strict_guarantees"]
        self.expire_sync_ns = options["fifo_expire_sync"] * MS
        self.expire_async_ns = options["fifo_expire_async"] * MS
        self.queues = BfqQueues(requests.ctxs)
        back_max_sectors = options["back_seek_max"] * 2
        self.order = RequestOrder(engine, requests, self.queues, back_max_sectors, options["back_seek_penalty"])
        self.slices = Slices(engine, requests, self.queues, self.order, options)
        self.raising = self.slices.raising

    def depth_limit(self, bio: int) -> int:
        # bfq_update_depths, in sixteenths of nr_requests.
        if self.bios.direction[bio] == READ:
            return FOREVER
        if self.is_sync(bio):
            return max(1, self.depth * (6 if self.queues.raised_busy > 0 else 12) >> 4)
        return max(1, self.depth * (3 if self.queues.raised_busy > 0 else 8) >> 4)

    def merge(self, bio: int) -> bool:
        queue = self.queue_of(bio)
        request = self.merger.last
        if request != NONE and self.order.owner[request] == queue:
            where = self.merger.match(request, bio)
            if where != NO_MERGE:
                self.merge_into(request, bio, where)
                return True
        if self.merger.nomerges > 0:
            return False
        request = self.merger.find_back(bio)
        if request != NONE and self.order.owner[request] == queue:
            self.merge_into(request, bio, BACK_MERGE)
            return True
        place = self.order.position_of(queue, self.bios.sector[bio] + self.bios.sectors[bio])
        request = self.order.neighbour(queue, place)
        if request == NONE or self.merger.match(request, bio) != FRONT_MERGE:
            return False
        self.merge_into(request, bio, FRONT_MERGE)
        return True

    def insert(self, request: int) -> None:
        bio = self.requests.first_bio[request]
        queue = self.queue_of(bio)
        self.order.owner[request] = queue
        if self.requests.mergeable[request] and self.queued > 0:
            other = self.merger.find_before(request)
            if other != NONE and self.order.owner[other] == queue:
                self.merger.remove(other)
                self.merger.absorb(other, request)
                self.merger.add(other)
                return
        self.take_priority(queue, self.requests.ctx[request])
        if not self.queues.created[queue]:
            self.slices.create(queue)
        self.observe(queue, request)
        waits_ns = self.expire_sync_ns if self.queues.is_sync(queue) else self.expire_async_ns
        self.order.expires_ns[request] = self.engine.now_ns + waits_ns
        self.order.add(request)
        self.merger.add(request)
        self.queues.queued[queue] += 1
        self.queued += 1
        before = self.queues.next_request[queue]
        self.queues.next_request[queue] = self.order.choose(before, request, self.slices.rate.last_position)
        raising = self.queues.raising[queue]
        self.raising.interactive = False
        if not self.queues.busy[queue]:
            self.become_busy(queue)
        elif before != self.queues.next_request[queue]:
            self.slices.update_budget(queue)
        if raising == 1 or self.queues.raising[queue] == 1 or self.raising.interactive:
            self.queues.raised_since_ns[queue] = self.engine.now_ns

    def dispatch(self, hctx: int) -> int:
        if self.strict and self.slices.in_driver > 0:
            return NONE
        queue = self.slices.select()
        if queue == NONE:
            return NONE
        request = self.queues.next_request[queue]
        self.slices.serve(queue, request)
        self.leave(queue, request)
        self.queues.dispatched[queue] += 1
        self.slices.in_driver += 1
        if self.raising.served(queue, self.requests.sectors[request]):
            self.slices.trees.update_weight(queue)
        self.queues.note(queue)
        if self.queues.busy_total > 1 and self.queues.priority_class[queue] == IDLE_CLASS:
            self.slices.expire(queue, BUDGET_EXHAUSTED)
        return request

    def completed(self, request: int) -> None:
        queue = self.order.owner[request]
        self.slices.update_queueing(queue)
        self.slices.in_driver -= 1
        self.queues.dispatched[queue] -= 1
        if self.queues.dispatched[queue] == 0 and not self.queues.busy[queue]:
            self.queues.idle_since_ns[queue] = self.engine.now_ns
        self.queues.note(queue)
        self.queues.last_end_ns[queue] = self.engine.now_ns
        self.slices.rate.completed()
        left = self.queues.queued[queue]
        if self.queues.soft_rt_pending[queue] and self.queues.dispatched[queue] == 0 and left == 0:
            self.raising.batch_ended(queue)
        if queue != self.slices.in_service():
            return
        if left == 0 and self.slices.better_to_idle(queue):
            if self.queues.dispatched[queue] == 0:
                self.slices.begin_idling(queue)
        elif self.slices.is_over(queue):
            self.slices.expire(queue, BUDGET_TIMEOUT)
        elif left == 0:
            self.slices.expire(queue, NO_MORE_REQUESTS)

    def wake(self) -> None:
        """The device has been kept idle for long enough (bfq_idle_slice_timer_body)."""
        queue = self.slices.in_service()
        if not self.slices.timer.expired() or queue == NONE:
            return
        self.slices.idling = 0
        if self.slices.timed_out(queue):
            self.slices.expire_after_idling(queue, BUDGET_TIMEOUT)
        elif self.queues.queued[queue] == 0:
            self.slices.expire_after_idling(queue, TOO_IDLE)

    def queue_of(self, bio: int) -> int:
        if self.is_sync(bio):
            return self.bios.thread[bio]
        priority = self.requests.task_priority[self.bios.thread[bio]]
        row = self.class_of(priority)
        level = 0 if row == IDLE_CLASS else priority & LEVEL_MASK
        return self.queues.threads + row * LEVELS + level

    def is_sync(self, bio: int) -> bool:
        """Tell whether somebody waits for a bio (op_is_sync): reads, direct writes, those that fsync waits for."""
        if self.bios.direction[bio] == READ:
            return True
        flags = self.bios.flags[bio]
        return self.bios.direction[bio] == WRITE and (not flags & WRITEBACK or flags & WAITED > 0)

    def class_of(self, ioprio: int) -> int:
        priority = ioprio >> IOPRIO_CLASS_SHIFT
        return IOPRIO_CLASS_BE - 1 if priority == 0 else priority - 1

    def take_priority(self, queue: int, ctx: int) -> None:
        """A queue has the priority of its task, from when it is next placed (bfq_check_ioprio_change)."""
        ioprio = self.requests.task_priority[ctx]
        row = self.class_of(ioprio)
        self.queues.new_class[queue] = row
        self.queues.new_weight[queue] = self.queues.weight_of(LEVEL_MASK if row == IDLE_CLASS else ioprio & LEVEL_MASK)
        # In a control group of its own it stands for the group, among the others of the root.
        if self.requests.task_weight[ctx] > 0 and self.queues.is_sync(queue):
            self.queues.grouped[queue] = 1
            self.queues.new_weight[queue] = self.requests.task_weight[ctx]

    def observe(self, queue: int, request: int) -> None:
        """Note how far a request lies from the one before, and how long its thread thought."""
        if self.queues.dispatched[queue] == 0 and not self.queues.busy[queue]:
            self.slices.note_think_time(queue)
        seek = 1 if self.slices.rate.is_seek(self.queues.last_position[queue], request) else 0
        self.queues.seek_history[queue] = (self.queues.seek_history[queue] << 1 | seek) & HISTORY_MASK
        self.queues.last_position[queue] = self.requests.sector[request] + self.requests.sectors[request]

    def become_busy(self, queue: int) -> None:
        """A queue has got a request while it had none (bfq_bfqq_handle_idle_busy_switch)."""
        deserves = self.raising.judge(queue)
        preempts = self.slices.budget_for_activation(queue, deserves)
        self.raising.arrived(queue, deserves, self.slices.min_budget())
        self.queues.backlogged_since_ns[queue] = self.engine.now_ns
        self.queues.backlogged_service[queue] = 0
        self.queues.soft_rt_pending[queue] = 0
        self.slices.activate(queue)
        serving = self.slices.in_service()
        if serving in (NONE, queue):
            return
        if (
            (preempts and self.queues.raising[queue] >= self.queues.raising[serving])
            or self.slices.outranks(queue, serving)
            or not self.slices.better_to_idle(serving)
        ):
            self.slices.expire(serving, PREEMPTED)

    def leave(self, queue: int, request: int) -> None:
        """Take a request out of its queue (bfq_remove_request)."""
        if self.queues.next_request[queue] == request:
            self.queues.next_request[queue] = self.order.following(request) if self.queues.queued[queue] > 1 else NONE
        self.order.remove(request)
        self.merger.remove(request)
        self.queues.queued[queue] -= 1
        self.queued -= 1

    def merge_into(self, request: int, bio: int, where: int) -> None:
        """Let the bio join, and the request then join the neighbour that it has come to touch."""
        queue = self.order.owner[request]
        self.merger.remove(request)
        if where == FRONT_MERGE:
            self.order.sort_out(request)
            self.merger.join(request, bio, where)
            self.order.sort_in(request)
            next_request = self.queues.next_request[queue]
            last = self.slices.rate.last_position
            self.queues.next_request[queue] = self.order.choose(next_request, request, last)
            before = self.order.neighbour(queue, self.order.place_of(request) - 1)
            self.merger.add(request)
            if before != NONE and self.merger.touches(before, request):
                self.merge_requests(before, request)
                request = before
        else:
            self.merger.join(request, bio, where)
            behind = self.order.neighbour(queue, self.order.place_of(request) + 1)
            self.merger.add(request)
            if behind != NONE and self.merger.touches(request, behind):
                self.merge_requests(request, behind)
        self.merger.last = request
        self.slices.update_budget(queue)

    def merge_requests(self, request: int, behind: int) -> None:
        """Let the first absorb the second, and take its place in the FIFO when that is older (bfq_requests_merged)."""
        queue = self.order.owner[request]
        self.merger.remove(request)
        if self.order.expires_ns[behind] < self.order.expires_ns[request]:
            self.order.take_out(request)
            self.order.put_behind(request, behind)
            self.order.expires_ns[request] = self.order.expires_ns[behind]
        if self.queues.next_request[queue] == behind:
            self.queues.next_request[queue] = request
        self.leave(queue, behind)
        self.merger.absorb(request, behind)
        self.merger.add(request)

    def counters(self) -> dict[str, int]:
        """Return how slices ended, how often the device was kept idle, and what bfq believes of it at the end."""
        return self.slices.counters()
