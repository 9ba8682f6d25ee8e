"""A disk's read-ahead: after a read it goes on reading into its buffer, and keeps as much behind."""

from workers.simulator.device.platter import Platter
from workers.simulator.device.tables import RATE_BITS
from workers.simulator.engine import Engine


class ReadBuffer:
    """The stream of sectors under the head: from `first` on in the buffer, up to `limit` to be read.

    Sectors before `held` have been in the buffer for long; sector `base` passes at `base_ns`, those around it at the
    rate of the zone. The stream runs until another command takes the arm (`stop`).
    """

    def __init__(self, engine: Engine, platter: Platter, readahead_sectors: int) -> None:
        self.engine = engine
        self.platter = platter
        self.readahead_sectors = readahead_sectors
        self.reads_ahead = readahead_sectors > 0
        self.streaming = False
        self.first = 0
        self.held = 0
        self.base = 0
        self.base_ns = 0
        self.limit = 0
        self.sector_ns = self.platter.sector_time(0)

    def covers(self, sector: int, sectors: int) -> bool:
        """Tell whether the running stream holds the range or is about to read it."""
        if not self.streaming or sector < self.first or sector > self.limit:
            return False
        # Once the limit has passed under the head the disk reads no further by itself.
        return sector + sectors <= self.limit or self.passes_ns(self.limit) > self.engine.now_ns

    def passes_ns(self, sector: int) -> int:
        """Return when the stream has the sectors before this one; 0 when it has held them for long."""
        if sector <= self.held:
            return 0
        if sector < self.base:
            return self.base_ns - (((self.base - sector) * self.sector_ns) >> RATE_BITS)
        return self.base_ns + (((sector - self.base) * self.sector_ns) >> RATE_BITS)

    def end(self) -> int:
        """Return the first sector after what the buffer holds now."""
        if not self.streaming:
            return self.limit
        if self.engine.now_ns < self.base_ns:
            return max(self.first, self.held)
        passed = ((self.engine.now_ns - self.base_ns) << RATE_BITS) // self.sector_ns
        return min(self.limit, self.base + passed)

    def begin(self, sector: int, end: int, sector_ns: int, done_ns: int) -> None:
        """A read of `sector` to `end` is done at `done_ns`: the stream goes on from there."""
        self.streaming = self.reads_ahead
        self.first = sector
        self.held = sector
        self.base = end
        self.base_ns = done_ns
        self.sector_ns = sector_ns
        self.limit = end + self.readahead_sectors if self.streaming else sector

    def ride(self, end: int) -> None:
        """Move the stream's base and its limit on to a read that ends at `end`."""
        if self.passes_ns(self.limit) <= self.engine.now_ns:
            # It has stopped at its limit; with half of the buffer free it goes on when that sector comes round.
            if 2 * (self.limit - end) > self.readahead_sectors:
                return
            self.held = self.limit
            self.base = self.limit
            now_ns = self.engine.now_ns
            turn_ns = self.platter.angle_of(self.limit) - now_ns % self.platter.revolution_ns
            self.base_ns = now_ns + (turn_ns if turn_ns >= 0 else turn_ns + self.platter.revolution_ns)
            self.sector_ns = self.platter.sector_time(self.limit)
        elif end > self.base:
            self.base_ns = self.passes_ns(end)
            self.base = end
            self.sector_ns = self.platter.sector_time(end)
        self.limit = max(self.limit, end + self.readahead_sectors)
        self.first = max(self.first, self.limit - 2 * self.readahead_sectors)

    def stop(self) -> None:
        if self.streaming:
            self.limit = self.end()
            self.streaming = False

    def forget(self, sector: int, end: int) -> None:
        """The range is written: what the buffer holds of it is stale."""
        if sector < self.limit and end > self.first:
            self.streaming = False
            self.limit = self.first
