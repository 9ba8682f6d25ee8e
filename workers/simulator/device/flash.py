"""A flash device: link, controller, channels and dies; writes go through a buffer and are programmed behind it."""

from collections.abc import Mapping

from workers.simulator.arrays import longs, longs_of
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_COMPLETE, EVENT_DEVICE, FLUSH, FUA, NONE, READ, SECTOR_BYTES, WRITE
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
    "channel_bytes_per_s": (1_000_000, 1_000_000_000_000),
    "link_bytes_per_s": (1_000_000, 1_000_000_000_000),
    "controller_ns": (0, 100_000_000),
    "controller_busy_ns": (0, 100_000_000),
    "buffer_write_ns": (0, 100_000_000),
    "write_buffer_bytes": (1 << 20, 1 << 40),
    "waf_percent": (100, 10_000),
    "power_loss_protection": ("no", "yes"),
    "flush_ns": (0, 1_000_000_000),
}

# What an event of the device is about; the rest of the argument is the piece, die or request.
DIE_DONE = 0
CHANNEL_DONE = 1
PROGRAM_DONE = 2
ADMITTED = 3
FLUSH_READY = 4

WRITE_STREAMS = 8
MASK_32 = 0xFFFFFFFF
MOST_PIECES = 1 << 20


class Flash(Device):
    """Reads wait for their die, then for its channel, then for the link; each first come, first served.

    A command passes the controller, which takes one every `controller_busy_ns` and adds `controller_ns`. A read is
    split at `stripe_bytes`; stripes lie on channels, then dies, in turn. A page read takes the time of its page
    type, drawn evenly, and now and then a retry; the die stays taken until the channel has carried the data away.

    A write is complete `buffer_write_ns` after the link has carried it into the write buffer; while that is full,
    writes wait. The
    buffer is programmed in units of `program_bytes`, one at a time a die. Garbage collection is folded in: for each
    host unit, writes that do not continue an earlier one add (waf - 1) units of programs without data. A read that
    finds its die programming waits for the end, or suspends the program for `program_suspend_ns` and its own length,
    until the program has lost as much time as it takes itself.

    With power-loss protection the buffer counts as the medium: a flush takes `flush_ns`, and FUA nothing more.
    Without, a flush waits until all that had been accepted is programmed, the last unit partly filled if need be, and
    then takes `flush_ns`; a write with FUA ends when its own data is programmed.
    """

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], seed: int) -> None:
        super().__init__(engine, requests)
        self.cells = Streams([seed])
        self.channels = values["channels"]
        self.dies = values["channels"] * values["dies_per_channel"]
        self.stripe_sectors = values["stripe_bytes"] // SECTOR_BYTES
        self.page_types = values["page_types"]
        self.read_ns = longs_of(values[f"{place}_page_read_ns"] for place in ("first", "second", "third"))
        self.retry_per_million = values["read_retry_per_million"]
        self.retry_ns = values["read_retry_ns"]
        self.program_ns = values["program_ns"]
        self.program_sectors = values["program_bytes"] // SECTOR_BYTES
        self.suspends = values["program_suspend"]
        self.suspend_ns = values["program_suspend_ns"]
        self.channel_sector_ps = SECTOR_BYTES * 1_000_000_000_000 // values["channel_bytes_per_s"]
        self.link_sector_ps = SECTOR_BYTES * 1_000_000_000_000 // values["link_bytes_per_s"]
        self.controller_ns = values["controller_ns"]
        self.controller_busy_ns = values["controller_busy_ns"]
        self.buffer_write_ns = values["buffer_write_ns"]
        self.buffer_sectors = values["write_buffer_bytes"] // SECTOR_BYTES
        self.waf_percent = values["waf_percent"]
        self.protected = values["power_loss_protection"]
        self.flush_ns = values["flush_ns"]
        self._lay_out()

    def _lay_out(self) -> None:
        count = self.requests.capacity
        pieces = count * (self.requests.largest_sectors // self.stripe_sectors + 2)
        if pieces > MOST_PIECES:
            raise ValueError(
                f"jobs.iodepth: {count} outstanding I/Os of {self.requests.largest_sectors * SECTOR_BYTES} bytes are"
                f" {pieces} stripes at once; at most {MOST_PIECES}"
            )
        if self.buffer_sectors < self.requests.largest_sectors + self.program_sectors:
            raise ValueError("device.write_buffer_bytes: does not hold one program unit and the largest I/O")
        # A die or channel event for each piece, an admission or flush for each request, a program for each die.
        self.engine.reserve(pieces + count + self.dies)
        self.piece_request = longs(pieces)
        self.piece_sectors = longs(pieces)
        self.piece_die = longs(pieces)
        self.piece_ready_ns = longs(pieces)
        self.piece_next = longs_of([*range(1, pieces), NONE])
        self.free_piece = 0
        self.remaining = longs(count)
        self.controller_free_ns = 0
        self.link_in_free_ns = 0
        self.link_out_free_ns = 0
        self.channel_free_ns = longs(self.channels)
        self.reading = longs(self.dies, NONE)
        self.reads_head = longs(self.dies, NONE)
        self.reads_tail = longs(self.dies, NONE)
        self.suspended_ns = longs(self.dies, NONE)
        self.program_lost_ns = longs(self.dies)
        self.armed = longs(self.dies)
        self.program_end_ns = longs(self.dies)
        self.programming = longs(self.dies, NONE)
        self.idle_dies = longs_of(range(self.dies))
        self.idle_head = 0
        self.idle_count = self.dies
        self.buffered = 0  # sectors in the write buffer, until their program has ended
        self.unprogrammed = 0  # of these, sectors not yet given to a die
        self.collected = 0  # sectors of garbage collection to program, x100
        # Positions in the sequence of all host sectors: accepted so far, to be programmed without waiting for more;
        # and where the unit begins that each die programs.
        self.accepted = 0
        self.hurry_to = 0
        self.unit_begin = longs(self.dies, NONE)
        self.durable_at = longs(count)
        self.durable_head = NONE
        self.durable_tail = NONE
        self.flushes = 0
        self.waiting_head = NONE
        self.waiting_tail = NONE
        self.stream_end = longs(WRITE_STREAMS, NONE)
        self.stream_turn = 0
        self.page_reads = 0
        self.read_retries = 0
        self.programs = 0
        self.collection_programs = 0
        self.suspensions = 0
        self.buffer_waits = 0
        self.die_busy_ns = 0
        self.channel_busy_total_ns = 0

    def submit(self, request: int) -> None:
        start_ns = max(self.engine.now_ns, self.controller_free_ns)
        self.controller_free_ns = start_ns + self.controller_busy_ns
        ready_ns = start_ns + self.controller_busy_ns + self.controller_ns
        if self.requests.direction[request] == READ:
            self.read(request, ready_ns)
        elif self.requests.direction[request] == FLUSH:
            self.engine.schedule(ready_ns, EVENT_DEVICE, (request << 3) | FLUSH_READY)
        elif self.requests.direction[request] != WRITE:
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
        subject = argument >> 3
        if kind == DIE_DONE:
            self.die_done(subject)
        elif kind == CHANNEL_DONE:
            self.channel_done(subject)
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
            self.read_piece(request, sector, sectors, ready_ns)
            sector += sectors
            left -= sectors

    def read_piece(self, request: int, sector: int, sectors: int, ready_ns: int) -> None:
        piece = self.free_piece
        self.free_piece = self.piece_next[piece]
        die = (sector // self.stripe_sectors) % self.dies
        self.piece_request[piece] = request
        self.piece_sectors[piece] = sectors
        self.piece_die[piece] = die
        self.piece_ready_ns[piece] = ready_ns
        self.remaining[request] += 1
        if self.reading[die] == NONE and self.yields(die, ready_ns):
            self.start_read(die, piece)
            return
        self.piece_next[piece] = NONE
        if self.reads_head[die] == NONE:
            self.reads_head[die] = piece
        else:
            self.piece_next[self.reads_tail[die]] = piece
        self.reads_tail[die] = piece

    def yields(self, die: int, ready_ns: int) -> bool:
        """Tell whether a read may start at `ready_ns`, suspending the die's program when one is running."""
        if self.programming[die] == NONE or self.program_end_ns[die] <= ready_ns:
            return True
        # A program that has lost its own length to reads runs to its end.
        if not self.suspends or self.program_lost_ns[die] >= self.program_ns:
            return False
        self.suspended_ns[die] = ready_ns
        self.suspensions += 1
        return True

    def start_read(self, die: int, piece: int) -> None:
        self.reading[die] = piece
        cell_ns = self.cell_time_ns()
        start_ns = max(self.engine.now_ns, self.piece_ready_ns[piece])
        if self.suspended_ns[die] == start_ns:
            start_ns += self.suspend_ns
        self.die_busy_ns += cell_ns
        self.page_reads += 1
        self.engine.schedule(start_ns + cell_ns, EVENT_DEVICE, (piece << 3) | DIE_DONE)

    def cell_time_ns(self) -> int:
        bits = self.cells.draw(0)
        cell_ns = self.read_ns[((bits & MASK_32) * self.page_types) >> 32]
        if ((bits >> 32) * 1_000_000) >> 32 < self.retry_per_million:
            self.read_retries += 1
            cell_ns += self.retry_ns
        return cell_ns

    def die_done(self, piece: int) -> None:
        channel = self.piece_die[piece] % self.channels
        transfer_ns = self.piece_sectors[piece] * self.channel_sector_ps // 1000
        end_ns = max(self.engine.now_ns, self.channel_free_ns[channel]) + transfer_ns
        self.channel_free_ns[channel] = end_ns
        self.channel_busy_total_ns += transfer_ns
        self.engine.schedule(end_ns, EVENT_DEVICE, (piece << 3) | CHANNEL_DONE)

    def channel_done(self, piece: int) -> None:
        # The page register held the data until now: only now the die is free.
        die = self.piece_die[piece]
        self.reading[die] = NONE
        self.next_of_die(die)
        request = self.piece_request[piece]
        self.piece_next[piece] = self.free_piece
        self.free_piece = piece
        self.remaining[request] -= 1
        if self.remaining[request] > 0:
            return
        transfer_ns = self.requests.sectors[request] * self.link_sector_ps // 1000
        self.link_out_free_ns = max(self.engine.now_ns, self.link_out_free_ns) + transfer_ns
        self.engine.schedule(self.link_out_free_ns, EVENT_COMPLETE, request)

    def next_of_die(self, die: int) -> None:
        """Give a die that has just become free its next read, or let its suspended program go on."""
        if self.suspended_ns[die] != NONE:
            lost_ns = max(0, self.engine.now_ns - self.suspended_ns[die])
            if (
                self.reads_head[die] == NONE
                or not self.suspends
                or self.program_lost_ns[die] + lost_ns >= self.program_ns
            ):
                self.program_lost_ns[die] += lost_ns
                self.program_end_ns[die] += lost_ns
                self.suspended_ns[die] = NONE
                if not self.armed[die]:
                    self.arm(die)
                return
        piece = self.reads_head[die]
        if piece != NONE:
            self.reads_head[die] = self.piece_next[piece]
            self.start_read(die, piece)

    def admit(self, request: int, ready_ns: int) -> None:
        """Reserve room in the write buffer and let the link carry the data."""
        self.buffered += self.requests.sectors[request]
        transfer_ns = self.requests.sectors[request] * self.link_sector_ps // 1000
        self.link_in_free_ns = max(ready_ns, self.link_in_free_ns) + transfer_ns
        self.engine.schedule(self.link_in_free_ns, EVENT_DEVICE, (request << 3) | ADMITTED)

    def admitted(self, request: int) -> None:
        sectors = self.requests.sectors[request]
        sector = self.requests.sector[request]
        self.unprogrammed += sectors
        self.accepted += sectors
        if not self.continues_stream(sector, sector + sectors):
            self.collected += sectors * (self.waf_percent - 100)
        if self.requests.flags[request] & FUA and not self.protected:
            self.await_durable(request)
        else:
            self.engine.schedule(self.engine.now_ns + self.buffer_write_ns, EVENT_COMPLETE, request)
        self.start_programs()

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
        for die in range(self.dies):
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

    def start_programs(self) -> None:
        # Collection goes first: without it there is no clean page for the host's data.
        while self.idle_count > 0 and self.collected >= 100 * self.program_sectors:
            self.collected -= 100 * self.program_sectors
            self.collection_programs += 1
            self.program(self.take_idle_die(), 0)
        while self.idle_count > 0 and self.unprogrammed > 0:
            begin = self.accepted - self.unprogrammed
            if self.unprogrammed < self.program_sectors and self.hurry_to <= begin:
                return
            sectors = min(self.unprogrammed, self.program_sectors)
            self.unprogrammed -= sectors
            die = self.take_idle_die()
            self.unit_begin[die] = begin
            self.program(die, sectors)

    def take_idle_die(self) -> int:
        die = self.idle_dies[self.idle_head]
        self.idle_head = self.idle_head + 1 if self.idle_head + 1 < self.dies else 0
        self.idle_count -= 1
        return die

    def program(self, die: int, frees: int) -> None:
        """Program one unit; `frees` sectors of the write buffer are free when it ends."""
        channel = die % self.channels
        transfer_ns = self.program_sectors * self.channel_sector_ps // 1000
        loaded_ns = max(self.engine.now_ns, self.channel_free_ns[channel]) + transfer_ns
        self.channel_free_ns[channel] = loaded_ns
        self.channel_busy_total_ns += transfer_ns
        self.programming[die] = frees
        self.program_end_ns[die] = loaded_ns + self.program_ns
        self.program_lost_ns[die] = 0
        # While the die is reading, the program waits as if suspended from its start.
        self.suspended_ns[die] = self.engine.now_ns if self.reading[die] != NONE else NONE
        self.programs += 1
        self.die_busy_ns += self.program_ns
        self.arm(die)

    def arm(self, die: int) -> None:
        self.armed[die] = 1
        self.engine.schedule(self.program_end_ns[die], EVENT_DEVICE, (die << 3) | PROGRAM_DONE)

    def program_done(self, die: int) -> None:
        self.armed[die] = 0
        if self.suspended_ns[die] != NONE:
            return  # going on arms it again
        if self.engine.now_ns < self.program_end_ns[die]:
            self.arm(die)
            return
        self.buffered -= self.programming[die]
        self.programming[die] = NONE
        self.unit_begin[die] = NONE
        if self.reading[die] == NONE:
            self.next_of_die(die)
        tail = self.idle_head + self.idle_count
        self.idle_dies[tail if tail < self.dies else tail - self.dies] = die
        self.idle_count += 1
        while self.waiting_head != NONE:
            request = self.waiting_head
            if self.buffered + self.requests.sectors[request] > self.buffer_sectors:
                break
            self.waiting_head = self.requests.next[request]
            self.admit(request, self.engine.now_ns)
        self.start_programs()
        if self.durable_head != NONE:
            self.end_durable()

    def continues_stream(self, sector: int, end: int) -> bool:
        """Tell whether a write begins where one of the last few streams of writes ended, and note where it ends."""
        for stream in range(WRITE_STREAMS):
            if self.stream_end[stream] == sector:
                self.stream_end[stream] = end
                return True
        self.stream_end[self.stream_turn] = end
        self.stream_turn = (self.stream_turn + 1) % WRITE_STREAMS
        return False

    def counters(self) -> dict[str, int]:
        """Return counts of page reads, programs and waits; busy times are sums over dies and channels."""
        return {
            "page_reads": self.page_reads,
            "read_retries": self.read_retries,
            "programs": self.programs,
            "collection_programs": self.collection_programs,
            "device_flushes": self.flushes,
            "program_suspensions": self.suspensions,
            "write_buffer_waits": self.buffer_waits,
            "die_busy_ns": self.die_busy_ns,
            "channel_busy_ns": self.channel_busy_total_ns,
        }
