"""kyber against a second, naive implementation of its windows, and against what its rules come to."""

import dataclasses
import math

import pytest

from tests.workers.simulator.machines import MS, S, device, job, machine, over
from workers.simulator import TRACE_NAMES, QueueParameters, SimulationParameters, SimulationResult, simulate

AT = {name: TRACE_NAMES.index(name) for name in TRACE_NAMES}
DEPTHS = [256, 128, 64]


def with_kyber(parameters: SimulationParameters, **options: int) -> SimulationParameters:
    queue = QueueParameters("kyber", 1024, options, nomerges=2)
    return dataclasses.replace(parameters, queue=queue)


class Naive:
    """Windows and percentiles, from lists of latencies that are sorted."""

    def __init__(self, targets_ns: list[int]) -> None:
        self.targets_ns = targets_ns
        self.depths = list(DEPTHS)
        self.samples: dict[tuple[int, str], list[int]] = {}
        self.deadline_ns: dict[int, int] = {}
        self.kept: dict[int, int] = {}
        self.resizes = 0

    def bucket(self, domain: int, kind: str, percent: int, now_ns: int) -> int | None:
        found = sorted(self.samples.get((domain, kind), []))
        if not found:
            return None
        until_ns = self.deadline_ns.setdefault(domain, now_ns + S)
        if len(found) < 500 and now_ns < until_ns:
            return None
        del self.deadline_ns[domain]
        self.samples[domain, kind] = []
        latency_ns = found[math.ceil(len(found) * percent / 100) - 1]
        return min(7, max(0, math.ceil(latency_ns / (self.targets_ns[domain] // 4)) - 1))

    def window(self, now_ns: int) -> None:
        device = [self.bucket(domain, "device", 90, now_ns) for domain in range(3)]
        congested = any(bucket is not None and bucket >= 4 for bucket in device)
        for domain in range(3):
            bucket = self.bucket(domain, "total", 99, now_ns)
            if congested:
                kept = self.kept.pop(domain, None)
                bucket = kept if bucket is None else bucket
            elif bucket is not None:
                self.kept[domain] = bucket
            if bucket is not None and (congested or bucket >= 4):
                depth = min(DEPTHS[domain], max(1, self.depths[domain] * (bucket + 1) // 4))
                self.resizes += depth != self.depths[domain]
                self.depths[domain] = depth


def replayed(result: SimulationResult, targets_ns: list[int]) -> Naive:
    naive = Naive(targets_ns)
    timer_ns: int | None = None
    for row in sorted(result.trace.tolist(), key=lambda row: row[AT["completed_ns"]]):
        now_ns = row[AT["completed_ns"]]
        if timer_ns is not None and timer_ns <= now_ns:
            naive.window(timer_ns)
            timer_ns = None
        domain = row[AT["direction"]]
        naive.samples.setdefault((domain, "total"), []).append(now_ns - row[AT["got_ns"]])
        naive.samples.setdefault((domain, "device"), []).append(now_ns - row[AT["dispatched_ns"]])
        timer_ns = now_ns + 100 * MS if timer_ns is None else timer_ns
    return naive


@pytest.mark.parametrize(
    ("reads", "writes", "targets_ns"),
    [
        (64, 64, [200_000, 2_000_000]),
        (16, 4, [100_000, 20_000_000]),
        (200, 16, [2_000_000, 10_000_000]),
        (1, 64, [150_000, 500_000]),
    ],
)
def test_every_window_resizes_as_the_rules_say(reads: int, writes: int, targets_ns: list[int]) -> None:
    jobs = [
        job(1, iodepth=reads, rw="randread", runtime_ns=1050 * MS),
        job(2, iodepth=writes, rw="randwrite", runtime_ns=1050 * MS),
    ]
    parameters = machine("flash", *jobs, trace_ios=1_000_000)
    options = {"read_lat_nsec": targets_ns[0], "write_lat_nsec": targets_ns[1]}
    result = simulate(with_kyber(over(parameters, hw_queues=1), **options), seed=1)
    naive = replayed(result, [*targets_ns, 5 * S])
    counters = result.counters
    assert [counters["kyber_read_depth"], counters["kyber_write_depth"]] == naive.depths[:2]
    assert counters["kyber_resizes"] == naive.resizes


def test_some_window_resized_something() -> None:
    jobs = [job(1, iodepth=64, rw="randrw", runtime_ns=S)]
    result = simulate(with_kyber(machine("flash", *jobs), read_lat_nsec=100_000), seed=1)
    assert result.counters["kyber_resizes"] > 2
    assert result.counters["kyber_congestions"] > 2


@pytest.mark.parametrize(("rw", "tokens"), [("randread", 256), ("randwrite", 128), ("randtrim", 64)])
def test_no_more_of_a_domain_are_in_the_device_than_it_has_tokens(rw: str, tokens: int) -> None:
    parameters = over(machine("constant", job(iodepth=600, rw=rw, runtime_ns=5 * MS)), service_ns=4 * MS)
    parameters = dataclasses.replace(parameters, queue=QueueParameters("kyber", 1024, {}, wbt_lat_usec=0))
    assert simulate(parameters, seed=1).counters["device_depth_most"] == tokens


def test_a_domain_with_good_latency_is_throttled_until_it_is_just_within_its_target() -> None:
    # 3 ms is beyond the reads' 2 ms, so the device is congested and writes, which aim at 10 ms, give way: 64 of them
    # over d tokens take 64 / d x 3 ms, and the depth rests where that is within the last quarter before 10 ms.
    jobs = [
        job(1, iodepth=64, rw="randread", runtime_ns=3 * S),
        job(2, iodepth=64, rw="randwrite", runtime_ns=3 * S),
    ]
    parameters = dataclasses.replace(machine("constant", *jobs), device=device("constant", service_ns=3 * MS))
    counters = simulate(with_kyber(parameters), seed=1).counters
    assert 64 * 3 / 10 <= counters["kyber_write_depth"] < 64 * 3 / 7.5
    assert counters["kyber_read_depth"] == 256


def test_domains_take_turns_in_batches() -> None:
    # One driver tag: 16 reads, then 8 writes, and again.
    jobs = [
        job(1, iodepth=100, rw="randread", runtime_ns=40 * MS),
        job(2, iodepth=100, rw="randwrite", runtime_ns=40 * MS),
    ]
    parameters = machine("constant", *jobs, trace_ios=100_000)
    parameters = dataclasses.replace(parameters, device=device("constant", queue_depth=1))
    result = simulate(with_kyber(parameters), seed=1)
    order = sorted(result.trace.tolist(), key=lambda row: row[AT["dispatched_ns"]])
    directions = "".join("rw"[row[AT["direction"]]] for row in order)
    steady = directions[100:-210]
    start = steady.index("wr") + 1
    assert steady[start:].startswith(("r" * 16 + "w" * 8) * 8)


def test_asynchronous_requests_leave_a_quarter_of_the_tags_to_others() -> None:
    parameters = machine("constant", job(iodepth=200, rw="randtrim", runtime_ns=5 * MS))
    parameters = dataclasses.replace(parameters, queue=QueueParameters("kyber", 40, {}, wbt_lat_usec=0))
    assert simulate(parameters, seed=1).counters["device_depth_most"] == 30
