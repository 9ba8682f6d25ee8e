"""mq-deadline against a second, naive implementation of its rules, and against the bounds that it promises."""

import dataclasses
from dataclasses import dataclass

import pytest

from tests.workers.simulator.machines import GIB, MS, S, device, job, machine
from workers.simulator import TRACE_NAMES, JobParameters, QueueParameters, SimulationResult, simulate

DEFAULTS = {
    "read_expire": 500,
    "write_expire": 5000,
    "fifo_batch": 16,
    "writes_starved": 2,
    "prio_aging_expire": 10_000,
}


@dataclass(frozen=True)
class Row:
    index: int
    priority: int
    write: bool
    sector: int
    inserted_ns: int
    dispatched_ns: int


def rows(result: SimulationResult, jobs: list[JobParameters]) -> list[Row]:
    at = {name: TRACE_NAMES.index(name) for name in TRACE_NAMES}
    return [
        Row(
            index,
            max(1, jobs[int(row[at["thread"]])].priority_class) - 1,
            int(row[at["direction"]]) > 0,
            int(row[at["sector"]]),
            int(row[at["inserted_ns"]]),
            int(row[at["dispatched_ns"]]),
        )
        for index, row in enumerate(result.trace.tolist())
    ]


class Naive:
    """The rules written down as lists that are searched from end to end."""

    def __init__(self, options: dict[str, int]) -> None:
        self.options = options
        self.waiting: list[Row] = []
        self.in_flight: list[Row] = []
        self.latest: dict[tuple[int, bool], int] = {}
        self.last_write = False
        self.batching = 0
        self.starved = 0

    def expire_ns(self, row: Row) -> int:
        return self.options["write_expire" if row.write else "read_expire"] * MS

    def fifo(self, priority: int, write: bool) -> list[Row]:
        return [row for row in self.waiting if (row.priority, row.write) == (priority, write)]

    def above(self, priority: int, write: bool) -> Row | None:
        latest = self.latest.get((priority, write), 0)
        reachable = [row for row in self.fifo(priority, write) if row.sector >= latest]
        return min(reachable, key=lambda row: row.sector) if reachable else None

    def from_class(self, priority: int, now_ns: int, latest_start_ns: int) -> Row | None:
        chosen = self.above(priority, self.last_write)
        if chosen is None or self.batching >= self.options["fifo_batch"]:
            reads, writes = self.fifo(priority, False), self.fifo(priority, True)
            if not reads and not writes:
                return None
            write = not reads
            if reads and writes:
                write = self.starved >= self.options["writes_starved"]
                self.starved += 1
            if write:
                self.starved = 0
            oldest = (writes if write else reads)[0]
            expired = oldest.inserted_ns + self.expire_ns(oldest) <= now_ns
            chosen = oldest if expired else (self.above(priority, write) or oldest)
            self.last_write = write
            self.batching = 0
        if chosen.inserted_ns > latest_start_ns:
            return None
        self.batching += 1
        self.latest[priority, chosen.write] = chosen.sector
        return chosen

    def dispatch(self, now_ns: int) -> Row | None:
        busy = {row.priority for row in self.waiting + self.in_flight}
        if len(busy) > 1:
            for priority in (1, 2):
                aged = self.from_class(priority, now_ns, now_ns - self.options["prio_aging_expire"] * MS)
                if aged is not None:
                    return aged
        for priority in (0, 1, 2):
            chosen = self.from_class(priority, now_ns, now_ns)
            if chosen is not None or priority in busy:
                return chosen
        return None


JOBS = {
    "reads": [job(1, iodepth=40, rw="randread", size_bytes=1 << 40)],
    "mixed": [job(1, iodepth=60, rw="randrw", rwmixread=60, size_bytes=1 << 40)],
    "streams": [
        job(1, iodepth=8, rw="read", size_bytes=GIB),
        job(2, iodepth=8, rw="write", size_bytes=GIB, offset_bytes=1 << 40),
        job(3, iodepth=20, rw="randrw", size_bytes=1 << 41),
    ],
    "priorities": [
        job(1, iodepth=3, rw="randrw", size_bytes=1 << 40, priority_class=1),
        job(2, iodepth=20, rw="randrw", size_bytes=1 << 40, priority_class=2),
        job(3, iodepth=20, rw="randrw", size_bytes=1 << 40, priority_class=3),
    ],
}


def run(
    jobs: list[JobParameters], options: dict[str, int] | None = None, runtime_ns: int = 20 * S, **changes: int
) -> SimulationResult:
    timed = [dataclasses.replace(each, runtime_ns=runtime_ns) for each in jobs]
    parameters = machine("hdd", *timed, trace_ios=100_000)
    values = {"queue_depth": 1, **changes}
    queue = QueueParameters("mq-deadline", 128, options or {}, nomerges=2)
    return simulate(dataclasses.replace(parameters, device=device("hdd", **values), queue=queue), seed=1)


