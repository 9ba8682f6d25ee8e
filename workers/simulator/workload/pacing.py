"""When a thread that does more than keep its depth issues, submits, reaps and sleeps: fio's loop as decisions.

Rates, think time, batched submission and completion, and io_submit_mode (fio 3.33: backend.c, io_u.c).
"""

from collections.abc import Sequence

from workers.simulator.arrays import longs, longs_of
from workers.simulator.exponential import Exponential
from workers.simulator.job import JobParameters
from workers.simulator.kinds import (
    ACTION_END,
    ACTION_ISSUE,
    ACTION_REAP,
    ACTION_SLEEP,
    ACTION_SUBMIT,
    ACTION_WAIT,
    FOREVER,
    NONE,
    SYNC,
    WAYS,
)
from workers.simulator.stream import seed_of
from workers.simulator.workload.pattern import Pattern

MIXED = -1  # what Pattern.only has for reads and writes by chance

# Where in its loop a thread is.
NEXT = 0
ISSUED = 1
REAPING = 2
THINKING = 3
DRAINING = 4  # nothing may be outstanding before what comes after
ASLEEP = 5

# What follows when everything is drained.
THEN_NEXT = 0
THEN_ISSUE = 1
THEN_THINK = 2

NS = 1_000_000_000
POISSON_BITS = 10  # fraction of a nanosecond in the sum of Poisson intervals


