"""What the elevator and the device see (the kernel's request): one contiguous range and the bios it carries."""

from workers.simulator.arrays import longs
from workers.simulator.kinds import FREE, IOPRIO_CLASS_BE, IOPRIO_CLASS_SHIFT, IOPRIO_NORM, NONE


class Requests:
    """One row a request that can be in use at once.

    No request exceeds `largest_sectors`, and all that are in use at once `total_sectors`, which bounds what devices
    have to make room for. Sectors are 512 bytes, times nanoseconds. `ctx` is the software queue (the CPU that
    submitted), whose task has an ioprio in `task_priority` and the weight of its control group, or 0, in `task_weight`;
    `hctx` is the hardware queue; `segments` are pieces of memory; `mergeable` tells whether others may join. `next` and
    `previous` belong to the list that holds the request: the free list, a plug, an elevator's FIFO, a dispatch list or
    a list inside the device, never two at a time.
    """

    def __init__(
        self, capacity: int, largest_sectors: int, ctxs: int = 1, hctxs: int = 1, total_sectors: int | None = None
    ) -> None:
        self.capacity = capacity
        self.largest_sectors = largest_sectors
        self.total_sectors = capacity * largest_sectors if total_sectors is None else total_sectors
        self.ctxs = ctxs
        self.hctxs = hctxs
        self.task_priority = longs(ctxs, IOPRIO_CLASS_BE << IOPRIO_CLASS_SHIFT | IOPRIO_NORM)
        self.task_weight = longs(ctxs)
        self.state = longs(capacity, FREE)
        self.direction = longs(capacity)
        self.sector = longs(capacity)
        self.sectors = longs(capacity)
        self.priority = longs(capacity)
        self.flags = longs(capacity)
        self.segments = longs(capacity)
        self.mergeable = longs(capacity)
        self.ctx = longs(capacity)
        self.hctx = longs(capacity)
        self.first_bio = longs(capacity, NONE)
        self.last_bio = longs(capacity, NONE)
        self.got_ns = longs(capacity)
        self.inserted_ns = longs(capacity)
        self.dispatched_ns = longs(capacity)
        self.next = longs(capacity, NONE)
        self.previous = longs(capacity, NONE)
