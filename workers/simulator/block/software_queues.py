"""The software queues, one a CPU, that requests stand in where no elevator sorts them (the kernel's blk_mq_ctx)."""

from workers.simulator.arrays import longs
from workers.simulator.block.merge import Merger
from workers.simulator.block.request import Requests
from workers.simulator.kinds import NO_MERGE, NONE

NEWEST_TRIED = 8  # blk_bio_list_merge


class SoftwareQueues:
    """`kinds` lists a CPU, each in order of arrival; a bio may merge with one of the eight newest of its list.

    CPU c belongs to hardware queue c modulo `hctxs`; `taken_from` finds the next that has something, in turn.
    """

    def __init__(self, requests: Requests, merger: Merger, kinds: int) -> None:
        self.requests = requests
        self.merger = merger
        self.kinds = kinds
        self.ctxs = self.requests.ctxs
        self.hctxs = self.requests.hctxs
        self.head = longs(self.ctxs * kinds, NONE)
        self.tail = longs(self.ctxs * kinds, NONE)
        self.count = longs(self.hctxs * kinds)
        self.turn = longs(self.hctxs * kinds, NONE)
        for hctx in range(self.hctxs):
            for kind in range(kinds):
                self.turn[hctx * kinds + kind] = hctx

    def merge(self, ctx: int, kind: int, bio: int) -> bool:
        """Let a bio join one of the newest requests of its CPU's list."""
        request = self.tail[ctx * self.kinds + kind]
        tried = 0
        while request != NONE and tried < NEWEST_TRIED:
            where = self.merger.match(request, bio)
            if where != NO_MERGE:
                self.merger.join(request, bio, where)
                return True
            request = self.requests.previous[request]
            tried += 1
        return False

    def add(self, request: int, kind: int) -> None:
        row = self.requests.ctx[request] * self.kinds + kind
        self.requests.next[request] = NONE
        self.requests.previous[request] = self.tail[row]
        if self.tail[row] == NONE:
            self.head[row] = request
        else:
            self.requests.next[self.tail[row]] = request
        self.tail[row] = request
        self.count[self.requests.hctx[request] * self.kinds + kind] += 1

    def take(self, hctx: int, kind: int) -> int:
        """Take the oldest request of the next CPU's list that has one, or return NONE."""
        place = hctx * self.kinds + kind
        if self.count[place] == 0:
            return NONE
        ctx = self.turn[place]
        while self.head[ctx * self.kinds + kind] == NONE:
            ctx = self.following(ctx, hctx)
        self.turn[place] = self.following(ctx, hctx)
        row = ctx * self.kinds + kind
        request = self.head[row]
        after = self.requests.next[request]
        self.head[row] = after
        if after == NONE:
            self.tail[row] = NONE
        else:
            self.requests.previous[after] = NONE
        self.count[place] -= 1
        return request

    def following(self, ctx: int, hctx: int) -> int:
        return ctx + self.hctxs if ctx + self.hctxs < self.ctxs else hctx