class Pacing:
    """The state of fio's loop for every thread; `decide` says what is next, the others tell what has happened.

    A rate is kept by time: an I/O may go when so many bytes as were issued before it are due, or, in a Poisson process,
    when its arrival is due. A thread that is late catches up at full speed. Before it sleeps it reaps all that is
    outstanding (io_u_quiesce), but not with io_submit_mode=offload, where arrivals do not depend on completions.
    """

    def __init__(self, pattern: Pattern, jobs: Sequence[JobParameters], seed: int) -> None:
        self.pattern = pattern
        count = len(jobs)
        names = [f"{job.random_seed}/{job.thread_number}" for job in jobs]
        self.arrivals = Exponential(
            [seed_of(seed, f"workload/{name}/arrivals/{way}") for name in names for way in range(WAYS)]
        )
        self.special = longs_of(int(not job.is_plain()) for job in jobs)
        self.offload = longs_of(int(job.offloads()) for job in jobs)
        self.depth = longs_of(job.depth() for job in jobs)
        self.batch = longs_of(job.batch() for job in jobs)
        self.complete_min = longs_of(min(job.iodepth_batch_complete_min, job.depth()) for job in jobs)
        self.complete_max = longs_of(job.complete_max() for job in jobs)
        self.polls = longs_of(int(job.complete_max() == 0) for job in jobs)
        self.low = longs_of(job.low() for job in jobs)
        self.timed = longs_of(int(job.recording is not None and job.recording.timed) for job in jobs)
        self.limit_ios = longs_of(job.limit_ios() for job in jobs)
        self.issued_ios = longs(count)
        self.phase = longs(count, NEXT)
        self.after = longs(count, THEN_NEXT)
        self.queued = longs(count)
        self.need = longs(count)
        self.room = longs(count)
        self.full = longs(count)
        self.direction = longs(count)
        self.until_ns = longs(count)
        self.begun_ns = longs(count)
        self._rates(jobs)
        self.think_ns = longs_of(max(job.thinktime_ns, job.thinktime_spin_ns) for job in jobs)
        self.thinks = longs_of(int(job.thinktime_ns > 0) for job in jobs)
        self.think_blocks = longs_of(
            job.thinktime_blocks or (FOREVER if job.thinktime_iotime_ns else 1) for job in jobs
        )
        self.think_at_issue = longs_of(int(job.thinktime_blocks_type == "issue") for job in jobs)
        self.think_iotime_ns = longs_of(job.thinktime_iotime_ns for job in jobs)
        self.counted = longs(count)
        self.last_count = longs(count)
        self.last_think_ns = longs(count)
        self.sleep_began_ns = longs(count)

    def _rates(self, jobs: Sequence[JobParameters]) -> None:
        self.rated = longs_of(int(any(job.rates())) for job in jobs)
        self.poisson = longs_of(int(job.rate_process == "poisson") for job in jobs)
        self.ignores_think = longs_of(int(job.rate_ignore_thinktime) for job in jobs)
        each = [(job, way) for job in jobs for way in range(WAYS)]
        rates = [job.rates()[way] for job, way in each]
        self.rate_shift = longs_of(max(0, rate.bit_length() - 33) for rate in rates)
        self.rate = longs_of(rate >> max(0, rate.bit_length() - 33) for rate in rates)
        self.unit = longs_of(job.smallest_bytes(way) for job, way in each)
        self.interval = longs_of(
            (job.smallest_bytes(way) * NS << POISSON_BITS) // rate if rate else 0
            for (job, way), rate in zip(each, rates, strict=True)
        )
        self.rate_bytes = longs(len(each))
        self.arrived = longs(len(each))
        self.due_ns = longs(len(each))

    def begin(self, thread: int, now_ns: int) -> None:
        self.begun_ns[thread] = now_ns
        self.last_think_ns[thread] = now_ns

    def decide(self, thread: int, now_ns: int, may_issue: bool, sync_due: bool, outstanding: int, done: bool) -> int:
        """Return what the thread does next; `done` tells whether a completion can be reaped."""
        action = NONE
        while action == NONE:
            phase = self.phase[thread]
            if phase == NEXT:
                action = self.next_io(thread, now_ns, may_issue, sync_due, outstanding)
            elif phase == ISSUED:
                action = self.after_issue(thread, outstanding)
            elif phase == REAPING:
                action = self.go_on_reaping(thread, outstanding, done)
            elif phase == THINKING:
                self.phase[thread] = NEXT
                if self.thinks[thread] and self.direction[thread] != SYNC and self.thinks_now(thread, now_ns):
                    self.drain(thread, THEN_THINK)
            elif phase == DRAINING:
                if self.queued[thread] > 0:
                    action = ACTION_SUBMIT
                elif outstanding > 0:
                    action = ACTION_REAP if done else ACTION_WAIT
                else:
                    self.drained(thread, now_ns)
            else:
                action = self.sleep_on(thread, now_ns, may_issue)
        return action

    def next_io(self, thread: int, now_ns: int, may_issue: bool, sync_due: bool, outstanding: int) -> int:
        if not may_issue or self.issued_ios[thread] >= self.limit_ios[thread]:
            if self.queued[thread] == 0 and outstanding == 0:
                return ACTION_END
            self.drain(thread, THEN_NEXT)
        elif outstanding >= self.depth[thread]:
            if self.offload[thread]:
                return ACTION_WAIT
            self.begin_reaping(thread, outstanding)
        elif sync_due:
            if self.queued[thread] > 0:
                return ACTION_SUBMIT
            self.direction[thread] = SYNC
            return ACTION_ISSUE
        else:
            self.choose_direction(thread, now_ns)
            if self.until_ns[thread] <= now_ns:
                return ACTION_ISSUE
            self.drain(thread, THEN_ISSUE)
            if self.offload[thread]:
                self.phase[thread] = ASLEEP
        return NONE

    def after_issue(self, thread: int, outstanding: int) -> int:
        queued = self.queued[thread]
        if queued >= self.batch[thread] or (queued > 0 and self.direction[thread] == SYNC):
            return ACTION_SUBMIT
        if (outstanding >= self.depth[thread] or self.polls[thread]) and not self.offload[thread]:
            self.begin_reaping(thread, outstanding)
        else:
            self.phase[thread] = THINKING
        return NONE

    def begin_reaping(self, thread: int, outstanding: int) -> None:
        # wait_for_completions: at least one when the queue is full or nothing less was asked for.
        self.phase[thread] = REAPING
        self.full[thread] = 1 if outstanding >= self.depth[thread] else 0
        # Nothing is outstanding when fio polls behind a sync that blocked: then there is nothing to wait for.
        self.need[thread] = min(max(1, self.complete_min[thread]), outstanding)
        self.room[thread] = max(self.need[thread], self.complete_max[thread])

    def go_on_reaping(self, thread: int, outstanding: int, done: bool) -> int:
        if self.queued[thread] > 0:
            return ACTION_SUBMIT
        if self.need[thread] > 0:
            return ACTION_REAP if done else ACTION_WAIT
        if done and self.room[thread] > 0:
            return ACTION_REAP
        if self.full[thread] and outstanding > self.low[thread]:
            self.begin_reaping(thread, outstanding)
            self.full[thread] = 1
        else:
            self.phase[thread] = THINKING
        return NONE

    def sleep_on(self, thread: int, now_ns: int, may_issue: bool) -> int:
        if now_ns < self.until_ns[thread] and (may_issue or self.after[thread] == THEN_THINK):
            return ACTION_SLEEP
        self.phase[thread] = NEXT
        if self.after[thread] == THEN_ISSUE and may_issue:
            return ACTION_ISSUE
        if self.after[thread] == THEN_THINK:
            self.thought(thread, now_ns)
        return NONE

    def wakes_ns(self, thread: int, stop_ns: int) -> int:
        """Return until when a thread sleeps: think time is kept beyond the end of the job, as in fio 3.33."""
        return self.until_ns[thread] if self.after[thread] == THEN_THINK else min(self.until_ns[thread], stop_ns)

    def drain(self, thread: int, after: int) -> None:
        self.phase[thread] = DRAINING
        self.after[thread] = after

    def drained(self, thread: int, now_ns: int) -> None:
        after = self.after[thread]
        self.phase[thread] = NEXT if after == THEN_NEXT else ASLEEP
        if after == THEN_THINK:
            self.sleep_began_ns[thread] = now_ns
            self.until_ns[thread] = now_ns + self.think_ns[thread]

    def choose_direction(self, thread: int, now_ns: int) -> None:
        """Leave the direction of the next I/O in `direction`, and when it is due in `until_ns` (fio's rate_ddir)."""
        direction = self.pattern.next_direction(thread)
        self.until_ns[thread] = now_ns
        self.direction[thread] = direction
        if self.timed[thread]:
            self.until_ns[thread] = max(
                now_ns, self.begun_ns[thread] + self.pattern.due_ns[self.pattern.cursor[thread]]
            )
        if not self.rated[thread]:
            return
        row = thread * WAYS + direction
        due_ns = self.due_ns[row]
        if due_ns > now_ns and self.pattern.only[thread] == MIXED:
            other = thread * WAYS + (direction ^ 1)
            if self.due_ns[other] < due_ns and self.pattern.other_percent(thread, direction) > 0:
                due_ns = self.due_ns[other]
                self.direction[thread] = direction ^ 1
                self.pattern.way[thread] = direction ^ 1
        self.until_ns[thread] = max(now_ns, due_ns)

    def issued(self, thread: int, direction: int, size: int) -> None:
        """An I/O has been made and queued."""
        self.phase[thread] = ISSUED
        self.direction[thread] = direction
        if not self.offload[thread]:
            self.queued[thread] += 1
        if direction == SYNC:
            return
        self.issued_ios[thread] += 1
        if self.think_at_issue[thread]:
            self.counted[thread] += 1
        row = thread * WAYS + direction
        if self.rate[row] > 0:
            self.rate_bytes[row] += size
            self.schedule_next(thread, row)

    def schedule_next(self, thread: int, row: int) -> None:
        if self.poisson[thread]:
            self.arrived[row] += self.arrivals.draw(row, self.interval[row])
            self.due_ns[row] = self.begun_ns[thread] + (self.arrived[row] >> POISSON_BITS)
            return
        size = self.rate_bytes[row] >> self.rate_shift[row]
        rate = self.rate[row]
        self.due_ns[row] = self.begun_ns[thread] + (size // rate) * NS + ((size % rate) * NS) // rate

    def submitted(self, thread: int) -> None:
        self.queued[thread] = 0

    def reaped(self, thread: int, direction: int) -> None:
        self.need[thread] -= 1
        self.room[thread] -= 1
        if direction != SYNC and not self.think_at_issue[thread]:
            self.counted[thread] += 1

    def thinks_now(self, thread: int, now_ns: int) -> bool:
        if self.think_iotime_ns[thread] > 0:
            since_ns = now_ns - self.last_think_ns[thread]
            if since_ns >= self.think_iotime_ns[thread] + self.think_ns[thread]:
                self.last_count[thread] = self.counted[thread]
                return True
        if self.counted[thread] - self.last_count[thread] >= self.think_blocks[thread]:
            self.last_count[thread] = self.counted[thread]
            return True
        return False

    def thought(self, thread: int, now_ns: int) -> None:
        """Think time is over; with rate_ignore_thinktime what would have been done meanwhile counts as done."""
        self.after[thread] = THEN_NEXT
        self.last_think_ns[thread] = self.sleep_began_ns[thread]
        row = thread * WAYS + self.direction[thread]
        if not self.ignores_think[thread] or self.rate[row] == 0:
            return
        slept_ns = now_ns - self.sleep_began_ns[thread]
        rate = self.rate[row]
        missed = (slept_ns // NS) * rate + ((slept_ns % NS) * rate) // NS
        self.rate_bytes[row] += max(0, (missed << self.rate_shift[row]) - self.unit[row])
        self.arrived[row] += slept_ns << POISSON_BITS
