"""The multi-queue block layer: request tags, hardware queues, dispatch (the kernel's block/blk-mq.c)."""

from dataclasses import dataclass

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.flush import FlushQueues
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    DISPATCHED,
    EVENT_GRANTED,
    FAULT_ELEVATOR,
    FAULT_REQUEST_STATE,
    FAULT_TAGS,
    FLUSH,
    FREE,
    FUA,
    INSERTED,
    NONE,
    STEP_POSTFLUSH,
    STEP_PREFLUSH,
    TAGGED,
)

BLKDEV_MIN_RQ = 4  # include/linux/blkdev.h
BLKDEV_DEFAULT_RQ = 128
MAX_SCHED_RQ = 16 * BLKDEV_DEFAULT_RQ  # block/blk-mq-sched.h


def default_nr_requests(scheduler: str, hw_depth: int) -> int:
    """Return nr_requests as Linux 6.12 sets it: 2 x min(hw depth, 128) with an elevator, else the hw depth."""
    return hw_depth if scheduler == "none" else 2 * min(hw_depth, BLKDEV_DEFAULT_RQ)


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many hardware queues there are, how many driver tags and request tags each has, and what a flush means.

    The rows of the requests from `first_flush_row` on are kept for flush commands, one a hardware queue in use.
    """

    has_elevator: bool
    hw_queues: int
    hw_depth: int
    nr_requests: int
    write_cache: bool
    fua: bool
    flush_queued: bool
    first_flush_row: int


class BlockQueue:
    """One request queue over one device.

    A bio needs a request tag of its hardware queue and sleeps, first come first served, until there is one.
    With an elevator the request then waits inside it until a driver tag is free; without, the request tag is
    the driver tag. Threads are spread over the hardware queues round robin, as CPUs are.

    Over a device with a volatile cache, PREFLUSH and FUA go through the flush machinery; over one without, there is
    nothing to flush. Where a flush is not a queued command (SATA), it is held back until nothing is in flight, and
    everything else until it has ended (libata's ata_std_qc_defer).
    """

    def __init__(
        self,
        engine: Engine,
        bios: Bios,
        requests: Requests,
        scheduler: Scheduler,
        device: Device,
        limits: QueueLimits,
    ) -> None:
        self.engine = engine
        self.bios = bios
        self.requests = requests
        self.scheduler = scheduler
        self.device = device
        self.hctxs = limits.hw_queues
        self.has_elevator = limits.has_elevator
        self.write_cache = limits.write_cache
        self.flush_queued = limits.flush_queued
        self.device_flags = FUA if limits.fua else 0
        self.flushes = FlushQueues(engine, requests, limits.first_flush_row, limits.fua)
        self.first_flush_row = limits.first_flush_row
        self.through_elevator = longs(requests.capacity)
        self.request_tags = limits.nr_requests
        self.driver_tags = limits.hw_depth if limits.has_elevator else limits.nr_requests
        self.request_tags_free = longs(self.hctxs, self.request_tags)
        self.driver_tags_free = longs(self.hctxs, self.driver_tags)
        self.driver_tags_free_total = self.hctxs * self.driver_tags
        self.waiting_head = longs(self.hctxs, NONE)
        self.waiting_tail = longs(self.hctxs, NONE)
        self.parked_head = longs(self.hctxs, NONE)
        self.parked_tail = longs(self.hctxs, NONE)
        self.parked = 0
        self.free_request = 0
        for request in range(self.first_flush_row):
            self.requests.next[request] = request + 1 if request + 1 < self.first_flush_row else NONE
        self.in_use = 0
        self.in_device = 0
        self.flushes_in_device = 0
        self.changed_ns = 0
        self.busy_ns = 0
        self.depth_ns = 0
        self.dispatches = 0
        self.completions = 0
        self.tag_waits = 0
        self.most_in_device = 0

    def submit_bio(self, bio: int) -> bool:
        """Queue a bio; False when its thread has to sleep for a request (EVENT_GRANTED follows)."""
        self.bios.queued_ns[bio] = self.engine.now_ns
        hctx = self.bios.thread[bio] % self.hctxs
        if self.request_tags_free[hctx] > 0:
            self.get_request(bio, hctx)
            self.run()
            return True
        self.tag_waits += 1
        self.bios.next[bio] = NONE
        if self.waiting_head[hctx] == NONE:
            self.waiting_head[hctx] = bio
        else:
            self.bios.next[self.waiting_tail[hctx]] = bio
        self.waiting_tail[hctx] = bio
        return False

    def end_at_once(self, bio: int) -> None:
        """A flush of a device that has no volatile cache never becomes a request (submit_bio_noacct)."""
        self.bios.next[bio] = NONE
        self.bios.queued_ns[bio] = self.engine.now_ns
        self.bios.got_ns[bio] = self.engine.now_ns
        self.bios.inserted_ns[bio] = self.engine.now_ns
        self.bios.dispatched_ns[bio] = self.engine.now_ns
        self.bios.completed_ns[bio] = self.engine.now_ns

    def complete(self, request: int) -> int:
        """End a request that the device has finished; return the first of its bios, chained by `next`."""
        if not self.expect(request, DISPATCHED):
            return NONE
        hctx = self.requests.hctx[request]
        self.account()
        self.in_device -= 1
        self.completions += 1
        self.driver_tags_free[hctx] += 1
        self.driver_tags_free_total += 1
        if self.driver_tags_free[hctx] > self.driver_tags or self.in_device < 0:
            self.engine.fail(FAULT_TAGS)
        if self.through_elevator[request]:
            self.through_elevator[request] = 0
            self.scheduler.completed(request)
        first = NONE
        if request >= self.first_flush_row:
            self.flushes_in_device -= 1
            self.flushes.flush_ended(request)
            first = self.end_flushed()
        elif self.flushes.is_sequenced(request):
            self.flushes.data_ended(request)
            first = self.end_flushed()
        else:
            first = self.end_request(request)
        self.run()
        return first

    def end_request(self, request: int) -> int:
        """Give a request back; return the first of its bios, chained by `next`."""
        first = self.requests.first_bio[request]
        bio = first
        while bio != NONE:
            self.bios.got_ns[bio] = max(self.requests.got_ns[request], self.bios.queued_ns[bio])
            self.bios.inserted_ns[bio] = max(self.requests.inserted_ns[request], self.bios.queued_ns[bio])
            self.bios.dispatched_ns[bio] = self.requests.dispatched_ns[request]
            self.bios.completed_ns[bio] = self.engine.now_ns
            bio = self.bios.next[bio]
        self.put_request(request)
        return first

    def park_ready(self) -> None:
        """Put what the flush machinery wants issued on the dispatch lists."""
        request = self.flushes.take_ready()
        while request != NONE:
            # As blk_mq_requeue_work does it: a flush goes in front of the dispatch list, data behind.
            hctx = self.requests.hctx[request]
            self.requests.state[request] = INSERTED
            self.park(request, hctx, request >= self.first_flush_row)
            request = self.flushes.take_ready()

    def end_flushed(self) -> int:
        """End the requests that the flush machinery is done with; return the first of their bios, in a chain."""
        self.park_ready()
        first = NONE
        last = NONE
        request = self.flushes.take_ended()
        while request != NONE:
            bio = self.requests.first_bio[request]  # a request of the flush machinery carries one bio, as in the kernel
            self.end_request(request)
            if first == NONE:
                first = bio
            else:
                self.bios.next[last] = bio
            last = bio
            request = self.flushes.take_ended()
        return first

    def get_request(self, bio: int, hctx: int) -> None:
        request = self.free_request
        if not self.expect(request, FREE):
            return
        self.free_request = self.requests.next[request]
        self.requests.state[request] = TAGGED
        self.request_tags_free[hctx] -= 1
        self.in_use += 1
        self.requests.direction[request] = self.bios.direction[bio]
        self.requests.sector[request] = self.bios.sector[bio]
        self.requests.sectors[request] = self.bios.sectors[bio]
        self.requests.priority[request] = self.bios.priority[bio]
        self.requests.flags[request] = self.bios.flags[bio] if self.write_cache else 0
        self.requests.hctx[request] = hctx
        self.requests.first_bio[request] = bio
        self.bios.next[bio] = NONE
        self.requests.got_ns[request] = self.engine.now_ns
        self.requests.inserted_ns[request] = self.engine.now_ns
        if self.requests.flags[request] != 0:
            steps = self.flushes.policy(request)
            # What the device gets to see: FUA when it has that.
            self.requests.flags[request] &= self.device_flags
            if steps & STEP_PREFLUSH:
                self.flushes.begin(request, steps)
                self.park_ready()
                return
            if steps & STEP_POSTFLUSH:
                self.flushes.begin_with_data(request)
        self.requests.state[request] = INSERTED
        self.through_elevator[request] = 1
        self.scheduler.insert(request)

    def put_request(self, request: int) -> None:
        hctx = self.requests.hctx[request]
        self.requests.state[request] = FREE
        self.requests.next[request] = self.free_request
        self.free_request = request
        self.request_tags_free[hctx] += 1
        self.in_use -= 1
        if self.request_tags_free[hctx] > self.request_tags or self.in_use < 0:
            self.engine.fail(FAULT_TAGS)
        bio = self.waiting_head[hctx]
        if bio != NONE:
            self.waiting_head[hctx] = self.bios.next[bio]
            self.get_request(bio, hctx)
            self.engine.schedule(self.engine.now_ns, EVENT_GRANTED, bio)

    def run(self) -> None:
        # A request that found no driver tag is parked on its hardware queue's dispatch list and goes first.
        if self.parked > 0:
            for hctx in range(self.hctxs):
                while self.parked_head[hctx] != NONE and self.driver_tags_free[hctx] > 0:
                    request = self.parked_head[hctx]
                    if self.defers(request):
                        return
                    self.parked_head[hctx] = self.requests.next[request]
                    self.parked -= 1
                    self.issue(request)
        if self.flushes_in_device > 0 and not self.flush_queued:
            return
        while self.driver_tags_free_total > 0 and self.scheduler.queued > 0:
            request = self.scheduler.dispatch()
            if request == NONE:
                return
            hctx = self.requests.hctx[request]
            if self.driver_tags_free[hctx] == 0:
                self.park(request, hctx, False)
                return
            self.issue(request)

    def park(self, request: int, hctx: int, in_front: bool) -> None:
        self.parked += 1
        if self.parked_head[hctx] == NONE:
            self.requests.next[request] = NONE
            self.parked_head[hctx] = request
            self.parked_tail[hctx] = request
        elif in_front:
            self.requests.next[request] = self.parked_head[hctx]
            self.parked_head[hctx] = request
        else:
            self.requests.next[request] = NONE
            self.requests.next[self.parked_tail[hctx]] = request
            self.parked_tail[hctx] = request

    def defers(self, request: int) -> bool:
        """Tell whether the driver holds a request back because a flush excludes everything else."""
        if self.flush_queued:
            return False
        return self.flushes_in_device > 0 or (self.requests.direction[request] == FLUSH and self.in_device > 0)

    def issue(self, request: int) -> None:
        if not self.expect(request, INSERTED):
            return
        hctx = self.requests.hctx[request]
        self.requests.state[request] = DISPATCHED
        self.requests.dispatched_ns[request] = self.engine.now_ns
        if request >= self.first_flush_row:
            self.flushes_in_device += 1
        self.driver_tags_free[hctx] -= 1
        self.driver_tags_free_total -= 1
        self.account()
        self.in_device += 1
        self.dispatches += 1
        self.most_in_device = max(self.most_in_device, self.in_device)
        self.device.submit(request)

    def account(self) -> None:
        elapsed_ns = self.engine.now_ns - self.changed_ns
        self.changed_ns = self.engine.now_ns
        self.depth_ns += elapsed_ns * self.in_device
        if self.in_device > 0:
            self.busy_ns += elapsed_ns

    def expect(self, request: int, state: int) -> bool:
        if request < 0 or request >= self.requests.capacity or self.requests.state[request] != state:
            self.engine.fail(FAULT_REQUEST_STATE)
            return False
        return True

    def verify(self) -> None:
        in_use = 0
        inserted = 0
        in_device = 0
        for request in range(self.requests.capacity):
            state = self.requests.state[request]
            if state != FREE and request < self.first_flush_row:
                in_use += 1
            if state == INSERTED:
                inserted += 1
            elif state == DISPATCHED:
                in_device += 1
        request_tags = 0
        driver_tags = 0
        for hctx in range(self.hctxs):
            if self.request_tags_free[hctx] < 0 or self.driver_tags_free[hctx] < 0:
                self.engine.fail(FAULT_TAGS)
            request_tags += self.request_tags - self.request_tags_free[hctx]
            driver_tags += self.driver_tags - self.driver_tags_free[hctx]
        if request_tags != in_use or in_use != self.in_use or driver_tags != in_device or in_device != self.in_device:
            self.engine.fail(FAULT_TAGS)
        if inserted != self.scheduler.queued + self.parked:
            self.engine.fail(FAULT_ELEVATOR)
        self.flushes.verify()

    def finish(self) -> None:
        """Bring the time integrals up to now, at the end of a run."""
        self.account()

    def counters(self) -> dict[str, int]:
        """Return what the queue counted: times in nanoseconds, `device_depth_ns` the integral of the depth."""
        return {
            "dispatches": self.dispatches,
            "completions": self.completions,
            "tag_waits": self.tag_waits,
            "device_busy_ns": self.busy_ns,
            "device_depth_ns": self.depth_ns,
            "device_depth_most": self.most_in_device,
            **self.flushes.counters(),
        }
