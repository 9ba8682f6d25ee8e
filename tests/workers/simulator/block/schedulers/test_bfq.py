"""bfq against what its rules promise: shares by weight, budgets, slices, idling, favour for what is interactive."""

import dataclasses
from itertools import groupby
from typing import Any

import pytest

from tests.workers.simulator.machines import GIB, MS, S, device, job, machine
from workers.simulator import (
    TRACE_NAMES,
    HostParameters,
    JobParameters,
    QueueParameters,
    SimulationParameters,
    SimulationResult,
    simulate,
)
from workers.simulator.block.trace import BioArrival, QueueTrace
from workers.simulator.kinds import READ, WRITE, WRITEBACK

AT = {name: TRACE_NAMES.index(name) for name in TRACE_NAMES}
TIB = 1 << 40
KIB = 1 << 10


def run(
    jobs: list[JobParameters],
    options: dict[str, int] | None = None,
    kind: str = "hdd",
    values: dict[str, Any] | None = None,
    **more: Any,
) -> SimulationResult:
    parameters = machine(kind, *jobs, **more)
    queue = QueueParameters("bfq", None, options or {})
    return simulate(dataclasses.replace(parameters, device=device(kind, **(values or {})), queue=queue), seed=1)


def sequential(number: int, runtime_ns: int = 20 * S, **changes: Any) -> JobParameters:
    """A reader that asks for the next 64 KiB when it has got the last."""
    fields = {"engine": "psync", "rw": "read", "block_size_bytes": 64 * KIB, "offset_bytes": number * 200 * GIB}
    return job(number, runtime_ns=runtime_ns, size_bytes=100 * GIB, **{**fields, **changes})


def scattered(number: int, runtime_ns: int = 20 * S, **changes: Any) -> JobParameters:
    return job(number, runtime_ns=runtime_ns, size_bytes=3 * TIB, **changes)


def read_bytes(result: SimulationResult, place: int) -> int:
    return result.jobs[place].directions["read"].bytes


def latency_ns(result: SimulationResult, place: int) -> float:
    return result.jobs[place].directions["read"].lat.mean_ns


def dispatched(result: SimulationResult) -> list[list[int]]:
    return sorted(result.trace.tolist(), key=lambda row: row[AT["dispatched_ns"]])


@pytest.mark.parametrize(("level", "other"), [(0, 4), (0, 6), (2, 7), (4, 4)])
def test_sequential_readers_share_the_device_by_weight(level: int, other: int) -> None:
    # ioprio_to_weight: (8 - level) x 10; in sectors, since neither is slow.
    jobs = [
        sequential(1, 60 * S, priority_class=2, priority_level=level),
        sequential(2, 60 * S, priority_class=2, priority_level=other),
    ]
    result = run(jobs, {"low_latency": 0})
    assert read_bytes(result, 0) / read_bytes(result, 1) == pytest.approx((8 - level) / (8 - other), rel=0.03)


@pytest.mark.parametrize(("weight", "other"), [(300, 100), (1000, 100), (100, 0)])
def test_control_groups_share_the_device_by_weight(weight: int, other: int) -> None:
    # Who is in no group stands beside them with 40, the weight of best effort 4.
    jobs = [sequential(1, 60 * S, cgroup_weight=weight), sequential(2, 60 * S, cgroup_weight=other)]
    result = run(jobs, {"low_latency": 0})
    assert read_bytes(result, 0) / read_bytes(result, 1) == pytest.approx(weight / (other or 40), rel=0.03)


def test_random_readers_share_the_time_of_the_device_by_weight_where_it_does_not_queue() -> None:
    jobs = [
        scattered(1, 120 * S, iodepth=4, priority_class=2, priority_level=0),
        scattered(2, 120 * S, iodepth=4, priority_class=2, priority_level=6),
    ]
    result = run(jobs, {"low_latency": 0, "strict_guarantees": 1})
    assert read_bytes(result, 0) / read_bytes(result, 1) == pytest.approx(4, rel=0.05)
    assert result.counters["device_depth_most"] == 1


