"""What bfq knows of each of its queues: one for a thread's synchronous I/O, and one for each priority's other I/O."""

from workers.simulator.arrays import longs
from workers.simulator.kinds import IOPRIO_CLASS_BE, IOPRIO_CLASSES, IOPRIO_NORM, NONE

LEVELS = 8  # IOPRIO_NR_LEVELS
WEIGHT_CONVERSION = 10  # BFQ_WEIGHT_CONVERSION_COEFF
LONG_AGO_NS = -(1 << 60)


class BfqQueues:
    """One row a queue: the threads' come first, then one for each priority class and level.

    Budgets and service are in sectors, times in nanoseconds, `start` and `finish` in virtual time. `idle_since_ns` is
    when the queue was left without any request; while it is in service, `timeout_ns` is when its slice ends.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.count = count = threads + IOPRIO_CLASSES * LEVELS
        # Priority: what the entity has now, and what it takes over when it is next placed in its tree.
        self.priority_class = longs(count, IOPRIO_CLASS_BE - 1)
        self.orig_weight = longs(count, self.weight_of(IOPRIO_NORM))
        self.grouped = longs(count)
        self.new_class = longs(count, IOPRIO_CLASS_BE - 1)
        self.new_weight = longs(count, self.weight_of(IOPRIO_NORM))
        self.weight = longs(count, self.weight_of(IOPRIO_NORM))
        # The entity of B-WF2Q+.
        self.start = longs(count)
        self.finish = longs(count)
        self.budget = longs(count)
        self.service = longs(count)
        self.active = longs(count)
        self.remembered = longs(count)  # on the idle tree: idle, with a finish time that lies ahead
        # The queue.
        self.max_budget = longs(count)
        self.queued = longs(count)
        self.dispatched = longs(count)
        self.busy = longs(count)
        self.next_request = longs(count, NONE)
        self.fifo_head = longs(count, NONE)
        self.fifo_tail = longs(count, NONE)
        self.fifo_tried = longs(count)
        self.timeout_ns = longs(count)
        self.idle_since_ns = longs(count, LONG_AGO_NS)
        self.last_end_ns = longs(count, LONG_AGO_NS)
        self.waits_unblocked = longs(count)  # non_blocking_wait_rq: it may go on where it was cut off
        # How it behaves.
        self.last_position = longs(count)
        self.seek_history = longs(count)
        self.io_bound = longs(count, 1)
        self.think_samples = longs(count)
        self.think_total_ns = longs(count)
        self.short_think = longs(count, 1)
        # Weight raising.
        self.raising = longs(count, 1)
        self.raised_since_ns = longs(count)
        self.raised_for_ns = longs(count)
        self.raised_interactive_ns = longs(count, LONG_AGO_NS)
        self.raised_service = longs(count)
        self.backlogged_since_ns = longs(count)
        self.backlogged_service = longs(count)
        self.soft_rt_from_ns = longs(count)
        self.soft_rt_pending = longs(count)
        self.created = longs(count)
        self.in_burst = longs(count)
        self.in_large_burst = longs(count)
        # Totals over the queues, kept by `note`.
        self.busy_total = 0
        self.raised_busy = 0
        self.busy_in_class = longs(IOPRIO_CLASSES)
        self.weights = 0
        self.counted_weight = longs(count)
        self.counted_busy = longs(count)
        self.counted_class = longs(count)
        self.counted_raised = longs(count)
        self.weight_slot = longs(count + 1)
        self.weight_users = longs(count + 1)

    def weight_of(self, level: int) -> int:
        return (LEVELS - level) * WEIGHT_CONVERSION

    def is_sync(self, queue: int) -> bool:
        """Tell whether a queue is a thread's."""
        return queue < self.threads

    def budget_left(self, queue: int) -> int:
        return self.budget[queue] - self.service[queue]

    def is_seeky(self, queue: int) -> bool:
        """Tell whether more than 19 of the last 32 accesses were far from the one before (BFQQ_SEEKY)."""
        bits = self.seek_history[queue]
        count = 0
        while bits > 0:
            bits &= bits - 1
            count += 1
        return count > 19

    def note(self, queue: int) -> None:
        """Bring the totals up to what has become of a queue: those of the busy ones, and the weights in use."""
        raised = 1 if self.raising[queue] > 1 and self.busy[queue] else 0
        self.raised_busy += raised - self.counted_raised[queue]
        self.counted_raised[queue] = raised
        if self.counted_busy[queue]:
            self.busy_in_class[self.counted_class[queue]] -= 1
        self.busy_total += self.busy[queue] - self.counted_busy[queue]
        self.counted_busy[queue] = self.busy[queue]
        self.counted_class[queue] = self.priority_class[queue]
        if self.busy[queue]:
            self.busy_in_class[self.priority_class[queue]] += 1
        weight = self.weight[queue] if self.busy[queue] or self.dispatched[queue] > 0 else 0
        if weight == self.counted_weight[queue]:
            return
        self.count_weight(self.counted_weight[queue], -1)
        self.count_weight(weight, 1)
        self.counted_weight[queue] = weight

    def count_weight(self, weight: int, change: int) -> None:
        if weight == 0:
            return
        slot = 0
        while slot < self.weights and self.weight_slot[slot] != weight:
            slot += 1
        if slot == self.weights:
            self.weight_slot[slot] = weight
            self.weight_users[slot] = 0
            self.weights += 1
        self.weight_users[slot] += change
        if self.weight_users[slot] == 0:
            self.weights -= 1
            self.weight_slot[slot] = self.weight_slot[self.weights]
            self.weight_users[slot] = self.weight_users[self.weights]

    def is_asymmetric(self, queue: int) -> bool:
        """Tell whether weights or classes of the pending queues differ, to a queue that has not the least weight."""
        classes = 0
        for priority_class in range(IOPRIO_CLASSES):
            if self.busy_in_class[priority_class] > 0:
                classes += 1
        if classes > 1:
            return True
        if self.weights < 2:
            return False
        least = self.weight_slot[0]
        for slot in range(1, self.weights):
            least = min(least, self.weight_slot[slot])
        return self.counted_weight[queue] != least
