"""Which of bfq's queues has the device, until when, whether the device waits for it, and what budget it gets next."""

from collections.abc import Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.bfq_order import RequestOrder
from workers.simulator.block.schedulers.bfq_queue import BfqQueues
from workers.simulator.block.schedulers.bfq_raising import WeightRaising
from workers.simulator.block.schedulers.bfq_rate import PeakRate
from workers.simulator.block.schedulers.bfq_wf2q import ServiceTrees
from workers.simulator.block.timer import Timer
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    BUDGET_EXHAUSTED,
    BUDGET_TIMEOUT,
    NO_MORE_REQUESTS,
    NONE,
    SLICE_ENDS,
    TIMER_ELEVATOR,
    TOO_IDLE,
)

MS = 1_000_000
DEFAULT_MAX_BUDGET = 16_384
ASYNC_CHARGE = 3  # bfq_async_charge_factor
SEEKY_IDLE_NS = 2 * MS  # BFQ_MIN_TT
RAISED_IDLE_NS = 20 * MS
SLICE_SHORT_NS = 1 * MS  # below it a slice tells nothing of a queue's speed, beyond SLICE_LONG_NS it does
SLICE_LONG_NS = 20 * MS
STATS_MIN_BUDGETS = 194
QUEUEING_THRESHOLD = 3  # BFQ_HW_QUEUE_THRESHOLD
QUEUEING_SAMPLES = 32
THINK_SAMPLES_MIN = 80
IDLE_CLASS = 2
SOFT_RT_NS = 300 * MS


