"""A flash device that keeps pausing: parallel channels that all stop while the device cleans up behind itself.

The device alternates between serving and standing still, by the clock, as an SSD beyond its write cliff or a
throttled virtual disk does. While it serves, each request waits for the channel of its address, first come first
served. A pause freezes every channel and adds its length to whatever is being served.
"""

from array import array
from collections.abc import Mapping

from workers.simulator.arrays import longs, longs_of
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.device.tables import QUANTILE_BITS, UNIT_BITS, erlang_quantiles
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_COMPLETE, MASK_64, READ, SPLITMIX_GAMMA
from workers.simulator.parameters import Range
from workers.simulator.stream import Streams, seed_of

PARAMETERS: dict[str, Range] = {
    "channels": (1, 1024),
    "stripe_bytes": (512, 1 << 30),
    "read_service_ns": (1, 10_000_000_000),
    "write_service_ns": (1, 10_000_000_000),
    "service_shape": (0, 16),
    "on_ns": (1_000, 1_000_000_000_000),
    "on_shape": (0, 16),
    "off_ns": (0, 1_000_000_000_000),
    "off_shape": (0, 16),
}


class Stalling(Device):
    """Channels with gamma-distributed service times (integer shapes; 0 constant), in an ON/OFF rhythm of the same kind.

    Lengths of the period number i are drawn from the seed and i alone, so a completion that lies beyond the next
    pauses can be computed when the request arrives.
    """

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], seed: int) -> None:
        super().__init__(engine, requests)
        self.service = Streams([seed])
        self.stall_seed = seed_of(seed, "stalls")
        self.channels = values["channels"]
        self.stripe_sectors = values["stripe_bytes"] // 512
        self.read_service_ns = values["read_service_ns"]
        self.write_service_ns = values["write_service_ns"]
        self.on_ns = values["on_ns"]
        self.off_ns = values["off_ns"]
        self.service_quantiles = longs_of(erlang_quantiles(values["service_shape"]))
        self.on_quantiles = longs_of(erlang_quantiles(values["on_shape"]))
        self.off_quantiles = longs_of(erlang_quantiles(values["off_shape"]))
        self.channel_free_ns = longs(self.channels)
        self.period = 0
        self.period_start_ns = 0
        self.stalls = 0
        self.stalled_ns = 0
        self.channel_busy_ns = 0

    def submit(self, request: int) -> None:
        now_ns = self.engine.now_ns
        while True:
            length_ns = self.on_length(self.period) + self.off_length(self.period)
            if now_ns < self.period_start_ns + length_ns:
                break
            self.period_start_ns += length_ns
            self.stalls += 1
            self.stalled_ns += self.off_length(self.period)
            self.period += 1
        mean_ns = self.read_service_ns if self.requests.direction[request] == READ else self.write_service_ns
        service_ns = self.quantile(self.service_quantiles, mean_ns, self.service.draw(0))
        channel = (self.requests.sector[request] // self.stripe_sectors) % self.channels
        start_ns = max(now_ns, self.channel_free_ns[channel])
        done_ns = self.finish(start_ns, service_ns)
        self.channel_busy_ns += service_ns
        self.channel_free_ns[channel] = done_ns
        self.engine.schedule(done_ns, EVENT_COMPLETE, request)

    def finish(self, start_ns: int, service_ns: int) -> int:
        """Return when work that may begin at `start_ns` is done, pauses included."""
        period = self.period
        begin_ns = self.period_start_ns
        while True:
            pause_ns = begin_ns + self.on_length(period)
            if start_ns < pause_ns:
                start_ns = max(start_ns, begin_ns)
                if start_ns + service_ns <= pause_ns:
                    return start_ns + service_ns
                service_ns -= pause_ns - start_ns
                start_ns = pause_ns
            begin_ns = pause_ns + self.off_length(period)
            period += 1

    def on_length(self, period: int) -> int:
        bits = self.service.mix((self.stall_seed + 2 * period * SPLITMIX_GAMMA) & MASK_64)
        return max(1, self.quantile(self.on_quantiles, self.on_ns, bits))

    def off_length(self, period: int) -> int:
        bits = self.service.mix((self.stall_seed + (2 * period + 1) * SPLITMIX_GAMMA) & MASK_64)
        return self.quantile(self.off_quantiles, self.off_ns, bits)

    def quantile(self, table: "array[int]", mean_ns: int, bits: int) -> int:
        cell = bits >> (64 - QUANTILE_BITS)
        place = (bits >> 22) & 0xFFFF
        value = table[cell] + (((table[cell + 1] - table[cell]) * place) >> 16)
        return (mean_ns * value) >> UNIT_BITS

    def counters(self) -> dict[str, int]:
        return {
            "stalls": self.stalls,
            "stalled_ns": self.stalled_ns,
            "channel_busy_ns": self.channel_busy_ns,
        }
