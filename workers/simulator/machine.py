"""One simulated machine. Read `__init__` for how it is put together, `loop` for the way of an I/O, down and up."""

from collections.abc import Mapping
from dataclasses import replace

import cython  # type: ignore[import-untyped]

from workers.simulator.block.bio import Bios
from workers.simulator.block.limits import QueueLimits, piece_sectors
from workers.simulator.block.merge import Merger
from workers.simulator.block.queue import BlockQueue
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers import ELEVATORS
from workers.simulator.device import build as build_device
from workers.simulator.engine import Engine
from workers.simulator.job import JobParameters
from workers.simulator.kinds import (
    DIRECTIONS,
    EVENT_COMPLETE,
    EVENT_DEVICE,
    EVENT_GRANTED,
    EVENT_INSERT,
    EVENT_QUEUE,
    EVENT_SUBMIT,
    EVENT_THREAD,
    FAULT_BIO_STATE,
    FAULT_NONE,
    FAULT_STALLED,
    FAULT_UNKNOWN_EVENT,
    IDLE,
    LATENCIES,
    NONE,
    SECTOR_BYTES,
    STAGES,
    TRIM,
)
from workers.simulator.observation.recorder import Recorder
from workers.simulator.parameters import SimulationParameters
from workers.simulator.stream import seed_of
from workers.simulator.workload.accounts import Accounts
from workers.simulator.workload.pacing import Pacing
from workers.simulator.workload.pattern import Pattern
from workers.simulator.workload.threads import Threads


