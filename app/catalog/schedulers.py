"""The elevators of the simulated block layer, and the settings of a request queue, by their names in sysfs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.catalog.device_parameters import Definition

SCHEDULERS: dict[str, str] = {
    "none": "first come first served in each software queue",
    "mq-deadline": "sorted by sector in batches, with a deadline for every request",
    "bfq": "budgets for each thread, by weight; waits for sequential I/O, favours the interactive",
    "kyber": "in order, with as many requests in the device as latency targets allow",
}

NR_REQUESTS_MIN = 4
"""BLKDEV_MIN_RQ (include/linux/blkdev.h, 6.12)."""

NR_REQUESTS_MAX = 2048
"""What a queue with an elevator may be set to here; Linux takes what memory allows."""

BLKDEV_DEFAULT_RQ = 128
ANY = 1 << 30


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a request queue or an elevator: what it is, its default, and where that comes from.

    `default` None: it follows from the scheduler and the device, see `queue_defaults`.
    """

    definition: Definition
    default: int | None
    source: str

    @property
    def name(self) -> str:
        """The name in sysfs."""
        return self.definition.name


def _setting(
    name: str, unit: str, meaning: str, allowed: tuple[int, int], default: int | None, source: str, step: int = 1
) -> Setting:
    return Setting(Definition(name, unit, meaning, *allowed, step=step), default, source)


QUEUE_SETTINGS: tuple[Setting, ...] = (
    _setting(
        "max_sectors_kb",
        "KiB",
        "largest request",
        (4, 65_536),
        1280,
        "BLK_DEF_MAX_SECTORS_CAP (include/linux/blkdev.h, 6.12)",
        step=4,
    ),
    _setting(
        "max_segments",
        "segments",
        "most pieces of memory in a request, each a page of 4 KiB; in Linux the driver decides",
        (1, 65_535),
        None,
        "BLK_MAX_SEGMENTS 128, AHCI_MAX_SG 168 (6.12)",
    ),
    _setting(
        "nomerges",
        "",
        "1: merge with the plug's newest and the last merged request only; 2: not at all",
        (0, 2),
        0,
        "Documentation/ABI/stable/sysfs-block (6.12)",
    ),
    _setting(
        "wbt_lat_usec",
        "us",
        "read latency that writeback throttling aims at; 0 is off",
        (0, 10_000_000),
        None,
        "wbt_default_latency_nsec (block/blk-wbt.c, 6.12): 75,000 rotational, 2,000 else; bfq switches it off",
    ),
    _setting(
        "tag_sharers",
        "queues",
        "active queues that share the driver's tags; not in sysfs",
        (1, 1024),
        1,
        "hctx_may_queue (block/blk-mq.h, 6.12)",
    ),
    _setting(
        "elevator_ns",
        "ns",
        "time of each request under the elevator's lock; not in sysfs",
        (0, 1_000_000),
        None,
        "throughput of 32 threads on one lock (J. Axboe, linux-block, January 2024); docs/simulator.md",
    ),
)

_DEADLINE_SOURCE = "block/mq-deadline.c (6.12)"
_MQ_DEADLINE = (
    _setting("read_expire", "ms", "a read is due so long after it came", (0, ANY), 500, _DEADLINE_SOURCE),
    _setting("write_expire", "ms", "a write is due so long after it came", (0, ANY), 5000, _DEADLINE_SOURCE),
    _setting("fifo_batch", "requests", "requests of one direction in a row", (0, ANY), 16, _DEADLINE_SOURCE),
    _setting("writes_starved", "times", "how often reads may go before writes", (0, ANY), 2, _DEADLINE_SOURCE),
    _setting("prio_aging_expire", "ms", "a lower class waits at most so long", (0, ANY), 10_000, _DEADLINE_SOURCE),
    _setting("front_merges", "flag", "1: a bio may join the front of a request", (0, 1), 1, _DEADLINE_SOURCE),
    _setting("async_depth", "requests", "tags for writes and discards; 0: nr_requests", (0, 2048), 0, _DEADLINE_SOURCE),
)

_KYBER_SOURCE = "block/kyber-iosched.c (6.12)"
_KYBER = (
    _setting("read_lat_nsec", "ns", "latency that reads aim at", (1, 1 << 50), 2_000_000, _KYBER_SOURCE),
    _setting("write_lat_nsec", "ns", "latency that writes aim at", (1, 1 << 50), 10_000_000, _KYBER_SOURCE),
)

