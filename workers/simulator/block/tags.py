"""Request tags: how many requests a hardware queue may have, and who waits for one (the kernel's sched_tags)."""

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.engine import Engine
from workers.simulator.kinds import FAULT_TAGS, NONE


class RequestTags:
    """So many tags for each hardware queue; bios without one wait in order.

    An elevator may allow some bios fewer than all; such a one lets others pass.
    """

    def __init__(
        self, engine: Engine, bios: Bios, scheduler: Scheduler, hctxs: int, depth: int, has_elevator: bool
    ) -> None:
        self.engine = engine
        self.bios = bios
        self.scheduler = scheduler
        self.hctxs = hctxs
        self.depth = depth
        self.has_elevator = has_elevator
        self.free = longs(hctxs, depth)
        self.waiting_head = longs(hctxs, NONE)
        self.waiting_tail = longs(hctxs, NONE)
        self.waits = 0

    def has_one_for(self, bio: int, hctx: int) -> bool:
        free = self.free[hctx]
        if free <= 0:
            return False
        return not self.has_elevator or self.depth - free < self.scheduler.depth_limit(bio)

    def wait(self, bio: int, hctx: int) -> None:
        """Put a bio at the end of the line."""
        self.waits += 1
        self.bios.next[bio] = NONE
        if self.waiting_head[hctx] == NONE:
            self.waiting_head[hctx] = bio
        else:
            self.bios.next[self.waiting_tail[hctx]] = bio
        self.waiting_tail[hctx] = bio

    def next_waiter(self, hctx: int) -> int:
        """Take the first out of the line that may have a tag now, or return NONE."""
        before = NONE
        bio = self.waiting_head[hctx]
        while bio != NONE and not self.has_one_for(bio, hctx):
            before = bio
            bio = self.bios.next[bio]
        if bio == NONE:
            return NONE
        following = self.bios.next[bio]
        if before == NONE:
            self.waiting_head[hctx] = following
        else:
            self.bios.next[before] = following
        if following == NONE:
            self.waiting_tail[hctx] = before
        return bio

    def put(self, hctx: int) -> None:
        self.free[hctx] += 1
        if self.free[hctx] > self.depth:
            self.engine.fail(FAULT_TAGS)

    def in_use(self) -> int:
        """Return how many tags are taken, over all hardware queues."""
        taken = 0
        for hctx in range(self.hctxs):
            if self.free[hctx] < 0:
                self.engine.fail(FAULT_TAGS)
            taken += self.depth - self.free[hctx]
        return taken
