"""bfq's low_latency: the weights of interactive and of soft real-time queues are raised for a while."""

from workers.simulator.block.schedulers.bfq_queue import BfqQueues
from workers.simulator.block.schedulers.bfq_rate import REF_RATES, PeakRate
from workers.simulator.engine import Engine

COEFFICIENT = 30  # bfq_wr_coeff
SOFT_RT_COEFFICIENT = 3000  # times BFQ_SOFTRT_WEIGHT_FACTOR
SOFT_RT_NS = 300_000_000  # bfq_wr_rt_max_time
SOFT_RT_SECTORS_PER_S = 7000  # bfq_wr_max_softrt_rate
IDLE_MIN_NS = 2_000_000_000  # bfq_wr_min_idle_time
DURATION_LEAST_NS = 3_000_000_000  # bfq_wr_duration
DURATION_MOST_NS = 25_000_000_000
SERVICE_MOST = 120_000  # max_service_from_wr
BURST_INTERVAL_NS = 180_000_000
LARGE_BURST = 8
NORMAL_WEIGHT = 40
FOUR_JIFFIES_NS = 16_000_000  # at HZ 250
REF_DURATIONS_NS = (2_500_000_000, 7_000_000_000)  # not rotational, rotational
TOTALLY_SEEKY = 0xFFFFFFFF


