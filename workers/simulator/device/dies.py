"""The dies and channels of a flash device: page reads, programs behind them, suspension of one by the other."""

from collections.abc import Mapping

from workers.simulator.arrays import longs, longs_of
from workers.simulator.device.tables import CHANNEL_DONE, DIE_DONE, KIND_BITS, PROGRAM_DONE
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_DEVICE, NONE, SECTOR_BYTES
from workers.simulator.stream import Streams

MASK_32 = 0xFFFFFFFF


class Dies:
    """Reads come in pieces that lie on one die each; programs go to dies that are idle, one at a time each.

    A piece is read in the time of its page type, drawn evenly, and now and then a retry; its die stays taken until the
    channel has carried the data away. A read that finds its die programming waits for the end, or suspends the
    program for `suspend_ns` and its own length, until the program has lost as much time as `program_ns`.
    """

    def __init__(self, engine: Engine, values: Mapping[str, int], seed: int, pieces: int) -> None:
        self.engine = engine
        self.cells = Streams([seed])
        self.channels = values["channels"]
        self.dies = values["channels"] * values["dies_per_channel"]
        self.page_types = values["page_types"]
        self.read_ns = longs_of(values[f"{place}_page_read_ns"] for place in ("first", "second", "third"))
        self.retry_per_million = values["read_retry_per_million"]
        self.retry_ns = values["read_retry_ns"]
        self.program_ns = values["program_ns"]
        self.program_sectors = values["program_bytes"] // SECTOR_BYTES
        self.suspends = values["program_suspend"]
        self.suspend_ns = values["program_suspend_ns"]
        self.channel_sector_ps = SECTOR_BYTES * 1_000_000_000_000 // values["channel_bytes_per_s"]
        self.piece_request = longs(pieces)
        self.piece_sectors = longs(pieces)
        self.piece_die = longs(pieces)
        self.piece_ready_ns = longs(pieces)
        self.piece_next = longs_of([*range(1, pieces), NONE])
        self.free_piece = 0
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
        self.page_reads = 0
        self.read_retries = 0
        self.programs = 0
        self.suspensions = 0
        self.busy_ns = 0
        self.channel_busy_ns = 0

    def read(self, request: int, die: int, sectors: int, ready_ns: int) -> None:
        """Read a piece of a request, not before `ready_ns`."""
        piece = self.free_piece
        self.free_piece = self.piece_next[piece]
        self.piece_request[piece] = request
        self.piece_sectors[piece] = sectors
        self.piece_die[piece] = die
        self.piece_ready_ns[piece] = ready_ns
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
        self.busy_ns += cell_ns
        self.page_reads += 1
        self.engine.schedule(start_ns + cell_ns, EVENT_DEVICE, (piece << KIND_BITS) | DIE_DONE)

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
        self.channel_busy_ns += transfer_ns
        self.engine.schedule(end_ns, EVENT_DEVICE, (piece << KIND_BITS) | CHANNEL_DONE)

    def channel_done(self, piece: int) -> int:
        """The piece has left its die; return the request it belongs to."""
        # The page register held the data until now: only now the die is free.
        die = self.piece_die[piece]
        self.reading[die] = NONE
        self.next_of_die(die)
        self.piece_next[piece] = self.free_piece
        self.free_piece = piece
        return self.piece_request[piece]

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

    def take_idle(self) -> int:
        die = self.idle_dies[self.idle_head]
        self.idle_head = self.idle_head + 1 if self.idle_head + 1 < self.dies else 0
        self.idle_count -= 1
        return die

    def program(self, frees: int, more_ns: int) -> int:
        """Program one unit on an idle die, with `more_ns` of other work; return the die.

        `frees` sectors of the write buffer are free when it ends.
        """
        die = self.take_idle()
        channel = die % self.channels
        transfer_ns = self.program_sectors * self.channel_sector_ps // 1000
        loaded_ns = max(self.engine.now_ns, self.channel_free_ns[channel]) + transfer_ns
        self.channel_free_ns[channel] = loaded_ns
        self.channel_busy_ns += transfer_ns
        self.programming[die] = frees
        self.program_end_ns[die] = loaded_ns + self.program_ns + more_ns
        self.program_lost_ns[die] = 0
        # While the die is reading, the program waits as if suspended from its start.
        self.suspended_ns[die] = self.engine.now_ns if self.reading[die] != NONE else NONE
        self.programs += 1
        self.busy_ns += self.program_ns + more_ns
        self.arm(die)
        return die

    def arm(self, die: int) -> None:
        self.armed[die] = 1
        self.engine.schedule(self.program_end_ns[die], EVENT_DEVICE, (die << KIND_BITS) | PROGRAM_DONE)

    def program_done(self, die: int) -> int:
        """Return how many sectors of the write buffer are free now; NONE when the program has not ended yet."""
        self.armed[die] = 0
        if self.suspended_ns[die] != NONE:
            return NONE  # going on arms it again
        if self.engine.now_ns < self.program_end_ns[die]:
            self.arm(die)
            return NONE
        frees = self.programming[die]
        self.programming[die] = NONE
        if self.reading[die] == NONE:
            self.next_of_die(die)
        tail = self.idle_head + self.idle_count
        self.idle_dies[tail if tail < self.dies else tail - self.dies] = die
        self.idle_count += 1
        return frees
