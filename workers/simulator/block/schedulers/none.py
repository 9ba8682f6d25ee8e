"""`none`: requests leave in the order in which they came."""

from collections.abc import Mapping

from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.engine import Engine
from workers.simulator.kinds import NONE


class NoScheduler(Scheduler):
    """A FIFO. The request tag is the driver's tag, so nothing waits here unless the device is full."""

    def __init__(self, engine: Engine, requests: Requests, _options: Mapping[str, int]) -> None:
        super().__init__(engine, requests)
        self.head = NONE
        self.tail = NONE

    def insert(self, request: int) -> None:
        self.requests.next[request] = NONE
        if self.head == NONE:
            self.head = request
        else:
            self.requests.next[self.tail] = request
        self.tail = request
        self.queued += 1

    def dispatch(self) -> int:
        request = self.head
        if request != NONE:
            self.head = self.requests.next[request]
            self.queued -= 1
        return request
