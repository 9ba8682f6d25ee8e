"""The threads of fio jobs: closed loops of direct I/O, each thread a serial resource."""

from collections.abc import Sequence

from workers.simulator.arrays import longs, longs_of
from workers.simulator.block.bio import Bios
from workers.simulator.block.queue import BlockQueue
from workers.simulator.engine import Engine
from workers.simulator.job import ASYNCHRONOUS_FSYNC, JobParameters
from workers.simulator.kinds import (
    ACTION_ISSUE,
    ACTION_REAP,
    ACTION_SLEEP,
    ACTION_SUBMIT,
    ACTION_WAIT,
    DONE,
    EVENT_SUBMIT,
    EVENT_THREAD,
    FAULT_BIO_STATE,
    FOREVER,
    FUA,
    IDLE,
    ISSUED,
    NONE,
    PREFLUSH,
    SECTOR_SHIFT,
    SYNC,
    WRITE,
)
from workers.simulator.parameters import HostParameters
from workers.simulator.workload.accounts import Accounts
from workers.simulator.workload.gates import Gates
from workers.simulator.workload.pacing import Pacing
from workers.simulator.workload.pattern import Pattern

RUNNING = 0  # spends CPU time; an event of its own is pending
SLEEPING_FOR_REQUEST = 1
WAITING = 2  # for a completion
FINISHED = 3
BLOCKED = 4  # in fsync, or in a synchronous write that flushes
ASLEEP = 5  # by its own will, until an event of its own
UNBORN = 6  # has not started

PLUG_THRESHOLD = 2  # a call that submits more than so many I/Os plugs (AIO_PLUG_THRESHOLD in fs/aio.c)


