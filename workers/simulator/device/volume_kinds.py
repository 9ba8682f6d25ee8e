"""The kinds of volume and what they hold: plain numbers that compiled modules share."""

VOLUMES = ("linear", "raid0", "raid1", "raid5", "raid10")
LINEAR = 0
RAID0 = 1
RAID1 = 2
RAID5 = 3
RAID10 = 4

COPIES = 2  # of RAID 10, near layout


def member_share(volume: int, member_bytes: int, chunk_bytes: int) -> int:
    """Return how many bytes of a member are used: whole chunks, where there are any (raid0.c, raid5_size)."""
    return member_bytes if volume in (LINEAR, RAID1) else member_bytes // chunk_bytes * chunk_bytes


def capacity(volume: int, members: int, member_bytes: int, chunk_bytes: int) -> int:
    """Return the capacity of a volume in bytes; what md's superblock takes (data offset) is left out."""
    data = {LINEAR: members, RAID0: members, RAID1: 1, RAID5: members - 1, RAID10: members // COPIES}
    return data[volume] * member_share(volume, member_bytes, chunk_bytes)
