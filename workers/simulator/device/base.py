"""The contract of a device. Every device's file has these functions in this order."""

from workers.simulator.block.request import Requests
from workers.simulator.engine import Engine


class Device:
    """Takes requests and finishes them by scheduling EVENT_COMPLETE on the engine.

    `submit` takes a request (a FLUSH, and FUA, only when the device has `write_cache`); `wake` receives the
    EVENT_DEVICE events that the device scheduled for itself; `completed` runs when a completion leaves, before the
    block layer sees it. The rule that decides the times uses integers, tables and `Streams` only, so that the same rule
    can stand in a kernel's block driver.
    """

    def __init__(self, engine: Engine, requests: Requests) -> None:
        self.engine = engine
        self.requests = requests

    def submit(self, request: int) -> None:
        pass

    def wake(self, argument: int) -> None:
        pass

    def completed(self, request: int) -> None:
        pass

    def counters(self) -> dict[str, int]:
        return {}

    def warnings(self) -> list[str]:
        """Return what a reader of the result has to know, in sentences."""
        return []