def test_budgets_bound_how_much_a_queue_gets_in_a_row() -> None:
    jobs = [sequential(number, 5 * S, block_size_bytes=4 * KIB, iodepth=1) for number in (1, 2)]
    result = run(jobs, {"max_budget": 64, "low_latency": 0}, trace_ios=100_000)
    # 8 requests of 8 sectors; the first budgets are larger, while bfq has assigned fewer than 194.
    threads = [row[AT["thread"]] for row in dispatched(result)]
    lengths = [len(list(same)) for _, same in groupby(threads)]
    assert lengths[:2] == [2 * 16_384 // 3 // 8] * 2
    assert len(lengths) > 100
    assert set(lengths[2:-4]) == {8}  # the last slices end with the run


def test_slices_end_by_time() -> None:
    options = {"timeout_sync": 40, "low_latency": 0, "strict_guarantees": 1}
    result = run([scattered(1, iodepth=8), scattered(2, iodepth=8)], options, trace_ios=100_000)
    rows = dispatched(result)
    assert result.counters["bfq_budget_timeouts"] > 100
    for _, same in groupby(rows, key=lambda row: row[AT["thread"]]):
        slice_ = list(same)
        # One request may begin just before the end.
        assert slice_[-1][AT["dispatched_ns"]] - slice_[0][AT["dispatched_ns"]] <= 40 * MS + 25 * MS


def test_the_device_waits_for_a_sequential_reader_unless_slice_idle_is_0() -> None:
    # The reader thinks for 1 ms, in which others' requests would move the arm.
    jobs = [sequential(1), scattered(2, iodepth=8)]
    host = HostParameters(1500, MS)
    idled = run(jobs, {"low_latency": 0}, host=host)
    hurried = run(jobs, {"low_latency": 0, "slice_idle": 0}, host=host)
    assert idled.counters["bfq_idlings"] > 1000
    assert hurried.counters["bfq_idlings"] == 0
    assert read_bytes(idled, 0) > 3 * read_bytes(hurried, 0)
    assert read_bytes(idled, 1) < read_bytes(hurried, 1)


def test_no_idling_for_random_readers_on_a_device_that_queues() -> None:
    jobs = [job(number, iodepth=8) for number in (1, 2)]
    result = run(jobs, {"low_latency": 0}, "flash", {"hw_queues": 1})
    assert result.counters["bfq_idlings"] < 10


def test_a_reader_that_starts_late_is_favoured_by_low_latency() -> None:
    # The first is itself favoured for 10.5 s: 7 s x 14000 / (2/3 of that, the rate that bfq begins with).
    jobs = [scattered(1, 25 * S, iodepth=16), scattered(2, 5 * S, engine="psync", start_delay_ns=12 * S)]
    favoured = latency_ns(run(jobs), 1)
    assert favoured < 0.3 * latency_ns(run(jobs, {"low_latency": 0}), 1)
    # Alone the disk takes 11.6 ms on average for a random read.
    assert favoured < 15 * MS


def test_eight_readers_that_start_at_once_are_a_burst_and_not_favoured() -> None:
    def late(count: int) -> float:
        jobs = [scattered(1, 25 * S, iodepth=16)]
        jobs += [scattered(2 + n, 5 * S, engine="psync", start_delay_ns=12 * S) for n in range(count)]
        return latency_ns(run(jobs), 0)

    # The one that was there before suffers from three favoured ones, and less from nine that are not.
    assert late(3) > late(9)


def test_favour_ends_after_120000_sectors() -> None:
    jobs = [sequential(1, 60 * S), sequential(2, 60 * S, start_delay_ns=10 * S)]
    result = run(jobs, trace_ios=1_000_000)
    rows = [row for row in dispatched(result) if row[AT["dispatched_ns"]] > 10 * S]
    sectors = {0: 0, 1: 0}
    for row in rows:
        sectors[row[AT["thread"]]] += row[AT["sectors"]]
        if sectors[1] > 120_000:
            break
    assert sectors[1] > 20 * sectors[0]
    after = [row[AT["thread"]] for row in rows if row[AT["dispatched_ns"]] > 20 * S]
    assert 0.4 < sum(after) / len(after) < 0.6


def test_realtime_goes_before_best_effort_and_idle_gets_a_turn() -> None:
    jobs = [
        scattered(1, iodepth=8, priority_class=1),
        scattered(2, iodepth=8, priority_class=2),
        scattered(3, iodepth=8, priority_class=3),
    ]
    result = run(jobs, {"strict_guarantees": 1})
    realtime, best_effort, idle = (read_bytes(result, place) for place in range(3))
    assert realtime > 10 * best_effort
    # The idle class is served after each 200 ms without: 1 I/O of some 12 ms a slice, for it gives way at once.
    assert 20 * S // (200 * MS) * 0.3 < idle / 4096 < 20 * S // (200 * MS) + 8


def test_the_peak_rate_is_learnt_from_sequential_reads() -> None:
    counters = run([sequential(1, 30 * S, offset_bytes=0)]).counters
    # The outermost zone: 200 MB/s for 125 ms, in sectors.
    assert counters["bfq_max_budget"] == pytest.approx(200e6 / 512 * 0.125, rel=0.05)


def trace(arrivals: list[BioArrival], **options: int) -> list[int]:
    """Return the sectors of the commands in their order, behind one at 1000 that keeps the device busy."""
    busy: BioArrival = (0, READ, 1000, 8, 0, 0)
    made = QueueTrace(
        device("constant", queue_depth=1), QueueParameters("bfq", 64, options, nomerges=2), [busy, *arrivals]
    )
    assert -1 not in made.completions()
    return [command[3] for command in made.commands][1:]


def reads(*sectors: int) -> list[BioArrival]:
    return [(1 + place, READ, sector, 8, 0, 0) for place, sector in enumerate(sectors)]


def test_the_way_back_counts_twice_and_only_within_reach() -> None:
    # From 1008: ahead 92 to 1100, back 18 x 2 to 990.
    assert trace(reads(1100, 990)) == [990, 1100]
    assert trace(reads(1100, 990), back_seek_penalty=6) == [1100, 990]
    assert trace(reads(1100, 990), back_seek_max=8) == [1100, 990]


def test_what_lies_out_of_reach_behind_goes_last_from_its_beginning() -> None:
    assert trace(reads(1100, 500, 300, 1200), back_seek_max=0) == [1100, 1200, 300, 500]


def test_the_oldest_goes_first_once_in_a_slice_when_it_is_due() -> None:
    assert trace(reads(9000, 1100, 1200), fifo_expire_sync=0) == [1100, 9000, 1200]
    assert trace(reads(9000, 1100, 1200)) == [1100, 1200, 9000]


def test_writeback_is_charged_three_times() -> None:
    # Budgets of 12 requests of 512 sectors: 12 reads to 4 writes of the page cache.
    arrivals: list[BioArrival] = []
    for place in range(600):
        arrivals.append((1, READ, 800 * place, 512, 0, 0))
        arrivals.append((1, WRITE, 800 * place + 1_000_000, 512, WRITEBACK, 1))
    made = QueueTrace(
        device("constant", queue_depth=1),
        QueueParameters("bfq", 2048, {"max_budget": 6144, "low_latency": 0}, nomerges=2, wbt_lat_usec=0),
        arrivals,
    )
    assert -1 not in made.completions()
    both = [command[2] for command in made.commands][200:700]
    lengths = {
        direction: {len(list(same)) for way, same in groupby(both) if way == direction} for direction in (READ, WRITE)
    }
    assert max(lengths[READ]) == 12
    assert max(lengths[WRITE]) == 4


C_LOOK = {2: 90.3, 4: 106.2, 8: 126.1, 16: 146.2, 32: 164.4}


@pytest.mark.parametrize("waiting", sorted(C_LOOK))
def test_without_the_way_back_it_is_c_look(waiting: int) -> None:
    # The known figures (a 7200 rpm disk that takes one command at a time) are for a choice among so many; the closed
    # loop of the job has one more, in the device.
    job_ = job(1, iodepth=waiting + 1, size_bytes=4_000_787_030_016, runtime_ns=2000 * S)
    options = {"back_seek_max": 0, "fifo_expire_sync": 1 << 30, "low_latency": 0}
    values = {"queue_depth": 1, "ncq_window": 1, "command_overhead_ns": 0, "readahead_bytes": 0}
    parameters = SimulationParameters(
        jobs=(job_,),
        device=device("hdd", **values),
        queue=QueueParameters("bfq", 64, options),
        host=HostParameters(0, 0),
    )
    iops = simulate(parameters, seed=1).jobs[0].directions["read"].iops
    assert iops == pytest.approx(C_LOOK[waiting], rel=0.02)
