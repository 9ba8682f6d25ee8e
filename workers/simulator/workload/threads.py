"""The threads of fio jobs: closed loops of direct I/O, each thread a serial resource."""

from collections.abc import Sequence

from workers.simulator.arrays import longs, longs_of
from workers.simulator.block.bio import Bios
from workers.simulator.block.queue import BlockQueue
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    CLAT,
    DIRECTION_NAMES,
    DIRECTIONS,
    DONE,
    EVENT_SUBMIT,
    EVENT_THREAD,
    FAULT_BIO_STATE,
    FOREVER,
    FUA,
    IDLE,
    ISSUED,
    LAT,
    LATENCIES,
    NONE,
    PREFLUSH,
    SECTOR_SHIFT,
    SLAT,
    STAGE_NAMES,
    STAGES,
    SYNC,
    TRACE_COLUMNS,
    WRITE,
)
from workers.simulator.observation.histogram import LatencyHistogram
from workers.simulator.observation.recorder import Recorder
from workers.simulator.parameters import ASYNCHRONOUS_FSYNC, HostParameters, JobParameters
from workers.simulator.result import DirectionResult, JobResult
from workers.simulator.workload.pattern import Pattern

RUNNING = 0  # spends CPU time; an event of its own is pending
SLEEPING_FOR_REQUEST = 1
WAITING = 2  # for a completion
FINISHED = 3
BLOCKED = 4  # in fsync, or in a synchronous write that flushes


