"""A volume over several equal devices: the block layer sees one device, its requests become commands of the members."""

from collections.abc import Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.device.member import Build, Member
from workers.simulator.device.raid import Layout
from workers.simulator.device.volume_kinds import (
    COPIES,
    LINEAR,
    RAID1,
    RAID5,
    RAID10,
    VOLUMES,
    capacity,
    member_share,
)
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_COMPLETE, EVENT_DEVICE, FAULT_NONE, FLUSH, FOREVER, NONE, READ, SECTOR_BYTES
from workers.simulator.parameters import MOST_CAPACITY_BYTES, MOST_HW_DEPTH, Range, require
from workers.simulator.stream import seed_of

MOST_MEMBERS = 32  # a call passes along the chain of members
MOST_COMMANDS = 1 << 17  # of all members together, of some 150 bytes for each member

PAGE_SECTORS = 8  # RAID 5 reads and writes whole pages (RAID5_STRIPE_SECTORS)

PARAMETERS: dict[str, Range] = {
    "volume": VOLUMES,
    "members": (1, MOST_MEMBERS),
    "chunk_bytes": (4096, 64 << 20),
    "member_bytes": (1 << 20, MOST_CAPACITY_BYTES),
    "member_queue_depth": (1, MOST_HW_DEPTH),
    "member_flush_queued": (0, 1),
}
LEAST_MEMBERS = {LINEAR: 1, RAID1: 2, RAID5: 3, RAID10: 4}


def check(values: Mapping[str, int]) -> None:
    """Check the values of a volume against each other; ValueError names what is wrong."""
    volume, members, chunk_bytes = values["volume"], values["members"], values["chunk_bytes"]
    least = LEAST_MEMBERS.get(volume, 2)
    require(members >= least, "device.members", f"{VOLUMES[volume]} needs at least {least}, not {members}")
    require(volume != RAID10 or members % COPIES == 0, "device.members", f"raid10 needs an even number, not {members}")
    require(chunk_bytes & (chunk_bytes - 1) == 0, "device.chunk_bytes", f"{chunk_bytes} is no power of two")
    holds = capacity(volume, members, values["member_bytes"], chunk_bytes)
    require(values["capacity_bytes"] == holds, "device.capacity_bytes", f"the volume's members hold {holds}")
    require(volume != RAID5 or values["discard"] == 0, "device.discard", "raid5 discards nothing")


def most_commands(volume: int, members: int, chunk: int, requests: Requests) -> int:
    """Return how many commands the requests in use at once can become: a flush, or a mirrored write, one a member."""
    pieces = requests.total_sectors // chunk + 2 * requests.capacity
    if volume == RAID10:
        pieces *= COPIES
    elif volume == RAID5:  # up to three parts of each stripe, of each a command a member
        stripes = requests.total_sectors // (chunk * (members - 1)) + 2 * requests.capacity
        pieces += 3 * members * stripes
    elif volume in (LINEAR, RAID1):
        pieces = 2 * requests.capacity
    return pieces + members * requests.capacity


