"""`none`: requests leave in the order in which they came, the software queues in turn."""

from collections.abc import Mapping

from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.block.software_queues import SoftwareQueues
from workers.simulator.engine import Engine


class NoScheduler(Scheduler):
    """The request tag is the driver's tag, so nothing waits here unless the driver takes nothing."""

    def __init__(self, engine: Engine, requests: Requests, merger: Merger, _options: Mapping[str, int]) -> None:
        super().__init__(engine, requests, merger)
        self.software = SoftwareQueues(requests, merger, 1)

    def merge(self, bio: int) -> bool:
        return self.software.merge(self.merger.bios.thread[bio], 0, bio)

    def insert(self, request: int) -> None:
        self.software.add(request, 0)
        self.queued += 1

    def dispatch(self, hctx: int) -> int:
        request = self.software.take(hctx, 0)
        if request >= 0:
            self.queued -= 1
        return request
