"""A flash device: link, controller, write buffer, a map with garbage collection, and dies behind channels."""

from collections.abc import Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.device.dies import Dies
from workers.simulator.device.ftl import EMPTY, FILLED, STEADY, preconditioned
from workers.simulator.device.tables import (
    ADMITTED,
    CHANNEL_DONE,
    DIE_DONE,
    FLUSH_READY,
    KIND_BITS,
    PROGRAM_DONE,
    RATIO_BITS,
)
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    EVENT_COMPLETE,
    EVENT_DEVICE,
    FLUSH,
    FUA,
    MASK_64,
    NONE,
    READ,
    SECTOR_BYTES,
    SPLITMIX_GAMMA,
    TRIM,
)
from workers.simulator.parameters import Range
from workers.simulator.stream import Streams

PARAMETERS: dict[str, Range] = {
    "channels": (1, 256),
    "dies_per_channel": (1, 256),
    "stripe_bytes": (4096, 1 << 20),
    "page_types": (1, 3),
    "first_page_read_ns": (0, 10_000_000),
    "second_page_read_ns": (0, 10_000_000),
    "third_page_read_ns": (0, 10_000_000),
    "read_retry_per_million": (0, 1_000_000),
    "read_retry_ns": (0, 100_000_000),
    "program_ns": (0, 1_000_000_000),
    "program_bytes": (4096, 16 << 20),
    "program_suspend": ("no", "yes"),
    "program_suspend_ns": (0, 100_000_000),
    "erase_ns": (0, 1_000_000_000),
    "block_bytes": (65_536, 1 << 30),
    "channel_bytes_per_s": (1_000_000, 1_000_000_000_000),
    "link_bytes_per_s": (1_000_000, 1_000_000_000_000),
    "controller_ns": (0, 100_000_000),
    "controller_busy_ns": (0, 100_000_000),
    "buffer_write_ns": (0, 100_000_000),
    "write_buffer_bytes": (1 << 20, 1 << 40),
    "collection": ("no", "yes"),
    "over_provisioning_per_mille": (20, 10_000),
    "precondition": ("empty", "sequential", "random", "workload"),
    "mapped_pages": (32_768, 1 << 22),
    "power_loss_protection": ("no", "yes"),
    "flush_ns": (0, 1_000_000_000),
}

PAGE_SECTORS = 8
WRITE_STREAMS = 8
MOST_PIECES = 1 << 20

# A run has drifted when the amplification of its later half differs so much from that before; of fewer pages than this
# nothing can be said (a collection takes some 50 of them).
DRIFT_LIMIT = 0.15
DRIFT_PAGES = 1_000
MIXED = 0.1  # share of random writes from which on a run counts as random


