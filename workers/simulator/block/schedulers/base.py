"""The contract of an elevator. Every scheduler's file has these functions in this order."""

from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.engine import Engine
from workers.simulator.kinds import FOREVER, NONE


class Scheduler:
    """Requests wait here between insertion and dispatch; `queued` counts them.

    `depth_limit` tells how many request tags may be in use for the bio to get one. `merge` lets a bio join a waiting
    request, `insert` takes a request, `dispatch` gives the next one for a hardware queue or NONE, `completed` tells
    that the device is done with one, `wake` that the elevator's timer has run out. What has merged with another on the
    way is left in the merger's `absorbed`, and counts as queued no more. `counters` names what the scheduler counted.
    """

    def __init__(self, engine: Engine, requests: Requests, merger: Merger) -> None:
        self.engine = engine
        self.requests = requests
        self.merger = merger
        self.queued = 0

    def depth_limit(self, bio: int) -> int:
        return FOREVER

    def merge(self, bio: int) -> bool:
        return False

    def insert(self, request: int) -> None:
        pass

    def dispatch(self, hctx: int) -> int:
        return NONE

    def completed(self, request: int) -> None:
        pass

    def wake(self) -> None:
        pass

    def counters(self) -> dict[str, int]:
        return {}