class Slices:
    """The slice of the queue in service: how it begins, how it ends, and what follows from how it ended.

    The device is kept idle for a queue that asks for the next I/O when it has got the last, while that raises the
    throughput (a rotational or non-queueing device and sequential I/O) or is needed for its share (weights differ, or
    its own is raised). A slow or timed-out queue is charged for its time, not for its sectors.
    """

    def __init__(
        self, engine: Engine, requests: Requests, queues: BfqQueues, order: RequestOrder, options: Mapping[str, int]
    ) -> None:
        self.engine = engine
        self.requests = requests
        self.queues = queues
        self.order = order
        self.timeout_ns = options["timeout_sync"] * MS
        self.idle_ns = options["slice_idle"] * MS
        self.strict = options["strict_guarantees"]
        self.low_latency = options["low_latency"]
        self.rotational = options["rotational"]
        self.rate = PeakRate(engine, requests, self.rotational == 1, self.timeout_ns, options["max_budget"])
        self.raising = WeightRaising(engine, queues, self.rate, self.idle_ns, self.low_latency == 1)
        self.trees = ServiceTrees(engine, queues)
        self.timer = Timer(engine, TIMER_ELEVATOR, min(self.idle_ns, SEEKY_IDLE_NS))
        self.in_driver = 0
        self.idling = 0
        self.idling_since_ns = 0
        self.began_ns = 0
        self.assigned = 0
        self.queueing = -1  # unknown
        self.queueing_samples = 0
        self.most_in_driver = 0
        self.idlings = 0
        self.ends = longs(SLICE_ENDS)

    def in_service(self) -> int:
        return self.trees.in_service

    def create(self, queue: int) -> None:
        """Prepare a queue that gets its first request (bfq_init_bfqq)."""
        self.queues.max_budget[queue] = self.max_budget()
        if self.queues.is_sync(queue):
            self.queues.max_budget[queue] = 2 * self.max_budget() // 3
        else:
            self.queues.short_think[queue] = 0
        self.queues.seek_history[queue] = 1
        self.queues.soft_rt_from_ns[queue] = self.engine.now_ns
        self.raising.created(queue)

    def select(self) -> int:
        """Return the queue to serve, NONE when the device is to be kept idle or nothing is left (bfq_select_queue)."""
        queue = self.trees.in_service
        if queue != NONE and self.is_over(queue) and (self.queues.queued[queue] > 0 or not self.better_to_idle(queue)):
            self.expire(queue, BUDGET_TIMEOUT)
            queue = NONE
        while True:
            if queue == NONE:
                queue = self.begin()
                if queue == NONE:
                    return NONE
            request = self.queues.next_request[queue]
            if request != NONE:
                if self.charge(queue, request) <= self.queues.budget_left(queue):
                    self.stop_idling()
                    return queue
                self.expire(queue, BUDGET_EXHAUSTED)
            elif self.idling or (self.queues.dispatched[queue] > 0 and self.better_to_idle(queue)):
                return NONE
            else:
                self.expire(queue, NO_MORE_REQUESTS)
            queue = NONE

    def begin(self) -> int:
        """Begin the slice of the next queue (bfq_set_in_service_queue)."""
        queue = self.trees.choose()
        if queue == NONE:
            return NONE
        now_ns = self.engine.now_ns
        self.queues.fifo_tried[queue] = 0
        self.assigned = (self.assigned * 7 + 256) // 8
        factor = self.queues.weight[queue] // self.queues.orig_weight[queue]
        if self.queues.raising[queue] > 1 and self.queues.raised_for_ns[queue] == SOFT_RT_NS:
            factor = 1
            # Time without service does not count as raised.
            if self.queues.idle_since_ns[queue] > self.queues.raised_since_ns[queue]:
                self.queues.raised_since_ns[queue] += now_ns - self.queues.idle_since_ns[queue]
            else:
                self.queues.raised_since_ns[queue] = now_ns
        self.began_ns = now_ns
        self.queues.timeout_ns[queue] = now_ns + self.timeout_ns * factor
        return queue

    def serve(self, queue: int, request: int) -> None:
        """Charge the queue in service for a request that goes to the device."""
        sectors = self.charge(queue, request)
        self.trees.served(queue, sectors)
        self.queues.backlogged_service[queue] += sectors
        self.rate.dispatched(request, self.in_driver)

    def charge(self, queue: int, request: int) -> int:
        sectors = self.requests.sectors[request]
        if self.queues.is_sync(queue) or self.queues.raising[queue] > 1 or self.queues.is_asymmetric(queue):
            return sectors
        return sectors * ASYNC_CHARGE

    def expire(self, queue: int, reason: int) -> None:
        """End the slice of the queue in service (bfq_bfqq_expire)."""
        self.end(queue, reason, self.engine.now_ns - self.began_ns)

    def expire_after_idling(self, queue: int, reason: int) -> None:
        """End a slice during which the device was idle in the end: that is not the queue's time."""
        self.end(queue, reason, self.idling_since_ns - self.began_ns)

    def end(self, queue: int, reason: int, took_ns: int) -> None:
        self.ends[reason] += 1
        self.stop_idling()
        if self.queues.raising[queue] == 1 and (
            self.is_slow(queue, took_ns)
            or (reason == BUDGET_TIMEOUT and self.queues.budget_left(queue) >= self.queues.budget[queue] // 3)
        ):
            self.charge_time(queue, took_ns)
        if reason == TOO_IDLE and self.queues.service[queue] <= 2 * self.queues.budget[queue] // 10:
            self.queues.io_bound[queue] = 0
        if self.low_latency:
            if self.queues.raising[queue] == 1:
                self.queues.raised_since_ns[queue] = self.engine.now_ns
            if self.queues.queued[queue] == 0:
                if self.queues.dispatched[queue] == 0:
                    self.raising.batch_ended(queue)
                else:
                    self.queues.soft_rt_pending[queue] = 1
        self.recalculate_budget(queue, reason)
        if self.queues.queued[queue] > 0:
            self.trees.requeue(queue, True)
            self.queues.service[queue] = 0
        else:
            if self.queues.dispatched[queue] == 0:
                self.queues.idle_since_ns[queue] = self.engine.now_ns
            self.queues.busy[queue] = 0
            self.trees.deactivate(queue)
            if reason in (BUDGET_TIMEOUT, BUDGET_EXHAUSTED):
                self.queues.service[queue] = 0
            else:
                self.queues.waits_unblocked[queue] = 1
        self.queues.note(queue)

    def is_slow(self, queue: int, took_ns: int) -> bool:
        """Tell whether a queue had much less from the device in its time than the device can do (bfq_bfqq_is_slow)."""
        if not self.queues.is_sync(queue) or took_ns <= SLICE_LONG_NS:
            return False
        return self.queues.service[queue] < self.rate.max_budget // 2

    def charge_time(self, queue: int, took_ns: int) -> None:
        """Charge a queue for its time as if it had been served at the device's full rate (bfq_bfqq_charge_time)."""
        if took_ns < SLICE_SHORT_NS:
            took_ns = self.idle_ns if self.rotational else SEEKY_IDLE_NS
        sectors = self.rate.max_budget * min(took_ns, self.timeout_ns) // self.timeout_ns
        more = sectors - self.queues.service[queue]
        if more > 0:
            self.queues.budget[queue] = max(self.queues.budget[queue], sectors)
            self.trees.served(queue, more)

    def recalculate_budget(self, queue: int, reason: int) -> None:
        """Give a queue the budget that its way of ending suggests (__bfq_bfqq_recalc_budget)."""
        least = self.min_budget()
        most = self.rate.max_budget
        budget = self.queues.max_budget[queue] if self.queues.raising[queue] == 1 else 2 * least
        if not self.queues.is_sync(queue):
            budget = most
        elif self.queues.raising[queue] == 1:
            if reason == TOO_IDLE:
                if self.queues.dispatched[queue] > 0:
                    budget = min(budget * 2, most)
                else:
                    budget = budget - 4 * least if budget > 5 * least else least
            elif reason == BUDGET_TIMEOUT:
                budget = min(budget * 2, most)
            elif reason == BUDGET_EXHAUSTED:
                budget = min(budget * 4, most)
            elif reason == NO_MORE_REQUESTS:
                budget = max(self.queues.service[queue], least)
            else:
                return
        if self.assigned >= STATS_MIN_BUDGETS and self.rate.user_max_budget == 0:
            budget = min(budget, most)
        self.queues.max_budget[queue] = budget
        request = self.queues.next_request[queue]
        if request != NONE:
            self.queues.budget[queue] = max(budget, self.charge(queue, request))

    def budget_for_activation(self, queue: int, deserves: bool) -> bool:
        """Set the budget of a queue that becomes busy; tell whether it may go before the queue in service."""
        arrived_in_time = self.queues.last_end_ns[queue] + 3 * self.idle_ns
        left = self.queues.budget_left(queue)
        if self.queues.waits_unblocked[queue] and self.engine.now_ns <= arrived_in_time and left > 0:
            self.queues.budget[queue] = min(left, self.queues.max_budget[queue])
            self.queues.service[queue] = 0
            return True
        self.queues.service[queue] = 0
        charge = self.charge(queue, self.queues.next_request[queue])
        self.queues.budget[queue] = max(self.queues.max_budget[queue], charge)
        self.queues.waits_unblocked[queue] = 0
        return deserves

    def activate(self, queue: int) -> None:
        self.queues.busy[queue] = 1
        self.trees.activate(queue, self.queues.waits_unblocked[queue] != 0)
        self.queues.waits_unblocked[queue] = 0
        self.queues.note(queue)

    def update_budget(self, queue: int) -> None:
        """The next request has changed: the budget has to do for it (bfq_updated_next_req)."""
        if queue == self.trees.in_service:
            return
        charge = self.charge(queue, self.queues.next_request[queue])
        budget = max(self.queues.max_budget[queue], charge, self.queues.service[queue])
        if budget != self.queues.budget[queue]:
            self.queues.budget[queue] = budget
            self.trees.requeue(queue, False)
            self.queues.note(queue)

    def outranks(self, queue: int, other: int) -> bool:
        if self.queues.priority_class[queue] != self.queues.priority_class[other]:
            return self.queues.priority_class[queue] < self.queues.priority_class[other]
        return self.queues.weight[queue] > self.queues.weight[other]

    def is_over(self, queue: int) -> bool:
        """Tell whether a slice may end for its time (bfq_may_expire_for_budg_timeout)."""
        if self.engine.now_ns < self.queues.timeout_ns[queue]:
            return False
        return not self.idling or self.queues.budget_left(queue) >= self.queues.budget[queue] // 3

    def timed_out(self, queue: int) -> bool:
        return self.engine.now_ns >= self.queues.timeout_ns[queue]

    def better_to_idle(self, queue: int) -> bool:
        """Tell whether the device is to wait for the queue's next request (bfq_better_to_idle)."""
        if self.strict:
            return True
        if self.idle_ns == 0 or not self.queues.is_sync(queue) or self.queues.priority_class[queue] == IDLE_CLASS:
            return False
        if self.idling_boosts_throughput(queue):
            return True
        # idling_needed_for_service_guarantees
        busy = self.queues.busy_total
        if self.queues.raising[queue] > 1 and (
            self.queues.raised_busy < busy or self.in_driver >= self.queues.dispatched[queue] + 4
        ):
            return True
        return busy == 1 or self.queues.is_asymmetric(queue)

    def idling_boosts_throughput(self, queue: int) -> bool:
        if self.queues.raised_busy > 0:
            return False
        if self.rotational and self.queueing == 0:
            return True
        if not self.rotational and self.queueing != 0:
            return False
        return (
            self.queues.io_bound[queue] != 0 and self.queues.short_think[queue] != 0 and not self.queues.is_seeky(queue)
        )

    def begin_idling(self, queue: int) -> None:
        """Keep the device idle for the queue in service (bfq_arm_slice_timer)."""
        idle_ns = self.idle_ns
        if self.queues.raising[queue] > 1:
            idle_ns = max(idle_ns, RAISED_IDLE_NS)
        elif self.queues.is_seeky(queue) and not self.queues.is_asymmetric(queue):
            idle_ns = min(idle_ns, SEEKY_IDLE_NS)
        self.idling = 1
        self.idling_since_ns = self.engine.now_ns
        self.idlings += 1
        self.timer.arm(idle_ns)

    def stop_idling(self) -> None:
        if self.idling:
            self.idling = 0
            self.timer.cancel()

    def update_queueing(self, queue: int) -> None:
        """Find out whether the device queues commands (bfq_update_hw_tag)."""
        self.most_in_driver = max(self.most_in_driver, self.in_driver)
        if self.queueing == 1 or self.in_driver + self.order.count <= QUEUEING_THRESHOLD:
            return
        own = self.queues.dispatched[queue] + self.queues.queued[queue]
        if self.queues.short_think[queue] and own < QUEUEING_THRESHOLD and self.in_driver < QUEUEING_THRESHOLD:
            return
        self.queueing_samples += 1
        if self.queueing_samples <= QUEUEING_SAMPLES:
            return
        self.queueing = 1 if self.most_in_driver > QUEUEING_THRESHOLD else 0
        self.most_in_driver = 0
        self.queueing_samples = 0

    def note_think_time(self, queue: int) -> None:
        """A queue without requests gets one: average how long its thread thought (bfq_update_io_thinktime)."""
        think_ns = min(self.engine.now_ns - self.queues.last_end_ns[queue], 2 * self.idle_ns)
        self.queues.think_samples[queue] = (7 * self.queues.think_samples[queue] + 256) // 8
        self.queues.think_total_ns[queue] = (7 * self.queues.think_total_ns[queue] + 256 * think_ns) // 8
        mean_ns = (self.queues.think_total_ns[queue] + 128) // self.queues.think_samples[queue]
        if self.queues.is_sync(queue):
            slow = 1 if self.queues.think_samples[queue] > THINK_SAMPLES_MIN and mean_ns > self.idle_ns else 0
            self.queues.short_think[queue] = 1 - slow

    def max_budget(self) -> int:
        return DEFAULT_MAX_BUDGET if self.assigned < STATS_MIN_BUDGETS else self.rate.max_budget

    def min_budget(self) -> int:
        return max(1, self.max_budget() // 32)

    def counters(self) -> dict[str, int]:
        """Return how slices ended, how often the device was kept idle, and what is believed of it at the end."""
        return {
            "bfq_too_idle": self.ends[TOO_IDLE],
            "bfq_budget_timeouts": self.ends[BUDGET_TIMEOUT],
            "bfq_budgets_exhausted": self.ends[BUDGET_EXHAUSTED],
            "bfq_no_more_requests": self.ends[NO_MORE_REQUESTS],
            "bfq_preemptions": self.ends[0],
            "bfq_idlings": self.idlings,
            "bfq_raisings": self.raising.periods,
            "bfq_max_budget": self.rate.max_budget,
        }
