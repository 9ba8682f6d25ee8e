"""Where and how large the I/Os are of threads that ask for more than one block size and one file.

Block size ranges and mixes, random distributions, percentage_random, rw=randread:8 and rw=read:8k, several files
(fio 3.33: io_u.c).
"""

import itertools
from collections.abc import Sequence

from workers.simulator.arrays import longs, longs_of, unsigned_longs_of
from workers.simulator.job import JobParameters
from workers.simulator.kinds import (
    MASK_64,
    NONE,
    PLACES_NORMAL,
    PLACES_SKEWED,
    PLACES_ZONED,
    READ,
    SECTOR_BYTES,
    SERVE_NONUNIFORM,
    SERVE_RANDOM,
    SERVE_SEQUENTIAL,
    WAYS,
)
from workers.simulator.stream import Streams, seed_of
from workers.simulator.workload.cells import WEIGHT_BITS, Cells, cells_of, pareto, zipf

SERVICE_SHIFT = 10  # a non-uniform choice among files is finer than a file (FIO_FSERVICE_SHIFT)

NORMAL_DRAWS = 12  # GAUSS_ITERS in fio's lib/gauss.c


class Places:
    """State of every thread that needs it; `choose` leaves the next I/O in `start` and `size`, in bytes.

    A row is a file of a thread and a direction. With a random map each block of a file comes once a pass; of several
    sizes the smallest is the block, and a larger I/O may touch what its neighbours touch too.
    """

    def __init__(self, jobs: Sequence[JobParameters], seed: int) -> None:
        names = [f"{job.random_seed}/{job.thread_number}" for job in jobs]
        self.place = Streams([seed_of(seed, f"workload/{name}/places") for name in names])
        self.sizes = Streams([seed_of(seed, f"workload/{name}/sizes") for name in names])
        self.order = Streams([seed_of(seed, f"workload/{name}/order") for name in names])
        self.files_stream = Streams([seed_of(seed, f"workload/{name}/files") for name in names])
        self.key = unsigned_longs_of([seed_of(seed, f"workload/{name}/ranks") for name in names])
        self.start = 0
        self.size = 0
        self._sizes(jobs)
        self._files(jobs)
        self._rows(jobs)

    def _sizes(self, jobs: Sequence[JobParameters]) -> None:
        each = [(job, way) for job in jobs for way in range(WAYS)]
        self.low = longs_of(job.smallest_bytes(way) for job, way in each)
        self.high = longs_of(job.largest_bytes(way) for job, way in each)
        self.granule = longs_of(SECTOR_BYTES if job.bs_unaligned else job.smallest_bytes(way) for job, way in each)
        self.align = longs_of(job.align_bytes(way) for job, way in each)
        splits = [job.bssplit[way] if job.bssplit else () for job, way in each]
        self.split_bytes = longs_of(size for split in splits for size, _ in split)
        self.split_percent = longs_of(percent for split in splits for _, percent in split)
        self.split_first = longs_of(itertools.accumulate((len(split) for split in splits), initial=0))

    def _files(self, jobs: Sequence[JobParameters]) -> None:
        regions = [job.regions() if job.is_rich() else () for job in jobs]
        self.first_file = longs_of(itertools.accumulate((len(files) for files in regions), initial=0))
        self.file_offset = longs_of(offset for files in regions for offset, _ in files)
        self.file_size = longs_of(size for files in regions for _, size in files)
        count = self.first_file[len(jobs)]
        self.file_bytes = longs(count)
        self.slot = longs_of(range(count))
        self.opened = longs_of(
            min(job.openfiles or len(files), len(files)) for job, files in zip(jobs, regions, strict=True)
        )
        self.open = longs_of(self.opened)
        self.next_unopened = longs_of(self.opened)
        self.service = longs_of(job.service() for job in jobs)
        self.service_ios = longs_of(job.file_service_ios for job in jobs)
        self.service_left = longs(len(jobs))
        self.turn = longs(len(jobs))
        self.current = longs(len(jobs), NONE)
        self.exhausts = longs_of(int(not (job.is_random() and job.norandommap)) for job in jobs)

    def _rows(self, jobs: Sequence[JobParameters]) -> None:
        self.random = longs_of(int(job.is_random()) for job in jobs)
        self.mapped = longs_of(int(not job.norandommap) for job in jobs)
        self.shared_map = longs_of(int(job.shares_map()) for job in jobs)
        self.every = longs_of(job.random_every for job in jobs)
        self.until_random = longs(len(jobs), 1)
        self.identical = longs_of(int(job.rw_sequencer == "identical") for job in jobs)
        self.add_bytes = longs_of(job.sequential_add_bytes for job in jobs)
        self.random_percent = longs_of(job.percentage_random[way] for job in jobs for way in range(WAYS))
        rows = WAYS * self.first_file[len(jobs)]
        self.blocks = longs(rows)
        self.last_start = longs(rows, NONE)
        self.last_end = longs(rows)
        self.pass_position = longs(rows)
        self.pass_number = longs(rows)
        self.kind = longs_of(job.distribution_kind() for job in jobs)
        self.shift = longs(rows)
        self.spread = longs(rows)
        self.cells_first = longs(rows)
        self.cells_end = longs(rows)
        self.service_first = longs(len(jobs))
        self.service_end = longs(len(jobs))
        known: dict[Cells, tuple[int, int]] = {}
        tables: list[Cells] = []
        for thread, job in enumerate(jobs):
            for file in range(self.first_file[thread], self.first_file[thread + 1]):
                for way in range(WAYS):
                    self._row(job, thread, file, way, known, tables)
            if self.service[thread] == SERVE_NONUNIFORM:
                count = (self.first_file[thread + 1] - self.first_file[thread]) << SERVICE_SHIFT
                kind, parameter = job.file_service_type.split(":")
                table = (zipf if kind == "zipf" else pareto)(count, float(parameter))
                self.service_first[thread], self.service_end[thread] = _put(table, known, tables)
        self.cell_first = longs_of(first for table in tables for first in table.first)
        self.cell_length = longs_of(length for table in tables for length in table.length)
        self.cell_until = longs_of(until for table in tables for until in table.until)
        self.cell_position = longs(len(self.cell_first))
        self.cell_pass = longs(len(self.cell_first))

    def _row(
        self,
        job: JobParameters,
        thread: int,
        file: int,
        way: int,
        known: dict[Cells, tuple[int, int]],
        tables: list[Cells],
    ) -> None:
        row = file * WAYS + way
        low, align = self.low[thread * WAYS + way], self.align[thread * WAYS + way]
        size = self.file_size[file]
        blocks = max(1, (size - max(0, low - align)) // align)
        self.blocks[row] = blocks
        kind = self.kind[thread]
        if kind == PLACES_SKEWED:
            table = (zipf if job.random_distribution == "zipf" else pareto)(blocks, job.distribution_parameter)
            self.cells_first[row], self.cells_end[row] = _put(table, known, tables)
            if job.distribution_center is not None:
                first = self.place.permuted(0, blocks, self.key[thread])
                self.shift[row] = (round(blocks * job.distribution_center) - first) % blocks
        elif kind == PLACES_NORMAL:
            self.spread[row] = min(-(-blocks * round(job.distribution_parameter * 1000) // 100_000), blocks // 2)
            if job.distribution_center is not None:
                self.shift[row] = round(blocks * (job.distribution_center - 0.5)) % blocks
        elif kind == PLACES_ZONED and way in job.directions():
            # Passes of zones are a thread's own, so the table is not shared.
            self.cells_first[row], self.cells_end[row] = _append(cells_of(zones_of(job, way, blocks, align)), tables)

    def choose(self, thread: int, direction: int) -> None:
        file = self.next_file(thread)
        row = file * WAYS + direction
        sizes = thread * WAYS + direction
        self.until_random[thread] -= 1
        hit = 0
        if self.until_random[thread] == 0:
            hit = 1
            self.until_random[thread] = self.every[thread]
        if self.random[thread] and hit == 1 and self.draws_random(thread, sizes):
            offset = self.random_block(thread, file, direction) * self.align[sizes]
        elif hit == 0 and self.identical[thread]:
            offset = max(0, self.last_start[row])
        else:
            offset = self.sequential(thread, file, row, sizes)
        size = self.draw_size(thread, sizes, self.file_size[file] - offset)
        self.last_start[row] = offset
        self.last_end[row] = offset + size
        self.file_bytes[file] += size
        self.start = self.file_offset[file] + offset
        self.size = size

    def draws_random(self, thread: int, sizes: int) -> bool:
        percent = self.random_percent[sizes]
        return percent == 100 or self.order.below(thread, 100) < percent

    def sequential(self, thread: int, file: int, row: int, sizes: int) -> int:
        """Return where the last I/O of the row ended, and further by what rw=read:8k adds; wrap at the file's ends."""
        size = self.file_size[file]
        offset = self.last_end[row]
        add = self.add_bytes[thread]
        if offset > 0 and add != 0:
            offset += add
            if offset < 0 or offset >= size:
                offset = 0 if add > 0 else size + add
        if offset < 0 or offset + self.low[sizes] > size:
            offset = 0
        return offset

    def draw_size(self, thread: int, sizes: int, room: int) -> int:
        """Return the size of an I/O; one that does not fit the rest of the file is drawn again, as in fio."""
        low = self.low[sizes]
        high = self.high[sizes]
        if low == high:
            return low
        first = self.split_first[sizes]
        end = self.split_first[sizes + 1]
        size = room + 1
        while size > room:
            if end > first:
                drawn = self.sizes.below(thread, 100)
                percent = 0
                for entry in range(first, end):
                    percent += self.split_percent[entry]
                    if self.split_percent[entry] > 0:
                        size = self.split_bytes[entry]
                        if drawn < percent and size <= room:
                            break
            else:
                size = low + self.sizes.below(thread, high)
                size = min(high, size - size % self.granule[sizes])
        return size

    def random_block(self, thread: int, file: int, direction: int) -> int:
        row = file * WAYS + direction
        blocks = self.blocks[row]
        kind = self.kind[thread]
        if kind == PLACES_SKEWED:
            rank = self.from_cells(thread, self.cells_first[row], self.cells_end[row])
            return (self.place.permuted(rank, blocks, self.key[thread]) + self.shift[row]) % blocks
        if kind == PLACES_NORMAL:
            return self.normal(thread, row)
        if kind == PLACES_ZONED:
            cell = self.cell_of(
                self.place.draw(thread) >> (64 - WEIGHT_BITS), self.cells_first[row], self.cells_end[row]
            )
            return self.cell_first[cell] + self.in_zone(thread, cell)
        if not self.mapped[thread]:
            return self.place.below(thread, blocks)
        order = file * WAYS + (READ if self.shared_map[thread] else direction)
        key = self.place.mix((self.key[thread] + order + self.pass_number[order] * WAYS) & MASK_64)
        position = self.pass_position[order]
        if position + 1 < blocks:
            self.pass_position[order] = position + 1
        else:
            self.pass_position[order] = 0
            self.pass_number[order] += 1
        return self.place.permuted(position, blocks, key)

    def in_zone(self, thread: int, cell: int) -> int:
        length = self.cell_length[cell]
        if not self.mapped[thread]:
            return self.place.below(thread, length)
        key = self.place.mix((self.key[thread] + cell + (self.cell_pass[cell] << 20)) & MASK_64)
        position = self.cell_position[cell]
        if position + 1 < length:
            self.cell_position[cell] = position + 1
        else:
            self.cell_position[cell] = 0
            self.cell_pass[cell] += 1
        return self.place.permuted(position, length, key)

    def normal(self, thread: int, row: int) -> int:
        """fio's gauss_next: the mean of twelve even draws, moved evenly by up to half the deviation, scattered."""
        blocks = self.blocks[row]
        total = 0
        for _ in range(NORMAL_DRAWS):
            total += self.place.below(thread, blocks + 1)
        rank = min((total + NORMAL_DRAWS - 1) // NORMAL_DRAWS, blocks - 1)
        spread = self.spread[row]
        if spread > 0:
            moved = self.place.below(thread, spread) - spread // 2
            while rank + moved >= blocks or rank + moved < 0:
                moved = moved // 2 if moved > 0 else -(-moved // 2)
            rank += moved
        return (self.place.permuted(rank, blocks, self.key[thread]) + self.shift[row]) % blocks

    def from_cells(self, thread: int, first: int, end: int) -> int:
        cell = self.cell_of(self.place.draw(thread) >> (64 - WEIGHT_BITS), first, end)
        length = self.cell_length[cell]
        return self.cell_first[cell] + (0 if length == 1 else self.place.below(thread, length))

    def cell_of(self, weight: int, first: int, end: int) -> int:
        """Return the first cell whose weight reaches beyond the one drawn."""
        end -= 1
        while first < end:
            middle = (first + end) >> 1
            if self.cell_until[middle] > weight:
                end = middle
            else:
                first = middle + 1
        return first

    def next_file(self, thread: int) -> int:
        """Return the file of the next I/O; a file that has been through once makes room for one not yet opened."""
        begin = self.first_file[thread]
        files = self.first_file[thread + 1] - begin
        if files == 1:
            return begin
        if self.exhausts[thread] and self.current[thread] != NONE:
            self.close_if_done(thread, self.current[thread])
        if self.current[thread] != NONE:
            if self.service[thread] == SERVE_SEQUENTIAL:
                return self.slot[begin + self.current[thread]]
            if self.service_left[thread] > 0:
                self.service_left[thread] -= 1
                return self.slot[begin + self.current[thread]]
        self.service_left[thread] = self.service_ios[thread] - 1
        self.current[thread] = self.choose_slot(thread)
        return self.slot[begin + self.current[thread]]

    def choose_slot(self, thread: int) -> int:
        service = self.service[thread]
        if service == SERVE_RANDOM:
            return self.files_stream.below(thread, self.open[thread])
        if service == SERVE_NONUNIFORM:
            drawn = self.from_cells(thread, self.service_first[thread], self.service_end[thread])
            return (drawn >> SERVICE_SHIFT) % self.open[thread]
        slot = self.turn[thread]
        if slot >= self.open[thread]:
            slot = 0
        self.turn[thread] = slot + 1
        return slot

    def close_if_done(self, thread: int, slot: int) -> None:
        begin = self.first_file[thread]
        file = self.slot[begin + slot]
        if self.file_bytes[file] < self.file_size[file]:
            return
        self.current[thread] = NONE
        files = self.first_file[thread + 1] - begin
        if self.next_unopened[thread] < files:
            self.slot[begin + slot] = begin + self.next_unopened[thread]
            self.next_unopened[thread] += 1
            return
        self.open[thread] -= 1
        for later in range(slot, self.open[thread]):
            self.slot[begin + later] = self.slot[begin + later + 1]
        if slot < self.turn[thread]:
            self.turn[thread] -= 1
        if self.open[thread] == 0:
            self.open_again(thread)

    def open_again(self, thread: int) -> None:
        begin = self.first_file[thread]
        self.open[thread] = self.opened[thread]
        self.next_unopened[thread] = self.opened[thread]
        self.turn[thread] = 0
        for file in range(begin, self.first_file[thread + 1]):
            self.slot[file] = file
            self.file_bytes[file] = 0


def zones_of(job: JobParameters, way: int, blocks: int, align: int) -> list[tuple[int, int, float]]:
    """Return the zones of a direction as (first block, blocks, share of the accesses in percent)."""
    found = []
    end = 0
    for access, size in job.zones[way]:
        begin, end = end, end + size
        if job.random_distribution == "zoned":
            first, last = begin * blocks // 100, end * blocks // 100
        else:
            first, last = begin // align, min(blocks, end // align)
        found.append((first, last - first, float(access)))
    return found


def _put(table: Cells, known: dict[Cells, tuple[int, int]], tables: list[Cells]) -> tuple[int, int]:
    if table not in known:
        known[table] = _append(table, tables)
    return known[table]


def _append(table: Cells, tables: list[Cells]) -> tuple[int, int]:
    first = sum(len(other.first) for other in tables)
    tables.append(table)
    return first, first + len(table.first)
