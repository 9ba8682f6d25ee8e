"""The parameters of each device model that a fit may change, and how far."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.catalog.device_parameters import definitions

REACH = math.log(8.0)
"""A parameter is looked for between an eighth and eight times the profile's value; beyond, another is nearer."""


@dataclass(frozen=True, slots=True)
class Knob:
    """Parameters that are scaled together; one that is 0 in the profile grows from 0 in steps of `scale`."""

    names: tuple[str, ...]
    scale: int = 1

    @property
    def name(self) -> str:
        """Return its name in a table: that of its first parameter."""
        return self.names[0]

    def bounds(self, values: Mapping[str, int | str]) -> tuple[float, float]:
        """Return how far it can be turned."""
        return (0.0 if not values[self.name] else -REACH, REACH)

    def turned(self, kind: str, values: Mapping[str, int | str], by: float) -> dict[str, int]:
        """Return its parameters, turned by a natural logarithm of a factor, inside their ranges."""
        found = {}
        for definition in definitions(kind):
            if definition.name in self.names:
                start = int(values[definition.name])
                value = start * math.exp(by) if start else self.scale * math.expm1(max(by, 0.0))
                found[definition.name] = min(max(round(value), definition.least), definition.most)
        return found


# What figures of throughput and mean latency can decide. Not among them: read retries, which only a tail shows, and
# the shortest seek, which acts on random I/O as a little more overhead does.
KNOBS: Mapping[str, tuple[Knob, ...]] = MappingProxyType(
    {
        "constant": (Knob(("service_ns",)), Knob(("servers",))),
        "hdd": (
            Knob(("read_seek_span_ns",)),
            Knob(("positioning_error_ns",), 5_000_000),
            Knob(("outer_bytes_per_s", "inner_bytes_per_s")),
            Knob(("write_seek_span_ns",)),
            Knob(("command_overhead_ns",)),
        ),
        "flash": (
            Knob(("first_page_read_ns", "second_page_read_ns", "third_page_read_ns")),
            Knob(("controller_busy_ns",)),
            Knob(("link_bytes_per_s",)),
            Knob(("channel_bytes_per_s",)),
            Knob(("dies_per_channel",)),
            Knob(("program_ns",)),
            Knob(("over_provisioning_per_mille",)),
            Knob(("buffer_write_ns",)),
        ),
    }
)
