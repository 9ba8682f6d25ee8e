"""The elevators that the simulated block layer has, by the names that Linux gives them."""

from __future__ import annotations

SCHEDULERS: dict[str, str] = {
    "none": "first come first served in each hardware queue",
    "mq-deadline": "sorted by sector in batches, with a deadline for every request",
}

NR_REQUESTS_MIN = 4
"""BLKDEV_MIN_RQ (include/linux/blkdev.h, 6.12)."""

NR_REQUESTS_MAX = 2048
"""What a queue with an elevator may be set to here; Linux takes what memory allows."""


def nr_requests_range(scheduler: str, queue_depth: int) -> tuple[int, int]:
    """Return the lowest and highest nr_requests of a device with `queue_depth` tags.

    Without an elevator the driver's tags are the requests, so more than the device has cannot be set
    (blk_mq_update_nr_requests, 6.12).
    """
    return min(NR_REQUESTS_MIN, queue_depth), queue_depth if scheduler == "none" else NR_REQUESTS_MAX
