"""The hardware queues: driver tags, dispatch lists, and what the device has (the kernel's blk_mq_hw_ctx)."""

from workers.simulator.arrays import longs
from workers.simulator.block.limits import QueueLimits
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.block.wbt import WritebackThrottle
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.kinds import DISPATCHED, FAULT_REQUEST_STATE, FAULT_TAGS, FLUSH, INSERTED, NONE
from workers.simulator.observation.occupancy import Occupancy


class HardwareQueues:
    """Each has so many driver tags, and a list of requests that go before any that the elevator holds.

    A request that leaves the elevator and finds no driver tag, or that the driver does not take, waits on that list: it
    is requeued. Where a flush is not a queued command (SATA), it is held back until nothing is in flight, and
    everything else until it has ended (libata's ata_std_qc_defer).
    """

    def __init__(
        self,
        engine: Engine,
        requests: Requests,
        scheduler: Scheduler,
        device: Device,
        wbt: WritebackThrottle,
        tags: int,
        limits: QueueLimits,
    ) -> None:
        self.engine = engine
        self.requests = requests
        self.scheduler = scheduler
        self.device = device
        self.hctxs = self.requests.hctxs
        self.tags = tags
        self.wbt = wbt
        self.throttles = limits.wbt_lat_ns > 0
        self.first_flush_row = limits.first_flush_row
        self.flush_queued = limits.flush_queued
        self.tags_free = longs(self.hctxs, tags)
        self.parked_head = longs(self.hctxs, NONE)
        self.parked_tail = longs(self.hctxs, NONE)
        self.parked = 0
        self.first = 0
        self.in_device = 0
        self.flushes_in_device = 0
        self.deferred = NONE
        self.changed_ns = 0
        self.occupancy = Occupancy()
        self.busy_ns = 0
        self.depth_ns = 0
        self.dispatches = 0
        self.completions = 0
        self.requeues = 0
        self.most_in_device = 0

    def takes_directly(self, hctx: int) -> bool:
        """Tell whether a request may pass by the queues (blk_mq_try_issue_directly): none waits, and there is a tag."""
        return (
            self.scheduler.queued == 0
            and self.parked == 0
            and self.tags_free[hctx] > 0
            and (self.flush_queued or self.flushes_in_device == 0)
        )

    def park(self, request: int, hctx: int, in_front: bool) -> None:
        """Put a request on its dispatch list."""
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

    def run(self) -> None:
        """Give the device what it can take: the dispatch lists first, then what the elevator names."""
        if self.parked > 0 and not self.run_parked():
            return
        if self.scheduler.queued == 0 or (self.flushes_in_device > 0 and not self.flush_queued):
            return
        # Hardware queues take turns in beginning, as their runs come from different CPUs.
        self.first = self.first + 1 if self.first + 1 < self.hctxs else 0
        for turn in range(self.hctxs):
            hctx = self.first + turn
            if hctx >= self.hctxs:
                hctx -= self.hctxs
            while self.tags_free[hctx] > 0 and self.scheduler.queued > 0:
                request = self.scheduler.dispatch(hctx)
                if request == NONE:
                    break
                own = self.requests.hctx[request]
                if self.tags_free[own] == 0:
                    self.requeues += 1
                    self.park(request, own, False)
                    return
                self.issue(request)

    def run_parked(self) -> bool:
        """Issue from the dispatch lists; False when the driver takes nothing now."""
        for hctx in range(self.hctxs):
            while self.parked_head[hctx] != NONE and self.tags_free[hctx] > 0:
                request = self.parked_head[hctx]
                if self.defers(request):
                    if self.deferred != request:
                        self.deferred = request
                        self.requeues += 1
                    return False
                self.parked_head[hctx] = self.requests.next[request]
                self.parked -= 1
                self.issue(request)
        return True

    def defers(self, request: int) -> bool:
        """Tell whether the driver holds a request back because a flush excludes everything else."""
        if self.flush_queued:
            return False
        return self.flushes_in_device > 0 or (self.requests.direction[request] == FLUSH and self.in_device > 0)

    def issue(self, request: int) -> None:
        if self.requests.state[request] != INSERTED:
            self.engine.fail(FAULT_REQUEST_STATE)
            return
        hctx = self.requests.hctx[request]
        self.requests.state[request] = DISPATCHED
        self.requests.dispatched_ns[request] = self.engine.now_ns
        if request >= self.first_flush_row:
            self.flushes_in_device += 1
        if request == self.deferred:
            self.deferred = NONE
        if self.throttles:
            self.wbt.issued(request)
        self.tags_free[hctx] -= 1
        self.account()
        self.in_device += 1
        self.dispatches += 1
        self.most_in_device = max(self.most_in_device, self.in_device)
        self.device.submit(request)

    def completed(self, request: int) -> None:
        """The device is done with a request: its driver tag is free."""
        hctx = self.requests.hctx[request]
        self.account()
        self.in_device -= 1
        self.completions += 1
        self.tags_free[hctx] += 1
        if request >= self.first_flush_row:
            self.flushes_in_device -= 1
        if self.tags_free[hctx] > self.tags or self.in_device < 0:
            self.engine.fail(FAULT_TAGS)

    def account(self) -> None:
        """Bring the time integrals up to now."""
        if self.engine.now_ns >= self.occupancy.next_ns:
            self.occupancy.pass_to(self.engine.now_ns, self.changed_ns, self.in_device, self.depth_ns, self.busy_ns)
        elapsed_ns = self.engine.now_ns - self.changed_ns
        self.changed_ns = self.engine.now_ns
        self.depth_ns += elapsed_ns * self.in_device
        if self.in_device > 0:
            self.busy_ns += elapsed_ns

    def verify(self, in_device: int) -> None:
        tags = 0
        for hctx in range(self.hctxs):
            if self.tags_free[hctx] < 0:
                self.engine.fail(FAULT_TAGS)
            tags += self.tags - self.tags_free[hctx]
        if tags != in_device or in_device != self.in_device:
            self.engine.fail(FAULT_TAGS)

    def counters(self) -> dict[str, int]:
        """Return what was counted: times in nanoseconds, `device_depth_ns` the integral of the depth."""
        return {
            "dispatches": self.dispatches,
            "completions": self.completions,
            "requeues": self.requeues,
            "device_busy_ns": self.busy_ns,
            "device_depth_ns": self.depth_ns,
            "device_depth_most": self.most_in_device,
        }
