"""Which block a job's thread touches next, and in which direction (fio's rw, rwmixread, bs, size, norandommap)."""

import itertools
from collections.abc import Sequence

from workers.simulator.arrays import longs, longs_of, unsigned_longs_of
from workers.simulator.job import JobParameters
from workers.simulator.kinds import MASK_64, READ, SECTOR_SHIFT, TRIM, WAYS, WRITE
from workers.simulator.stream import Streams, seed_of
from workers.simulator.workload.places import Places

MIXED = -1
TRIM_THEN_WRITE = -2


class Pattern:
    """State of every thread's access pattern; `choose` leaves the next I/O in `direction`, `sector`, `sectors`.

    A sequential thread walks its region with one position a direction, as fio does, and wraps at the end. A random
    thread visits every block once a pass in an order given by a keyed permutation, so that no map is kept however
    large the region; the key changes with every pass. When reads and writes differ in block size, each direction has
    its own order. With norandommap every draw is independent.
    """

    def __init__(self, jobs: Sequence[JobParameters], seed: int) -> None:
        names = [f"{job.random_seed}/{job.thread_number}" for job in jobs]
        self.mix = Streams([seed_of(seed, f"workload/{name}/direction") for name in names])
        self.place = Streams([seed_of(seed, f"workload/{name}/offset") for name in names])
        self.key = unsigned_longs_of([seed_of(seed, f"workload/{name}/map") for name in names])
        self.draws = Streams([seed_of(seed, f"workload/{name}/priority") for name in names])
        self.priorities = longs_of(job.ioprio() for job in jobs)
        self.cmdprio = longs_of(job.cmdprio() for job in jobs)
        self.cmdprio_percent = longs_of(job.cmdprio_percent for job in jobs)
        directions = [job.directions() for job in jobs]
        self.only = longs_of(used[0] if len(used) == 1 else _mix_of(used) for used in directions)
        self.read_percent = longs_of(job.rwmixread for job in jobs)
        self.way = longs(len(jobs), READ)
        self.issues = longs(2 * len(jobs))
        self.turn_issues = longs(len(jobs))
        self.random = longs_of(int(job.is_random()) for job in jobs)
        self.mapped = longs_of(int(not job.norandommap) for job in jobs)
        self.shared_map = longs_of(int(len({job.block_bytes(way) for way in job.directions()}) == 1) for job in jobs)
        self.replays = longs_of(int(job.recording is not None) for job in jobs)
        recordings = [job.recording for job in jobs if job.recording is not None]
        lengths = (len(job.recording.time_ns) if job.recording is not None else 0 for job in jobs)
        self.cursor = longs_of(list(itertools.accumulate(lengths, initial=0))[: len(jobs)])
        self.due_ns = longs_of(time_ns for each in recordings for time_ns in each.time_ns)
        self.recorded_direction = longs_of(way for each in recordings for way in each.direction)
        self.recorded_sector = longs_of(sector for each in recordings for sector in each.sector)
        self.recorded_sectors = longs_of(sectors for each in recordings for sectors in each.sectors)
        self.rich = longs_of(int(job.is_rich()) for job in jobs)
        self.places = Places(jobs, seed)
        self.offset = longs_of(job.offset_bytes for job in jobs)
        each = [(job, way) for job in jobs for way in range(WAYS)]
        self.block = longs_of(job.block_bytes(way) for job, way in each)
        self.blocks = longs_of(job.size_bytes // job.block_bytes(way) for job, way in each)
        self.position = longs(len(each))
        self.turn = longs(len(each))
        self.direction = READ
        self.sector = 0
        self.sectors = 0

    def choose(self, thread: int) -> None:
        self.place_next(thread, self.next_direction(thread))

    def next_direction(self, thread: int) -> int:
        """Return which way the next I/O goes; of a mix, as fio's get_rw_ddir draws it.

        After a change of direction the new one is kept until it has its share of what the old one has had.
        """
        if self.only[thread] >= 0:
            return self.only[thread]
        if self.replays[thread]:
            return self.recorded_direction[self.cursor[thread]]
        way = self.way[thread]
        if self.only[thread] == TRIM_THEN_WRITE:
            self.way[thread] = WRITE if way == TRIM else TRIM
            return self.way[thread]
        if self.issues[2 * thread + way] >= self.turn_issues[thread]:
            drawn = READ if self.mix.below(thread, 100) < self.read_percent[thread] else WRITE
            if drawn != way:
                self.turn_issues[thread] = self.issues[2 * thread + way] * self.other_percent(thread, way) // 100
                self.way[thread] = drawn
                way = drawn
        return way

    def other_percent(self, thread: int, direction: int) -> int:
        return 100 - self.read_percent[thread] if direction == READ else self.read_percent[thread]

    def place_next(self, thread: int, direction: int) -> None:
        if self.replays[thread]:
            self.replay(thread, direction)
            return
        if self.only[thread] == MIXED:
            self.issues[2 * thread + direction] += 1
        if self.rich[thread]:
            self.places.choose(thread, direction)
            self.direction = direction
            self.sector = self.places.start >> SECTOR_SHIFT
            self.sectors = self.places.size >> SECTOR_SHIFT
            return
        row = thread * WAYS + direction
        if self.random[thread]:
            block = self.random_block(thread, direction)
        else:
            block = self.position[row]
            self.position[row] = block + 1 if block + 1 < self.blocks[row] else 0
        self.direction = direction
        self.sector = (self.offset[thread] + block * self.block[row]) >> SECTOR_SHIFT
        self.sectors = self.block[row] >> SECTOR_SHIFT

    def priority(self, thread: int) -> int:
        """Return the ioprio of a thread's next I/O (fio's prio, and cmdprio_percentage)."""
        if self.cmdprio_percent[thread] > 0 and self.draws.below(thread, 100) < self.cmdprio_percent[thread]:
            return self.cmdprio[thread]
        return self.priorities[thread]

    def replay(self, thread: int, direction: int) -> None:
        at = self.cursor[thread]
        self.cursor[thread] = at + 1
        self.direction = direction
        self.sector = self.recorded_sector[at]
        self.sectors = self.recorded_sectors[at]

    def random_block(self, thread: int, direction: int) -> int:
        row = thread * WAYS + direction
        if not self.mapped[thread]:
            return self.place.below(thread, self.blocks[row])
        order = thread * WAYS + (READ if self.shared_map[thread] else direction)
        position = self.position[order]
        key = self.place.mix((self.key[thread] + order + self.turn[order] * WAYS) & MASK_64)
        if position + 1 < self.blocks[row]:
            self.position[order] = position + 1
        else:
            self.position[order] = 0
            self.turn[order] += 1
        return self.place.permuted(position, self.blocks[row], key)


def _mix_of(directions: Sequence[int]) -> int:
    return TRIM_THEN_WRITE if TRIM in directions else MIXED
