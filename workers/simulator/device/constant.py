"""A device that finishes every request after the same time, however many are outstanding (like null_blk)."""

from collections.abc import Mapping

from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_COMPLETE, FLUSH
from workers.simulator.parameters import Range

PARAMETERS: dict[str, Range] = {"service_ns": (0, 10_000_000_000), "flush_ns": (0, 10_000_000_000)}


class Constant(Device):
    """Infinitely many servers of one fixed service time, and another for flushes."""

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], _seed: int) -> None:
        super().__init__(engine, requests)
        self.service_ns = values["service_ns"]
        self.flush_ns = values["flush_ns"]

    def submit(self, request: int) -> None:
        time_ns = self.flush_ns if self.requests.direction[request] == FLUSH else self.service_ns
        self.engine.schedule(self.engine.now_ns + time_ns, EVENT_COMPLETE, request)
