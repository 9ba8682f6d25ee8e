"""Seeded random machines with every recount switched on: tags, lists, states and the event queue hold at each event."""

import dataclasses
import random

import pytest

from tests.workers.simulator.machines import GIB, MS, VALUES, job
from workers.simulator import DeviceParameters, HostParameters, QueueParameters, SimulationParameters, simulate
from workers.simulator.block.schedulers import ELEVATORS

OPTIONS: dict[str, dict[str, int]] = {
    "none": {},
    "mq-deadline": {"read_expire": 5, "write_expire": 20, "fifo_batch": 3, "async_depth": 2},
    "bfq": {"slice_idle": 1, "max_budget": 64, "timeout_sync": 4, "fifo_expire_sync": 2, "back_seek_max": 100},
    "kyber": {"read_lat_nsec": 50_000, "write_lat_nsec": 100_000},
}


def random_machine(seed: int) -> SimulationParameters:
    rng = random.Random(seed)
    kind = rng.choice(sorted(VALUES))
    values = dict(VALUES[kind])
    values["queue_depth"] = rng.choice([1, 2, 7, 32, 1023])
    values["hw_queues"] = rng.choice([1, 1, 2, 5])
    values["write_cache"] = rng.choice([0, 1])
    values["fua"] = rng.choice([0, 1])
    values["flush_queued"] = rng.choice([0, 1])
    scheduler = rng.choice(sorted(ELEVATORS))
    if kind == "hdd":
        values["ncq_window"] = rng.choice([1, 4, 32])
        values["readahead_bytes"] = rng.choice([0, 1 << 16, 1 << 20])
        values["positioning_error_ns"] = rng.choice([0, 20 * MS])
        values["write_cache_entries"] = rng.choice([1, 16, 256])
        values["destage_window"] = rng.choice([1, 8])
    if kind == "flash":
        values["program_suspend"] = rng.choice(["no", "yes"])
        values["power_loss_protection"] = rng.choice(["no", "yes"])
        values["write_buffer_bytes"] = rng.choice([1 << 20, 4 << 20])
    patterns = ["read", "write", "rw", "randread", "randwrite", "randrw"]
    if values["discard"]:
        patterns += ["trim", "randtrim"]
    jobs = tuple(
        job(
            number,
            engine=rng.choice(["psync", "libaio", "io_uring"]),
            iodepth=rng.choice([1, 2, 16, 80]),
            rw=rng.choice(patterns),
            rwmixread=rng.choice([0, 30, 100]),
            block_size_bytes=rng.choice([512, 4096, 12_288, 131_072, 1 << 20]),
            write_block_size_bytes=rng.choice([None, 8192]),
            offset_bytes=rng.choice([0, GIB]),
            runtime_ns=rng.choice([20, 200]) * (10 * MS if kind in ("hdd", "stalling") else MS // 10),
            norandommap=rng.random() < 0.3,
            priority_class=rng.randrange(4),
            priority_level=rng.choice([0, 4, 7]),
            iodepth_batch=rng.choice([1, 1, 8]),
            cgroup_weight=rng.choice([0, 0, 1, 500]),
            cmdprio_percent=rng.choice([0, 0, 30]),
            cmdprio_class=rng.choice([1, 3]),
            start_delay_ns=rng.choice([0, MS]),
            fsync=rng.choice([0, 0, 1, 5]),
            fdatasync=rng.choice([0, 0, 3]),
            sync=rng.choice(["none", "none", "sync", "dsync"]),
            end_fsync=rng.random() < 0.3,
        )
        for number in range(1, rng.choice([2, 3, 6]))
    )
    jobs = tuple(
        dataclasses.replace(each, io_submit_mode="offload") if each.is_asynchronous() and rng.random() < 0.2 else each
        for each in jobs
    )
    depth = int(values["queue_depth"])
    return SimulationParameters(
        jobs=jobs,
        device=DeviceParameters(kind, values),
        queue=QueueParameters(
            scheduler,
            rng.choice([None, min(4, depth)]),
            OPTIONS[scheduler] if rng.random() < 0.5 else {},
            max_sectors_kb=rng.choice([64, 512, 1280]),
            max_segments=rng.choice([None, 7]),
            nomerges=rng.choice([0, 0, 1, 2]),
            wbt_lat_usec=rng.choice([None, 0, 100]),
            tag_sharers=rng.choice([1, 1, 3]),
            elevator_ns=rng.choice([None, 0, 50_000]),
        ),
        host=HostParameters(rng.choice([0, 1500]), rng.choice([0, 500])),
        check_invariants=True,
        trace_ios=2000,
    )


@pytest.mark.parametrize("seed", range(120))
def test_invariants_hold_in_a_random_machine(seed: int) -> None:
    parameters = random_machine(seed)
    result = simulate(parameters, seed=seed)
    counters = result.counters
    assert counters["dispatches"] == counters["completions"]
    moved = sum(part.ios for job_ in result.jobs for name, part in job_.directions.items() if name != "sync")
    merged = counters["back_merges"] + counters["front_merges"] + counters["request_merges"]
    assert moved + counters["splits"] + counters["flushes"] == counters["completions"] + merged
    limit = parameters.device.values["queue_depth"]
    assert counters["device_depth_most"] <= int(limit) * int(parameters.device.values["hw_queues"])
    times = result.trace[:, 4:]
    assert (times[:, 1:] >= times[:, :-1]).all(), "an I/O passed a stage before the one above it"
