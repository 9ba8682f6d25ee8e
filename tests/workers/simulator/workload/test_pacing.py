"""Rates, think time, batches and starting order: counted by hand, and as fio 3.33 says it does them."""

import itertools
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.workers.simulator.machines import MS, S, device, job, machine
from workers.simulator import HostParameters, JobParameters, QueueParameters, SimulationParameters, simulate
from workers.simulator.exponential import Exponential

US = 1000
SUBMIT_NS, SERVICE_NS, COMPLETE_NS = 1500, 80_000, 500
START, QUEUED, DISPATCHED, COMPLETED, REAPED = 4, 5, 8, 9, 10


def trace_of(*jobs: JobParameters, rows: int = 10_000, seed: int = 1, **more: Any) -> np.ndarray:
    parameters = machine(
        "constant", *jobs, host=HostParameters(SUBMIT_NS, COMPLETE_NS), trace_ios=rows, check_invariants=True, **more
    )
    trace = simulate(parameters, seed=seed).trace
    return trace[np.argsort(trace[:, QUEUED], kind="stable")]


def starts(*jobs: JobParameters, **more: Any) -> list[int]:
    return [int(value) for value in trace_of(*jobs, **more)[:, START]]


@pytest.mark.parametrize(
    ("fields", "iops"),
    [
        ({"rate_iops": (1000, 0, 0)}, 1000),
        ({"rate_bytes": (4_096_000, 0, 0)}, 1000),
        ({"rate_iops": (777, 0, 0), "io_submit_mode": "offload", "iodepth": 32}, 777),
        ({"rate_bytes": (1 << 20, 0, 0), "block_size_bytes": 65_536, "engine": "psync"}, 16),
        ({"rate_iops": (100_000, 0, 0), "iodepth": 64, "io_submit_mode": "offload"}, 100_000),
    ],
)
def test_a_rate_that_the_device_can_keep_is_kept(fields: dict[str, Any], iops: int) -> None:
    runtime_ns = max(S, 2000 * S // iops)
    result = simulate(machine("constant", job(runtime_ns=runtime_ns, time_based=True, **fields)), seed=1)
    assert result.jobs[0].directions["read"].iops == pytest.approx(iops, rel=1e-3)


def test_a_linear_rate_issues_at_even_times() -> None:
    assert starts(job(rate_iops=(1000, 0, 0), runtime_ns=5 * MS)) == [0, MS, 2 * MS, 3 * MS, 4 * MS]


def test_each_direction_has_a_rate_of_its_own() -> None:
    both = job(rw="randrw", rate_iops=(2000, 500, 0), runtime_ns=4 * S, time_based=True)
    directions = simulate(machine("constant", both), seed=1).jobs[0].directions
    assert directions["read"].iops == pytest.approx(2000, rel=1e-3)
    assert directions["write"].iops == pytest.approx(500, rel=2e-3)


def test_a_thread_that_is_late_catches_up_at_full_speed() -> None:
    # A sync of 20 ms stands in the way after the fourth write; eleven writes are due by then.
    parameters = SimulationParameters(
        jobs=(job(rw="write", engine="psync", rate_iops=(0, 500, 0), fsync=4, runtime_ns=60 * MS),),
        device=device("constant", write_cache=1, flush_ns=20 * MS),
        host=HostParameters(0, 0),
        trace_ios=100,
    )
    rows = simulate(parameters, seed=1).trace
    writes = [int(row[START]) for row in rows if row[1] == 1]
    assert writes[:4] == [0, 2 * MS, 4 * MS, 6 * MS]
    assert [later - first for first, later in itertools.pairwise(writes[4:8])] == [SERVICE_NS] * 3


def test_poisson_arrivals_are_exponential_and_independent() -> None:
    arrivals = job(
        rate_iops=(10_000, 0, 0), rate_process="poisson", io_submit_mode="offload", iodepth=1024, runtime_ns=S
    )
    gaps = np.diff(starts(arrivals, rows=9000))
    assert stats.kstest(gaps, "expon", args=(0, 100 * US)).pvalue > 1e-3
    assert abs(np.corrcoef(gaps[:-1], gaps[1:])[0, 1]) < 0.03


@pytest.mark.parametrize("mean", [3, 1000, 10**6, 1 << 40])
def test_exponential_draws_have_their_mean_and_spread_at_every_scale(mean: int) -> None:
    stream = Exponential([7])
    draws = np.array([stream.draw(0, mean) for _ in range(40_000)], dtype=float)
    assert draws.mean() == pytest.approx(mean, rel=0.02)
    assert draws.std() == pytest.approx(mean, rel=0.03)
    assert np.median(draws) == pytest.approx(mean * np.log(2), rel=0.03, abs=0.6)


def test_think_time_follows_each_io_once_nothing_is_outstanding() -> None:
    gap = SUBMIT_NS + SERVICE_NS + COMPLETE_NS + MS
    assert starts(job(engine="psync", thinktime_ns=MS, runtime_ns=4 * MS)) == [0, gap, 2 * gap, 3 * gap]


def test_think_time_after_so_many_ios_drains_the_queue_first() -> None:
    rows = trace_of(job(iodepth=4, thinktime_ns=MS, thinktime_blocks=4, runtime_ns=8 * MS))
    bursts = np.flatnonzero(np.diff(rows[:, START]) > 900 * US)
    # The queue is full with four; the fourth completion makes the thread think, when three more have gone out.
    assert bursts[0] == 6
    for last in bursts:
        assert rows[last + 1, START] - rows[: last + 1, REAPED].max() == MS


def test_think_time_counted_at_issue_starts_after_so_many_were_issued() -> None:
    rows = trace_of(
        job(iodepth=8, thinktime_ns=MS, thinktime_blocks=4, thinktime_blocks_type="issue", runtime_ns=8 * MS)
    )
    assert np.flatnonzero(np.diff(rows[:, START]) > 900 * US).tolist()[:3] == [3, 7, 11]


def test_thinking_by_time_spent_on_io() -> None:
    rows = trace_of(job(thinktime_ns=2 * MS, thinktime_iotime_ns=3 * MS, runtime_ns=20 * MS))
    pauses = np.flatnonzero(np.diff(rows[:, START]) > MS)
    # fio 3.33 counts from the last pause's beginning and adds its length.
    begun = [int(rows[at, REAPED]) for at in pauses]
    assert begun[0] >= 5 * MS
    assert all(later - first >= 5 * MS for first, later in itertools.pairwise(begun))


def test_spinning_is_thinking() -> None:
    spun = starts(job(engine="psync", thinktime_ns=MS, thinktime_spin_ns=3 * MS, runtime_ns=9 * MS))
    assert spun[1] == SUBMIT_NS + SERVICE_NS + COMPLETE_NS + 3 * MS


def test_a_rate_that_ignores_think_time_does_not_catch_up() -> None:
    fields: dict[str, Any] = {"engine": "psync", "rate_iops": (1000, 0, 0), "thinktime_ns": 10 * MS}
    fields |= {"thinktime_blocks": 10, "runtime_ns": 500 * MS, "time_based": True}
    caught_up, ignoring = (len(starts(job(rate_ignore_thinktime=flag, **fields))) for flag in (False, True))
    # Ten I/Os begin within 9 ms, then come 10 ms of thought, unless the lost time is made up for.
    assert ignoring == pytest.approx(500 / 19.08 * 10, rel=0.02)
    assert caught_up > 1.5 * ignoring


def test_a_batch_is_submitted_in_one_call_and_its_slat_is_the_call() -> None:
    rows = trace_of(job(iodepth=8, iodepth_batch=4, runtime_ns=MS))
    assert rows[:4, START].tolist() == [0] * 4
    assert rows[:4, QUEUED].tolist() == [SUBMIT_NS * n for n in (1, 2, 3, 4)]
    # With three or more in a call their requests are plugged, and leave together.
    assert rows[:4, DISPATCHED].tolist() == [4 * SUBMIT_NS] * 4


def test_two_in_a_call_are_not_plugged() -> None:
    rows = trace_of(job(iodepth=8, iodepth_batch=2, runtime_ns=MS))
    assert rows[:2, DISPATCHED].tolist() == [SUBMIT_NS, 2 * SUBMIT_NS]


def test_plugged_sequential_writes_merge_into_one_request() -> None:
    job_ = job(rw="write", iodepth=8, iodepth_batch=8, iodepth_batch_complete_min=8, runtime_ns=MS)
    counters = simulate(machine("constant", job_), seed=1).counters
    assert counters["plug_merges"] == 7 * counters["dispatches"]


def test_completions_are_reaped_in_batches() -> None:
    rows = trace_of(job(iodepth=8, iodepth_batch_complete_min=8, runtime_ns=MS))
    # Nothing is issued before all eight are reaped.
    assert rows[8, START] == rows[:8, REAPED].max()


def test_a_full_queue_is_reaped_down_to_iodepth_low() -> None:
    rows = trace_of(job(iodepth=8, iodepth_low=2, runtime_ns=2 * MS))
    issued_together = np.flatnonzero(np.diff(rows[:, START]) > 40 * US)
    assert issued_together[0] == 7
    assert np.diff(issued_together).tolist() == [6] * (len(issued_together) - 1)


def test_polling_goes_on_after_a_sync_that_blocks() -> None:
    fields: dict[str, Any] = {"rw": "write", "engine": "psync", "fsync": 1, "number_ios": 10, "runtime_ns": None}
    directions = simulate(machine("constant", job(iodepth_batch_complete_min=0, **fields)), seed=1).jobs[0].directions
    assert (directions["write"].ios, directions["sync"].ios) == (10, 9)


def test_number_ios_ends_a_job() -> None:
    result = simulate(machine("constant", job(iodepth=16, number_ios=100, runtime_ns=None)), seed=1)
    assert result.jobs[0].directions["read"].ios == 100


def test_a_stone_wall_waits_for_everything_before_it_and_holds_everything_behind() -> None:
    first, second = job(1, runtime_ns=MS), job(2, runtime_ns=3 * MS)
    rows = trace_of(first, second, job(3, runtime_ns=MS, stonewall=True), job(4, runtime_ns=MS))
    begun = {thread: int(rows[rows[:, 0] == thread, START].min()) for thread in range(4)}
    ended = {thread: int(rows[rows[:, 0] == thread, REAPED].max()) for thread in range(4)}
    assert (begun[0], begun[1]) == (0, 0)
    assert begun[2] == begun[3] == max(ended[0], ended[1]) >= 3 * MS


def test_wait_for_waits_for_the_clones_of_one_job_only() -> None:
    jobs = [
        job(1, name="first", runtime_ns=MS),
        job(2, name="other", runtime_ns=5 * MS),
        job(3, name="second", runtime_ns=MS, wait_for="first"),
        job(4, name="third", runtime_ns=MS),
    ]
    rows = trace_of(*jobs)
    begun = [int(rows[rows[:, 0] == thread, START].min()) for thread in range(4)]
    assert begun[2] == int(rows[rows[:, 0] == 0, REAPED].max())
    assert begun[3] == 0


def test_a_delay_is_counted_from_the_start_of_the_run_and_runtime_from_the_job_s() -> None:
    rows = trace_of(job(1, runtime_ns=2 * MS), job(2, runtime_ns=MS, stonewall=True, start_delay_ns=5 * MS))
    later = rows[rows[:, 0] == 1]
    assert later[0, START] == 5 * MS
    assert 6 * MS <= later[:, REAPED].max() < 6 * MS + 100 * US


def test_writes_of_a_dsync_file_flush_in_a_paced_thread_too() -> None:
    parameters = SimulationParameters(
        jobs=(job(rw="write", engine="psync", sync="dsync", rate_iops=(0, 100, 0), runtime_ns=50 * MS),),
        device=device("constant", write_cache=1),
        queue=QueueParameters(),
        check_invariants=True,
    )
    result = simulate(parameters, seed=1)
    assert result.counters["flushes"] == 2 * result.jobs[0].directions["write"].ios == 10


def test_what_cannot_be_kept_is_refused_with_the_field_s_name() -> None:
    for fields, name in (
        ({"rate_process": "bursty"}, "rate_process"),
        ({"io_submit_mode": "thread"}, "io_submit_mode"),
        ({"thinktime_blocks_type": "reap"}, "thinktime_blocks_type"),
        ({"rate_iops": (-1, 0, 0)}, "rate_iops"),
        ({"iodepth_batch": -1}, "iodepth_batch"),
        ({"rw": "write", "engine": "psync", "sync": "dsync", "io_submit_mode": "offload"}, "io_submit_mode"),
    ):
        with pytest.raises(ValueError, match=rf"jobs\[0\]\.{name}"):
            simulate(machine("constant", job(**fields)), seed=1)


@pytest.mark.parametrize("blocks", [1, 3, 5])
def test_bursts_between_thoughts_are_as_long_as_the_real_fio_s(tmp_path: Path, blocks: int) -> None:
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed (Debian: apt install fio)")
    options = [
        "--name=a",
        "--ioengine=null",
        "--rw=read",
        "--size=128k",
        "--thinktime=20ms",
        f"--thinktime_blocks={blocks}",
    ]
    subprocess.run(["fio", *options, "--write_iolog=log"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    times = [int(line.split()[0]) * US for line in (tmp_path / "log").read_text().splitlines() if " read " in line]
    ours = starts(job(rw="read", number_ios=32, runtime_ns=None, thinktime_ns=20 * MS, thinktime_blocks=blocks))
    bursts, expected = (np.flatnonzero(np.diff(each) > 10 * MS).tolist() for each in (ours, times))
    assert len(expected) >= 5
    assert bursts == expected