class WeightRaising:
    """A queue that was idle for 2 s is interactive: x 30, for a time that shrinks with the device's rate.

    One whose requests come at no more than 7000 sectors a second, each batch after the one before has ended, is soft
    real-time: x 3000, for 300 ms. Both end early when an interactive queue has had 120,000 sectors. Queues made in a
    burst of eight or more within 180 ms of each other are not raised, nor those of another priority than the
    normal, nor those in a control group, whose weight is the group's.
    """

    def __init__(self, engine: Engine, queues: BfqQueues, rate: PeakRate, slice_idle_ns: int, enabled: bool) -> None:
        self.engine = engine
        self.queues = queues
        self.rate = rate
        self.slice_idle_ns = slice_idle_ns
        self.enabled = enabled
        row = 1 if rate.rotational else 0
        self.rate_times_us = REF_RATES[row] * (REF_DURATIONS_NS[row] // 1000)
        self.burst_size = 0
        self.burst_last_ns = 0
        self.large_burst = False
        self.interactive = False
        self.soft_rt = False
        self.periods = 0

    def duration_ns(self) -> int:
        """Return how long an interactive queue is raised (bfq_wr_duration)."""
        duration_ns = self.rate_times_us // self.rate.rate * 1000
        return max(DURATION_LEAST_NS, min(duration_ns, DURATION_MOST_NS))

    def created(self, queue: int) -> None:
        """A queue has its first request: see whether it belongs to a burst (bfq_handle_burst)."""
        now_ns = self.engine.now_ns
        self.queues.created[queue] = 1
        if now_ns - self.burst_last_ns > BURST_INTERVAL_NS or self.burst_size == 0:
            self.large_burst = False
            for other in range(self.queues.count):
                self.queues.in_burst[other] = 0
            self.burst_size = 1
            self.queues.in_burst[queue] = 1
        elif self.large_burst:
            self.queues.in_large_burst[queue] = 1
        else:
            self.burst_size += 1
            self.queues.in_burst[queue] = 1
            if self.burst_size == LARGE_BURST:
                self.large_burst = True
                for other in range(self.queues.count):
                    if self.queues.in_burst[other]:
                        self.queues.in_large_burst[other] = 1
        self.burst_last_ns = now_ns

    def judge(self, queue: int) -> bool:
        """A queue has got a request while it had none: tell whether it deserves a raised weight, or has one."""
        now_ns = self.engine.now_ns
        self.interactive = False
        self.soft_rt = False
        if (
            not self.queues.in_large_burst[queue]
            and not self.queues.grouped[queue]
            and self.queues.new_weight[queue] == NORMAL_WEIGHT
            and self.queues.dispatched[queue] == 0
        ):
            if now_ns > self.queues.idle_since_ns[queue] + IDLE_MIN_NS:
                self.interactive = True
            # Random I/O alone looks like isochronous I/O (BFQQ_TOTALLY_SEEKY).
            if now_ns > self.queues.soft_rt_from_ns[queue] and self.queues.seek_history[queue] != TOTALLY_SEEKY:
                self.soft_rt = True
        if not self.enabled:
            return False
        if self.queues.raising[queue] > 1:
            return True
        return self.queues.is_sync(queue) and (self.interactive or self.soft_rt)

    def arrived(self, queue: int, deserves: bool, least_budget: int) -> None:
        """Raise, or go on raising, a queue that has just got a request (bfq_update_bfqq_wr_on_rq_arrival)."""
        if not self.enabled:
            return
        now_ns = self.engine.now_ns
        if self.queues.raising[queue] == 1:
            if not deserves:
                return
            self.periods += 1
            if self.interactive:
                self.raise_interactive(queue)
                self.queues.raised_service[queue] = 0
            else:
                self.raise_soft_rt(queue)
            self.queues.budget[queue] = min(self.queues.budget[queue], 2 * least_budget)
        elif self.interactive:
            self.raise_interactive(queue)
        elif self.queues.in_large_burst[queue]:
            self.queues.raising[queue] = 1
        elif self.soft_rt:
            if self.queues.raised_for_ns[queue] != SOFT_RT_NS:
                self.queues.raised_interactive_ns[queue] = self.queues.raised_since_ns[queue]
            self.raise_soft_rt(queue)
            self.queues.raised_since_ns[queue] = now_ns

    def raise_interactive(self, queue: int) -> None:
        self.queues.raising[queue] = COEFFICIENT
        self.queues.raised_for_ns[queue] = self.duration_ns()

    def raise_soft_rt(self, queue: int) -> None:
        self.queues.raising[queue] = SOFT_RT_COEFFICIENT
        self.queues.raised_for_ns[queue] = SOFT_RT_NS

    def served(self, queue: int, sectors: int) -> bool:
        """Charge a queue's raised service; tell whether its raising has ended or changed (bfq_update_wr_data)."""
        if self.queues.raising[queue] == 1:
            return False
        now_ns = self.engine.now_ns
        self.queues.raised_service[queue] += sectors
        before = self.queues.raising[queue]
        if self.queues.in_large_burst[queue]:
            self.queues.raising[queue] = 1
        elif now_ns > self.queues.raised_since_ns[queue] + self.queues.raised_for_ns[queue]:
            until_ns = self.queues.raised_interactive_ns[queue] + self.duration_ns()
            if self.queues.raised_for_ns[queue] != SOFT_RT_NS or now_ns > until_ns:
                self.queues.raising[queue] = 1
                self.queues.raised_since_ns[queue] = now_ns
            else:
                self.raise_interactive(queue)
                self.queues.raised_since_ns[queue] = self.queues.raised_interactive_ns[queue]
        if (
            self.queues.raising[queue] == COEFFICIENT
            and self.queues.raised_for_ns[queue] != SOFT_RT_NS
            and self.queues.raised_service[queue] > SERVICE_MOST
        ):
            self.queues.raising[queue] = 1
            self.queues.raised_since_ns[queue] = now_ns
        return self.queues.raising[queue] != before

    def batch_ended(self, queue: int) -> None:
        """All that a queue had asked for is done: note when the next batch may come to be soft real-time."""
        served_ns = 1_000_000_000 * self.queues.backlogged_service[queue] // SOFT_RT_SECTORS_PER_S
        earliest_ns = max(
            self.queues.backlogged_since_ns[queue] + served_ns,
            self.engine.now_ns + self.slice_idle_ns + FOUR_JIFFIES_NS,
        )
        self.queues.soft_rt_from_ns[queue] = max(self.queues.soft_rt_from_ns[queue], earliest_ns)
        self.queues.soft_rt_pending[queue] = 0
