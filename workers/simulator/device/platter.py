"""The geometry of a hard disk: where a sector passes under the head, and how long the arm takes to its track."""

from collections.abc import Mapping

from workers.simulator.arrays import longs_of
from workers.simulator.device.tables import RATE_BITS, SEEK_COARSE, SEEK_ENTRIES, seek_shifts, seek_table, zones_of
from workers.simulator.kinds import FOREVER, READ, SECTOR_BYTES


class Platter:
    """One spindle and one arm. Sectors are 512 bytes; an angle is the time since the index mark, in nanoseconds."""

    def __init__(self, values: Mapping[str, int]) -> None:
        capacity = values["capacity_bytes"] // SECTOR_BYTES
        self.capacity = capacity
        self.revolution_ns = 60_000_000_000 // values["rpm"]
        zones = zones_of(
            capacity, values["zones"], values["outer_bytes_per_s"], values["inner_bytes_per_s"], self.revolution_ns
        )
        self.zones = values["zones"]
        self.zone_sectors = zones.sectors
        self.zone_sector_ns = longs_of(zones.sector_ns)
        self.zone_angle_ns = longs_of(zones.angle_ns)
        # Closer than this a command may need no seek: it is on the track, or in the read-ahead.
        self.near_sectors = (self.revolution_ns << RATE_BITS) // zones.sector_ns[0]
        self.near_sectors += 2 * (values["readahead_bytes"] // SECTOR_BYTES)
        self.least_seek_ns = min(values["read_seek_min_ns"], values["write_seek_min_ns"])
        self.least_span_ns = min(values["read_seek_span_ns"], values["write_seek_span_ns"])
        self.seek_shift = longs_of(seek_shifts(capacity))
        self.read_seek_ns = longs_of(seek_table(values["read_seek_min_ns"], values["read_seek_span_ns"], capacity))
        self.write_seek_ns = longs_of(seek_table(values["write_seek_min_ns"], values["write_seek_span_ns"], capacity))

    def zone_of(self, sector: int) -> int:
        return min(sector // self.zone_sectors, self.zones - 1)

    def sector_time(self, sector: int) -> int:
        """Return the time in which the sector passes under the head, times 256."""
        return self.zone_sector_ns[self.zone_of(sector)]

    def angle_of(self, sector: int) -> int:
        """Return how long after the index mark a sector passes under the head."""
        zone = self.zone_of(sector)
        inside_ns = ((sector - zone * self.zone_sectors) * self.zone_sector_ns[zone]) >> RATE_BITS
        return (self.zone_angle_ns[zone] + inside_ns) % self.revolution_ns

    def seek_ns(self, head: int, head_sector_ns: int, sector: int, direction: int) -> int:
        """Return the time of the arm from `head`, where a sector takes `head_sector_ns`, to another sector."""
        distance = sector - head
        if distance < 0:
            distance = -distance
        # Within one track the arm stays.
        if distance * head_sector_ns < self.revolution_ns << RATE_BITS:
            return 0
        level = 0
        if distance < SEEK_COARSE << self.seek_shift[0]:
            level = 1 if distance >= SEEK_COARSE << self.seek_shift[1] else 2
        shift = self.seek_shift[level]
        cell = distance >> shift
        entry = level * SEEK_ENTRIES + cell
        inside = distance - (cell << shift)
        if direction == READ:
            step_ns = self.read_seek_ns[entry + 1] - self.read_seek_ns[entry]
            return self.read_seek_ns[entry] + ((step_ns * inside) >> shift)
        step_ns = self.write_seek_ns[entry + 1] - self.write_seek_ns[entry]
        return self.write_seek_ns[entry] + ((step_ns * inside) >> shift)

    def reach(self, time_ns: int) -> int:
        """Return a distance, rounded up, beyond which the arm moves and every seek takes longer than `time_ns`."""
        moving_ns = max(0, time_ns - self.least_seek_ns)
        if moving_ns >= self.least_span_ns:
            return FOREVER
        share = ((moving_ns << 14) // self.least_span_ns) + 1
        return max(self.near_sectors, (share * share * ((self.capacity >> 14) + 1)) >> 14)
