"""The elevators that the simulated block layer has, by the names that Linux gives them."""

from __future__ import annotations

SCHEDULERS: dict[str, str] = {
    "none": "first come first served in each hardware queue",
    "mq-deadline": "sorted by sector in batches, with a deadline for every request",
}
