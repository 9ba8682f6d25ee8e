"""How fast bfq believes its device is (bfq_update_peak_rate): it decides budgets and how long weights are raised."""

from workers.simulator.block.request import Requests
from workers.simulator.engine import Engine

SHIFT = 16  # BFQ_RATE_SHIFT: rates are sectors a microsecond, shifted
SAMPLES_MIN = 32
INTERVAL_MIN_NS = 300_000_000
INTERVAL_NS = 1_000_000_000
THINK_MIN_NS = 2_000_000  # BFQ_MIN_TT
IDLE_NS = 100_000_000
SEEK_SECTORS = 800  # BFQQ_SEEK_THR
SMALL_SECTORS = 64  # BFQQ_SECT_THR_NONROT
MOST_RATE = 20 << SHIFT
REF_RATES = (33_000, 14_000)  # not rotational, rotational
DEFAULT_MAX_BUDGET = 16_384


class PeakRate:
    """Rates of intervals of about a second, low-pass filtered by how sequential they were and how long.

    `max_budget` is what the device does in `timeout_ns` at that rate, in sectors, unless the user has set it.
    """

    def __init__(
        self, engine: Engine, requests: Requests, rotational: bool, timeout_ns: int, user_max_budget: int
    ) -> None:
        self.engine = engine
        self.requests = requests
        self.rotational = rotational
        self.timeout_us = timeout_ns // 1000
        self.user_max_budget = user_max_budget
        self.rate = REF_RATES[1 if rotational else 0] * 2 // 3
        self.max_budget = user_max_budget or DEFAULT_MAX_BUDGET
        self.samples = 0
        self.sequential = 0
        self.sectors = 0
        self.largest = 0
        self.first_dispatch_ns = 0
        self.last_dispatch_ns = 0
        self.last_completion_ns = 0
        self.interval_ns = 0
        self.last_position = 0
        self.updates = 0

    def is_seek(self, position: int, request: int) -> bool:
        """Tell whether a request lies far from a position (BFQ_RQ_SEEKY)."""
        sector = self.requests.sector[request]
        distance = sector - position if sector > position else position - sector
        return distance > SEEK_SECTORS and (self.rotational or self.requests.sectors[request] < SMALL_SECTORS)

    def dispatched(self, request: int, in_driver: int) -> None:
        """A request goes to the device, which has `in_driver` others."""
        now_ns = self.engine.now_ns
        size = self.requests.sectors[request]
        if self.samples == 0:
            self.begin(size)
        elif now_ns - self.last_dispatch_ns > IDLE_NS and in_driver == 0:
            self.close()
            self.begin(size)
        else:
            self.samples += 1
            if in_driver > 0 or now_ns - self.last_completion_ns < THINK_MIN_NS:
                self.sequential += 0 if self.is_seek(self.last_position, request) else 1
            self.sectors += size
            self.largest = max(size, self.largest) if self.samples % 32 > 0 else size
            self.interval_ns = now_ns - self.first_dispatch_ns
            if self.interval_ns >= INTERVAL_NS:
                self.close()
                self.begin(size)
        self.last_position = self.requests.sector[request] + size
        self.last_dispatch_ns = now_ns

    def completed(self) -> None:
        """A request comes back; a device that took very long for it was not kept busy."""
        elapsed_us = (self.engine.now_ns - self.last_completion_ns) // 1000
        if elapsed_us > THINK_MIN_NS // 1000 and (self.largest << SHIFT) // elapsed_us < 1 << (SHIFT - 10):
            self.close()
            self.samples = 0
        self.last_completion_ns = self.engine.now_ns

    def begin(self, size: int) -> None:
        self.first_dispatch_ns = self.engine.now_ns
        self.last_dispatch_ns = self.engine.now_ns
        self.samples = 1
        self.sequential = 0
        self.sectors = size
        self.largest = size
        self.interval_ns = 0

    def close(self) -> None:
        """End an interval, and let its rate count when it is one of the device (bfq_update_rate_reset)."""
        if self.samples < SAMPLES_MIN or self.interval_ns < INTERVAL_MIN_NS:
            return
        interval_ns = max(self.interval_ns, self.last_completion_ns - self.first_dispatch_ns)
        rate = (self.sectors << SHIFT) // (interval_ns // 1000)
        if (self.sequential < (3 * self.samples) >> 2 and rate <= self.rate) or rate > MOST_RATE:
            return
        weight = 9 * self.sequential // self.samples
        weight = min(8, weight * interval_ns // INTERVAL_NS)
        divisor = 10 - weight
        self.rate = max(1, self.rate * (divisor - 1) // divisor + rate // divisor)
        self.updates += 1
        if self.user_max_budget == 0:
            self.max_budget = max(1, (self.rate * self.timeout_us) >> SHIFT)
