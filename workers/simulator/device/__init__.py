"""The device models: one file each, registered here by kind."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workers.simulator.block.request import Requests
from workers.simulator.device import constant, flash, hdd, stalling, volume
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.parameters import (
    MOST_CAPACITY_BYTES,
    MOST_HW_DEPTH,
    MOST_HW_QUEUES,
    DeviceParameters,
    Range,
    require,
    require_within,
)

# What every device has, whatever its kind.
COMMON_PARAMETERS = {
    "capacity_bytes": (1 << 20, MOST_CAPACITY_BYTES),
    "hw_queues": (1, MOST_HW_QUEUES),
    "queue_depth": (1, MOST_HW_DEPTH),
    "rotational": (0, 1),
    "discard": (0, 1),
    "write_cache": (0, 1),
    "fua": (0, 1),
    "flush_queued": (0, 1),
}


# Of a device that has `precondition`: the state of the workload's own kind is chosen by who knows the workload.
_PRECONDITIONS = flash.PARAMETERS["precondition"]
PRECONDITION_SEQUENTIAL = _PRECONDITIONS.index("sequential")
PRECONDITION_RANDOM = _PRECONDITIONS.index("random")
PRECONDITION_WORKLOAD = _PRECONDITIONS.index("workload")


@dataclass(frozen=True, slots=True)
class Kind:
    """A device model: how to build it, and the range of each of its own parameters (or its allowed words)."""

    build: Callable[[Engine, Requests, Mapping[str, int], int], Device]
    parameters: Mapping[str, Range]


KINDS: dict[str, Kind] = {
    "constant": Kind(constant.Constant, constant.PARAMETERS),
    "flash": Kind(flash.Flash, flash.PARAMETERS),
    "hdd": Kind(hdd.HardDisk, hdd.PARAMETERS),
    "stalling": Kind(stalling.Stalling, stalling.PARAMETERS),
}


def check(device: DeviceParameters) -> dict[str, int]:
    """Return the device's values as integers (a word becomes its position); ValueError names what is wrong."""
    require(device.kind in KINDS, "device.kind", f"{device.kind!r} is not one of {', '.join(KINDS)}")
    ranges: dict[str, Range] = {**COMMON_PARAMETERS, **KINDS[device.kind].parameters}
    if "volume" in device.values:
        ranges |= volume.PARAMETERS
    for name in device.values:
        close = difflib.get_close_matches(name, ranges, n=2)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        require(name in ranges, f"device.{name}", f"{device.kind} has no such parameter{hint}")
    checked = {}
    for name, allowed in ranges.items():
        require(name in device.values, f"device.{name}", f"{device.kind} needs it")
        value = device.values[name]
        if isinstance(allowed[0], str):
            require(value in allowed, f"device.{name}", f"{value!r} is not one of {', '.join(map(str, allowed))}")
            checked[name] = allowed.index(str(value))
        else:
            require_within(f"device.{name}", value, *allowed)
            checked[name] = int(value)
    require(checked["capacity_bytes"] % 4096 == 0, "device.capacity_bytes", "is not a multiple of 4096")
    if "volume" in checked:
        volume.check(checked)
    return checked


def build(kind: str, engine: Engine, requests: Requests, values: Mapping[str, int], seed: int) -> Device:
    """Return a device of checked values; with a `volume`, one over so many of its kind."""
    if "volume" in values:
        return volume.Volume(engine, requests, values, seed, KINDS[kind].build)
    return KINDS[kind].build(engine, requests, values, seed)
