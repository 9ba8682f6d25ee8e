"""A hard disk: a command queue ordered by positioning time, a read-ahead buffer, and a volatile write cache."""

from array import array
from collections.abc import Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.device.platter import Platter
from workers.simulator.device.read_buffer import ReadBuffer
from workers.simulator.device.tables import RATE_BITS
from workers.simulator.device.write_cache import WriteCache
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    EVENT_COMPLETE,
    EVENT_DEVICE,
    FLUSH,
    FOREVER,
    FUA,
    MASK_64,
    NONE,
    READ,
    SECTOR_BYTES,
    SPLITMIX_GAMMA,
    WRITE,
)
from workers.simulator.parameters import Range
from workers.simulator.stream import Streams

PARAMETERS: dict[str, Range] = {
    "rpm": (1_000, 60_000),
    "read_seek_min_ns": (0, 100_000_000),
    "read_seek_span_ns": (0, 1_000_000_000),
    "write_seek_min_ns": (0, 100_000_000),
    "write_seek_span_ns": (0, 1_000_000_000),
    "zones": (1, 1_000),
    "outer_bytes_per_s": (1_000_000, 10_000_000_000),
    "inner_bytes_per_s": (1_000_000, 10_000_000_000),
    "command_overhead_ns": (0, 100_000_000),
    "ncq_window": (1, 10_240),
    "ncq_age_per_mille": (0, 1_000),
    "positioning_error_ns": (0, 1_000_000_000),
    "readahead_bytes": (0, 1 << 30),
    "link_bytes_per_s": (1_000_000, 100_000_000_000),
    "write_cache_bytes": (1 << 20, 1 << 30),
    "write_cache_entries": (1, 16_384),
    "destage_window": (1, 16_384),
}

# What an event of the device is about.
DECIDE = 0
DESTAGED = 1