class Volume(Device):
    """Linear, RAID 0, 1, 10 (near, two copies) or 5 (left-symmetric) over members that are devices of their own.

    A request is split at the borders of chunks. Reads of mirrors are balanced as md does it; writes go to all copies.
    RAID 5 writes what is needed for the parity after reading what is missing, by whichever way reads less. A flush goes
    to all members, and each request ends with the last of its commands. Not modelled: the elevators and the merging
    of the members' own queues, the stripe cache of RAID 5 and its waiting for a stripe to fill, write-intent bitmaps.
    """

    def __init__(self, engine: Engine, requests: Requests, values: Mapping[str, int], seed: int, build: Build) -> None:
        super().__init__(engine, requests)
        self.volume = values["volume"]
        self.members = values["members"]
        self.chunk = values["chunk_bytes"] // SECTOR_BYTES
        share = member_share(self.volume, values["member_bytes"], values["chunk_bytes"]) // SECTOR_BYTES
        self.layout = Layout(self.volume, self.members, self.chunk, share)
        self.rotational = values["rotational"] == 1
        count = most_commands(self.volume, self.members, self.chunk, requests)
        if count > MOST_COMMANDS:
            raise ValueError(f"jobs.iodepth: {count} commands of members could be in use; at most {MOST_COMMANDS}")
        spare = 2 * PAGE_SECTORS  # RAID 5 rounds to pages
        self.commands = Requests(
            count, requests.largest_sectors + spare, 1, 1, requests.total_sectors + spare * requests.capacity
        )
        self.own = {
            **values,
            "capacity_bytes": values["member_bytes"],
            "queue_depth": values["member_queue_depth"],
            "flush_queued": values["member_flush_queued"],
        }
        self.everyone: list[Member] = []
        for number in reversed(range(self.members)):
            following = self.everyone[0] if self.everyone else None
            made = Member(self.commands, self.own, seed_of(seed, f"member/{number}"), build, following)
            self.everyone.insert(0, made)
        self.first = self.everyone[0]
        engine.reserve(sum(member.wakes for member in self.everyone))
        self.request_of = longs(count)
        self.part_of = longs(count, NONE)
        self.member_of = longs(count)
        self.free = NONE
        for command in reversed(range(count)):
            self.commands.next[command] = self.free
            self.free = command
        self.pending = longs(requests.capacity)  # commands and parts that a request waits for
        # What the balance of reads looks at.
        self.queued = longs(self.members)
        self.position = longs(self.members)
        self.continues = longs(self.members, NONE)
        # Parts of RAID 5 writes that read first: rows of a stripe with the same chunks written.
        self.part_stripe = longs(count)
        self.part_begin = longs(count)
        self.part_end = longs(count)
        self.part_first = longs(count)
        self.part_last = longs(count)
        self.part_left = longs(count)
        self.part_next = longs(count)
        self.free_part = NONE
        for part in reversed(range(count)):
            self.part_next[part] = self.free_part
            self.free_part = part
        self.reads = 0
        self.writes = 0
        self.flushes = 0

    def submit(self, request: int) -> None:
        direction = self.requests.direction[request]
        self.pending[request] = 1  # until all its commands have been made
        if direction == FLUSH:
            for member in range(self.members):
                self.command(request, member, 0, 0, FLUSH, NONE)
        elif direction != READ and self.volume == RAID5:
            self.write_stripes(request)
        else:
            self.pieces(request, direction)
        self.release(request)

    def wake(self, argument: int) -> None:
        now_ns = self.engine.now_ns
        self.first.woken(argument)
        command = self.first.step(argument, now_ns)
        while command != NONE:
            self.ended(command)
            command = self.first.step(argument, now_ns)
        if self.first.fault(argument) != FAULT_NONE:
            self.engine.fail(self.first.fault(argument))
        self.arm(argument)

    def completed(self, request: int) -> None:
        pass

    def arm(self, member: int) -> None:
        time_ns = self.first.arm(member)
        if time_ns != NONE:
            self.engine.schedule(time_ns, EVENT_DEVICE, member)

    def command(self, request: int, member: int, sector: int, sectors: int, direction: int, part: int) -> None:
        """Send a command to a member; one of a part is not waited for by its request but by the part."""
        command = self.free
        self.free = self.commands.next[command]
        self.request_of[command] = request
        self.part_of[command] = part
        self.member_of[command] = member
        self.commands.sector[command] = sector
        self.commands.sectors[command] = sectors
        self.commands.direction[command] = direction
        self.commands.flags[command] = self.requests.flags[request] if direction != READ else 0
        if part == NONE:
            self.pending[request] += 1
        if direction == READ:
            self.reads += 1
        elif direction == FLUSH:
            self.flushes += 1
        else:
            self.writes += 1
        self.queued[member] += 1
        self.first.take(member, command, self.engine.now_ns)
        self.arm(member)

    def ended(self, command: int) -> None:
        member = self.member_of[command]
        request = self.request_of[command]
        part = self.part_of[command]
        self.queued[member] -= 1
        if self.commands.direction[command] != FLUSH:
            self.position[member] = self.commands.sector[command] + self.commands.sectors[command]
        self.commands.next[command] = self.free
        self.free = command
        if part == NONE:
            self.release(request)
            return
        self.part_left[part] -= 1
        if self.part_left[part] == 0:
            self.write_part(request, part)
            self.part_next[part] = self.free_part
            self.free_part = part
            self.release(request)

    def release(self, request: int) -> None:
        self.pending[request] -= 1
        if self.pending[request] == 0:
            self.engine.schedule(self.engine.now_ns, EVENT_COMPLETE, request)

    def pieces(self, request: int, direction: int) -> None:
        """Split at chunk borders (raid0_make_request, dm_accept_partial_bio); a mirror's writes go to all copies."""
        sector = self.requests.sector[request]
        end = sector + self.requests.sectors[request]
        copies = 1
        if self.volume == RAID1:
            copies = self.members
        elif self.volume == RAID10:
            copies = COPIES
        while sector < end:
            self.layout.locate(sector)
            member = self.layout.member
            at = self.layout.at
            sectors = min(self.layout.left, end - sector)
            if copies == 1:
                self.command(request, member, at, sectors, direction, NONE)
            elif direction == READ:
                self.command(request, self.balanced(member, copies, at, sectors), at, sectors, READ, NONE)
            else:
                for copy in range(member, member + copies):
                    self.command(request, copy, at, sectors, direction, NONE)
            sector += sectors

    def balanced(self, first: int, count: int, sector: int, sectors: int) -> int:
        """Return which copy is read (raid1.c, choose_best_rdev of Linux 6.12; RAID 10 near is taken to do the same).

        One that continues where it was; else, when one is idle or they do not rotate, that with the fewest pending;
        else the one whose last command was nearest.
        """
        least = first
        nearest = first
        nearest_distance = FOREVER
        best = NONE
        for member in range(first, first + count):
            distance = sector - self.position[member]
            if distance < 0:
                distance = -distance
            if best == NONE and (distance == 0 or self.continues[member] == sector):
                best = member
            if self.queued[member] < self.queued[least]:
                least = member
            if distance < nearest_distance:
                nearest = member
                nearest_distance = distance
        if best == NONE:
            best = least if not self.rotational or self.queued[least] == 0 else nearest
        self.continues[best] = sector + sectors
        return best

    def write_stripes(self, request: int) -> None:
        """Cut a RAID 5 write into parts: rows of a stripe in which the same chunks are written.

        md decides for each row of pages (a stripe_head); rows that are alike need one command a member here.
        """
        sector = self.requests.sector[request]
        end = sector + self.requests.sectors[request]
        data = self.chunk * (self.members - 1)
        while sector < end:
            stripe = sector // data
            base = stripe * data
            until = min(end, base + data)
            first = (sector - base) // self.chunk
            last = (until - 1 - base) // self.chunk
            begin = (sector - base) % self.chunk
            stop = (until - 1 - base) % self.chunk + 1
            if first == last:
                self.part(request, stripe, begin, stop, first, last)
            else:
                low = min(begin, stop)
                high = max(begin, stop)
                self.part(request, stripe, 0, low, first + 1, last)
                if begin < stop:
                    self.part(request, stripe, low, high, first, last)
                else:
                    self.part(request, stripe, low, high, first + 1, last - 1)
                self.part(request, stripe, high, self.chunk, first, last - 1)
            sector = until

    def part(self, request: int, stripe: int, begin: int, end: int, first: int, last: int) -> None:
        """Begin a part: chunks `first` to `last` of the stripe's data, rows `begin` to `end`.

        The way that reads less is taken, reconstruction when they are equal (raid5.c, handle_stripe_dirtying, with
        rmw_level 1): read-modify-write reads what is written and the parity, reconstruct-write the rest of the data.
        """
        if begin >= end or first > last:
            return
        partial = begin % PAGE_SECTORS + end % PAGE_SECTORS  # 0: all pages are overwritten whole (R5_OVERWRITE)
        part = self.free_part
        self.free_part = self.part_next[part]
        self.part_stripe[part] = stripe
        self.part_begin[part] = begin - begin % PAGE_SECTORS
        self.part_end[part] = end + (PAGE_SECTORS - end % PAGE_SECTORS) % PAGE_SECTORS
        self.part_first[part] = first
        self.part_last[part] = last
        data = self.members - 1
        written = last - first + 1
        modify = written + 1
        reconstruct = data - written if partial == 0 else data
        self.pending[request] += 1
        if reconstruct == 0:
            self.write_part(request, part)
            self.part_next[part] = self.free_part
            self.free_part = part
            self.release(request)
            return
        self.part_left[part] = min(modify, reconstruct)
        at = stripe * self.chunk + self.part_begin[part]
        sectors = self.part_end[part] - self.part_begin[part]
        if modify < reconstruct:
            for index in range(first, last + 1):
                self.command(request, self.layout.data_member(stripe, index), at, sectors, READ, part)
            self.command(request, self.layout.parity_member(stripe), at, sectors, READ, part)
            return
        for index in range(data):
            if partial > 0 or index < first or index > last:
                self.command(request, self.layout.data_member(stripe, index), at, sectors, READ, part)

    def write_part(self, request: int, part: int) -> None:
        """Write the data and the parity of a part."""
        stripe = self.part_stripe[part]
        at = stripe * self.chunk + self.part_begin[part]
        sectors = self.part_end[part] - self.part_begin[part]
        direction = self.requests.direction[request]
        for index in range(self.part_first[part], self.part_last[part] + 1):
            self.command(request, self.layout.data_member(stripe, index), at, sectors, direction, NONE)
        self.command(request, self.layout.parity_member(stripe), at, sectors, direction, NONE)

    def counters(self) -> dict[str, int]:
        total: dict[str, int] = {}
        for member in self.everyone:
            for name, value in member.device.counters().items():
                total[name] = total.get(name, 0) + value
        return {
            "member_reads": self.reads,
            "member_writes": self.writes,
            "member_flushes": self.flushes,
            **total,
        }

    def warnings(self) -> list[str]:
        return list(dict.fromkeys(text for member in self.everyone for text in member.device.warnings()))