class Threads:
    """All job threads.

    The loop is fio's with iodepth_batch and iodepth_batch_complete at 1: submit one I/O at a time until iodepth are
    outstanding, then reap one, submit one. A submission costs `submit_ns` of the thread before the block layer is
    called, and however long the thread sleeps for a request; a completion costs `complete_ns`. slat is the time in
    submit, clat from there until the I/O is reaped, lat the sum; a synchronous engine has no slat, as in fio.

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
        recorder: Recorder,
        jobs: Sequence[JobParameters],
        host: HostParameters,
    ) -> None:
        self.engine = engine
        self.bios = bios
        self.queue = queue
        self.pattern = pattern
        self.recorder = recorder
        self.count = len(jobs)
        self.submit_ns = host.submit_ns
        self.complete_ns = host.complete_ns
        self.state = longs(self.count, RUNNING)
        self.asynchronous = longs_of(int(job.is_asynchronous()) for job in jobs)
        self.priority = longs_of(job.ioprio() for job in jobs)
        self.write_flags = longs_of(FUA if job.writes_through() else 0 for job in jobs)
        self.fsync_writes = longs_of(job.fsync for job in jobs)
        self.fdatasync_writes = longs_of(job.fdatasync for job in jobs)
        self.sync_blocks = longs_of(int(job.engine not in ASYNCHRONOUS_FSYNC) for job in jobs)
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
        self.limit_bytes = longs_of(
            FOREVER if job.time_based else job.loops * (job.io_size_bytes or job.size_bytes) for job in jobs
        )
        self.ramped = longs_of(int(job.ramp_time_ns == 0) for job in jobs)
        self.start_ns = longs_of(job.start_delay_ns for job in jobs)
        self.ramp_end_ns = longs_of(job.start_delay_ns + job.ramp_time_ns for job in jobs)
        self.stop_ns = longs_of(job.stop_ns() for job in jobs)
        self.end_ns = longs_of(job.start_delay_ns for job in jobs)
        self.ios = longs(self.count * DIRECTIONS)
        self.bytes = longs(self.count * DIRECTIONS)
        self.first_histogram = longs(self.count * DIRECTIONS, NONE)
        self.unfinished = self.count
        self.total_ios = 0
        self.total_bytes = 0
        self._lay_out(jobs)

    def _lay_out(self, jobs: Sequence[JobParameters]) -> None:
        # Stages come first, then three histograms for each direction that a job uses.
        histogram = STAGES * DIRECTIONS
        bio = 0
        for thread, job in enumerate(jobs):
            for direction in job.recorded_directions():
                self.first_histogram[thread * DIRECTIONS + direction] = histogram
                histogram += LATENCIES
            for _ in range(job.depth()):
                self.bios.thread[bio] = thread
                self.bios.next[bio] = self.free_bio[thread]
                self.free_bio[thread] = bio
                bio += 1
            if job.flushes_each_write():
                self.bios.thread[bio] = thread
                self.flush_bio[thread] = bio
                bio += 1
            self.engine.schedule(job.start_delay_ns, EVENT_THREAD, thread)

    def submit(self, bio: int) -> None:
        """The thread has spent its submission time: hand the bio down."""
        if self.bios.direction[bio] == SYNC and not self.queue.write_cache:
            self.queue.end_at_once(bio)
            self.completed(bio)
            self.granted(bio)
        elif self.queue.submit_bio(bio):
            self.granted(bio)
        else:
            self.state[self.bios.thread[bio]] = SLEEPING_FOR_REQUEST

    def granted(self, bio: int) -> None:
        """The bio is in the block layer and the thread runs again."""
        thread = self.bios.thread[bio]
        self.state[thread] = RUNNING
        self.bios.granted_ns[bio] = self.engine.now_ns
        if bio != self.blocked_on[thread]:
            self.proceed(thread, self.engine.now_ns)
        elif self.bios.state[bio] == DONE:
            self.unblock(thread)
        else:
            self.state[thread] = BLOCKED

    def wake(self, thread: int) -> None:
        """The thread is free: start, or go on reaping."""
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
        self.bios.priority[bio] = self.priority[thread]
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
        self.finish(thread, bio)

    def may_issue(self, thread: int, time_ns: int) -> bool:
        return self.issued_bytes[thread] < self.limit_bytes[thread] and time_ns < self.stop_ns[thread]

    def proceed(self, thread: int, time_ns: int) -> None:
        if self.free_bio[thread] != NONE and self.may_issue(thread, time_ns):
            self.issue(thread, time_ns)
        elif self.done_head[thread] != NONE:
            self.reap(thread)
        elif self.outstanding[thread] > 0:
            self.state[thread] = WAITING
        elif self.end_fsync[thread] and not self.last_was_sync[thread]:
            self.end_fsync[thread] = 0
            self.ending[thread] = 1
            self.issue(thread, time_ns)
        else:
            self.state[thread] = FINISHED
            self.unfinished -= 1

    def issue(self, thread: int, time_ns: int) -> None:
        bio = self.free_bio[thread]
        self.free_bio[thread] = self.bios.next[bio]
        if self.bios.state[bio] != IDLE:
            self.engine.fail(FAULT_BIO_STATE)
        self.bios.state[bio] = ISSUED
        if self.ending[thread] or self.sync_is_due(thread):
            self.bios.direction[bio] = SYNC
            self.bios.sector[bio] = 0
            self.bios.sectors[bio] = 0
            self.bios.flags[bio] = PREFLUSH
            if self.ending[thread] or self.sync_blocks[thread]:
                self.blocked_on[thread] = bio
        else:
            self.pattern.choose(thread)
            self.bios.direction[bio] = self.pattern.direction
            self.bios.sector[bio] = self.pattern.sector
            self.bios.sectors[bio] = self.pattern.sectors
            self.bios.flags[bio] = 0
            if self.pattern.direction == WRITE:
                self.bios.flags[bio] = self.write_flags[thread]
                self.writes_issued[thread] += 1
            self.issued_bytes[thread] += self.pattern.sectors << SECTOR_SHIFT
        self.bios.priority[bio] = self.priority[thread]
        self.bios.start_ns[bio] = time_ns
        self.outstanding[thread] += 1
        self.engine.schedule(time_ns + self.submit_ns, EVENT_SUBMIT, bio)

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
        self.bios.state[bio] = IDLE
        self.bios.next[bio] = self.free_bio[thread]
        self.free_bio[thread] = bio
        self.outstanding[thread] -= 1
        self.state[thread] = RUNNING
        time_ns = self.engine.now_ns + self.complete_ns
        self.last_was_sync[thread] = 1 if self.bios.direction[bio] == SYNC else 0
        if self.ending[thread]:
            self.end_ns[thread] = time_ns
        else:
            self.account(bio, time_ns)
        if self.may_issue(thread, time_ns):
            self.issue(thread, time_ns)
        else:
            self.engine.schedule(time_ns, EVENT_THREAD, thread)

    def account(self, bio: int, time_ns: int) -> None:
        thread = self.bios.thread[bio]
        direction = self.bios.direction[bio]
        size = self.bios.sectors[bio] << SECTOR_SHIFT
        self.total_ios += 1
        self.total_bytes += size
        self.end_ns[thread] = time_ns
        if time_ns < self.ramp_end_ns[thread]:
            return
        if not self.ramped[thread]:
            # As in fio, what was issued while ramping does not count against the size.
            self.ramped[thread] = 1
            self.issued_bytes[thread] = 0
        start_ns = self.bios.start_ns[bio]
        queued_ns = self.bios.queued_ns[bio]
        row = thread * DIRECTIONS + direction
        self.ios[row] += 1
        self.bytes[row] += size
        histogram = self.first_histogram[row]
        # Of a sync, fio has the whole time only; a synchronous engine's clat begins where submission does.
        submitted_ns = self.bios.granted_ns[bio] if self.asynchronous[thread] else start_ns
        if direction != SYNC:
            if self.asynchronous[thread]:
                self.recorder.record(histogram + SLAT, submitted_ns - start_ns)
            self.recorder.record(histogram + CLAT, time_ns - submitted_ns)
        self.recorder.record(histogram + LAT, time_ns - start_ns)
        self.recorder.add_point(direction, time_ns, size, time_ns - start_ns)
        stage = direction * STAGES
        if self.recorder.traced < self.recorder.trace_rows:
            self.trace(bio, time_ns)
        self.recorder.record(stage, queued_ns - start_ns)
        self.recorder.record(stage + 1, self.bios.got_ns[bio] - queued_ns)
        self.recorder.record(stage + 2, self.bios.inserted_ns[bio] - self.bios.got_ns[bio])
        self.recorder.record(stage + 3, self.bios.dispatched_ns[bio] - self.bios.inserted_ns[bio])
        self.recorder.record(stage + 4, self.bios.completed_ns[bio] - self.bios.dispatched_ns[bio])
        self.recorder.record(stage + 5, time_ns - self.bios.completed_ns[bio])

    def outstanding_total(self) -> int:
        total = 0
        for thread in range(self.count):
            total += self.outstanding[thread]
        return total

    def trace(self, bio: int, time_ns: int) -> None:
        row = self.recorder.traced * TRACE_COLUMNS
        self.recorder.traced += 1
        self.recorder.trace_values[row] = self.bios.thread[bio]
        self.recorder.trace_values[row + 1] = self.bios.direction[bio]
        self.recorder.trace_values[row + 2] = self.bios.sector[bio]
        self.recorder.trace_values[row + 3] = self.bios.sectors[bio]
        self.recorder.trace_values[row + 4] = self.bios.start_ns[bio]
        self.recorder.trace_values[row + 5] = self.bios.queued_ns[bio]
        self.recorder.trace_values[row + 6] = self.bios.got_ns[bio]
        self.recorder.trace_values[row + 7] = self.bios.inserted_ns[bio]
        self.recorder.trace_values[row + 8] = self.bios.dispatched_ns[bio]
        self.recorder.trace_values[row + 9] = self.bios.completed_ns[bio]
        self.recorder.trace_values[row + 10] = time_ns

    def results(self, jobs: Sequence[JobParameters]) -> tuple[JobResult, ...]:
        """Return each thread's outcome, in the order of the jobs."""
        return tuple(
            JobResult(
                name=job.name,
                thread_number=job.thread_number,
                group_id=job.group_id,
                directions={DIRECTION_NAMES[way]: self._direction(thread, way) for way in job.recorded_directions()},
            )
            for thread, job in enumerate(jobs)
        )

    def _direction(self, thread: int, direction: int) -> DirectionResult:
        row = thread * DIRECTIONS + direction
        histogram = self.first_histogram[row]
        return DirectionResult(
            ios=self.ios[row],
            bytes=self.bytes[row],
            runtime_ns=max(0, self.end_ns[thread] - self.ramp_end_ns[thread]),
            slat=self.recorder.histogram(histogram + SLAT),
            clat=self.recorder.histogram(histogram + CLAT),
            lat=self.recorder.histogram(histogram + LAT),
        )

    def stages(self, direction: int) -> dict[str, LatencyHistogram]:
        """Return where the time of a direction's I/Os went."""
        return {name: self.recorder.histogram(direction * STAGES + stage) for stage, name in enumerate(STAGE_NAMES)}