class HardDisk(Device):
    """One mechanism that serves one command at a time.

    Where the platter is follows from the clock (angle = time modulo revolution), where a sector is from its
    address. After each command the firmware spends `command_overhead_ns`, then takes, among the `ncq_window` oldest
    commands it holds, the one it expects to reach first (seek, then rotation), each millisecond of waiting counting
    for `ncq_age_per_mille` microseconds. It expects up to `positioning_error_ns` too much, evenly distributed. A window
    of 1 is first come, first served. A command that continues where the last one ended, in the same direction, needs
    no new decision.

    After a read the disk goes on reading into its buffer for `readahead_bytes` unless another command moves the arm.
    A read that lies in the buffer costs overhead and link time; one that lies just ahead waits for the platter.

    With `write_cache` a write is done when it is in the cache, unless it carries FUA, and waits while that is full.
    The arm destages when no command wants it; while a write or a flush waits, every other turn; among the
    `destage_window` oldest dirty writes the one it reaches first. A flush ends when what was dirty at its arrival is
    on the medium.
    """

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], seed: int) -> None:
        super().__init__(engine, requests)
        self.engine.reserve(2)  # a decision, and the end of a destaging
        count = self.requests.capacity
        entries = values["write_cache_entries"] if values["write_cache"] else 0
        self.platter = Platter(values)
        self.cache = WriteCache(count, entries, values["write_cache_bytes"] // SECTOR_BYTES)
        self.caches = values["write_cache"] == 1
        self.overhead_ns = values["command_overhead_ns"]
        self.window = values["ncq_window"]
        self.age_per_mille = values["ncq_age_per_mille"]
        self.error_ns = values["positioning_error_ns"]
        self.errors = Streams([seed])
        self.error_seed = self.errors.draw(0)
        self.destage_window = values["destage_window"]
        self.link_sector_ns = SECTOR_BYTES * 1_000_000_000 // values["link_bytes_per_s"]
        self.buffer = ReadBuffer(engine, self.platter, values["readahead_bytes"] // SECTOR_BYTES)
        # Rows of commands: first the requests, then the slots of the write cache.
        self.sector = longs(count + entries)
        self.sectors = longs(count + entries)
        self.direction = longs(count + entries)
        self.arrived_ns = longs(count + entries)
        self.angle_ns = longs(count + entries)
        self.sector_ns = longs(count + entries)
        self.queue = longs(count)  # arrival order
        self.queued = 0
        self.flush_target = longs(count)
        self.waiting_head = NONE
        self.waiting_tail = NONE
        self.flush_head = NONE
        self.flush_tail = NONE
        self.deciding = False
        self.active = NONE
        self.destaging = NONE
        self.destage_turn = False
        self.free_ns = 0
        self.head = 0
        self.head_sector_ns = self.platter.sector_time(0)
        self.seeks = 0
        self.seek_total_ns = 0
        self.rotation_total_ns = 0
        self.transfer_total_ns = 0
        self.buffer_hits = 0
        self.media_commands = 0
        self.destages = 0
        self.cache_waits = 0

    def submit(self, request: int) -> None:
        direction = self.requests.direction[request]
        if direction == FLUSH:
            self.flush(request)
        elif direction == WRITE and self.caches and not self.requests.flags[request] & FUA:
            if self.waiting_head == NONE and self.fits_cache(request):
                self.cache_write(request)
            else:
                self.cache_waits += 1
                self.requests.next[request] = NONE
                if self.waiting_head == NONE:
                    self.waiting_head = request
                else:
                    self.requests.next[self.waiting_tail] = request
                self.waiting_tail = request
        elif not self.serve_from_buffer(request):
            self.describe(request, self.requests.sector[request], self.requests.sectors[request], direction)
            self.queue[self.queued] = request
            self.queued += 1
        self.seek_work()

    def wake(self, argument: int) -> None:
        if argument == DECIDE:
            self.deciding = False
            if self.buffer.streaming:
                self.head = self.buffer.end()
            if self.queued > 0 and not (self.destage_turn and self.cache.dirty > 0):
                self.start_command(self.choose(self.queue, self.queued, self.window, self.age_per_mille, self.error_ns))
            elif self.cache.dirty > 0:
                self.start_destage(self.choose(self.cache.order, self.cache.dirty, self.destage_window, 0, 0))
            return
        # Destaged: room for writes that wait, and perhaps the end of a flush.
        self.destaging = NONE
        while self.waiting_head != NONE and self.fits_cache(self.waiting_head):
            request = self.waiting_head
            self.waiting_head = self.requests.next[request]
            self.cache_write(request)
        while self.flush_head != NONE and self.cache.oldest() >= self.flush_target[self.flush_head]:
            self.engine.schedule(self.engine.now_ns, EVENT_COMPLETE, self.flush_head)
            self.flush_head = self.requests.next[self.flush_head]
        if self.queued == 0:
            place = self.continuing(self.cache.order, min(self.cache.dirty, self.destage_window), WRITE)
            if place != NONE:
                self.start_destage(place)
                return
        # With somebody waiting for the cache, commands and destaging take turns.
        self.destage_turn = False
        self.seek_work()

    def completed(self, request: int) -> None:
        if request != self.active:
            return
        self.active = NONE
        self.destage_turn = self.waiting_head != NONE or self.flush_head != NONE
        if not self.destage_turn:
            place = self.continuing(self.queue, min(self.queued, self.window), self.direction[request])
            if place != NONE:
                self.start_command(place)
                return
        self.seek_work()

    def seek_work(self) -> None:
        """Let the firmware decide what the arm does next, when it is idle and there is something to do."""
        if self.active != NONE or self.destaging != NONE or self.deciding or self.queued + self.cache.dirty == 0:
            return
        self.deciding = True
        self.engine.schedule(max(self.engine.now_ns, self.free_ns) + self.overhead_ns, EVENT_DEVICE, DECIDE)

    def flush(self, request: int) -> None:
        if self.cache.dirty == 0 and self.destaging == NONE:
            self.engine.schedule(self.engine.now_ns + self.overhead_ns, EVENT_COMPLETE, request)
            return
        self.flush_target[request] = self.cache.writes
        self.requests.next[request] = NONE
        if self.flush_head == NONE:
            self.flush_head = request
        else:
            self.requests.next[self.flush_tail] = request
        self.flush_tail = request

    def fits_cache(self, request: int) -> bool:
        sectors = self.requests.sectors[request]
        return self.cache.has_room(sectors) or self.cache.find(self.requests.sector[request], sectors) != NONE

    def cache_write(self, request: int) -> None:
        sector = self.requests.sector[request]
        sectors = self.requests.sectors[request]
        if self.cache.find(sector, sectors) == NONE:
            self.describe(self.cache.put(sector, sectors), sector, sectors, WRITE)
        else:
            self.cache.overwrites += 1
        self.buffer.forget(sector, sector + sectors)
        ready_ns = self.engine.now_ns + self.overhead_ns + sectors * self.link_sector_ns
        self.engine.schedule(ready_ns, EVENT_COMPLETE, request)

    def describe(self, row: int, sector: int, sectors: int, direction: int) -> None:
        """Fill a row of the commands, that of a request or of a slot of the cache."""
        self.sector[row] = sector
        self.sectors[row] = sectors
        self.direction[row] = direction
        self.arrived_ns[row] = self.engine.now_ns
        self.angle_ns[row] = self.platter.angle_of(sector)
        self.sector_ns[row] = self.platter.sector_time(sector)

    def continuing(self, rows: "array[int]", count: int, direction: int) -> int:
        """Return the place of a command that begins where the last one ended, NONE when there is none."""
        for place in range(count):
            row = rows[place]
            if self.sector[row] == self.head and self.direction[row] == direction:
                return place
        return NONE

    def choose(self, rows: "array[int]", count: int, window: int, age_per_mille: int, error_ns: int) -> int:
        """Return the place of the command, among the first `window`, that the firmware expects to reach first."""
        now_ns = self.engine.now_ns
        now_angle_ns = now_ns % self.platter.revolution_ns
        best = 0
        best_ns = FOREVER
        reach = FOREVER
        # No command has waited longer than the oldest: a seek beyond `reach` cannot win, whatever its rotation.
        most_bonus_ns = (now_ns - self.arrived_ns[rows[0]]) * age_per_mille // 1000
        for place in range(min(count, window)):
            row = rows[place]
            distance = self.sector[row] - self.head
            if distance > reach or -distance > reach:
                continue
            cost_ns = self.positioning_ns(row, now_angle_ns)
            if error_ns > 0:
                cost_ns += self.error_of(row, error_ns)
            if age_per_mille > 0:
                cost_ns -= (now_ns - self.arrived_ns[row]) * age_per_mille // 1000
            if cost_ns < best_ns:
                best = place
                best_ns = cost_ns
                reach = self.platter.reach(best_ns + most_bonus_ns)
        return best

    def error_of(self, row: int, error_ns: int) -> int:
        # Depends on command and moment, not on which others are looked at.
        bits = self.errors.mix((self.error_seed + self.sector[row] * SPLITMIX_GAMMA + self.engine.now_ns) & MASK_64)
        return ((bits >> 33) * error_ns) >> 31

    def positioning_ns(self, row: int, now_angle_ns: int) -> int:
        if self.buffer.streaming and self.rides(row):
            return max(0, self.buffer.passes_ns(self.sector[row]) - self.engine.now_ns)
        seek_ns = self.platter.seek_ns(self.head, self.head_sector_ns, self.sector[row], self.direction[row])
        wait_ns = self.angle_ns[row] - now_angle_ns - seek_ns
        while wait_ns < 0:
            wait_ns += self.platter.revolution_ns
        return seek_ns + wait_ns

    def start_command(self, place: int) -> None:
        request = self.queue[place]
        self.queued -= 1
        for later in range(place, self.queued):
            self.queue[later] = self.queue[later + 1]
        self.active = request
        self.move(request)
        self.engine.schedule(self.free_ns, EVENT_COMPLETE, request)

    def start_destage(self, place: int) -> None:
        self.destaging = self.cache.remove(place)
        self.destages += 1
        self.move(self.destaging)
        self.engine.schedule(self.free_ns, EVENT_DEVICE, DESTAGED)

    def move(self, row: int) -> None:
        """Bring the arm to a command and transfer it; the mechanism is free at `free_ns`."""
        sector = self.sector[row]
        end = sector + self.sectors[row]
        transfer_ns = (self.sectors[row] * self.sector_ns[row]) >> RATE_BITS
        begin_ns = self.engine.now_ns
        if self.rides(row):
            begin_ns = max(begin_ns, self.buffer.passes_ns(sector))
            done_ns = max(begin_ns, self.buffer.passes_ns(end))
            self.buffer.ride(end)
        else:
            self.buffer.stop()
            if sector != self.head or self.free_ns != begin_ns:  # else it follows on the medium without a gap
                seek_ns = self.platter.seek_ns(self.head, self.head_sector_ns, sector, self.direction[row])
                wait_ns = self.positioning_ns(row, begin_ns % self.platter.revolution_ns)
                begin_ns += wait_ns
                self.seeks += 1 if seek_ns > 0 else 0
                self.seek_total_ns += seek_ns
                self.rotation_total_ns += wait_ns - seek_ns
            done_ns = begin_ns + transfer_ns
            if self.direction[row] == READ:
                self.buffer.begin(sector, end, self.sector_ns[row], done_ns)
            else:
                self.buffer.forget(sector, end)
        self.transfer_total_ns += done_ns - begin_ns
        self.media_commands += 1
        self.head = end
        self.head_sector_ns = self.sector_ns[row]
        self.free_ns = done_ns

    def serve_from_buffer(self, request: int) -> bool:
        """Finish a read from a buffer, or from the stream when nothing else wants the arm; False if it cannot."""
        if self.requests.direction[request] != READ:
            return False
        sector = self.requests.sector[request]
        end = sector + self.requests.sectors[request]
        ready_ns = self.engine.now_ns + self.overhead_ns + self.requests.sectors[request] * self.link_sector_ns
        if self.is_idle() and self.buffer.covers(sector, end - sector):
            passes_ns = self.buffer.passes_ns(end)
            ready_ns = max(ready_ns, passes_ns)
            self.free_ns = max(self.free_ns, passes_ns)
            self.buffer.ride(end)
        elif (sector < self.buffer.first or end > self.buffer.end()) and not self.cache.holds(sector, end):
            return False
        self.buffer_hits += 1
        self.engine.schedule(ready_ns, EVENT_COMPLETE, request)
        return True

    def is_idle(self) -> bool:
        """Tell whether the arm has no command and no dirty write to go to."""
        return self.active == NONE and self.destaging == NONE and self.queued + self.cache.dirty == 0

    def rides(self, row: int) -> bool:
        """Tell whether a command is a read in the running stream."""
        return self.direction[row] == READ and self.buffer.covers(self.sector[row], self.sectors[row])

    def counters(self) -> dict[str, int]:
        """Return counts, and where the arm's time went; `buffer_hits` never reached the medium as commands."""
        return {
            "seeks": self.seeks,
            "seek_ns": self.seek_total_ns,
            "rotation_ns": self.rotation_total_ns,
            "transfer_ns": self.transfer_total_ns,
            "buffer_hits": self.buffer_hits,
            "media_commands": self.media_commands,
            "destages": self.destages,
            "cache_overwrites": self.cache.overwrites,
            "cache_waits": self.cache_waits,
        }
