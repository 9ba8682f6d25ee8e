"""What is counted of each job's I/Os when they are reaped."""

from collections.abc import Sequence

from workers.simulator.arrays import longs, longs_of
from workers.simulator.block.bio import Bios
from workers.simulator.job import JobParameters
from workers.simulator.kinds import (
    CLAT,
    DIRECTION_NAMES,
    DIRECTIONS,
    LAT,
    LATENCIES,
    NONE,
    SECTOR_SHIFT,
    SLAT,
    STAGE_NAMES,
    STAGES,
    SYNC,
    TRACE_COLUMNS,
)
from workers.simulator.observation.histogram import LatencyHistogram
from workers.simulator.observation.recorder import Recorder
from workers.simulator.result import DirectionResult, JobResult


class Accounts:
    """I/Os, bytes and latencies of every thread; nothing of what is reaped before `ramp_end_ns` counts.

    Of a sync, fio has the whole time only; a synchronous engine's clat begins where submission does.
    """

    def __init__(self, bios: Bios, recorder: Recorder, jobs: Sequence[JobParameters]) -> None:
        self.bios = bios
        self.recorder = recorder
        count = len(jobs)
        self.asynchronous = longs_of(int(job.is_asynchronous()) for job in jobs)
        self.ramped = longs_of(int(job.ramp_time_ns == 0) for job in jobs)
        self.ramp_end_ns = longs(count)
        self.end_ns = longs(count)
        self.ios = longs(count * DIRECTIONS)
        self.bytes = longs(count * DIRECTIONS)
        self.first_histogram = longs(count * DIRECTIONS, NONE)
        self.total_ios = 0
        self.total_bytes = 0
        # Stages come first, then three histograms for each direction that a job uses.
        histogram = STAGES * DIRECTIONS
        for thread, job in enumerate(jobs):
            for direction in job.recorded_directions():
                self.first_histogram[thread * DIRECTIONS + direction] = histogram
                histogram += LATENCIES

    def begin(self, thread: int, now_ns: int, ramp_ns: int) -> None:
        self.ramp_end_ns[thread] = now_ns + ramp_ns
        self.end_ns[thread] = now_ns

    def add(self, bio: int, time_ns: int) -> bool:
        """Count an I/O that is reaped at `time_ns`; True when it is the first one after the ramp time."""
        thread = self.bios.thread[bio]
        direction = self.bios.direction[bio]
        size = self.bios.sectors[bio] << SECTOR_SHIFT
        self.total_ios += 1
        self.total_bytes += size
        self.end_ns[thread] = time_ns
        if time_ns < self.ramp_end_ns[thread]:
            return False
        start_ns = self.bios.start_ns[bio]
        queued_ns = self.bios.queued_ns[bio]
        row = thread * DIRECTIONS + direction
        self.ios[row] += 1
        self.bytes[row] += size
        histogram = self.first_histogram[row]
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
        if self.ramped[thread]:
            return False
        self.ramped[thread] = 1
        return True

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
