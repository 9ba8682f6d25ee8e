"""B-WF2Q+, the fair queueing inside bfq (block/bfq-wf2q.c): each queue gets service in proportion to its weight."""

from workers.simulator.arrays import longs
from workers.simulator.block.schedulers.bfq_queue import BfqQueues
from workers.simulator.engine import Engine
from workers.simulator.kinds import IOPRIO_CLASSES, NONE

SERVICE_SHIFT = 22  # WFQ_SERVICE_SHIFT
IDLE_CLASS = 2
IDLE_CLASS_TIMEOUT_NS = 200_000_000  # BFQ_CL_IDLE_TIMEOUT, HZ / 5


class ServiceTrees:
    """A virtual time for each priority class; among queues whose start has come, the one to finish first is served.

    Virtual time passes by service / (sum of the weights), a queue's finish lies budget / weight behind its start.
    A higher class goes first, but the idle class gets a turn when it had none for 200 ms.
    """

    def __init__(self, engine: Engine, queues: BfqQueues) -> None:
        self.engine = engine
        self.queues = queues
        self.vtime = longs(IOPRIO_CLASSES)
        self.weights = longs(IOPRIO_CLASSES)
        self.idle_served_ns = 0
        self.in_service = NONE

    def delta(self, service: int, weight: int) -> int:
        return (service << SERVICE_SHIFT) // weight

    def served(self, queue: int, sectors: int) -> None:
        """Charge the queue in service."""
        self.queues.service[queue] += sectors
        tree = self.queues.priority_class[queue]
        if self.weights[tree] > 0:
            self.vtime[tree] += self.delta(sectors, self.weights[tree])

    def activate(self, queue: int, goes_on: bool) -> None:
        """A queue has become busy; one that `goes_on` keeps the finish that it had when it was cut off."""
        tree = self.queues.priority_class[queue]
        earliest = self.vtime[tree]
        if goes_on and self.vtime[tree] > self.queues.finish[queue]:
            earliest = self.queues.finish[queue]
        if self.queues.remembered[queue]:
            self.queues.remembered[queue] = 0
            self.queues.start[queue] = max(earliest, self.queues.finish[queue])
        else:
            self.queues.start[queue] = earliest
            self.weights[tree] += self.queues.weight[queue]
        self.place(queue, goes_on)

    def requeue(self, queue: int, was_in_service: bool) -> None:
        """A queue with requests leaves service, or has got another budget."""
        if was_in_service:
            self.queues.start[queue] += self.delta(self.queues.service[queue], self.queues.weight[queue])
            self.in_service = NONE
        self.place(queue, False)

    def deactivate(self, queue: int) -> None:
        """A queue has no requests any more."""
        self.queues.active[queue] = 0
        tree = self.queues.priority_class[queue]
        if queue == self.in_service:
            self.in_service = NONE
            spent = self.delta(self.queues.service[queue], self.queues.weight[queue])
            self.queues.finish[queue] = self.queues.start[queue] + spent
        if self.queues.finish[queue] > self.vtime[tree]:
            self.queues.remembered[queue] = 1
        else:
            self.weights[tree] -= self.queues.weight[queue]

    def choose(self) -> int:
        """Take the next queue into service, or return NONE when none is busy."""
        first = 0
        if self.engine.now_ns - self.idle_served_ns > IDLE_CLASS_TIMEOUT_NS:
            self.idle_served_ns = self.engine.now_ns
            if self.any_active(IDLE_CLASS):
                first = IDLE_CLASS
        for tree in range(first, IOPRIO_CLASSES):
            queue = self.first_to_finish(tree)
            if queue != NONE:
                if tree == IDLE_CLASS:
                    self.idle_served_ns = self.engine.now_ns
                self.in_service = queue
                self.queues.active[queue] = 0
                return queue
        return NONE

    def place(self, queue: int, goes_on: bool) -> None:
        """Give a queue the priority that it has by now, its finish, and a place in its tree."""
        self.update_weight(queue)
        tree = self.queues.priority_class[queue]
        finish = self.queues.start[queue] + self.delta(self.queues.budget[queue], self.queues.weight[queue])
        if goes_on and self.vtime[tree] > finish:
            late = (self.vtime[tree] - finish) // self.queues.raising[queue]
            self.queues.start[queue] += late
            finish += late
        self.queues.finish[queue] = finish
        self.queues.active[queue] = 1

    def update_weight(self, queue: int) -> None:
        """Take over a new priority or weight raising (__bfq_entity_update_weight_prio)."""
        tree = self.queues.priority_class[queue]
        weight = self.queues.new_weight[queue] * self.queues.raising[queue]
        if self.queues.new_class[queue] == tree and weight == self.queues.weight[queue]:
            return
        self.weights[tree] -= self.queues.weight[queue]
        if self.queues.new_class[queue] != tree:
            tree = self.queues.new_class[queue]
            self.queues.priority_class[queue] = tree
            self.queues.start[queue] = self.vtime[tree]
        self.queues.orig_weight[queue] = self.queues.new_weight[queue]
        self.queues.weight[queue] = weight
        self.weights[tree] += weight

    def forget_finished(self) -> None:
        """Take out of the sums those that idle and whose finish has passed (bfq_forget_idle)."""
        for queue in range(self.queues.count):
            tree = self.queues.priority_class[queue]
            if self.queues.remembered[queue] and self.queues.finish[queue] <= self.vtime[tree]:
                self.queues.remembered[queue] = 0
                self.weights[tree] -= self.queues.weight[queue]

    def any_active(self, tree: int) -> bool:
        for queue in range(self.queues.count):
            if self.queues.active[queue] and self.queues.priority_class[queue] == tree:
                return True
        return False

    def first_to_finish(self, tree: int) -> int:
        """Return the eligible queue that finishes first; virtual time jumps to where one is eligible."""
        least_start = NONE
        for queue in range(self.queues.count):
            if self.queues.active[queue] and self.queues.priority_class[queue] == tree:
                start = self.queues.start[queue]
                if least_start == NONE or start < least_start:
                    least_start = start
        if least_start == NONE:
            return NONE
        if least_start > self.vtime[tree]:
            self.vtime[tree] = least_start
            self.forget_finished()
        found = NONE
        for queue in range(self.queues.count):
            if (
                self.queues.active[queue]
                and self.queues.priority_class[queue] == tree
                and self.queues.start[queue] <= self.vtime[tree]
                and (found == NONE or self.queues.finish[queue] < self.queues.finish[found])
            ):
                found = queue
        return found
