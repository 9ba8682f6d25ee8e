"""Merging: which bios and requests may become one, and where to look for a partner (block/blk-merge.c, elevator.c)."""

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.request import Requests
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    BACK_MERGE,
    FAULT_ELEVATOR,
    FRONT_MERGE,
    NO_MERGE,
    NONE,
    PAGE_SECTOR_SHIFT,
    READ,
    WRITE,
)

HASH_SIZE = 1024
HASH_MASK = HASH_SIZE - 1


class Merger:
    """The merge rules of a queue, a hash of the waiting requests by their end, and the request merged last.

    Two may merge when they touch, have direction and priority in common, carry neither PREFLUSH nor FUA, and stay
    within `max_sectors` and `max_segments` together. Each page of 4 KiB is a segment of its own. `nomerges` 1 leaves
    the plug and the last merged request to try, 2 nothing. A request that has merged into another is left in
    `absorbed`, for the queue to give back.
    """

    def __init__(
        self, engine: Engine, bios: Bios, requests: Requests, max_sectors: int, max_segments: int, nomerges: int
    ) -> None:
        self.engine = engine
        self.bios = bios
        self.requests = requests
        self.max_sectors = max_sectors
        self.max_segments = max_segments
        self.nomerges = nomerges
        self.head = longs(HASH_SIZE, NONE)
        self.after = longs(self.requests.capacity, NONE)
        self.hashed = longs(self.requests.capacity)
        self.last = NONE
        self.absorbed = NONE
        self.back_merges = 0
        self.front_merges = 0
        self.request_merges = 0

    def match(self, request: int, bio: int) -> int:
        """Return how the bio, which may merge, could join the request: at its back, in front, or not at all."""
        if (
            not self.requests.mergeable[request]
            or self.requests.direction[request] != self.bios.direction[bio]
            or self.requests.priority[request] != self.bios.priority[bio]
        ):
            return NO_MERGE
        sectors = self.requests.sectors[request]
        size = self.bios.sectors[bio]
        if sectors + size > self.max_sectors:
            return NO_MERGE
        if self.requests.segments[request] + self.segments_of(size) > self.max_segments:
            return NO_MERGE
        if self.requests.sector[request] + sectors == self.bios.sector[bio]:
            return BACK_MERGE
        if self.bios.sector[bio] + size == self.requests.sector[request]:
            return FRONT_MERGE
        return NO_MERGE

    def join(self, request: int, bio: int, where: int) -> None:
        """Let the bio join the request; who keeps the request sorted does the rest."""
        size = self.bios.sectors[bio]
        if where == BACK_MERGE:
            self.bios.next[bio] = NONE
            self.bios.next[self.requests.last_bio[request]] = bio
            self.requests.last_bio[request] = bio
            self.back_merges += 1
        else:
            self.bios.next[bio] = self.requests.first_bio[request]
            self.requests.first_bio[request] = bio
            self.requests.sector[request] = self.bios.sector[bio]
            self.front_merges += 1
        self.requests.sectors[request] += size
        self.requests.segments[request] += self.segments_of(size)

    def touches(self, request: int, behind: int) -> bool:
        """Tell whether the second request may be merged to the back of the first."""
        return (
            self.requests.mergeable[request] != 0
            and self.requests.mergeable[behind] != 0
            and self.requests.direction[request] == self.requests.direction[behind]
            and self.requests.priority[request] == self.requests.priority[behind]
            and self.requests.sector[request] + self.requests.sectors[request] == self.requests.sector[behind]
            and self.requests.sectors[request] + self.requests.sectors[behind] <= self.max_sectors
            and self.requests.segments[request] + self.requests.segments[behind] <= self.max_segments
        )

    def absorb(self, request: int, behind: int) -> None:
        """Merge the second request to the back of the first, which takes the earlier time of getting a tag."""
        self.bios.next[self.requests.last_bio[request]] = self.requests.first_bio[behind]
        self.requests.last_bio[request] = self.requests.last_bio[behind]
        self.requests.sectors[request] += self.requests.sectors[behind]
        self.requests.segments[request] += self.requests.segments[behind]
        self.requests.first_bio[behind] = NONE
        self.requests.got_ns[request] = min(self.requests.got_ns[request], self.requests.got_ns[behind])
        self.requests.inserted_ns[request] = min(self.requests.inserted_ns[request], self.requests.inserted_ns[behind])
        self.request_merges += 1
        if self.absorbed != NONE:
            self.engine.fail(FAULT_ELEVATOR)
        self.absorbed = behind

    def find_back(self, bio: int) -> int:
        """Return a hashed request to whose back the bio may be merged, or NONE."""
        request = self.head[(self.bios.sector[bio] >> PAGE_SECTOR_SHIFT) & HASH_MASK]
        while request != NONE:
            if self.match(request, bio) == BACK_MERGE:
                return request
            request = self.after[request]
        return NONE

    def find_before(self, request: int) -> int:
        """Return a hashed request to whose back this one may be merged, or NONE."""
        other = self.head[(self.requests.sector[request] >> PAGE_SECTOR_SHIFT) & HASH_MASK]
        while other != NONE:
            if self.touches(other, request):
                return other
            other = self.after[other]
        return NONE

    def add(self, request: int) -> None:
        """Hash a request by its end."""
        if self.nomerges == 0 and self.requests.mergeable[request]:
            end = self.requests.sector[request] + self.requests.sectors[request]
            row = (end >> PAGE_SECTOR_SHIFT) & HASH_MASK
            self.hashed[request] = row + 1
            self.after[request] = self.head[row]
            self.head[row] = request
        if self.last == NONE and self.requests.mergeable[request]:
            self.last = request

    def remove(self, request: int) -> None:
        """Take a request that leaves, or whose end changes, out of the hash."""
        if self.last == request:
            self.last = NONE
        row = self.hashed[request] - 1
        if row < 0:
            return
        self.hashed[request] = 0
        if self.head[row] == request:
            self.head[row] = self.after[request]
            return
        before = self.head[row]
        while before != NONE and self.after[before] != request:
            before = self.after[before]
        if before == NONE:
            self.engine.fail(FAULT_ELEVATOR)
            return
        self.after[before] = self.after[request]

    def may_merge(self, bio: int) -> bool:
        """Tell whether a bio without flags may merge at all: it has data to read or write, and is no piece of one."""
        return self.nomerges < 2 and self.bios.parent[bio] == NONE and self.bios.direction[bio] in (READ, WRITE)

    def segments_of(self, sectors: int) -> int:
        return (sectors + 7) >> PAGE_SECTOR_SHIFT

    def counters(self) -> dict[str, int]:
        """Return the bios merged to a request's back and front, and the requests merged to another."""
        return {
            "back_merges": self.back_merges,
            "front_merges": self.front_merges,
            "request_merges": self.request_merges,
        }
