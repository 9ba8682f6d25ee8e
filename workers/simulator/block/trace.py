"""A request queue over a device, fed with a list of bios: for seeing what the block layer makes of them."""

from collections.abc import Sequence

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.limits import QueueLimits, piece_sectors
from workers.simulator.block.merge import Merger
from workers.simulator.block.queue import BlockQueue
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers import ELEVATORS
from workers.simulator.device import KINDS, check
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    EVENT_COMPLETE,
    EVENT_DEVICE,
    EVENT_GRANTED,
    EVENT_INSERT,
    EVENT_QUEUE,
    EVENT_SUBMIT,
    EVENT_THREAD,
    IOPRIO_CLASS_BE,
    IOPRIO_CLASS_SHIFT,
    IOPRIO_NORM,
    NONE,
)
from workers.simulator.parameters import DeviceParameters, QueueParameters

# Time in ns, direction, first sector, sectors, flags (PREFLUSH, FUA, …), and the thread, which decides the queue.
BioArrival = tuple[int, int, int, int, int, int]

# What the device did: begin and end in ns, direction, first sector, sectors, flags.
Command = tuple[int, int, int, int, int, int]


class QueueTrace:
    """Submits bios at their times. `commands` is then what the device got, `completions` when each bio ended.

    With `plugged`, bios of one time and thread, listed one after another, are submitted in one call. `priorities` has
    the ioprio of each bio, and is best effort by default.
    """

    def __init__(
        self,
        parameters: DeviceParameters,
        queue: QueueParameters,
        arrivals: Sequence[BioArrival],
        *,
        plugged: bool = False,
        priorities: Sequence[int] = (),
    ) -> None:
        values = check(parameters)
        count = len(arrivals)
        flush_rows = values["hw_queues"] if values["write_cache"] else 0
        threads = 1 + max(thread for _, _, _, _, _, thread in arrivals)
        most_sectors = piece_sectors(queue, values)
        pieces = sum(max(1, -(-sectors // most_sectors)) for _, _, _, sectors, _, _ in arrivals)
        elevator = ELEVATORS[queue.scheduler]
        self.engine = Engine(6 * pieces + flush_rows)
        self.bios = Bios(count, pieces)
        self.requests = Requests(pieces + flush_rows, most_sectors, threads, values["hw_queues"])
        self.device = KINDS[parameters.kind].build(self.engine, self.requests, values, 1)
        limits = QueueLimits.of(queue, values, 0, pieces)
        self.merger = Merger(
            self.engine, self.bios, self.requests, limits.max_sectors, limits.max_segments, limits.nomerges
        )
        given = {"nr_requests": limits.nr_requests, "rotational": values["rotational"]}
        options = {**elevator.defaults, **queue.scheduler_options, **given}
        self.scheduler = elevator.build(self.engine, self.requests, self.merger, options)
        self.queue = BlockQueue(self.engine, self.bios, self.requests, self.merger, self.scheduler, self.device, limits)
        self.ended_ns = longs(count, NONE)
        for bio, (time_ns, direction, sector, sectors, flags, thread) in enumerate(arrivals):
            self.bios.direction[bio] = direction
            self.bios.sector[bio] = sector
            self.bios.sectors[bio] = sectors
            self.bios.flags[bio] = flags
            self.bios.thread[bio] = thread
            self.bios.priority[bio] = (
                priorities[bio] if priorities else IOPRIO_CLASS_BE << IOPRIO_CLASS_SHIFT | IOPRIO_NORM
            )
            self.requests.task_priority[thread] = self.bios.priority[bio]
            if plugged and (bio == 0 or (time_ns, thread) != (arrivals[bio - 1][0], arrivals[bio - 1][5])):
                self.engine.schedule(time_ns, EVENT_THREAD, 2 * thread + 1)
            self.engine.schedule(time_ns, EVENT_SUBMIT, bio)
            if plugged and (bio + 1 == count or (time_ns, thread) != (arrivals[bio + 1][0], arrivals[bio + 1][5])):
                self.engine.schedule(time_ns, EVENT_THREAD, 2 * thread)
        self.commands: list[Command] = []

    def completions(self) -> list[int]:
        """Run to the end and return when each bio completed, NONE for one that never did."""
        while self.engine.advance():
            argument = self.engine.argument
            if self.engine.kind == EVENT_SUBMIT:
                self.queue.submit_bio(argument)
            elif self.engine.kind == EVENT_THREAD and argument & 1:
                self.queue.start_plug(argument >> 1)
            elif self.engine.kind == EVENT_THREAD:
                self.queue.finish_plug(argument >> 1)
            elif self.engine.kind == EVENT_GRANTED:
                self.queue.granted(argument)
            elif self.engine.kind == EVENT_INSERT:
                self.queue.inserted(argument)
            elif self.engine.kind == EVENT_QUEUE:
                self.queue.wake(argument)
            elif self.engine.kind == EVENT_DEVICE:
                self.device.wake(argument)
            elif self.engine.kind == EVENT_COMPLETE:
                self.note(argument)
                self.device.completed(argument)
                bio = self.queue.complete(argument)
                while bio != NONE:
                    self.ended_ns[bio] = self.engine.now_ns
                    bio = self.bios.next[bio]
            self.queue.verify()
        self.engine.verify()
        if self.engine.fault:
            raise AssertionError(f"fault {self.engine.fault} at {self.engine.now_ns} ns")
        return list(self.ended_ns)

    def note(self, request: int) -> None:
        self.commands.append(
            (
                self.requests.dispatched_ns[request],
                self.engine.now_ns,
                self.requests.direction[request],
                self.requests.sector[request],
                self.requests.sectors[request],
                self.requests.flags[request],
            )
        )