class Threads:
    """All job threads.

    The usual loop is fio's with iodepth_batch and iodepth_batch_complete at 1: submit one I/O at a time until iodepth
    are outstanding, then reap one, submit one. What more a thread may have to do (rates, think time, batches) `Pacing`
    decides and `advance` carries out. A submission costs `submit_ns` of the thread before the block layer is called,
    and however long the thread sleeps for a request; a completion costs `complete_ns`. slat is the time in submit,
    clat from there until the I/O is reaped, lat the sum; a synchronous engine has no slat, as in fio.

    A sync takes the place of an I/O after every so many writes issued, unless nothing has been reaped since the last
    one (fio 3.33's should_fsync). It blocks the thread, except in io_uring and posixaio, which have an asynchronous
    fsync. A write of a file opened with O_SYNC or O_DSYNC carries FUA, and in a synchronous engine ends with a flush
    (blkdev_write_iter, generic_write_sync). The fsync at a job's end is waited for and counted nowhere, but the job's
    runtime ends after it, as in fio.
    """

    def __init__(
        self,
        engine: Engine,
        bios: Bios,
        queue: BlockQueue,
        pattern: Pattern,
        pacing: Pacing,
        accounts: Accounts,
        jobs: Sequence[JobParameters],
        host: HostParameters,
    ) -> None:
        self.engine = engine
        self.bios = bios
        self.queue = queue
        self.pattern = pattern
        self.pacing = pacing
        self.accounts = accounts
        self.gates = Gates(jobs)
        self.count = len(jobs)
        self.submit_ns = host.submit_ns
        self.complete_ns = host.complete_ns
        self.state = longs(self.count, UNBORN)
        self.special = longs_of(int(not job.is_plain()) for job in jobs)
        self.offload = longs_of(int(job.offloads()) for job in jobs)
        self.write_flags = longs_of(FUA if job.writes_through() else 0 for job in jobs)
        self.fsync_writes = longs_of(job.fsync for job in jobs)
        self.fdatasync_writes = longs_of(job.fdatasync for job in jobs)
        self.sync_blocks = longs_of(int(job.engine not in ASYNCHRONOUS_FSYNC and not job.offloads()) for job in jobs)
        self.end_fsync = longs_of(int(job.end_fsync and WRITE in job.directions()) for job in jobs)
        self.writes_issued = longs(self.count)
        self.last_was_sync = longs(self.count)
        self.ending = longs(self.count)
        self.blocked_on = longs(self.count, NONE)
        self.flush_bio = longs(self.count, NONE)
        self.flushing_write = longs(self.count, NONE)
        self.free_bio = longs(self.count, NONE)
        self.done_head = longs(self.count, NONE)
        self.done_tail = longs(self.count, NONE)
        self.outstanding = longs(self.count)
        self.issued_bytes = longs(self.count)
        self.limit_bytes = longs_of(job.limit_bytes() for job in jobs)
        self.delay_ns = longs_of(job.start_delay_ns for job in jobs)
        self.ramp_ns = longs_of(job.ramp_time_ns for job in jobs)
        self.duration_ns = longs_of(job.duration_ns() for job in jobs)
        self.stop_ns = longs(self.count, FOREVER)
        self.batch_first = longs(self.count, NONE)
        self.batch_last = longs(self.count, NONE)
        self.link = longs(self.bios.capacity, NONE)
        self.unfinished = self.count
        self._lay_out(jobs)

    def _lay_out(self, jobs: Sequence[JobParameters]) -> None:
        bio = 0
        for thread, job in enumerate(jobs):
            for _ in range(job.depth()):
                self.bios.thread[bio] = thread
                self.bios.next[bio] = self.free_bio[thread]
                self.free_bio[thread] = bio
                bio += 1
            if job.flushes_each_write():
                self.bios.thread[bio] = thread
                self.flush_bio[thread] = bio
                bio += 1
            if self.gates.waits_for[thread] == 0:
                self.engine.schedule(job.start_delay_ns, EVENT_THREAD, thread)

    def begin(self, thread: int) -> None:
        now_ns = self.engine.now_ns
        duration_ns = self.duration_ns[thread]
        self.stop_ns[thread] = FOREVER if duration_ns == FOREVER else now_ns + duration_ns
        self.accounts.begin(thread, now_ns, self.ramp_ns[thread])
        self.pacing.begin(thread, now_ns)

    def submit(self, bio: int) -> None:
        """The thread has spent its submission time: hand the bio down."""
        if self.bios.direction[bio] == SYNC and not self.queue.write_cache:
            self.queue.end_at_once(bio)
            self.completed(bio)
            self.granted(bio)
        elif self.queue.submit_bio(bio):
            self.granted(bio)
        else:
            thread = self.bios.thread[bio]
            if not self.offload[thread]:
                self.state[thread] = SLEEPING_FOR_REQUEST

    def granted(self, bio: int) -> None:
        """The bio is in the block layer and the thread runs again."""
        thread = self.bios.thread[bio]
        self.bios.granted_ns[bio] = self.engine.now_ns
        if self.offload[thread] and bio != self.blocked_on[thread]:
            if self.bios.state[bio] == DONE:
                self.retire(thread, bio)
            return
        self.state[thread] = RUNNING
        if bio != self.blocked_on[thread]:
            if self.special[thread]:
                self.go_on_submitting(thread, bio)
            else:
                self.proceed(thread, self.engine.now_ns)
        elif self.bios.state[bio] == DONE:
            self.unblock(thread)
        else:
            self.state[thread] = BLOCKED

    def wake(self, thread: int) -> None:
        """The thread is free: start, or go on reaping."""
        if self.state[thread] == UNBORN:
            self.begin(thread)
        self.state[thread] = RUNNING
        self.proceed(thread, self.engine.now_ns)

    def completed(self, bio: int) -> None:
        """A chain of bios comes up; each waits to be reaped by its thread."""
        while bio != NONE:
            if self.bios.state[bio] != ISSUED:
                self.engine.fail(FAULT_BIO_STATE)
                return
            self.bios.state[bio] = DONE
            following = self.bios.next[bio]
            thread = self.bios.thread[bio]
            self.bios.next[bio] = NONE
            if bio == self.blocked_on[thread]:
                if self.state[thread] == BLOCKED:
                    self.unblock(thread)
            elif self.offload[thread]:
                if self.bios.granted_ns[bio] != NONE:
                    self.retire(thread, bio)
            elif self.flush_bio[thread] != NONE and self.bios.direction[bio] == WRITE and self.queue.write_cache:
                self.flush_write(thread, bio)
            else:
                if self.done_head[thread] == NONE:
                    self.done_head[thread] = bio
                else:
                    self.bios.next[self.done_tail[thread]] = bio
                self.done_tail[thread] = bio
                if self.state[thread] == WAITING:
                    self.reap(thread)
            bio = following

    def flush_write(self, thread: int, write: int) -> None:
        """A synchronous write is done; the same call flushes before it returns."""
        bio = self.flush_bio[thread]
        self.bios.state[bio] = ISSUED
        self.bios.direction[bio] = SYNC
        self.bios.sector[bio] = 0
        self.bios.sectors[bio] = 0
        self.bios.flags[bio] = PREFLUSH
        self.bios.priority[bio] = self.pattern.priorities[thread]
        self.outstanding[thread] += 1
        self.flushing_write[thread] = write
        self.blocked_on[thread] = bio
        if self.queue.submit_bio(bio):
            self.state[thread] = BLOCKED
        else:
            self.state[thread] = SLEEPING_FOR_REQUEST

    def unblock(self, thread: int) -> None:
        """What the thread is blocked on has ended."""
        bio = self.blocked_on[thread]
        self.blocked_on[thread] = NONE
        write = self.flushing_write[thread]
        if write != NONE:
            self.flushing_write[thread] = NONE
            self.bios.state[bio] = IDLE
            self.outstanding[thread] -= 1
            self.bios.completed_ns[write] = self.engine.now_ns
            bio = write
        elif self.special[thread]:
            self.leave_call(thread, self.engine.now_ns)
        self.finish(thread, bio)

    def may_issue(self, thread: int, time_ns: int) -> bool:
        return self.issued_bytes[thread] < self.limit_bytes[thread] and time_ns < self.stop_ns[thread]

    def proceed(self, thread: int, time_ns: int) -> None:
        if self.special[thread]:
            self.advance(thread)
        elif self.free_bio[thread] != NONE and self.may_issue(thread, time_ns):
            self.issue(thread, time_ns)
        elif self.done_head[thread] != NONE:
            self.reap(thread)
        elif self.outstanding[thread] > 0:
            self.state[thread] = WAITING
        else:
            self.end(thread, time_ns)

    def end(self, thread: int, time_ns: int) -> None:
        """Nothing is left to do but the fsync at the end; then those who wait for this thread may start."""
        if self.end_fsync[thread] and not self.last_was_sync[thread]:
            self.end_fsync[thread] = 0
            self.ending[thread] = 1
            self.issue(thread, time_ns)
            return
        self.state[thread] = FINISHED
        self.unfinished -= 1
        self.gates.ended(thread)
        freed = self.gates.freed
        while freed != NONE:
            self.engine.schedule(max(time_ns, self.delay_ns[freed]), EVENT_THREAD, freed)
            freed = self.gates.following[freed]

    def advance(self, thread: int) -> None:
        """Do what `Pacing` decides until the thread has to wait for something."""
        now_ns = self.engine.now_ns
        while True:
            action = self.pacing.decide(
                thread,
                now_ns,
                self.may_issue(thread, now_ns),
                self.sync_is_due(thread),
                self.outstanding[thread],
                self.done_head[thread] != NONE,
            )
            if action == ACTION_ISSUE:
                self.make(thread, now_ns)
            elif action == ACTION_SUBMIT:
                if self.pacing.queued[thread] > PLUG_THRESHOLD:
                    self.queue.start_plug(thread)
                self.engine.schedule(now_ns + self.submit_ns, EVENT_SUBMIT, self.batch_first[thread])
                return
            elif action == ACTION_REAP:
                self.reap(thread)
                return
            elif action == ACTION_WAIT:
                self.state[thread] = WAITING
                return
            elif action == ACTION_SLEEP:
                self.state[thread] = ASLEEP
                wakes_ns = self.pacing.wakes_ns(thread, self.stop_ns[thread])
                self.engine.schedule(wakes_ns, EVENT_THREAD, thread)
                return
            else:
                self.accounts.end_ns[thread] = max(now_ns, self.accounts.end_ns[thread])
                self.end(thread, now_ns)
                return

    def make(self, thread: int, now_ns: int) -> None:
        """Make the I/O that was decided on, and queue it; with io_submit_mode=offload another thread submits it."""
        bio = self.free_bio[thread]
        self.free_bio[thread] = self.bios.next[bio]
        direction = self.pacing.direction[thread]
        self.fill(thread, bio, direction, now_ns)
        self.pacing.issued(thread, direction, self.bios.sectors[bio] << SECTOR_SHIFT)
        if self.offload[thread]:
            self.bios.granted_ns[bio] = NONE
            self.engine.schedule(now_ns + self.submit_ns, EVENT_SUBMIT, bio)
            return
        self.link[bio] = NONE
        if self.batch_first[thread] == NONE:
            self.batch_first[thread] = bio
        else:
            self.link[self.batch_last[thread]] = bio
        self.batch_last[thread] = bio

    def go_on_submitting(self, thread: int, bio: int) -> None:
        """One I/O of the call is in the block layer: go on with the next, or return from the call."""
        if self.link[bio] != NONE:
            self.engine.schedule(self.engine.now_ns + self.submit_ns, EVENT_SUBMIT, self.link[bio])
            return
        done_ns = self.engine.now_ns
        if self.pacing.queued[thread] > PLUG_THRESHOLD:
            done_ns = self.queue.finish_plug(thread)
        self.leave_call(thread, done_ns)
        if done_ns > self.engine.now_ns:
            self.engine.schedule(done_ns, EVENT_THREAD, thread)
        else:
            self.advance(thread)

    def leave_call(self, thread: int, done_ns: int) -> None:
        """fio takes the time when the call returns for all that it submitted."""
        bio = self.batch_first[thread]
        while bio != NONE:
            self.bios.granted_ns[bio] = done_ns
            bio = self.link[bio]
        self.batch_first[thread] = NONE
        self.pacing.submitted(thread)

    def retire(self, thread: int, bio: int) -> None:
        """An I/O that another thread submitted is done; that one reaps it too."""
        time_ns = self.engine.now_ns + self.complete_ns
        self.take(thread, bio)
        self.pacing.reaped(thread, self.bios.direction[bio])
        self.account(bio, time_ns)
        if self.state[thread] == WAITING:
            self.state[thread] = RUNNING
            self.engine.schedule(time_ns, EVENT_THREAD, thread)

    def issue(self, thread: int, time_ns: int) -> None:
        bio = self.free_bio[thread]
        self.free_bio[thread] = self.bios.next[bio]
        if self.ending[thread] or self.sync_is_due(thread):
            self.fill(thread, bio, SYNC, time_ns)
        else:
            self.fill(thread, bio, self.pattern.next_direction(thread), time_ns)
        self.engine.schedule(time_ns + self.submit_ns, EVENT_SUBMIT, bio)

    def fill(self, thread: int, bio: int, direction: int, time_ns: int) -> None:
        """Write into the bio what it asks for."""
        if self.bios.state[bio] != IDLE:
            self.engine.fail(FAULT_BIO_STATE)
        self.bios.state[bio] = ISSUED
        self.bios.direction[bio] = direction
        if direction == SYNC:
            self.bios.sector[bio] = 0
            self.bios.sectors[bio] = 0
            self.bios.flags[bio] = PREFLUSH
            self.bios.priority[bio] = self.pattern.priorities[thread]
            if self.ending[thread] or self.sync_blocks[thread]:
                self.blocked_on[thread] = bio
        else:
            self.pattern.place_next(thread, direction)
            self.bios.priority[bio] = self.pattern.priority(thread)
            self.bios.sector[bio] = self.pattern.sector
            self.bios.sectors[bio] = self.pattern.sectors
            self.bios.flags[bio] = 0
            if direction == WRITE:
                self.bios.flags[bio] = self.write_flags[thread]
                self.writes_issued[thread] += 1
            self.issued_bytes[thread] += self.pattern.sectors << SECTOR_SHIFT
        self.bios.start_ns[bio] = time_ns
        self.outstanding[thread] += 1

    def sync_is_due(self, thread: int) -> bool:
        if self.last_was_sync[thread] or self.writes_issued[thread] == 0:
            return False
        if self.fsync_writes[thread] > 0 and self.writes_issued[thread] % self.fsync_writes[thread] == 0:
            return True
        return self.fdatasync_writes[thread] > 0 and self.writes_issued[thread] % self.fdatasync_writes[thread] == 0

    def reap(self, thread: int) -> None:
        bio = self.done_head[thread]
        self.done_head[thread] = self.bios.next[bio]
        self.finish(thread, bio)

    def finish(self, thread: int, bio: int) -> None:
        """Take a completed I/O from the kernel, and go on."""
        self.take(thread, bio)
        self.state[thread] = RUNNING
        time_ns = self.engine.now_ns + self.complete_ns
        if self.ending[thread]:
            self.accounts.end_ns[thread] = time_ns
        else:
            self.account(bio, time_ns)
        if self.special[thread]:
            self.pacing.reaped(thread, self.bios.direction[bio])
            self.engine.schedule(time_ns, EVENT_THREAD, thread)
        elif self.may_issue(thread, time_ns):
            self.issue(thread, time_ns)
        else:
            self.engine.schedule(time_ns, EVENT_THREAD, thread)

    def take(self, thread: int, bio: int) -> None:
        self.bios.state[bio] = IDLE
        self.bios.next[bio] = self.free_bio[thread]
        self.free_bio[thread] = bio
        self.outstanding[thread] -= 1
        self.last_was_sync[thread] = 1 if self.bios.direction[bio] == SYNC else 0

    def account(self, bio: int, time_ns: int) -> None:
        if self.accounts.add(bio, time_ns):
            # As in fio, what was issued while ramping does not count against the size.
            self.issued_bytes[self.bios.thread[bio]] = 0

    def outstanding_total(self) -> int:
        total = 0
        for thread in range(self.count):
            total += self.outstanding[thread]
        return total
