"""`kyber` as in Linux 6.12 (block/kyber-iosched.c): a limited number of requests in the device, by latency targets."""

from collections.abc import Mapping

from workers.simulator.arrays import longs, longs_of
from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.block.software_queues import SoftwareQueues
from workers.simulator.block.timer import Timer
from workers.simulator.engine import Engine
from workers.simulator.kinds import FOREVER, NONE, TIMER_ELEVATOR, TRIM, WAITED, WRITEBACK

# The domains are the directions: reads, writes, discards, others.
DOMAINS = 4
MEASURED = 3  # others have no target
DEPTHS = (256, 128, 64, 16)
BATCHES = (16, 8, 1, 1)
ASYNC_PERCENT = 75
DISCARD_TARGET_NS = 5_000_000_000

LATENCY_SHIFT = 2  # a bucket is a quarter of the target
BUCKETS = 8
GOOD_BUCKETS = 4
DEVICE = 0  # histograms of the time in the device, and of the whole
TOTAL = 1
WINDOW_NS = 100_000_000  # HZ / 10
SAMPLES_MIN = 500
WAIT_NS = 1_000_000_000  # for so many samples

# None is published: the locks are one a CPU and one a hardware queue, so that none serialises a whole device.
ELEVATOR_NS = 0

DEFAULTS = {"read_lat_nsec": 2_000_000, "write_lat_nsec": 10_000_000}
RANGES = {"read_lat_nsec": (1, 1 << 50), "write_lat_nsec": (1, 1 << 50)}