class Machine:
    """A machine built from checked parameters; `values` are the device's, as integers."""

    def __init__(
        self, parameters: SimulationParameters, values: Mapping[str, int], seed: int, interval_ns: int, points: int
    ) -> None:
        jobs = parameters.jobs
        self.checking = parameters.check_invariants
        elevator = ELEVATORS[parameters.queue.scheduler]
        flushing = sum(job.flushes_each_write() for job in jobs)
        flush_rows = min(values["hw_queues"], len(jobs)) if values["write_cache"] else 0
        limits, outstanding, pieces = limits_of(parameters, values)
        most_sectors = piece_sectors(parameters.queue, values)

        # 1. The clock and the pending events: one a thread, two an I/O or piece of one (granted, inserted), two a
        #    request (inserted from a plug, completed), one a flush command; devices and timers reserve their own.
        self.engine = Engine(len(jobs) + 2 * (outstanding + flushing + pieces + limits.first_flush_row) + flush_rows)

        # 2. The I/Os of the workload with room for their pieces, and the requests that carry them; behind these the
        #    flush commands.
        self.bios = Bios(outstanding + flushing, pieces)
        self.requests = Requests(
            limits.first_flush_row + flush_rows,
            max(most_sectors, max((job.largest_bytes(TRIM) // SECTOR_BYTES for job in jobs if trims(job)), default=0)),
            len(jobs),
            values["hw_queues"],
            sum(job.depth() * max(map(job.largest_bytes, job.directions())) for job in jobs) // SECTOR_BYTES,
        )

        for thread, job in enumerate(jobs):
            self.requests.task_priority[thread] = job.ioprio()
            self.requests.task_weight[thread] = job.cgroup_weight

        # 3. The device.
        self.device = build_device(parameters.device.kind, self.engine, self.requests, values, seed_of(seed, "device"))

        # 4. The rules of merging, the elevator, and the request queue over it.
        self.merger = Merger(
            self.engine, self.bios, self.requests, limits.max_sectors, limits.max_segments, limits.nomerges
        )
        given = {"nr_requests": limits.nr_requests, "rotational": values["rotational"]}
        options = {**elevator.defaults, **parameters.queue.scheduler_options, **given}
        self.scheduler = elevator.build(self.engine, self.requests, self.merger, options)
        self.queue = BlockQueue(self.engine, self.bios, self.requests, self.merger, self.scheduler, self.device, limits)

        self.queue.hardware.occupancy.start(interval_ns, points)

        # 5. The job threads, with what they access and what is recorded of them.
        used = sum(len(job.recorded_directions()) for job in jobs)
        self.recorder = Recorder(STAGES * DIRECTIONS + LATENCIES * used, interval_ns, points, parameters.trace_ios)
        self.pattern = Pattern(jobs, seed)
        pacing = Pacing(self.pattern, jobs, seed)
        accounts = Accounts(self.bios, self.recorder, jobs)
        self.threads = Threads(
            self.engine, self.bios, self.queue, self.pattern, pacing, accounts, jobs, parameters.host
        )

    def run(self, events: int) -> bool:
        """Process at most so many events with the GIL released; True while there is more to do."""
        with cython.nogil:
            more = self.loop(events)
        return more

    def verify(self) -> None:
        self.engine.verify()
        self.queue.verify()
        if self.threads.outstanding_total() != self.bios.count_not(IDLE):
            self.engine.fail(FAULT_BIO_STATE)

    def loop(self, events: int) -> bool:
        while events > 0:
            events -= 1
            if not self.engine.advance():
                if self.threads.unfinished > 0:
                    self.engine.fail(FAULT_STALLED)
                return False
            kind = self.engine.kind
            argument = self.engine.argument
            # Down: a thread submits a bio, the queue makes it a request, the device takes it.
            if kind == EVENT_SUBMIT:
                self.threads.submit(argument)
            elif kind == EVENT_GRANTED:
                bio = self.queue.granted(argument)
                if bio != NONE:
                    self.threads.granted(bio)
            elif kind == EVENT_INSERT:
                bio = self.queue.inserted(argument)
                if bio != NONE:
                    self.threads.granted(bio)
            elif kind == EVENT_QUEUE:
                self.queue.wake(argument)
            # Inside the device.
            elif kind == EVENT_DEVICE:
                self.device.wake(argument)
            # Up: the device finishes a request, the queue frees its tags, the thread gets its bios.
            elif kind == EVENT_COMPLETE:
                self.device.completed(argument)
                self.threads.completed(self.queue.complete(argument))
            elif kind == EVENT_THREAD:
                self.threads.wake(argument)
            else:
                self.engine.fail(FAULT_UNKNOWN_EVENT)
            if self.checking:
                self.verify()
            if self.engine.fault != FAULT_NONE:
                return False
            if self.threads.unfinished == 0:
                return False
        return True


def limits_of(parameters: SimulationParameters, values: Mapping[str, int]) -> tuple[QueueLimits, int, int]:
    """Return the queue's limits, how many I/Os the jobs keep outstanding, and the most pieces of split ones.

    A request has a tag, and a piece that has none yet keeps its thread waiting (one of the threads that submit for the
    job, with io_submit_mode=offload); so the tags bound both.
    """
    jobs = parameters.jobs
    elevator_ns = ELEVATORS[parameters.queue.scheduler].elevator_ns
    limits = QueueLimits.of(parameters.queue, values, elevator_ns, 0)
    most_sectors = piece_sectors(parameters.queue, values)
    outstanding = sum(job.depth() for job in jobs)
    requests = sum(job.depth() * pieces_of(job, most_sectors) for job in jobs)
    tags = limits.nr_requests * limits.hw_queues
    # Only discards and buffered writes are ever throttled.
    wbt_lat_ns = limits.wbt_lat_ns if any(trims(job) for job in jobs) else 0
    limits = replace(limits, wbt_lat_ns=wbt_lat_ns, first_flush_row=min(requests, tags))
    waiting = sum(job.depth() if job.offloads() else 1 for job in jobs)
    return limits, outstanding, 0 if requests == outstanding else min(requests, tags + waiting)


def pieces_of(job: JobParameters, most_sectors: int) -> int:
    """Return into how many requests an I/O of a job is split at most; a discard is never split."""
    sizes = [job.largest_bytes(direction) // SECTOR_BYTES for direction in job.directions() if direction != TRIM]
    return max((-(-sectors // most_sectors) for sectors in sizes), default=1)


def trims(job: JobParameters) -> bool:
    """Tell whether a job discards."""
    return TRIM in job.directions()