_BFQ_SOURCE = "block/bfq-iosched.c (6.12)"
_BFQ = (
    _setting("slice_idle", "ms", "longest idling of the device for a queue; 0: none", (0, 10_000), 8, _BFQ_SOURCE),
    _setting("low_latency", "flag", "1: raise the weight of what is interactive", (0, 1), 1, _BFQ_SOURCE),
    _setting("max_budget", "sectors", "largest budget; 0: by the device's rate", (0, ANY), 0, _BFQ_SOURCE),
    _setting("strict_guarantees", "flag", "1: one request at a time, always idling", (0, 1), 0, _BFQ_SOURCE),
    _setting("back_seek_max", "KiB", "how far behind the head is in reach", (0, ANY), 16_384, _BFQ_SOURCE),
    _setting("back_seek_penalty", "times", "what the way back counts", (1, 1 << 20), 2, _BFQ_SOURCE),
    _setting("fifo_expire_sync", "ms", "age at which a synchronous request is due", (0, ANY), 125, _BFQ_SOURCE),
    _setting("fifo_expire_async", "ms", "age at which another request is due", (0, ANY), 250, _BFQ_SOURCE),
    _setting("timeout_sync", "ms", "longest slice of a queue", (1, 10_000), 125, _BFQ_SOURCE),
)

SCHEDULER_SETTINGS: Mapping[str, tuple[Setting, ...]] = MappingProxyType(
    {"none": (), "mq-deadline": _MQ_DEADLINE, "bfq": _BFQ, "kyber": _KYBER}
)

ELEVATOR_NS: Mapping[str, int] = MappingProxyType({"none": 0, "mq-deadline": 1110, "bfq": 1760, "kyber": 0})


def setting_names() -> frozenset[str]:
    """Return every name of a setting, whatever the scheduler."""
    ours = {setting.name for setting in QUEUE_SETTINGS}
    return frozenset(ours.union(*({each.name for each in settings} for settings in SCHEDULER_SETTINGS.values())))


def nr_requests_range(scheduler: str, queue_depth: int) -> tuple[int, int]:
    """Return the lowest and highest nr_requests of a device with `queue_depth` tags.

    Without an elevator the driver's tags are the requests, so more than the device has cannot be set
    (blk_mq_update_nr_requests, 6.12).
    """
    return min(NR_REQUESTS_MIN, queue_depth), queue_depth if scheduler == "none" else NR_REQUESTS_MAX


def queue_defaults(scheduler: str, values: Mapping[str, int | str]) -> dict[str, int]:
    """Return the default of every setting of a queue with this scheduler over a device with these values."""
    depth = int(values["queue_depth"])
    wbt_usec = 75_000 if values["rotational"] else 2_000
    derived = {
        "nr_requests": depth if scheduler == "none" else 2 * min(depth, BLKDEV_DEFAULT_RQ),
        "max_segments": 128 if values["flush_queued"] else 168,
        "wbt_lat_usec": 0 if scheduler == "bfq" else wbt_usec,
        "elevator_ns": ELEVATOR_NS[scheduler],
    }
    fixed = {
        setting.name: setting.default
        for setting in (*QUEUE_SETTINGS, *SCHEDULER_SETTINGS[scheduler])
        if setting.default is not None
    }
    return {**derived, **fixed}


def settings_of(scheduler: str, overrides: Mapping[str, object]) -> tuple[dict[str, int], dict[str, int]]:
    """Return which settings of the queue, and which of its scheduler, a definition's device block changes.

    What is no setting is left out. Raises ValueError naming the key for a value out of range, or for a setting that
    only other schedulers have.
    """
    ours = {setting.name: setting.definition for setting in QUEUE_SETTINGS}
    own = {setting.name: setting.definition for setting in SCHEDULER_SETTINGS[scheduler]}
    queue: dict[str, int] = {}
    options: dict[str, int] = {}
    for name, value in overrides.items():
        if name in ours:
            queue[name] = int(ours[name].check(value))
        elif name in own:
            options[name] = int(own[name].check(value))
        elif name in setting_names():
            having = [other for other, each in SCHEDULER_SETTINGS.items() if name in {one.name for one in each}]
            raise ValueError(f"{name}: {scheduler} has no such setting; {' and '.join(having)} has it")
    return queue, options
