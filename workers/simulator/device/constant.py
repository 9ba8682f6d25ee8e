"""A device that finishes every request after the same time (like null_blk), or a queue in front of equal servers."""

from collections.abc import Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.exponential import Exponential
from workers.simulator.kinds import EVENT_COMPLETE, FLUSH
from workers.simulator.parameters import Range

DISTRIBUTIONS = ("constant", "exponential")
MOST_SERVERS = 1024  # each arrival looks at all of them

PARAMETERS: dict[str, Range] = {
    "service_ns": (0, 10_000_000_000),
    "flush_ns": (0, 10_000_000_000),
    "servers": (0, MOST_SERVERS),
    "service_distribution": DISTRIBUTIONS,
}


class Constant(Device):
    """Servers of one service time, fixed or exponential, in order of arrival; 0 servers are as many as are needed.

    A flush takes `flush_ns` and no server.
    """

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], seed: int) -> None:
        super().__init__(engine, requests)
        self.service = Exponential([seed])
        self.service_ns = values["service_ns"]
        self.flush_ns = values["flush_ns"]
        self.servers = values["servers"]
        self.exponential = values["service_distribution"] == DISTRIBUTIONS.index("exponential")
        self.free_ns = longs(max(1, self.servers))
        self.busy_ns = 0

    def submit(self, request: int) -> None:
        now_ns = self.engine.now_ns
        if self.requests.direction[request] == FLUSH:
            self.engine.schedule(now_ns + self.flush_ns, EVENT_COMPLETE, request)
            return
        time_ns = self.service.draw(0, self.service_ns) if self.exponential else self.service_ns
        self.busy_ns += time_ns
        if self.servers > 0:
            # Who comes first is served first, by the server that is free first.
            server = 0
            for other in range(1, self.servers):
                if self.free_ns[other] < self.free_ns[server]:
                    server = other
            self.free_ns[server] = max(now_ns, self.free_ns[server]) + time_ns
            time_ns = self.free_ns[server] - now_ns
        self.engine.schedule(now_ns + time_ns, EVENT_COMPLETE, request)

    def counters(self) -> dict[str, int]:
        return {"server_busy_ns": self.busy_ns}
