"""Volumes over several equal devices: what they are called, and what they make of their members' values."""

from collections.abc import Mapping
from types import MappingProxyType

from app.catalog.device_parameters import Definition

VOLUMES: Mapping[str, str] = MappingProxyType(
    {
        "linear": "one member after the other (LVM, dm-linear)",
        "raid0": "striped (md)",
        "raid1": "mirrored over all members (md)",
        "raid5": "striped with rotating parity, left-symmetric (md)",
        "raid10": "striped over mirrored pairs, near layout (md)",
    }
)
LEAST_MEMBERS = {"linear": 1, "raid0": 2, "raid1": 2, "raid5": 3, "raid10": 4}
QUEUE_DEPTH_MAX = 10_240  # BLK_MQ_MAX_DEPTH
CHUNK_KIB_DEFAULT = 512  # mdadm's default

DEFINITIONS: Mapping[str, Definition] = MappingProxyType(
    {
        "volume": Definition("volume", "", "how several of the device are put together", words=tuple(VOLUMES)),
        "members": Definition("members", "devices", "how many of them", 1, 32),
        "chunk_kib": Definition("chunk_kib", "KiB", "consecutive data on one member, a power of two", 4, 65_536),
    }
)


def composed(values: Mapping[str, int | str], given: Mapping[str, object]) -> dict[str, int | str]:
    """Return the values of a volume over devices of these values; ValueError names the key.

    `capacity_bytes`, `queue_depth` and `flush_queued` become the volume's, `member_bytes` and so on are each member's.
    md has no queue of its own: as many commands fit in it as in all members, and a flush excludes nothing. RAID 5 has
    no discard, which md takes only when told that it is safe (raid456's devices_handle_discard_safely).
    """
    if not given:
        return dict(values)
    if "volume" not in given:
        raise ValueError(f"{next(iter(given))}: it belongs to a volume; give volume too ({', '.join(VOLUMES)})")
    volume = str(DEFINITIONS["volume"].check(given["volume"]))
    if "members" not in given:
        raise ValueError(f"members: {volume} needs the number of its members")
    members = int(DEFINITIONS["members"].check(given["members"]))
    chunk_kib = int(DEFINITIONS["chunk_kib"].check(given.get("chunk_kib", CHUNK_KIB_DEFAULT)))
    if members < LEAST_MEMBERS[volume]:
        raise ValueError(f"members: {volume} needs at least {LEAST_MEMBERS[volume]}, not {members}")
    if volume == "raid10" and members % 2:
        raise ValueError(f"members: raid10 needs an even number, not {members}")
    if chunk_kib & (chunk_kib - 1):
        raise ValueError(f"chunk_kib: {chunk_kib} is no power of two")
    member_bytes = int(values["capacity_bytes"])
    whole = member_bytes // (chunk_kib << 10) * (chunk_kib << 10)
    capacity = {
        "linear": members * member_bytes,
        "raid0": members * whole,
        "raid1": member_bytes,
        "raid5": (members - 1) * whole,
        "raid10": members // 2 * whole,
    }[volume]
    made = {**values, "volume": volume, "members": members, "chunk_bytes": chunk_kib << 10}
    depth = int(values["queue_depth"])
    made |= {"member_bytes": member_bytes, "capacity_bytes": capacity}
    made |= {"member_queue_depth": depth, "queue_depth": min(depth * members, QUEUE_DEPTH_MAX)}
    made |= {"member_flush_queued": values["flush_queued"], "flush_queued": 1}
    return made | ({"discard": 0} if volume == "raid5" else {})
