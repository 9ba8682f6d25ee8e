"""Where a volume's sectors lie on its members: linear (dm-linear), RAID 0, 1, 5 and 10 (Linux's md)."""

from workers.simulator.device.volume_kinds import COPIES, LINEAR, RAID0, RAID1, RAID10
from workers.simulator.kinds import NONE


class Layout:
    """Places of a volume on its members, in sectors. `locate` leaves its answer in `member`, `at` and `left`."""

    def __init__(self, volume: int, members: int, chunk: int, member_sectors: int) -> None:
        self.volume = volume
        self.members = members
        self.chunk = chunk
        self.member_sectors = member_sectors
        self.stripe = chunk * max(1, members - 1)  # data of a stripe of RAID 5
        self.member = NONE
        self.at = NONE
        self.left = 0

    def locate(self, sector: int) -> None:
        """Find the (first) member that holds a sector, where there, and how many sectors follow in one piece."""
        if self.volume == RAID1:
            self.member = 0
            self.at = sector
            self.left = self.member_sectors - sector
            return
        if self.volume == LINEAR:
            self.member = sector // self.member_sectors
            self.at = sector % self.member_sectors
            self.left = self.member_sectors - self.at
            return
        chunk = sector // self.chunk
        if self.volume == RAID0:  # map_sector of raid0.c, members of one size: one zone
            self.member = chunk % self.members
            row = chunk // self.members
        elif self.volume == RAID10:  # __raid10_find_phys, near copies side by side
            pairs = self.members // COPIES
            self.member = COPIES * (chunk % pairs)
            row = chunk // pairs
        else:
            row = chunk // (self.members - 1)
            self.member = self.data_member(row, chunk % (self.members - 1))
        self.at = row * self.chunk + sector % self.chunk
        self.left = self.chunk - sector % self.chunk

    def parity_member(self, stripe: int) -> int:
        """Return who has the parity of a stripe (raid5_compute_sector, ALGORITHM_LEFT_SYMMETRIC, md's default)."""
        return self.members - 1 - stripe % self.members

    def data_member(self, stripe: int, index: int) -> int:
        """Return who has a stripe's chunk of that index: they begin behind the parity."""
        return (self.parity_member(stripe) + 1 + index) % self.members