@pytest.mark.parametrize("name", sorted(JOBS))
@pytest.mark.parametrize(
    "options",
    [{}, {"read_expire": 100, "write_expire": 300, "fifo_batch": 4, "prio_aging_expire": 700}, {"writes_starved": 0}],
    ids=["defaults", "short", "fair"],
)
def test_every_dispatch_is_the_one_that_the_rules_name(name: str, options: dict[str, int]) -> None:
    jobs = JOBS[name]
    found = rows(run(jobs, options), jobs)
    naive = Naive({**DEFAULTS, **options})
    events = sorted(
        [(row.inserted_ns, 0, row) for row in found] + [(row.dispatched_ns, 1, row) for row in found],
        key=lambda event: event[:2],
    )
    dispatched = 0
    for now_ns, kind, row in events:
        if kind == 0:
            naive.waiting.append(row)
            continue
        # With one driver tag, what was in flight has completed when the next is dispatched.
        naive.in_flight.clear()
        chosen = naive.dispatch(now_ns)
        assert chosen is not None
        assert chosen.index == row.index, f"dispatch {dispatched} at {now_ns}"
        naive.waiting.remove(row)
        naive.in_flight.append(row)
        dispatched += 1
    assert dispatched > 200


def test_a_read_starts_at_most_one_batch_and_the_reads_expired_before_it_after_its_deadline() -> None:
    options = {"read_expire": 200, "writes_starved": 1 << 30}
    found = rows(run(JOBS["mixed"], options, 60 * S), JOBS["mixed"])
    order = sorted(found, key=lambda row: row.dispatched_ns)
    late = 0
    for row in found:
        deadline_ns = row.inserted_ns + 200 * MS
        if row.write or row.dispatched_ns <= deadline_ns:
            continue
        late += 1
        between = [other for other in order if deadline_ns < other.dispatched_ns < row.dispatched_ns]
        expired_before = [other for other in between if not other.write and other.inserted_ns < row.inserted_ns]
        # Each expired read begins a batch of its own of at most 16; one more batch may have been running.
        assert len(between) <= 16 * (len(expired_before) + 1)
    assert late > 20


def test_writes_are_passed_over_at_most_writes_starved_times() -> None:
    options = {"writes_starved": 2, "read_expire": 1 << 20, "write_expire": 1 << 20}
    jobs = [
        job(1, iodepth=60, rw="randread", size_bytes=1 << 40),
        job(2, iodepth=8, rw="randwrite", size_bytes=1 << 40),
    ]
    found = sorted(rows(run(jobs, options, 60 * S), jobs), key=lambda row: row.dispatched_ns)
    longest = current = 0
    for row in found:
        current = 0 if row.write else current + 1
        longest = max(longest, current)
    assert longest <= 3 * 16  # the batch that was running, and two more


def test_reads_are_preferred_until_writes_have_been_passed_over() -> None:
    result = run(JOBS["mixed"], runtime_ns=100 * S)
    reads, writes = (result.jobs[0].directions[way].lat.mean_ns for way in ("read", "write"))
    assert reads < 0.7 * writes


def test_sorting_gains_what_an_elevator_gains_over_a_first_come_first_served_disk() -> None:
    # C-LOOK without deadlines: 126 IOPS at 8 and 164 at 32 outstanding; the kernel's mq-deadline over the same disk
    # was measured at 113.2 and 155.9 (Linux 6.12, virtual time).
    for depth, kernel in ((8, 113.2), (32, 155.9)):
        jobs = [job(1, iodepth=depth, size_bytes=HDD_SIZE, rw="randread")]
        result = run(jobs, runtime_ns=1000 * S, ncq_window=1, command_overhead_ns=0)
        assert result.jobs[0].directions["read"].iops == pytest.approx(kernel, rel=0.05)


HDD_SIZE = 4_000_787_030_016


def test_lower_classes_wait_while_a_higher_one_has_requests() -> None:
    result = run(JOBS["priorities"], {"prio_aging_expire": 1 << 29}, runtime_ns=20 * S)
    realtime, best_effort, idle = (sum(part.ios for part in each.directions.values()) for each in result.jobs)
    assert realtime > 500
    assert best_effort + idle < 60


def test_ageing_lets_lower_classes_through() -> None:
    result = run(JOBS["priorities"], {"prio_aging_expire": 500}, runtime_ns=20 * S)
    assert min(sum(part.ios for part in each.directions.values()) for each in result.jobs) > 100
