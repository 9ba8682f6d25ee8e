"""What a request queue is allowed: its settings as sysfs has them, with the kernel's defaults filled in."""

from collections.abc import Mapping
from dataclasses import dataclass

from workers.simulator.kinds import SECTOR_BYTES
from workers.simulator.parameters import QueueParameters

BLKDEV_DEFAULT_RQ = 128  # include/linux/blkdev.h
PAGE_BYTES = 4096
PAGE_SECTORS = PAGE_BYTES // SECTOR_BYTES
MAX_SECTORS_CAP_KB = 1280  # BLK_DEF_MAX_SECTORS_CAP, 2560 sectors
MAX_SEGMENTS = 128  # BLK_MAX_SEGMENTS, which the nvme driver asks for as well
AHCI_MAX_SEGMENTS = 168  # AHCI_MAX_SG (drivers/ata/ahci.h)
WBT_LAT_ROTATIONAL_USEC = 75_000  # wbt_default_latency_nsec
WBT_LAT_USEC = 2_000


def default_nr_requests(scheduler: str, hw_depth: int) -> int:
    """Return nr_requests as Linux 6.12 sets it: 2 x min(hw depth, 128) with an elevator, else the hw depth."""
    return hw_depth if scheduler == "none" else 2 * min(hw_depth, BLKDEV_DEFAULT_RQ)


def shared_depth(hw_depth: int, sharers: int) -> int:
    """Return the driver tags that a queue may use when so many active ones share them (hctx_may_queue)."""
    return hw_depth if sharers == 1 else min(hw_depth, max(-(-hw_depth // sharers), 4))


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many hardware queues and tags there are, how large a request may be, and what a flush means.

    The rows of the requests from `first_flush_row` on are kept for flush commands, one a hardware queue in use.
    `wbt_lat_ns` 0 switches writeback throttling off. Every request spends `elevator_ns` under the elevator's lock.
    """

    has_elevator: bool
    hw_queues: int
    hw_depth: int
    nr_requests: int
    max_sectors: int
    max_segments: int
    nomerges: int
    wbt_lat_ns: int
    elevator_ns: int
    write_cache: bool
    fua: bool
    flush_queued: bool
    first_flush_row: int

    @classmethod
    def of(
        cls, queue: QueueParameters, values: Mapping[str, int], elevator_ns: int, first_flush_row: int
    ) -> "QueueLimits":
        """Return the limits of a queue over a device; `elevator_ns` is the elevator's own default."""
        rotational = values["rotational"] == 1
        wbt_usec = WBT_LAT_ROTATIONAL_USEC if rotational else WBT_LAT_USEC
        if queue.wbt_lat_usec is not None:
            wbt_usec = queue.wbt_lat_usec
        elif queue.scheduler == "bfq":
            wbt_usec = 0  # bfq_init_queue calls wbt_disable_default
        return cls(
            has_elevator=queue.scheduler != "none",
            hw_queues=values["hw_queues"],
            hw_depth=shared_depth(values["queue_depth"], queue.tag_sharers),
            nr_requests=queue.nr_requests or default_nr_requests(queue.scheduler, values["queue_depth"]),
            max_sectors=max_sectors(queue),
            max_segments=max_segments(queue, values),
            nomerges=queue.nomerges,
            wbt_lat_ns=wbt_usec * 1000,
            elevator_ns=elevator_ns if queue.elevator_ns is None else queue.elevator_ns,
            write_cache=values["write_cache"] == 1,
            fua=values["fua"] == 1,
            flush_queued=values["flush_queued"] == 1,
            first_flush_row=first_flush_row,
        )


def max_sectors(queue: QueueParameters) -> int:
    """Return the largest request in sectors."""
    return queue.max_sectors_kb * 1024 // SECTOR_BYTES


def max_segments(queue: QueueParameters, values: Mapping[str, int]) -> int:
    """Return the most pieces of memory of a request: a flush that excludes others tells an AHCI disk."""
    return queue.max_segments or (MAX_SEGMENTS if values["flush_queued"] == 1 else AHCI_MAX_SEGMENTS)


def piece_sectors(queue: QueueParameters, values: Mapping[str, int]) -> int:
    """Return the largest bio that needs no splitting, in sectors: memory is taken to be scattered pages of 4 KiB."""
    return min(max_sectors(queue), max_segments(queue, values) * PAGE_SECTORS)
