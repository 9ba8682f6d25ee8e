"""One simulated machine. Read `__init__` for how it is put together, `loop` for the way of an I/O, down and up."""

from collections.abc import Mapping

import cython  # type: ignore[import-untyped]

from workers.simulator.block.bio import Bios
from workers.simulator.block.queue import BlockQueue, QueueLimits, default_nr_requests
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers import ELEVATORS
from workers.simulator.device import KINDS
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    DIRECTIONS,
    EVENT_COMPLETE,
    EVENT_DEVICE,
    EVENT_GRANTED,
    EVENT_SUBMIT,
    EVENT_THREAD,
    FAULT_BIO_STATE,
    FAULT_NONE,
    FAULT_STALLED,
    FAULT_UNKNOWN_EVENT,
    IDLE,
    LATENCIES,
    SECTOR_BYTES,
    STAGES,
)
from workers.simulator.observation.recorder import Recorder
from workers.simulator.parameters import SimulationParameters
from workers.simulator.stream import seed_of
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
        kind = KINDS[parameters.device.kind]
        largest = max(job.block_bytes(direction) for job in jobs for direction in job.directions())
        outstanding = sum(job.depth() for job in jobs)
        flushing = sum(job.flushes_each_write() for job in jobs)
        flush_rows = min(values["hw_queues"], len(jobs)) if values["write_cache"] else 0

        # 1. The clock and the pending events: one a thread, two an I/O (granted, completed), one a flush command;
        #    devices reserve their own.
        self.engine = Engine(len(jobs) + 2 * (outstanding + flushing) + flush_rows)

        # 2. The I/Os of the workload, the requests that carry them, and behind these the flush commands.
        self.bios = Bios(outstanding + flushing)
        self.requests = Requests(outstanding + flush_rows, largest // SECTOR_BYTES)

        # 3. The device.
        self.device = kind.build(self.engine, self.requests, values, seed_of(seed, "device"))

        # 4. The elevator, and the request queue over it.
        options = {**elevator.defaults, **parameters.queue.scheduler_options}
        self.scheduler = elevator.build(self.engine, self.requests, options)
        limits = QueueLimits(
            has_elevator=parameters.queue.scheduler != "none",
            hw_queues=values["hw_queues"],
            hw_depth=values["queue_depth"],
            nr_requests=parameters.queue.nr_requests
            or default_nr_requests(parameters.queue.scheduler, values["queue_depth"]),
            write_cache=values["write_cache"] == 1,
            fua=values["fua"] == 1,
            flush_queued=values["flush_queued"] == 1,
            first_flush_row=outstanding,
        )
        self.queue = BlockQueue(self.engine, self.bios, self.requests, self.scheduler, self.device, limits)

        # 5. The job threads, with what they access and what is recorded of them.
        used = sum(len(job.recorded_directions()) for job in jobs)
        self.recorder = Recorder(STAGES * DIRECTIONS + LATENCIES * used, interval_ns, points, parameters.trace_ios)
        self.pattern = Pattern(jobs, seed)
        self.threads = Threads(self.engine, self.bios, self.queue, self.pattern, self.recorder, jobs, parameters.host)

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
                self.threads.granted(argument)
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
