"""A device alone, fed with a list of requests: what a golden trace is made of, and what a kernel driver must repeat."""

from collections.abc import Sequence

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.device import KINDS, check
from workers.simulator.engine import Engine
from workers.simulator.kinds import DISPATCHED, EVENT_COMPLETE, EVENT_DEVICE, EVENT_SUBMIT
from workers.simulator.parameters import DeviceParameters

Arrival = tuple[int, int, int, int]  # time in ns, direction, first sector, sectors


class DeviceTrace:
    """Feeds arrivals, in order of time, to a device without queue or limit; `completions` are theirs, in ns."""

    def __init__(self, parameters: DeviceParameters, seed: int, arrivals: Sequence[Arrival]) -> None:
        count = len(arrivals)
        self.engine = Engine(2 * count)
        self.requests = Requests(count, max(sectors for _, _, _, sectors in arrivals))
        self.device = KINDS[parameters.kind].build(self.engine, self.requests, check(parameters), seed)
        self.completed_ns = longs(count)
        for request, (time_ns, direction, sector, sectors) in enumerate(arrivals):
            self.requests.state[request] = DISPATCHED
            self.requests.direction[request] = direction
            self.requests.sector[request] = sector
            self.requests.sectors[request] = sectors
            self.engine.schedule(time_ns, EVENT_SUBMIT, request)

    def completions(self) -> list[int]:
        """Run to the end and return when each request completed."""
        self.run()
        return [self.completed_ns[request] for request in range(self.requests.capacity)]

    def run(self) -> None:
        while self.engine.advance():
            if self.engine.kind == EVENT_SUBMIT:
                self.device.submit(self.engine.argument)
            elif self.engine.kind == EVENT_DEVICE:
                self.device.wake(self.engine.argument)
            elif self.engine.kind == EVENT_COMPLETE:
                self.completed_ns[self.engine.argument] = self.engine.now_ns
                self.device.completed(self.engine.argument)
