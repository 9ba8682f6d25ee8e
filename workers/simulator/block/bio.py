"""The I/Os of the workload on their way through the block layer (the kernel's bio)."""

from workers.simulator.arrays import longs
from workers.simulator.kinds import IDLE, NONE


class Bios:
    """One row an I/O that can be outstanding: what it asks for and when it passed each stage.

    Sectors are 512 bytes, times nanoseconds. `next` chains the bios of one request, or of one waiting list. Behind the
    `capacity` rows of the workload lie those of the `pieces` into which bios are split that are too large for one
    request; a piece has a `parent`, which counts in `unended` those that have not ended.
    """

    def __init__(self, capacity: int, pieces: int = 0) -> None:
        self.capacity = capacity
        self.rows = capacity + pieces
        self.state = longs(capacity, IDLE)
        capacity = self.rows
        self.parent = longs(capacity, NONE)
        self.unended = longs(capacity)
        self.cut_sector = longs(capacity)
        self.thread = longs(capacity)
        self.direction = longs(capacity)
        self.sector = longs(capacity)
        self.sectors = longs(capacity)
        self.priority = longs(capacity)
        self.flags = longs(capacity)
        self.start_ns = longs(capacity)
        self.granted_ns = longs(capacity)
        self.queued_ns = longs(capacity)
        self.got_ns = longs(capacity)
        self.inserted_ns = longs(capacity)
        self.dispatched_ns = longs(capacity)
        self.completed_ns = longs(capacity)
        self.next = longs(capacity, NONE)

    def count_not(self, state: int) -> int:
        """Return how many bios are not in the state."""
        count = 0
        for bio in range(self.capacity):
            if self.state[bio] != state:
                count += 1
        return count
