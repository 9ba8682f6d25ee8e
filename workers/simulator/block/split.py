"""Splitting: a bio that is too large for one request goes down in pieces (bio_split_to_limits, block/blk-merge.c)."""

from workers.simulator.block.bio import Bios
from workers.simulator.engine import Engine
from workers.simulator.kinds import FAULT_BIO_STATE, NONE, PAGE_SECTOR_SHIFT, READ, WRITE


class Splitter:
    """Cuts reads and writes at `max_sectors` and at `max_segments` pages of 4 KiB; a bio ends with its last piece."""

    def __init__(self, engine: Engine, bios: Bios, max_sectors: int, max_segments: int) -> None:
        self.bios = bios
        self.engine = engine
        self.most_sectors = min(max_sectors, max_segments << PAGE_SECTOR_SHIFT)
        self.free = NONE
        for piece in range(bios.rows - 1, bios.capacity - 1, -1):
            self.bios.next[piece] = self.free
            self.free = piece
        self.splits = 0

    def is_too_large(self, bio: int) -> bool:
        if self.bios.sectors[bio] <= self.most_sectors:
            return False
        return self.bios.direction[bio] == READ or self.bios.direction[bio] == WRITE

    def begin(self, bio: int) -> None:
        self.bios.cut_sector[bio] = self.bios.sector[bio]
        self.bios.unended[bio] = (self.bios.sectors[bio] + self.most_sectors - 1) // self.most_sectors

    def next_piece(self, bio: int) -> int:
        """Cut off and return the next piece of a bio, NONE when nothing is left of it."""
        begin = self.bios.cut_sector[bio]
        left = self.bios.sector[bio] + self.bios.sectors[bio] - begin
        if left == 0:
            return NONE
        piece = self.free
        if piece == NONE:
            self.engine.fail(FAULT_BIO_STATE)
            return NONE
        self.free = self.bios.next[piece]
        self.bios.parent[piece] = bio
        self.bios.thread[piece] = self.bios.thread[bio]
        self.bios.direction[piece] = self.bios.direction[bio]
        self.bios.flags[piece] = self.bios.flags[bio]
        self.bios.priority[piece] = self.bios.priority[bio]
        self.bios.sector[piece] = begin
        self.bios.sectors[piece] = min(left, self.most_sectors)
        self.bios.cut_sector[bio] = begin + self.bios.sectors[piece]
        if begin > self.bios.sector[bio]:
            self.splits += 1
        return piece

    def ended(self, first: int) -> int:
        """Take the pieces out of a chain of ended bios; those whose last piece it was stand in their place."""
        kept = NONE
        last = NONE
        while first != NONE:
            bio = first
            first = self.bios.next[first]
            parent = self.bios.parent[bio]
            if parent != NONE:
                self.bios.unended[parent] -= 1
                # Of a split bio, the times are those of the piece that ended last.
                self.bios.got_ns[parent] = self.bios.got_ns[bio]
                self.bios.inserted_ns[parent] = self.bios.inserted_ns[bio]
                self.bios.dispatched_ns[parent] = self.bios.dispatched_ns[bio]
                self.bios.completed_ns[parent] = self.bios.completed_ns[bio]
                self.bios.parent[bio] = NONE
                self.bios.next[bio] = self.free
                self.free = bio
                bio = parent if self.bios.unended[parent] == 0 else NONE
            if bio != NONE:
                if kept == NONE:
                    kept = bio
                else:
                    self.bios.next[last] = bio
                self.bios.next[bio] = NONE
                last = bio
        return kept
