"""The flash translation layer: a page map, and garbage collection that takes the block with the fewest valid pages."""

from functools import lru_cache

from workers.simulator.arrays import ints, ints_of
from workers.simulator.device.tables import BLOCK_PAGES, RATIO_BITS
from workers.simulator.kinds import NONE
from workers.simulator.stream import Streams, seed_of

SPARE_BLOCKS = 2  # beside the over-provisioning: on average the open ones and the free ones are half used
PASSES = 3  # of random overwrites that make the steady state

State = tuple[list[bytes], list[int]]


class Ftl:
    """`pages` logical pages on blocks of 256 pages with a share of spare blocks, in per mille of the logical pages.

    A page that the host writes goes to the host's open block. When that is full, the host gets a free block, and blocks
    are collected until two are free again: of the block with the fewest valid pages these move to another open block,
    and it is erased. `ratio` is how many pages move for each page that the host writes (times 2^16), the mean of about
    the last eight blocks, so that the device can do both side by side, evenly. `written` and `moved` count pages.
    """

    def __init__(self, pages: int, spare_per_mille: int) -> None:
        self.pages = pages
        # Two blocks more than the data fills are the least with which collection always gains room.
        data_blocks = max(-(-pages // BLOCK_PAGES) + 2, -(-pages * (1000 + spare_per_mille) // (1000 * BLOCK_PAGES)))
        self.blocks = data_blocks + SPARE_BLOCKS
        self.where = ints(pages, NONE)
        self.holds = ints(self.blocks * BLOCK_PAGES, NONE)
        self.valid = ints(self.blocks)
        # Full blocks, in one list for each number of valid pages.
        self.first_of = ints(BLOCK_PAGES + 1, NONE)
        self.next = ints(self.blocks, NONE)
        self.previous = ints(self.blocks, NONE)
        self.least_valid = 0
        self.free = ints(self.blocks)
        for block in range(self.blocks):
            self.free[block] = self.blocks - 1 - block
        self.free_blocks = self.blocks
        self.host_block = self.take_free()
        self.host_used = 0
        self.move_block = self.take_free()
        self.move_used = 0
        self.ratio = 0
        self.moved_for_block = 0
        self.written = 0
        self.moved = 0
        self.erased = 0
        # The counts at the last two powers of two: the earlier one parts the run into a half or less, and the rest.
        self.early_written = 0
        self.early_moved = 0
        self.mark_written = 1
        self.mark_moved = 0
        self.moved_before = 0

    def write(self, page: int) -> None:
        self.invalidate(page)
        self.put(page, self.host_block, self.host_used)
        self.host_used += 1
        self.written += 1
        if self.written == self.mark_written << 1:
            self.early_written = self.mark_written
            self.early_moved = self.mark_moved
            self.mark_written = self.written
            self.mark_moved = self.moved_by_now()
        if self.host_used == BLOCK_PAGES:
            self.open_next()

    def moved_by_now(self) -> int:
        """Return the pages moved when the collection for a block goes along with the host's writes to it."""
        return self.moved - self.moved_for_block * (BLOCK_PAGES - self.host_used) // BLOCK_PAGES

    def trim(self, page: int) -> None:
        self.invalidate(page)
        self.where[page] = NONE

    def invalidate(self, page: int) -> None:
        place = self.where[page]
        if place == NONE:
            return
        self.holds[place] = NONE
        block = place // BLOCK_PAGES
        if block in (self.host_block, self.move_block):
            self.valid[block] -= 1
        else:
            self.unlist(block)
            self.valid[block] -= 1
            self.enlist(block)

    def put(self, page: int, block: int, used: int) -> None:
        position = block * BLOCK_PAGES + used
        self.where[page] = position
        self.holds[position] = page
        self.valid[block] += 1

    def open_next(self) -> None:
        """The host's block is full: take a free one, and collect until there are two of them again."""
        self.enlist(self.host_block)
        self.host_block = self.take_free()
        self.host_used = 0
        before = self.moved
        while self.free_blocks < 2:
            self.collect()
        self.moved_for_block = self.moved - before
        latest = (self.moved_for_block << RATIO_BITS) // BLOCK_PAGES
        self.ratio = (7 * self.ratio + latest) >> 3

    def take_free(self) -> int:
        self.free_blocks -= 1
        return self.free[self.free_blocks]

    def collect(self) -> None:
        """Move what is valid of the cheapest block, and erase it; that takes at most one free block and gives one."""
        while self.first_of[self.least_valid] == NONE:
            self.least_valid += 1
        victim = self.first_of[self.least_valid]
        self.moved += self.valid[victim]
        self.unlist(victim)
        start = victim * BLOCK_PAGES
        for position in range(start, start + BLOCK_PAGES):
            page = self.holds[position]
            if page != NONE:
                self.holds[position] = NONE
                if self.move_used == BLOCK_PAGES:
                    self.enlist(self.move_block)
                    self.move_block = self.take_free()
                    self.move_used = 0
                self.put(page, self.move_block, self.move_used)
                self.move_used += 1
        self.valid[victim] = 0
        self.free[self.free_blocks] = victim
        self.free_blocks += 1
        self.erased += 1

    def enlist(self, block: int) -> None:
        valid = self.valid[block]
        first = self.first_of[valid]
        self.next[block] = first
        self.previous[block] = NONE
        if first != NONE:
            self.previous[first] = block
        self.first_of[valid] = block
        self.least_valid = min(self.least_valid, valid)

    def unlist(self, block: int) -> None:
        before = self.previous[block]
        after = self.next[block]
        if before == NONE:
            self.first_of[self.valid[block]] = after
        else:
            self.next[before] = after
        if after != NONE:
            self.previous[after] = before

    def fill(self) -> None:
        """Write every page once, in order."""
        for page in range(self.pages):
            self.write(page)

    def overwrite(self, draws: Streams, count: int) -> None:
        """Write so many times a page drawn at random."""
        for _ in range(count):
            self.write(draws.below(0, self.pages))

    def amplifications(self) -> tuple[float, float]:
        """Return the amplification of the first pages written, between a quarter and a half of all, and of the rest."""
        late = self.written - self.early_written
        if self.early_written == 0 or late == 0:
            return 1.0, 1.0
        early_moved = self.early_moved - self.moved_before
        late_moved = self.moved_by_now() - self.early_moved
        return 1 + float(early_moved) / self.early_written, 1 + float(late_moved) / late

    def verify(self) -> bool:
        """Tell whether the map and its inverse agree and every block's count is right."""
        for page in range(self.pages):
            if self.where[page] != NONE and self.holds[self.where[page]] != page:
                return False
        total = 0
        for block in range(self.blocks):
            count = 0
            for position in range(block * BLOCK_PAGES, (block + 1) * BLOCK_PAGES):
                if self.holds[position] != NONE:
                    count += 1
            if count != self.valid[block]:
                return False
            total += count
        mapped = 0
        for page in range(self.pages):
            if self.where[page] != NONE:
                mapped += 1
        return mapped == total

    def snapshot(self) -> State:
        """Return the state of the map, without the counts."""
        # Not one tuple of all: compiled, it would be taken for a C struct.
        arrays = [bytes(self.where), bytes(self.holds), bytes(self.valid), bytes(self.first_of)]
        arrays += [bytes(self.next), bytes(self.previous), bytes(self.free)]
        numbers = [self.least_valid, self.free_blocks, self.host_block, self.host_used]
        numbers += [self.move_block, self.move_used, self.ratio, self.moved_for_block]
        return arrays, numbers

    def restore(self, state: State) -> None:
        """Take over a state that a map of the same size has returned."""
        arrays, numbers = state
        self.where = ints_of(arrays[0])
        self.holds = ints_of(arrays[1])
        self.valid = ints_of(arrays[2])
        self.first_of = ints_of(arrays[3])
        self.next = ints_of(arrays[4])
        self.previous = ints_of(arrays[5])
        self.free = ints_of(arrays[6])
        self.least_valid, self.free_blocks, self.host_block, self.host_used = numbers[:4]
        self.move_block, self.move_used, self.ratio, self.moved_for_block = numbers[4:]
        self.moved_before = self.moved_by_now()
        self.mark_moved = self.moved_before


EMPTY, FILLED, STEADY = range(3)  # as the words of the parameter `precondition`


def preconditioned(pages: int, spare_per_mille: int, precondition: int) -> Ftl:
    """Return a map that is empty, or written once in order, or beyond that in the steady state of random overwrites."""
    ftl = Ftl(pages, spare_per_mille)
    if precondition != EMPTY:
        ftl.restore(_state(pages, spare_per_mille, precondition))
    return ftl


@lru_cache(maxsize=2)
def _state(pages: int, spare_per_mille: int, precondition: int) -> State:
    # The same for every run: a device comes to each experiment as it was prepared.
    ftl = Ftl(pages, spare_per_mille)
    ftl.fill()
    if precondition == STEADY:
        ftl.overwrite(Streams([seed_of(0, "precondition")]), PASSES * pages)
    return ftl.snapshot()
