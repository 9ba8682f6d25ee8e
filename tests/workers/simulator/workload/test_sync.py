"""fsync, fdatasync, O_SYNC and the fsync at the end: when they are issued, what they wait for, what fio counts."""

import dataclasses
from typing import Any

import pytest

from tests.workers.simulator.machines import MS, S, device, job, machine
from workers.simulator import HostParameters, JobParameters, SimulationResult, merge_jobs, simulate
from workers.simulator.kinds import SYNC, WRITE

WRITE_NS, FLUSH_NS = 80_000, 1_000_000


def run(*jobs: JobParameters, trace_ios: int = 0, **changes: Any) -> SimulationResult:
    parameters = machine("constant", *jobs, host=HostParameters(1500, 500), trace_ios=trace_ios, check_invariants=True)
    return simulate(dataclasses.replace(parameters, device=device("constant", **{"write_cache": 1, **changes})), seed=1)


def writer(**fields: Any) -> JobParameters:
    return job(**{"rw": "randwrite", "engine": "psync", "runtime_ns": 20 * MS, **fields})


def test_sixteen_writes_with_a_sync_after_three_have_five_syncs_as_in_fio() -> None:
    # fio 3.33, ioengine=psync rw=write bs=4k size=64k fsync=3 end_fsync=1: "issued rwts: total=0,16,0,5".
    result = run(writer(rw="write", runtime_ns=None, size_bytes=65_536, fsync=3, end_fsync=True))
    assert {name: part.ios for name, part in result.jobs[0].directions.items()} == {"write": 16, "sync": 5}


@pytest.mark.parametrize(
    ("fields", "syncs"), [({"fdatasync": 4}, 3), ({"fsync": 4, "fdatasync": 6}, 4), ({"fsync": 16}, 0)]
)
def test_both_kinds_of_sync_come_after_their_number_of_writes(fields: dict[str, int], syncs: int) -> None:
    result = run(writer(rw="write", runtime_ns=None, size_bytes=65_536, **fields))
    assert result.jobs[0].directions["sync"].ios == syncs


def test_a_sync_takes_submission_flush_and_completion() -> None:
    sync = run(writer(fsync=1)).jobs[0].directions["sync"]
    assert (sync.lat.min_ns, sync.lat.max_ns) == (1500 + FLUSH_NS + 500,) * 2
    assert (sync.slat.n, sync.clat.n, sync.bytes) == (0, 0, 0)


def test_at_depth_one_writes_and_syncs_alternate() -> None:
    directions = run(writer(fsync=1, runtime_ns=S)).jobs[0].directions
    assert directions["sync"].iops == pytest.approx(1e9 / (WRITE_NS + FLUSH_NS + 2 * 2000), rel=0.01)
    assert abs(directions["write"].ios - directions["sync"].ios) <= 1


def spans(result: SimulationResult, direction: int) -> list[tuple[int, int]]:
    return [(row[4], row[9]) for row in result.trace.tolist() if row[1] == direction]


def writes_begun_during_syncs(engine: str) -> int:
    result = run(writer(engine=engine, iodepth=8, fsync=8), trace_ios=2000)
    begun = [start for start, _ in spans(result, WRITE)]
    syncs = spans(result, SYNC)
    assert len(syncs) > 5
    return sum(first < start < last for first, last in syncs for start in begun)


def test_libaio_blocks_in_fsync_and_io_uring_does_not() -> None:
    assert writes_begun_during_syncs("libaio") == 0
    assert writes_begun_during_syncs("io_uring") > 20


def test_a_synchronous_write_of_a_dsync_file_waits_for_its_data_and_a_flush() -> None:
    # FUA, then the flush of generic_write_sync.
    write = run(writer(sync="dsync"), fua=1).jobs[0].directions["write"]
    assert (write.clat.min_ns, write.clat.max_ns) == (2000 + WRITE_NS + FLUSH_NS,) * 2


def test_without_fua_such_a_write_is_flushed_twice() -> None:
    result = run(writer(sync="sync"))
    write = result.jobs[0].directions["write"]
    assert (write.clat.min_ns, write.clat.max_ns) == (2000 + WRITE_NS + 2 * FLUSH_NS,) * 2
    assert result.counters["flushes"] == 2 * write.ios


def test_an_asynchronous_write_of_a_dsync_file_carries_fua_and_no_flush_follows() -> None:
    result = run(writer(engine="libaio", sync="dsync"), fua=1)
    assert result.counters["flushes"] == 0
    assert result.jobs[0].directions["write"].lat.max_ns == 2000 + WRITE_NS


def test_without_a_volatile_cache_a_sync_costs_the_thread_its_own_time_and_the_device_nothing() -> None:
    result = run(writer(fsync=1), write_cache=0)
    assert result.counters["flushes"] == 0
    assert result.jobs[0].directions["sync"].lat.max_ns == 2000
    assert run(writer(sync="dsync"), write_cache=0).jobs[0].directions["write"].lat.max_ns == 2000 + WRITE_NS


def test_the_fsync_at_the_end_is_in_the_runtime_and_in_no_latency() -> None:
    fields = {"rw": "write", "runtime_ns": None, "size_bytes": 65_536}
    without, with_it = (run(writer(**fields, end_fsync=end)).jobs[0].directions for end in (False, True))
    assert set(with_it) == {"write"}
    assert with_it["write"].runtime_ns - without["write"].runtime_ns == FLUSH_NS + 2000
    assert with_it["write"].lat.to_dict() == without["write"].lat.to_dict()


def test_the_fsync_at_the_end_waits_for_everything_outstanding() -> None:
    result = run(writer(engine="io_uring", iodepth=16, end_fsync=True), trace_ios=10_000)
    assert result.counters["flushes"] == 1
    assert result.ended_at_ns == max(end for _, end in spans(result, WRITE)) + 500 + 1500 + FLUSH_NS + 500


def test_a_reader_ignores_what_is_for_writers() -> None:
    result = run(writer(rw="randread", fsync=1, sync="dsync", end_fsync=True))
    assert set(result.jobs[0].directions) == {"read"}
    assert result.counters["flushes"] == 0


def test_many_writers_share_flushes() -> None:
    jobs = [writer(number=n, fsync=1, runtime_ns=S) for n in range(1, 17)]
    result = run(*jobs)
    syncs = merge_jobs(result.jobs).directions["sync"].ios
    # A sync that comes while a flush runs waits for the next one, which it shares: two flushes a round of all threads.
    assert result.counters["flush_waits"] == syncs
    assert syncs / result.counters["flushes"] > 7


def test_the_stages_of_syncs_tell_the_wait_for_a_flush_from_the_flush() -> None:
    jobs = [writer(number=n, fsync=1, runtime_ns=S) for n in (1, 2)]
    stages = run(*jobs).stages["sync"]
    assert stages["d2c"].min_ns == stages["d2c"].max_ns == FLUSH_NS
    assert stages["i2d"].max_ns > 0
