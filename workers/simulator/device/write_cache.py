"""A disk's volatile write cache: writes that are acknowledged and not yet on the medium."""

from workers.simulator.arrays import longs
from workers.simulator.kinds import NONE


class WriteCache:
    """Up to `entries` writes of together `limit_sectors`, in slots; `order` holds the slots in order of arrival.

    `first_slot` is added to every slot's number, so that a slot can be told from a request. A write of exactly the
    range of an older one takes its place.
    """

    def __init__(self, first_slot: int, entries: int, limit_sectors: int) -> None:
        self.first_slot = first_slot
        self.entries = entries
        self.limit_sectors = limit_sectors
        self.sector = longs(entries)
        self.sectors = longs(entries)
        self.number = longs(entries)
        self.order = longs(entries)
        self.free = longs(entries)
        for slot in range(entries):
            self.free[slot] = first_slot + slot
        self.dirty = 0
        self.dirty_sectors = 0
        self.writes = 0
        self.overwrites = 0

    def has_room(self, sectors: int) -> bool:
        if self.dirty == 0:
            return self.entries > 0
        return self.dirty < self.entries and self.dirty_sectors + sectors <= self.limit_sectors

    def find(self, sector: int, sectors: int) -> int:
        """Return the slot that holds exactly this range, NONE when there is none."""
        for place in range(self.dirty):
            index = self.order[place] - self.first_slot
            if self.sector[index] == sector and self.sectors[index] == sectors:
                return self.order[place]
        return NONE

    def holds(self, sector: int, end: int) -> bool:
        """Tell whether one dirty write contains the range."""
        for place in range(self.dirty):
            index = self.order[place] - self.first_slot
            if self.sector[index] <= sector and end <= self.sector[index] + self.sectors[index]:
                return True
        return False

    def put(self, sector: int, sectors: int) -> int:
        """Take a write in; there must be room. Return its slot."""
        slot = self.free[self.entries - 1 - self.dirty]
        index = slot - self.first_slot
        self.sector[index] = sector
        self.sectors[index] = sectors
        self.number[index] = self.writes
        self.writes += 1
        self.order[self.dirty] = slot
        self.dirty += 1
        self.dirty_sectors += sectors
        return slot

    def oldest(self) -> int:
        """Return the number of the oldest dirty write, as counted by `writes`; that count itself when all is clean."""
        return self.number[self.order[0] - self.first_slot] if self.dirty > 0 else self.writes

    def remove(self, place: int) -> int:
        """Take the write at a place of the order out; return its slot."""
        slot = self.order[place]
        self.dirty -= 1
        self.dirty_sectors -= self.sectors[slot - self.first_slot]
        for later in range(place, self.dirty):
            self.order[later] = self.order[later + 1]
        self.free[self.entries - 1 - self.dirty] = slot
        return slot