class Kyber(Scheduler):
    """Each domain has tokens, of which a request needs one to leave; within a domain requests go in order.

    A hardware queue serves a domain for a batch, then the next one that has requests and tokens. Latencies are counted
    in buckets of a quarter of the target. After each window of 100 ms the device counts as congested when a domain's
    90th percentile of the time in the device is beyond its target; then every domain, and otherwise one whose
    99th percentile of the whole latency is beyond its target, gets (bucket of that percentile + 1) / 4 of its tokens.
    Percentiles need 500 samples or a second; a 99th that was found without congestion is kept for the next congestion.
    """

    def __init__(self, engine: Engine, requests: Requests, merger: Merger, options: Mapping[str, int]) -> None:
        super().__init__(engine, requests, merger)
        self.async_depth = max(1, options["nr_requests"] * ASYNC_PERCENT // 100)
        self.target_ns = longs_of([options["read_lat_nsec"], options["write_lat_nsec"], DISCARD_TARGET_NS])
        self.most = longs_of(DEPTHS)
        self.batch = longs_of(BATCHES)
        self.depth = longs_of(DEPTHS)
        self.taken = longs(DOMAINS)
        self.software = SoftwareQueues(requests, merger, DOMAINS)
        self.hctxs = self.requests.hctxs
        self.head = longs(self.hctxs * DOMAINS, NONE)
        self.tail = longs(self.hctxs * DOMAINS, NONE)
        self.domain = longs(self.hctxs)
        self.batching = longs(self.hctxs)
        self.timer = Timer(engine, TIMER_ELEVATOR, WINDOW_NS)
        self.buckets = longs(MEASURED * 2 * BUCKETS)
        self.wait_until_ns = longs(MEASURED)
        self.kept = longs(MEASURED, NONE)
        self.resizes = 0
        self.congestions = 0
        self.token_waits = 0

    def depth_limit(self, bio: int) -> int:
        flags = self.merger.bios.flags[bio]
        if self.merger.bios.direction[bio] == TRIM or (flags & WRITEBACK and not flags & WAITED):
            return self.async_depth
        return FOREVER

    def merge(self, bio: int) -> bool:
        return self.software.merge(self.merger.bios.thread[bio], self.merger.bios.direction[bio], bio)

    def insert(self, request: int) -> None:
        self.software.add(request, self.requests.direction[request])
        self.queued += 1

    def dispatch(self, hctx: int) -> int:
        if self.batching[hctx] < self.batch[self.domain[hctx]]:
            request = self.dispatch_domain(hctx)
            if request != NONE:
                return request
        self.batching[hctx] = 0
        for _ in range(DOMAINS):
            self.domain[hctx] = self.domain[hctx] + 1 if self.domain[hctx] + 1 < DOMAINS else 0
            request = self.dispatch_domain(hctx)
            if request != NONE:
                return request
        return NONE

    def completed(self, request: int) -> None:
        domain = self.requests.direction[request]
        self.taken[domain] -= 1
        if domain >= MEASURED:
            return
        self.add_sample(domain, TOTAL, self.engine.now_ns - self.requests.got_ns[request])
        self.add_sample(domain, DEVICE, self.engine.now_ns - self.requests.dispatched_ns[request])
        if not self.timer.is_armed():
            self.timer.arm(WINDOW_NS)

    def wake(self) -> None:
        """A window has ended: look for congestion, then resize the domains."""
        if not self.timer.expired():
            return
        congested = 0
        for domain in range(MEASURED):
            if self.percentile(domain, DEVICE, 90) >= GOOD_BUCKETS:
                congested = 1
        self.congestions += congested
        for domain in range(MEASURED):
            bucket = self.percentile(domain, TOTAL, 99)
            if congested:
                if bucket < 0:
                    bucket = self.kept[domain]
                self.kept[domain] = NONE
            elif bucket >= 0:
                self.kept[domain] = bucket
            if bucket >= 0 and (congested or bucket >= GOOD_BUCKETS):
                depth = self.depth[domain] * (bucket + 1) >> LATENCY_SHIFT
                depth = max(1, min(depth, self.most[domain]))
                if depth != self.depth[domain]:
                    self.depth[domain] = depth
                    self.resizes += 1

    def dispatch_domain(self, hctx: int) -> int:
        """Return the next request of the hardware queue's present domain, NONE when it has none or no token is left."""
        domain = self.domain[hctx]
        row = hctx * DOMAINS + domain
        if self.head[row] == NONE and self.software.count[row] == 0:
            return NONE
        if self.taken[domain] >= self.depth[domain]:
            self.token_waits += 1
            return NONE
        if self.head[row] == NONE:
            self.drain(hctx, domain)
        request = self.head[row]
        self.head[row] = self.requests.next[request]
        self.taken[domain] += 1
        self.batching[hctx] += 1
        self.queued -= 1
        return request

    def drain(self, hctx: int, domain: int) -> None:
        """Take a domain's requests from all software queues of a hardware queue (kyber_flush_busy_kcqs)."""
        row = hctx * DOMAINS + domain
        ctx = hctx
        while ctx < self.requests.ctxs:
            first = self.software.head[ctx * DOMAINS + domain]
            if first != NONE:
                if self.head[row] == NONE:
                    self.head[row] = first
                else:
                    self.requests.next[self.tail[row]] = first
                self.tail[row] = self.software.tail[ctx * DOMAINS + domain]
                self.software.head[ctx * DOMAINS + domain] = NONE
                self.software.tail[ctx * DOMAINS + domain] = NONE
            ctx += self.hctxs
        self.software.count[row] = 0

    def add_sample(self, domain: int, kind: int, latency_ns: int) -> None:
        step_ns = max(1, self.target_ns[domain] >> LATENCY_SHIFT)
        bucket = min((latency_ns - 1) // step_ns, BUCKETS - 1) if latency_ns > 0 else 0
        self.buckets[(domain * 2 + kind) * BUCKETS + bucket] += 1

    def percentile(self, domain: int, kind: int, percent: int) -> int:
        """Return the bucket of a percentile and forget the samples; NONE while there are too few of them."""
        start = (domain * 2 + kind) * BUCKETS
        samples = 0
        for bucket in range(BUCKETS):
            samples += self.buckets[start + bucket]
        if samples == 0:
            return NONE
        if self.wait_until_ns[domain] == 0:
            self.wait_until_ns[domain] = self.engine.now_ns + WAIT_NS
        if samples < SAMPLES_MIN and self.engine.now_ns < self.wait_until_ns[domain]:
            return NONE
        self.wait_until_ns[domain] = 0
        left = (samples * percent + 99) // 100
        found = 0
        while found < BUCKETS - 1 and self.buckets[start + found] < left:
            left -= self.buckets[start + found]
            found += 1
        for bucket in range(BUCKETS):
            self.buckets[start + bucket] = 0
        return found

    def counters(self) -> dict[str, int]:
        """Return how often a domain's tokens were changed and ran out, and how many of them there are at the end."""
        return {
            "kyber_resizes": self.resizes,
            "kyber_congestions": self.congestions,
            "kyber_token_waits": self.token_waits,
            "kyber_read_depth": self.depth[0],
            "kyber_write_depth": self.depth[1],
            "kyber_discard_depth": self.depth[2],
        }
