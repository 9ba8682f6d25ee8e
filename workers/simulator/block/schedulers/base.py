"""The contract of an elevator. Every scheduler's file has these functions in this order."""

from workers.simulator.block.request import Requests
from workers.simulator.engine import Engine
from workers.simulator.kinds import NONE


class Scheduler:
    """Requests wait here between insertion and dispatch; `queued` counts them.

    `insert` takes a request, `dispatch` gives the next one or NONE, `completed` tells that the device is done
    with one. `counters` names what the scheduler counted, for the result.
    """

    def __init__(self, engine: Engine, requests: Requests) -> None:
        self.engine = engine
        self.requests = requests
        self.queued = 0

    def insert(self, request: int) -> None:
        pass

    def dispatch(self) -> int:
        return NONE

    def completed(self, request: int) -> None:
        pass

    def counters(self) -> dict[str, int]:
        return {}