class Flash(Device):
    """Reads wait for their die, then for its channel, then for the link; each first come, first served.

    A command passes the controller, which takes one every `controller_busy_ns` and adds `controller_ns`. A read is
    split at `stripe_bytes`; stripes lie on channels, then dies, in turn.

    A write is complete `buffer_write_ns` after the link has carried it into the write buffer; while that is full,
    writes wait. The buffer is programmed in units of `program_bytes`, one at a time a die. With `collection` a page map
    decides how many pages move for each that is written; they are programmed side by side with the host's, each unit
    after a read. After `block_bytes` of programs one takes `erase_ns` more. The map follows one page of 4 KiB in each
    group of so many that there are at most `mapped_pages` of them, a random one of its group, for all others.

    With power-loss protection the buffer counts as the medium: a flush takes `flush_ns`, and FUA nothing more.
    Without, a flush waits until all that had been accepted is programmed, the last unit partly filled if need be, and
    then takes `flush_ns`; a write with FUA ends when its own data is programmed.
    """

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], seed: int) -> None:
        super().__init__(engine, requests)
        count = self.requests.capacity
        self.stripe_sectors = values["stripe_bytes"] // SECTOR_BYTES
        pieces = self.requests.total_sectors // self.stripe_sectors + 2 * count
        if pieces > MOST_PIECES:
            raise ValueError(
                f"jobs.iodepth: {self.requests.total_sectors * SECTOR_BYTES} bytes outstanding in {count} requests are"
                f" {pieces} stripes at once; at most {MOST_PIECES}"
            )
        self.program_sectors = values["program_bytes"] // SECTOR_BYTES
        # With less, a large write would wait for ever behind a part of a unit that is never programmed alone.
        least_sectors = self.requests.largest_sectors + self.program_sectors
        self.buffer_sectors = max(values["write_buffer_bytes"] // SECTOR_BYTES, least_sectors)
        self.dies = Dies(engine, values, seed, pieces)
        self.die_count = values["channels"] * values["dies_per_channel"]
        # A die or channel event for each piece, an admission or flush for each request, a program for each die.
        self.engine.reserve(pieces + count + self.die_count)
        self.remaining = longs(count)  # pieces of a read
        self.link_sector_ps = SECTOR_BYTES * 1_000_000_000_000 // values["link_bytes_per_s"]
        self.controller_ns = values["controller_ns"]
        self.controller_busy_ns = values["controller_busy_ns"]
        self.buffer_write_ns = values["buffer_write_ns"]
        self.controller_free_ns = 0
        self.link_in_free_ns = 0
        self.link_out_free_ns = 0
        self.buffered = 0  # sectors in the write buffer, until their program has ended
        self.unprogrammed = 0  # of these, sectors not yet given to a die
        self.waiting_head = NONE
        self.waiting_tail = NONE
        self.buffer_waits = 0
        self._set_up_map(values)
        # Positions in the sequence of all host sectors: accepted so far, to be programmed without waiting for more;
        # and where the unit begins that each die programs.
        self.protected = values["power_loss_protection"]
        self.flush_ns = values["flush_ns"]
        self.accepted = 0
        self.hurry_to = 0
        self.unit_begin = longs(self.die_count, NONE)
        self.durable_at = longs(count)
        self.durable_head = NONE
        self.durable_tail = NONE
        self.flushes = 0

    def _set_up_map(self, values: Mapping[str, int]) -> None:
        self.collects = values["collection"]
        self.capacity_bytes = values["capacity_bytes"]
        pages = values["capacity_bytes"] // (SECTOR_BYTES * PAGE_SECTORS)
        self.group_pages = -(-pages // values["mapped_pages"])
        groups = -(-pages // self.group_pages)
        self.precondition = min(values["precondition"], STEADY)  # with `workload` the machine has chosen before
        self.ftl = preconditioned(
            groups if self.collects else 1, values["over_provisioning_per_mille"], self.precondition
        )
        self.draws = Streams([0])
        self.collection_read_ns = values["second_page_read_ns" if values["page_types"] > 1 else "first_page_read_ns"]
        self.erase_ns = values["erase_ns"]
        self.block_units = max(1, values["block_bytes"] // values["program_bytes"])
        self.units_until_erase = self.block_units
        self.stream_end = longs(WRITE_STREAMS, NONE)
        self.stream_turn = 0
        self.sequential = 0  # of the sectors accepted, those that continued one of the last few streams
        self.collected = 0  # sectors to be moved, times 2^16
        self.collection_programs = 0
        self.erases = 0

    def submit(self, request: int) -> None:
        start_ns = max(self.engine.now_ns, self.controller_free_ns)
        self.controller_free_ns = start_ns + self.controller_busy_ns
        ready_ns = start_ns + self.controller_busy_ns + self.controller_ns
        direction = self.requests.direction[request]
        if direction == READ:
            self.read(request, ready_ns)
        elif direction == FLUSH:
            self.engine.schedule(ready_ns, EVENT_DEVICE, (request << KIND_BITS) | FLUSH_READY)
        elif direction == TRIM:
            self.map(request, True)
            self.engine.schedule(ready_ns, EVENT_COMPLETE, request)
        elif self.waiting_head == NONE and self.buffered + self.requests.sectors[request] <= self.buffer_sectors:
            self.admit(request, ready_ns)
        else:
            self.buffer_waits += 1
            self.requests.next[request] = NONE
            if self.waiting_head == NONE:
                self.waiting_head = request
            else:
                self.requests.next[self.waiting_tail] = request
            self.waiting_tail = request

    def wake(self, argument: int) -> None:
        kind = argument & 7
        subject = argument >> KIND_BITS
        if kind == DIE_DONE:
            self.dies.die_done(subject)
        elif kind == CHANNEL_DONE:
            self.piece_done(self.dies.channel_done(subject))
        elif kind == PROGRAM_DONE:
            self.program_done(subject)
        elif kind == ADMITTED:
            self.admitted(subject)
        else:
            self.flush(subject)

    def read(self, request: int, ready_ns: int) -> None:
        sector = self.requests.sector[request]
        left = self.requests.sectors[request]
        self.remaining[request] = 0
        while left > 0:
            sectors = min(left, self.stripe_sectors - sector % self.stripe_sectors)
            self.remaining[request] += 1
            self.dies.read(request, (sector // self.stripe_sectors) % self.die_count, sectors, ready_ns)
            sector += sectors
            left -= sectors

    def piece_done(self, request: int) -> None:
        self.remaining[request] -= 1
        if self.remaining[request] > 0:
            return
        transfer_ns = self.requests.sectors[request] * self.link_sector_ps // 1000
        self.link_out_free_ns = max(self.engine.now_ns, self.link_out_free_ns) + transfer_ns
        self.engine.schedule(self.link_out_free_ns, EVENT_COMPLETE, request)

    def admit(self, request: int, ready_ns: int) -> None:
        """Reserve room in the write buffer and let the link carry the data."""
        self.buffered += self.requests.sectors[request]
        transfer_ns = self.requests.sectors[request] * self.link_sector_ps // 1000
        self.link_in_free_ns = max(ready_ns, self.link_in_free_ns) + transfer_ns
        self.engine.schedule(self.link_in_free_ns, EVENT_DEVICE, (request << KIND_BITS) | ADMITTED)

    def admitted(self, request: int) -> None:
        sectors = self.requests.sectors[request]
        self.unprogrammed += sectors
        self.accepted += sectors
        if self.continues_stream(self.requests.sector[request], self.requests.sector[request] + sectors):
            self.sequential += sectors
        self.map(request, False)
        self.collected += sectors * self.ftl.ratio
        if self.requests.flags[request] & FUA and not self.protected:
            self.await_durable(request)
        else:
            self.engine.schedule(self.engine.now_ns + self.buffer_write_ns, EVENT_COMPLETE, request)
        self.start_programs()

    def map(self, request: int, trims: bool) -> None:
        """Tell the map of a write or discard, for the pages of it that the map follows."""
        if not self.collects:
            return
        first = self.requests.sector[request] // PAGE_SECTORS
        last = (self.requests.sector[request] + self.requests.sectors[request] - 1) // PAGE_SECTORS
        for group in range(first // self.group_pages, last // self.group_pages + 1):
            followed = group * self.group_pages + self.place_in(group)
            if first <= followed <= last:
                if trims:
                    self.ftl.trim(group)
                else:
                    self.ftl.write(group)

    def place_in(self, group: int) -> int:
        """Return which page of a group the map follows."""
        bits = self.draws.mix((group * SPLITMIX_GAMMA) & MASK_64)
        return ((bits >> 32) * self.group_pages) >> 32

    def continues_stream(self, sector: int, end: int) -> bool:
        """Tell whether a write begins where one of the last few streams of writes ended, and note where it ends."""
        for stream in range(WRITE_STREAMS):
            if self.stream_end[stream] == sector:
                self.stream_end[stream] = end
                return True
        self.stream_end[self.stream_turn] = end
        self.stream_turn = (self.stream_turn + 1) % WRITE_STREAMS
        return False

    def start_programs(self) -> None:
        # Collection goes first: without it there is no clean page for the host's data.
        while self.dies.idle_count > 0 and self.collected >= self.program_sectors << RATIO_BITS:
            self.collected -= self.program_sectors << RATIO_BITS
            self.collection_programs += 1
            self.dies.program(0, self.collection_read_ns + self.erase_time_ns())
        while self.dies.idle_count > 0 and self.unprogrammed > 0:
            begin = self.accepted - self.unprogrammed
            if self.unprogrammed < self.program_sectors and self.hurry_to <= begin:
                return
            sectors = min(self.unprogrammed, self.program_sectors)
            self.unprogrammed -= sectors
            die = self.dies.program(sectors, self.erase_time_ns())
            self.unit_begin[die] = begin

    def erase_time_ns(self) -> int:
        """Return what an erase adds to the next program: one after each block's worth of programs."""
        self.units_until_erase -= 1
        if self.units_until_erase > 0:
            return 0
        self.units_until_erase = self.block_units
        self.erases += 1
        return self.erase_ns

    def program_done(self, die: int) -> None:
        frees = self.dies.program_done(die)
        if frees == NONE:
            return
        self.buffered -= frees
        self.unit_begin[die] = NONE
        while self.waiting_head != NONE:
            request = self.waiting_head
            if self.buffered + self.requests.sectors[request] > self.buffer_sectors:
                break
            self.waiting_head = self.requests.next[request]
            self.admit(request, self.engine.now_ns)
        self.start_programs()
        if self.durable_head != NONE:
            self.end_durable()

    def flush(self, request: int) -> None:
        self.flushes += 1
        if self.protected or self.durable() == self.accepted:
            self.engine.schedule(self.engine.now_ns + self.flush_ns, EVENT_COMPLETE, request)
        else:
            self.await_durable(request)
            self.start_programs()

    def await_durable(self, request: int) -> None:
        """End a request when all that has been accepted up to now is programmed."""
        self.durable_at[request] = self.accepted
        self.hurry_to = self.accepted
        self.requests.next[request] = NONE
        if self.durable_head == NONE:
            self.durable_head = request
        else:
            self.requests.next[self.durable_tail] = request
        self.durable_tail = request

    def durable(self) -> int:
        """Return up to which position of the host's sectors all is programmed."""
        position = self.accepted - self.unprogrammed
        for die in range(self.die_count):
            if self.unit_begin[die] != NONE:
                position = min(position, self.unit_begin[die])
        return position

    def end_durable(self) -> None:
        durable = self.durable()
        while self.durable_head != NONE and self.durable_at[self.durable_head] <= durable:
            request = self.durable_head
            self.durable_head = self.requests.next[request]
            extra_ns = self.flush_ns if self.requests.direction[request] == FLUSH else 0
            self.engine.schedule(self.engine.now_ns + extra_ns, EVENT_COMPLETE, request)

    def counters(self) -> dict[str, int]:
        """Return counts of page reads, programs and waits; busy times are sums over dies and channels."""
        return {
            "page_reads": self.dies.page_reads,
            "read_retries": self.dies.read_retries,
            "programs": self.dies.programs,
            "collection_programs": self.collection_programs,
            "erases": self.erases,
            "device_flushes": self.flushes,
            "program_suspensions": self.dies.suspensions,
            "write_buffer_waits": self.buffer_waits,
            "die_busy_ns": self.dies.busy_ns,
            "channel_busy_ns": self.dies.channel_busy_ns,
        }

    def warnings(self) -> list[str]:
        """Return a sentence when the run was too short for the steady state of what it wrote."""
        if not self.collects or self.accepted == 0:
            return []
        share = float(self.accepted) * SECTOR_BYTES / self.capacity_bytes
        random = 1 - float(self.sequential) / self.accepted
        states = {EMPTY: "empty", FILLED: "written once in order", STEADY: "in the steady state of random writes"}
        # Random writes need the state of random writes, sequential ones that of sequential writes.
        fits = self.precondition == (STEADY if random > MIXED else FILLED)
        if not fits and share < 1:
            kind = "random" if random > MIXED else "sequential"
            return [
                f"the device began {states[self.precondition]}, and {share:.1%} of its capacity was written, {kind}ly:"
                f" shorter than its warm-up; with precondition={kind} it begins in the steady state of such writes"
            ]
        early, late = self.ftl.amplifications()
        if self.ftl.written < DRIFT_PAGES or abs(late / early - 1) <= DRIFT_LIMIT:
            return []
        return [
            f"write amplification went from {early:.2f} to {late:.2f} during the run, which is shorter than the warm-up"
            " of what it wrote"
        ]
