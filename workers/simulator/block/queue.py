"""The request queue: from a bio to a request, and back up (the kernel's block/blk-mq.c)."""

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.flush import FlushQueues
from workers.simulator.block.hctx import HardwareQueues
from workers.simulator.block.limits import QueueLimits
from workers.simulator.block.merge import Merger
from workers.simulator.block.plug import Plugs
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.block.split import Splitter
from workers.simulator.block.tags import RequestTags
from workers.simulator.block.wbt import WritebackThrottle
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    DISPATCHED,
    EVENT_GRANTED,
    EVENT_INSERT,
    FAULT_ELEVATOR,
    FAULT_REQUEST_STATE,
    FAULT_TAGS,
    FLUSH_FLAGS,
    FREE,
    FUA,
    INSERTED,
    NONE,
    STEP_POSTFLUSH,
    STEP_PREFLUSH,
    TAGGED,
    TIMER_WBT,
    WBT_BUFFERED,
    WBT_DISCARD,
)


class BlockQueue:
    """One request queue over one device.

    A bio that is too large is split. Each piece joins a request that waits in the thread's plug or in the elevator,
    or passes writeback throttling and takes a request tag of its hardware queue; it sleeps, first come first served,
    until there is one. With an elevator the request goes, under the elevator's lock, inside it and waits for a
    driver tag; without, the request tag is the driver's. Each thread has a CPU and so a software queue of its own;
    they are spread over the hardware queues round robin.

    Over a device with a volatile cache, PREFLUSH and FUA go through the flush machinery; over one without, there is
    nothing to flush.
    """

    def __init__(
        self,
        engine: Engine,
        bios: Bios,
        requests: Requests,
        merger: Merger,
        scheduler: Scheduler,
        device: Device,
        limits: QueueLimits,
    ) -> None:
        self.engine = engine
        self.bios = bios
        self.requests = requests
        self.merger = merger
        self.scheduler = scheduler
        self.hctxs = limits.hw_queues
        self.has_elevator = limits.has_elevator
        self.write_cache = limits.write_cache
        self.device_flags = FUA if limits.fua else 0
        self.flush_mask = FLUSH_FLAGS if limits.write_cache else 0
        self.flushes = FlushQueues(engine, requests, limits.first_flush_row, limits.fua)
        self.first_flush_row = limits.first_flush_row
        self.through_elevator = longs(requests.capacity)
        self.tags = RequestTags(engine, bios, scheduler, limits.hw_queues, limits.nr_requests, limits.has_elevator)
        driver_tags = limits.hw_depth if limits.has_elevator else limits.nr_requests
        self.plugs = Plugs(bios, requests, merger, requests.ctxs)
        self.splitter = Splitter(engine, bios, limits.max_sectors, limits.max_segments)
        depth = limits.nr_requests if limits.flush_queued else limits.hw_depth  # blk_queue_depth: SCSI sets its own
        self.wbt = WritebackThrottle(engine, bios, requests, limits.wbt_lat_ns, depth, limits.write_cache)
        self.throttles = limits.wbt_lat_ns > 0
        self.hardware = HardwareQueues(engine, requests, scheduler, device, self.wbt, driver_tags, limits)
        self.elevator_ns = limits.elevator_ns if limits.has_elevator else 0
        self.lock_free_ns = 0
        self.lock_ns = 0
        self.granting = longs(requests.capacity, NONE)
        self.free_request = 0
        for request in range(self.first_flush_row):
            self.requests.next[request] = request + 1 if request + 1 < self.first_flush_row else NONE
        self.in_use = 0

    def submit_bio(self, bio: int) -> bool:
        """Queue a bio; False when its thread has to sleep (EVENT_GRANTED or EVENT_INSERT follows)."""
        self.bios.queued_ns[bio] = self.engine.now_ns
        if self.splitter.is_too_large(bio):
            self.splitter.begin(bio)
            return self.submit_pieces(bio)
        return self.submit_piece(bio)

    def submit_pieces(self, bio: int) -> bool:
        piece = self.splitter.next_piece(bio)
        while piece != NONE:
            self.bios.queued_ns[piece] = self.engine.now_ns
            if not self.submit_piece(piece):
                return False
            piece = self.splitter.next_piece(bio)
        return True

    def submit_piece(self, bio: int) -> bool:
        """blk_mq_submit_bio: merge, or be throttled, or get a request."""
        thread = self.bios.thread[bio]
        if self.merger.may_merge(bio) and not self.bios.flags[bio] & self.flush_mask:
            if self.plugs.tail[thread] != NONE and self.plugs.merge(thread, bio):
                return True
            if self.scheduler.queued > 0 and self.scheduler.merge(bio):
                if self.merger.absorbed != NONE:
                    self.put_absorbed()
                return True
        if self.throttles and not self.wbt.admit(bio):
            self.flush_plug(thread)
            return False
        return self.take_tag(bio)

    def take_tag(self, bio: int) -> bool:
        """Get a request, or stand in line for one."""
        hctx = self.bios.thread[bio] % self.hctxs
        if self.tags.has_one_for(bio, hctx):
            return self.get_request(bio, hctx)
        self.tags.wait(bio, hctx)
        self.flush_plug(self.bios.thread[bio])
        return False

    def get_request(self, bio: int, hctx: int) -> bool:
        """Make a request of a bio and send it on its way; False when the thread has to wait for the elevator's lock."""
        request = self.free_request
        if not self.expect(request, FREE):
            return True
        self.free_request = self.requests.next[request]
        self.requests.state[request] = TAGGED
        self.tags.free[hctx] -= 1
        self.in_use += 1
        self.requests.direction[request] = self.bios.direction[bio]
        self.requests.sector[request] = self.bios.sector[bio]
        self.requests.sectors[request] = self.bios.sectors[bio]
        self.requests.segments[request] = self.merger.segments_of(self.bios.sectors[bio])
        self.requests.priority[request] = self.bios.priority[bio]
        flags = self.bios.flags[bio] & self.flush_mask
        self.requests.flags[request] = flags
        self.requests.ctx[request] = self.bios.thread[bio]
        self.requests.hctx[request] = hctx
        self.requests.first_bio[request] = bio
        self.requests.last_bio[request] = bio
        self.bios.next[bio] = NONE
        self.requests.got_ns[request] = self.engine.now_ns
        self.requests.inserted_ns[request] = self.engine.now_ns
        self.requests.mergeable[request] = 1 if flags == 0 and self.merger.may_merge(bio) else 0
        if self.throttles:
            self.wbt.counted_as[request] = self.wbt.kind_of(bio)
        if flags != 0:
            steps = self.flushes.policy(request)
            # What the device gets to see: FUA when it has that.
            self.requests.flags[request] &= self.device_flags
            if steps & STEP_PREFLUSH:
                self.flushes.begin(request, steps)
                self.park_ready()
                self.hardware.run()
                return True
            if steps & STEP_POSTFLUSH:
                self.flushes.begin_with_data(request)
        return self.place(request, bio)

    def place(self, request: int, bio: int) -> bool:
        """Bring a request into the thread's plug, into the elevator, or straight to the device."""
        thread = self.bios.thread[bio]
        if self.plugs.active[thread]:
            done_ns = self.flush_plug(thread) if self.plugs.is_full(thread) else self.engine.now_ns
            self.plugs.add(thread, request)
            if done_ns > self.engine.now_ns:
                self.engine.schedule(done_ns, EVENT_GRANTED, bio)
                return False
            return True
        if self.elevator_ns > 0:
            self.granting[request] = bio
            self.engine.schedule(self.lock(), EVENT_INSERT, request)
            return False
        self.insert(request)
        self.hardware.run()
        return True

    def lock(self) -> int:
        """Take the elevator's lock for a request; return when its work there is done."""
        begin_ns = max(self.engine.now_ns, self.lock_free_ns)
        self.lock_ns += begin_ns + self.elevator_ns - self.engine.now_ns
        self.lock_free_ns = begin_ns + self.elevator_ns
        return self.lock_free_ns

    def insert(self, request: int) -> None:
        self.requests.inserted_ns[request] = self.engine.now_ns
        self.requests.state[request] = INSERTED
        if not self.has_elevator and self.hardware.takes_directly(self.requests.hctx[request]):
            self.hardware.issue(request)
            return
        self.through_elevator[request] = 1
        self.scheduler.insert(request)
        if self.merger.absorbed != NONE:
            self.put_absorbed()

    def inserted(self, request: int) -> int:
        """A request has been through the elevator's lock (EVENT_INSERT); return the bio whose thread goes on."""
        bio = self.granting[request]
        self.granting[request] = NONE
        self.insert(request)
        self.hardware.run()
        return NONE if bio == NONE else self.granted(bio)

    def granted(self, bio: int) -> int:
        """A thread that slept in submission goes on (EVENT_GRANTED); return its bio once all of that is submitted."""
        parent = self.bios.parent[bio]
        if parent == NONE:
            return bio
        return parent if self.submit_pieces(parent) else NONE

    def start_plug(self, thread: int) -> None:
        """From now on the thread keeps its requests to itself (blk_start_plug)."""
        self.plugs.active[thread] = 1

    def finish_plug(self, thread: int) -> int:
        """Send the plugged requests on (blk_finish_plug); return when the thread is through the lock."""
        self.plugs.active[thread] = 0
        return self.flush_plug(thread)

    def flush_plug(self, thread: int) -> int:
        done_ns = self.engine.now_ns
        if self.plugs.tail[thread] == NONE:
            return done_ns
        request = self.plugs.take(thread)
        while request != NONE:
            if self.elevator_ns > 0:
                done_ns = self.lock()
                self.engine.schedule(done_ns, EVENT_INSERT, request)
            else:
                self.insert(request)
            request = self.plugs.take(thread)
        self.hardware.run()
        return done_ns

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
        self.hardware.completed(request)
        if self.throttles:
            self.wbt.sample(request)
        if self.through_elevator[request]:
            self.through_elevator[request] = 0
            self.scheduler.completed(request)
        first = NONE
        if request >= self.first_flush_row:
            self.flushes.flush_ended(request)
            first = self.end_flushed()
        elif self.flushes.is_sequenced(request):
            self.flushes.data_ended(request)
            first = self.end_flushed()
        else:
            first = self.end_request(request)
        self.hardware.run()
        return first

    def end_request(self, request: int) -> int:
        """Give a request back; return the first of the bios that have ended, chained by `next`."""
        first = self.requests.first_bio[request]
        bio = first
        pieces = 0
        while bio != NONE:
            self.bios.got_ns[bio] = max(self.requests.got_ns[request], self.bios.queued_ns[bio])
            self.bios.inserted_ns[bio] = max(self.requests.inserted_ns[request], self.bios.queued_ns[bio])
            self.bios.dispatched_ns[bio] = self.requests.dispatched_ns[request]
            self.bios.completed_ns[bio] = self.engine.now_ns
            if self.bios.parent[bio] != NONE:
                pieces += 1
            bio = self.bios.next[bio]
        if pieces > 0:
            first = self.splitter.ended(first)
        self.put_request(request)
        return first

    def park_ready(self) -> None:
        """Put what the flush machinery wants issued on the dispatch lists."""
        request = self.flushes.take_ready()
        while request != NONE:
            # As blk_mq_requeue_work does it: a flush goes in front of the dispatch list, data behind.
            self.requests.state[request] = INSERTED
            self.hardware.park(request, self.requests.hctx[request], request >= self.first_flush_row)
            request = self.flushes.take_ready()

    def end_flushed(self) -> int:
        """End the requests that the flush machinery is done with; return the first of their bios, in a chain."""
        self.park_ready()
        first = NONE
        last = NONE
        request = self.flushes.take_ended()
        while request != NONE:
            bio = self.end_request(request)  # a request of the flush machinery carries one bio, as in the kernel
            if bio != NONE:
                if first == NONE:
                    first = bio
                else:
                    self.bios.next[last] = bio
                last = bio
            request = self.flushes.take_ended()
        return first

    def put_absorbed(self) -> None:
        """Give back a request that has merged into another."""
        request = self.merger.absorbed
        self.merger.absorbed = NONE
        self.through_elevator[request] = 0
        self.put_request(request)

    def put_request(self, request: int) -> None:
        hctx = self.requests.hctx[request]
        self.requests.state[request] = FREE
        self.requests.next[request] = self.free_request
        self.free_request = request
        self.tags.put(hctx)
        self.in_use -= 1
        if self.throttles:
            kind = self.wbt.done(request)
            if kind > 0:
                self.release(kind)
        bio = self.tags.next_waiter(hctx)
        while bio != NONE:
            if self.get_request(bio, hctx):
                self.engine.schedule(self.engine.now_ns, EVENT_GRANTED, bio)
            bio = self.tags.next_waiter(hctx)

    def release(self, kind: int) -> None:
        """Let go on what writeback throttling has held back, as far as its limits allow."""
        bio = self.wbt.next_admitted(kind)
        while bio != NONE:
            if self.take_tag(bio):
                self.engine.schedule(self.engine.now_ns, EVENT_GRANTED, bio)
            bio = self.wbt.next_admitted(kind)

    def wake(self, timer: int) -> None:
        """A timer of the queue has expired (EVENT_QUEUE)."""
        if timer == TIMER_WBT:
            if self.wbt.timer.expired() and self.wbt.wake():
                self.release(WBT_BUFFERED)
                self.release(WBT_DISCARD)
        else:
            self.scheduler.wake()
        self.hardware.run()

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
        if self.tags.in_use() != in_use or in_use != self.in_use:
            self.engine.fail(FAULT_TAGS)
        if inserted != self.scheduler.queued + self.hardware.parked:
            self.engine.fail(FAULT_ELEVATOR)
        self.hardware.verify(in_device)
        self.flushes.verify()

    def finish(self) -> None:
        """Bring the time integrals up to now, at the end of a run."""
        self.hardware.account()

    def counters(self) -> dict[str, int]:
        """Return what the queue and its parts counted; times in nanoseconds."""
        return {
            **self.hardware.counters(),
            "tag_waits": self.tags.waits,
            "splits": self.splitter.splits,
            **self.merger.counters(),
            **self.plugs.counters(),
            **self.wbt.counters(),
            "elevator_lock_ns": self.lock_ns,
            **self.flushes.counters(),
        }
