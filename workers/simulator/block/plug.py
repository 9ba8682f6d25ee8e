"""Plugging: a thread that submits several I/Os in one call keeps them to itself (the kernel's blk_plug)."""

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.kinds import NO_MERGE, NONE

BLK_MAX_REQUEST_COUNT = 32  # of a plug over one queue (block/blk-mq.c)
BLK_PLUG_FLUSH_SECTORS = 256  # BLK_PLUG_FLUSH_SIZE, 128 KiB


class Plugs:
    """One list of requests a thread, in order of submission.

    A bio merges with the newest request only. The list has to be flushed before a further request is added when it
    holds 32, or when its newest is of 128 KiB or more; also when the thread sleeps, and when the call ends.
    """

    def __init__(self, bios: Bios, requests: Requests, merger: Merger, threads: int) -> None:
        self.bios = bios
        self.requests = requests
        self.merger = merger
        self.active = longs(threads)
        self.head = longs(threads, NONE)
        self.tail = longs(threads, NONE)
        self.count = longs(threads)
        self.merges = 0
        self.flushed = 0
        self.held = 0

    def merge(self, thread: int, bio: int) -> bool:
        """Merge a bio with the thread's newest request, if that is possible."""
        newest = self.tail[thread]
        if newest == NONE:
            return False
        where = self.merger.match(newest, bio)
        if where == NO_MERGE:
            return False
        self.merger.join(newest, bio, where)
        self.merges += 1
        return True

    def is_full(self, thread: int) -> bool:
        """Tell whether the list must be flushed before a request is added."""
        if self.count[thread] >= BLK_MAX_REQUEST_COUNT:
            return True
        newest = self.tail[thread]
        return newest != NONE and self.merger.nomerges < 2 and self.requests.sectors[newest] >= BLK_PLUG_FLUSH_SECTORS

    def add(self, thread: int, request: int) -> None:
        self.requests.next[request] = NONE
        if self.head[thread] == NONE:
            self.head[thread] = request
        else:
            self.requests.next[self.tail[thread]] = request
        self.tail[thread] = request
        self.count[thread] += 1
        self.held += 1

    def take(self, thread: int) -> int:
        """Return the oldest request of the list and take it off, or NONE."""
        request = self.head[thread]
        if request != NONE:
            self.head[thread] = self.requests.next[request]
            if self.head[thread] == NONE:
                self.tail[thread] = NONE
                self.flushed += 1
            self.count[thread] -= 1
            self.held -= 1
        return request

    def counters(self) -> dict[str, int]:
        """Return the bios merged in a plug, and the plugs flushed with something in them."""
        return {"plug_merges": self.merges, "plug_flushes": self.flushed}
