"""A hard disk: one arm, one spindle, a command queue ordered by positioning time, and a read-ahead buffer."""

from collections.abc import Mapping

from workers.simulator.arrays import longs, longs_of
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.device.tables import RATE_BITS, SEEK_COARSE, SEEK_ENTRIES, seek_shifts, seek_table, zones_of
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_COMPLETE, EVENT_DEVICE, FOREVER, NONE, READ, SECTOR_BYTES
from workers.simulator.parameters import Range

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
    "readahead_bytes": (0, 1 << 30),
    "link_bytes_per_s": (1_000_000, 100_000_000_000),
}


class HardDisk(Device):
    """One mechanism that serves one command at a time.

    Where the platter is follows from the clock (angle = time modulo revolution), where a sector is from its
    address. After each command the firmware spends `command_overhead_ns`, then takes, among the `ncq_window` oldest
    commands it holds, the one it can reach first (seek, then rotation), each millisecond of waiting counting for
    `ncq_age_per_mille` microseconds. A window of 1 is first come, first served. A command that continues where the
    last one ended, in the same direction, needs no new decision.

    After a read the disk goes on reading into its buffer for `readahead_bytes` unless another command moves the arm.
    A read that lies in the buffer costs overhead and link time; one that lies just ahead waits for the platter. A
    write has no cache: it ends on the medium.
    """

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], _seed: int) -> None:
        super().__init__(engine, requests)
        self.engine.reserve(1)  # the pending decision
        capacity = values["capacity_bytes"] // SECTOR_BYTES
        count = self.requests.capacity
        self.revolution_ns = 60_000_000_000 // values["rpm"]
        self.overhead_ns = values["command_overhead_ns"]
        self.window = values["ncq_window"]
        self.age_per_mille = values["ncq_age_per_mille"]
        self.link_sector_ns = SECTOR_BYTES * 1_000_000_000 // values["link_bytes_per_s"]
        self.readahead_sectors = values["readahead_bytes"] // SECTOR_BYTES
        zones = zones_of(
            capacity, values["zones"], values["outer_bytes_per_s"], values["inner_bytes_per_s"], self.revolution_ns
        )
        self.reads_ahead = self.readahead_sectors > 0
        self.zones = values["zones"]
        self.zone_sectors = zones.sectors
        self.zone_sector_ns = longs_of(zones.sector_ns)
        self.zone_angle_ns = longs_of(zones.angle_ns)
        self.capacity = capacity
        # Closer than this a command may need no seek: it is on the track, or in the read-ahead.
        self.near_sectors = (self.revolution_ns << RATE_BITS) // zones.sector_ns[0] + 2 * self.readahead_sectors
        self.least_seek_ns = min(values["read_seek_min_ns"], values["write_seek_min_ns"])
        self.least_span_ns = min(values["read_seek_span_ns"], values["write_seek_span_ns"])
        self.seek_shift = longs_of(seek_shifts(capacity))
        self.read_seek_ns = longs_of(seek_table(values["read_seek_min_ns"], values["read_seek_span_ns"], capacity))
        self.write_seek_ns = longs_of(seek_table(values["write_seek_min_ns"], values["write_seek_span_ns"], capacity))
        self.queue = longs(count)  # arrival order
        self.arrived_ns = longs(count)
        self.angle_ns = longs(count)
        self.sector_ns = longs(count)
        self.queued = 0
        self.deciding = False
        self.active = NONE
        self.free_ns = 0
        self.head = 0
        self.head_sector_ns = self.zone_sector_ns[0]
        self.streaming = False
        self.stream_first = 0
        self.stream_held = 0
        self.stream_base = 0
        self.stream_base_ns = 0
        self.stream_limit = 0
        self.stream_sector_ns = self.zone_sector_ns[0]
        self.seeks = 0
        self.seek_total_ns = 0
        self.rotation_total_ns = 0
        self.transfer_total_ns = 0
        self.buffer_hits = 0
        self.media_commands = 0

    def submit(self, request: int) -> None:
        if self.serve_from_buffer(request):
            return
        sector = self.requests.sector[request]
        self.arrived_ns[request] = self.engine.now_ns
        self.angle_ns[request] = self.angle_of(sector)
        self.sector_ns[request] = self.sector_time(sector)
        self.queue[self.queued] = request
        self.queued += 1
        if self.active == NONE and not self.deciding:
            self.decide_at(max(self.engine.now_ns, self.free_ns) + self.overhead_ns)

    def wake(self, argument: int) -> None:
        self.deciding = False
        if self.streaming:
            self.head = self.buffered_end()
        self.start(self.choose())

    def completed(self, request: int) -> None:
        if request != self.active:
            return
        self.active = NONE
        if self.queued == 0:
            return
        direction = self.requests.direction[request]
        for position in range(min(self.queued, self.window)):
            candidate = self.queue[position]
            if self.requests.sector[candidate] == self.head and self.requests.direction[candidate] == direction:
                self.start(position)
                return
        self.decide_at(max(self.engine.now_ns, self.free_ns) + self.overhead_ns)

    def decide_at(self, time_ns: int) -> None:
        self.deciding = True
        self.engine.schedule(time_ns, EVENT_DEVICE, 0)

    def choose(self) -> int:
        now_ns = self.engine.now_ns
        now_angle_ns = now_ns % self.revolution_ns
        best = 0
        best_ns = FOREVER
        reach = FOREVER
        # No command has waited longer than the oldest: a seek beyond `reach` cannot win, whatever its rotation.
        most_bonus_ns = (now_ns - self.arrived_ns[self.queue[0]]) * self.age_per_mille // 1000
        for position in range(min(self.queued, self.window)):
            request = self.queue[position]
            distance = self.requests.sector[request] - self.head
            if distance > reach or -distance > reach:
                continue
            cost_ns = self.positioning_ns(request, now_angle_ns)
            if self.age_per_mille > 0:
                cost_ns -= (now_ns - self.arrived_ns[request]) * self.age_per_mille // 1000
            if cost_ns < best_ns:
                best = position
                best_ns = cost_ns
                reach = self.reach(best_ns + most_bonus_ns)
        return best

    def reach(self, time_ns: int) -> int:
        """Return a distance, rounded up, beyond which the arm moves and every seek takes longer than `time_ns`."""
        moving_ns = max(0, time_ns - self.least_seek_ns)
        if moving_ns >= self.least_span_ns:
            return FOREVER
        share = ((moving_ns << 14) // self.least_span_ns) + 1
        return max(self.near_sectors, (share * share * ((self.capacity >> 14) + 1)) >> 14)

    def positioning_ns(self, request: int, now_angle_ns: int) -> int:
        if self.streaming and self.in_stream(request):
            return max(0, self.passes_ns(self.requests.sector[request]) - self.engine.now_ns)
        seek_ns = self.seek_ns(request)
        wait_ns = self.angle_ns[request] - now_angle_ns - seek_ns
        while wait_ns < 0:
            wait_ns += self.revolution_ns
        return seek_ns + wait_ns

    def seek_ns(self, request: int) -> int:
        distance = self.requests.sector[request] - self.head
        if distance < 0:
            distance = -distance
        # Within one track the arm stays.
        if distance * self.head_sector_ns < self.revolution_ns << RATE_BITS:
            return 0
        level = 0
        if distance < SEEK_COARSE << self.seek_shift[0]:
            level = 1 if distance >= SEEK_COARSE << self.seek_shift[1] else 2
        shift = self.seek_shift[level]
        cell = distance >> shift
        entry = level * SEEK_ENTRIES + cell
        inside = distance - (cell << shift)
        if self.requests.direction[request] == READ:
            step_ns = self.read_seek_ns[entry + 1] - self.read_seek_ns[entry]
            return self.read_seek_ns[entry] + ((step_ns * inside) >> shift)
        step_ns = self.write_seek_ns[entry + 1] - self.write_seek_ns[entry]
        return self.write_seek_ns[entry] + ((step_ns * inside) >> shift)

    def start(self, position: int) -> None:
        request = self.queue[position]
        self.queued -= 1
        for later in range(position, self.queued):
            self.queue[later] = self.queue[later + 1]
        sector = self.requests.sector[request]
        end = sector + self.requests.sectors[request]
        transfer_ns = (self.requests.sectors[request] * self.sector_ns[request]) >> RATE_BITS
        begin_ns = self.engine.now_ns
        if self.in_stream(request):
            begin_ns = max(begin_ns, self.passes_ns(sector))
            done_ns = max(begin_ns, self.passes_ns(end))
            self.ride_stream(end)
        else:
            self.stop_stream()
            if sector != self.head or self.free_ns != begin_ns:  # else it follows on the medium without a gap
                seek_ns = self.seek_ns(request)
                wait_ns = self.positioning_ns(request, begin_ns % self.revolution_ns)
                begin_ns += wait_ns
                self.seeks += 1 if seek_ns > 0 else 0
                self.seek_total_ns += seek_ns
                self.rotation_total_ns += wait_ns - seek_ns
            done_ns = begin_ns + transfer_ns
            self.begin_stream(request, done_ns)
        self.transfer_total_ns += done_ns - begin_ns
        self.media_commands += 1
        self.active = request
        self.head = end
        self.head_sector_ns = self.sector_ns[request]
        self.free_ns = done_ns
        self.engine.schedule(done_ns, EVENT_COMPLETE, request)

    def serve_from_buffer(self, request: int) -> bool:
        """Finish a read from the buffer, or from the stream when nothing else wants the arm; False if it cannot."""
        if self.requests.direction[request] != READ:
            return False
        sector = self.requests.sector[request]
        end = sector + self.requests.sectors[request]
        ready_ns = self.engine.now_ns + self.overhead_ns + self.requests.sectors[request] * self.link_sector_ns
        if self.active == NONE and self.queued == 0 and self.in_stream(request):
            passes_ns = self.passes_ns(end)
            ready_ns = max(ready_ns, passes_ns)
            self.free_ns = max(self.free_ns, passes_ns)
            self.ride_stream(end)
        elif sector < self.stream_first or end > self.buffered_end():
            return False
        self.buffer_hits += 1
        self.engine.schedule(ready_ns, EVENT_COMPLETE, request)
        return True

    def in_stream(self, request: int) -> bool:
        sector = self.requests.sector[request]
        if not self.streaming or self.requests.direction[request] != READ:
            return False
        if sector < self.stream_first or sector > self.stream_limit:
            return False
        # Once the limit has passed under the head the disk reads no further by itself.
        return (
            sector + self.requests.sectors[request] <= self.stream_limit
            or self.passes_ns(self.stream_limit) > self.engine.now_ns
        )

    def passes_ns(self, sector: int) -> int:
        """Return when the stream has the sectors before this one; 0 when it has held them for long."""
        if sector <= self.stream_held:
            return 0
        if sector < self.stream_base:
            return self.stream_base_ns - (((self.stream_base - sector) * self.stream_sector_ns) >> RATE_BITS)
        return self.stream_base_ns + (((sector - self.stream_base) * self.stream_sector_ns) >> RATE_BITS)

    def buffered_end(self) -> int:
        """Return the first sector after what the buffer holds now."""
        if not self.streaming:
            return self.stream_limit
        if self.engine.now_ns < self.stream_base_ns:
            return max(self.stream_first, self.stream_held)
        passed = ((self.engine.now_ns - self.stream_base_ns) << RATE_BITS) // self.stream_sector_ns
        return min(self.stream_limit, self.stream_base + passed)

    def begin_stream(self, request: int, done_ns: int) -> None:
        sector = self.requests.sector[request]
        end = sector + self.requests.sectors[request]
        if self.requests.direction[request] == READ:
            self.streaming = self.reads_ahead
            self.stream_first = sector
            self.stream_held = sector
            self.stream_base = end
            self.stream_base_ns = done_ns
            self.stream_sector_ns = self.sector_ns[request]
            self.stream_limit = end + self.readahead_sectors if self.streaming else sector
        elif sector < self.stream_limit and end > self.stream_first:
            self.stream_limit = self.stream_first  # the buffered data is stale

    def ride_stream(self, end: int) -> None:
        """Move the stream's base and its limit on to a read that ends at `end`; the buffer keeps as much behind."""
        if self.passes_ns(self.stream_limit) <= self.engine.now_ns:
            # It has stopped at its limit; with half of the buffer free it goes on when that sector comes round.
            if 2 * (self.stream_limit - end) > self.readahead_sectors:
                return
            self.stream_held = self.stream_limit
            self.stream_base = self.stream_limit
            now_ns = self.engine.now_ns
            turn_ns = self.angle_of(self.stream_limit) - now_ns % self.revolution_ns
            self.stream_base_ns = now_ns + (turn_ns if turn_ns >= 0 else turn_ns + self.revolution_ns)
            self.stream_sector_ns = self.sector_time(self.stream_limit)
        elif end > self.stream_base:
            self.stream_base_ns = self.passes_ns(end)
            self.stream_base = end
            self.stream_sector_ns = self.sector_time(end)
        self.stream_limit = max(self.stream_limit, end + self.readahead_sectors)
        self.stream_first = max(self.stream_first, self.stream_limit - 2 * self.readahead_sectors)

    def stop_stream(self) -> None:
        if self.streaming:
            self.stream_limit = self.buffered_end()
            self.streaming = False

    def zone_of(self, sector: int) -> int:
        return min(sector // self.zone_sectors, self.zones - 1)

    def angle_of(self, sector: int) -> int:
        """Return how long after the index mark a sector passes under the head."""
        zone = self.zone_of(sector)
        inside_ns = ((sector - zone * self.zone_sectors) * self.zone_sector_ns[zone]) >> RATE_BITS
        return (self.zone_angle_ns[zone] + inside_ns) % self.revolution_ns

    def sector_time(self, sector: int) -> int:
        return self.zone_sector_ns[self.zone_of(sector)]

    def counters(self) -> dict[str, int]:
        """Return counts, and where the arm's time went; `buffer_hits` never reached the medium as commands."""
        return {
            "seeks": self.seeks,
            "seek_ns": self.seek_total_ns,
            "rotation_ns": self.rotation_total_ns,
            "transfer_ns": self.transfer_total_ns,
            "buffer_hits": self.buffer_hits,
            "media_commands": self.media_commands,
        }
