"""The elevators: one file each, registered here by the kernel's name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.block.schedulers import bfq, kyber, mq_deadline, none
from workers.simulator.block.schedulers.base import Scheduler
from workers.simulator.engine import Engine


@dataclass(frozen=True, slots=True)
class Elevator:
    """How to build a scheduler, the default and range of each of its settings, as in /sys/block/*/queue/iosched.

    `build` gets the settings, and `nr_requests` and `rotational` of the queue. `elevator_ns` is the time that a request
    spends under its lock, in nanoseconds.
    """

    build: Callable[[Engine, Requests, Merger, Mapping[str, int]], Scheduler]
    defaults: Mapping[str, int]
    ranges: Mapping[str, tuple[int, int]]
    elevator_ns: int


ELEVATORS: dict[str, Elevator] = {
    "none": Elevator(none.NoScheduler, {}, {}, 0),
    "bfq": Elevator(bfq.Bfq, bfq.DEFAULTS, bfq.RANGES, bfq.ELEVATOR_NS),
    "kyber": Elevator(kyber.Kyber, kyber.DEFAULTS, kyber.RANGES, kyber.ELEVATOR_NS),
    "mq-deadline": Elevator(mq_deadline.MqDeadline, mq_deadline.DEFAULTS, mq_deadline.RANGES, mq_deadline.ELEVATOR_NS),
}
