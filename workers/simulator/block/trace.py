"""A request queue over a device, fed with a list of bios: for seeing what the block layer makes of them."""

from collections.abc import Sequence

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.queue import BlockQueue, QueueLimits, default_nr_requests
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers import ELEVATORS
from workers.simulator.device import KINDS, check
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_COMPLETE, EVENT_DEVICE, EVENT_SUBMIT, NONE
from workers.simulator.parameters import DeviceParameters

# Time in ns, direction, first sector, sectors, flags (PREFLUSH, FUA), and the thread, which decides the queue.
BioArrival = tuple[int, int, int, int, int, int]

# What the device did: begin and end in ns, direction, first sector, flags.
Command = tuple[int, int, int, int, int]


class QueueTrace:
    """Submits bios at their times. `commands` is then what the device got, `completed_ns` when each bio ended."""

    def __init__(self, parameters: DeviceParameters, scheduler: str, arrivals: Sequence[BioArrival]) -> None:
        values = check(parameters)
        count = len(arrivals)
        rows = values["hw_queues"] if values["write_cache"] else 0
        elevator = ELEVATORS[scheduler]
        self.engine = Engine(4 * count + rows)
        self.bios = Bios(count)
        self.requests = Requests(count + rows, max(1, *(sectors for _, _, _, sectors, _, _ in arrivals)))
        self.device = KINDS[parameters.kind].build(self.engine, self.requests, values, 1)
        self.scheduler = elevator.build(self.engine, self.requests, elevator.defaults)
        limits = QueueLimits(
            has_elevator=scheduler != "none",
            hw_queues=values["hw_queues"],
            hw_depth=values["queue_depth"],
            nr_requests=default_nr_requests(scheduler, values["queue_depth"]),
            write_cache=values["write_cache"] == 1,
            fua=values["fua"] == 1,
            flush_queued=values["flush_queued"] == 1,
            first_flush_row=count,
        )
        self.queue = BlockQueue(self.engine, self.bios, self.requests, self.scheduler, self.device, limits)
        self.ended_ns = longs(count, NONE)
        for bio, (time_ns, direction, sector, sectors, flags, thread) in enumerate(arrivals):
            self.bios.direction[bio] = direction
            self.bios.sector[bio] = sector
            self.bios.sectors[bio] = sectors
            self.bios.flags[bio] = flags
            self.bios.thread[bio] = thread
            self.engine.schedule(time_ns, EVENT_SUBMIT, bio)
        self.commands: list[Command] = []

    def completions(self) -> list[int]:
        """Run to the end and return when each bio completed, NONE for one that never did."""
        while self.engine.advance():
            argument = self.engine.argument
            if self.engine.kind == EVENT_SUBMIT:
                self.queue.submit_bio(argument)
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
                self.requests.flags[request],
            )
        )
