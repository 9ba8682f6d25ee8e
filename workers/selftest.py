"""The closed forms of queueing theory, of a disk's geometry and of flash collection, against the simulator itself.

Every row runs through the same engine, tags, elevators and devices as a job does. A row that fails is a fault of the
simulator, never of the machine it runs on: the same seed gives the same bytes everywhere.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from app.catalog import devices
from workers.simulator import (
    DeviceParameters,
    HostParameters,
    JobParameters,
    QueueParameters,
    SimulationParameters,
    SimulationResult,
    simulate,
)

S = 1_000_000_000
GIB = 1 << 30
SEED = 1


@dataclass(frozen=True)
class Row:
    """One closed form beside what the simulator gives; `tolerance` is relative."""

    law: str
    case: str
    formula: str
    expected: float
    simulated: float
    tolerance: float
    unit: str

    @property
    def difference(self) -> float:
        """How far the simulator is off, relative to the closed form."""
        return self.simulated / self.expected - 1.0

    @property
    def holds(self) -> bool:
        """Whether the row is within its tolerance."""
        return abs(self.difference) <= self.tolerance


def document() -> dict[str, Any]:
    """Return every row as plain values; the same bytes on every machine."""
    found = [
        {
            **asdict(row),
            "expected": _nine_digits(row.expected),
            "simulated": _nine_digits(row.simulated),
            "difference": _nine_digits(row.difference),
            "holds": row.holds,
        }
        for row in rows()
    ]
    return {"schema": 1, "ok": all(row["holds"] for row in found), "rows": found}


def _nine_digits(value: float) -> float:
    """The last bits of a logarithm are the machine's own."""
    return float(f"{value:.9g}")


def rows() -> Iterator[Row]:
    """Run every row; some seconds in all."""
    for group in (littles_law, single_disk, disk_order, queues, closed_networks, write_amplification):
        yield from group()


def _device(profile: str, **changes: int | str) -> DeviceParameters:
    kind, values = devices.resolve(profile, changes)
    return DeviceParameters(kind, values)


def _run(
    device: DeviceParameters,
    *,
    scheduler: str = "none",
    nr_requests: int | None = None,
    seed: int = SEED,
    options: Mapping[str, int] | None = None,
    host: HostParameters | None = None,
    **fields: object,
) -> SimulationResult:
    given = {"name": "job", "rw": "randread", "size_bytes": 10 * GIB, "runtime_ns": S, "time_based": True, **fields}
    job = JobParameters(**given)  # type: ignore[arg-type]
    queue = QueueParameters(scheduler=scheduler, nr_requests=nr_requests, scheduler_options=options or {})
    return simulate(
        SimulationParameters(jobs=(job,), device=device, queue=queue, host=host or HostParameters()), seed=seed
    )


def littles_law() -> Iterator[Row]:
    """Outstanding I/Os are throughput times latency, whatever happens in between (Little 1961)."""
    times = {"constant": S, "nvme-flash": S, "stalling": 60 * S, "hdd-ent": 400 * S}
    for profile, runtime_ns in times.items():
        result = _run(_device(profile), iodepth=64, runtime_ns=runtime_ns, host=HostParameters(0, 0))
        read = result.jobs[0].directions["read"]
        yield Row(
            law="Little",
            case=f"{profile}, 64 outstanding",
            formula="N = X R",
            expected=64.0,
            simulated=read.iops * read.lat.mean_ns / S,
            tolerance=0.005,
            unit="I/Os",
        )


def single_disk() -> Iterator[Row]:
    """A seek of a + b sqrt(d/D) over random pairs is a + 8b/15 on the mean; half a turn follows."""
    for rpm in (5400, 7200, 10_000):
        expected = S / (230_000 + 13_440_000 * 8 / 15 + 60 * S / rpm / 2 + 50_000 + 4096 / 150e6 * S)
        whole = _device("hdd-ent", rpm=rpm)
        result = _run(whole, size_bytes=_capacity(whole), runtime_ns=4000 * S)
        yield Row(
            law="Disk",
            case=f"random 4 KiB reads, {rpm} rpm, depth 1",
            formula="1 / (a + 8b/15 + R/2 + overhead + transfer)",
            expected=expected,
            simulated=result.jobs[0].directions["read"].iops,
            tolerance=0.01,
            unit="IOPS",
        )


C_LOOK = {2: 90.3, 8: 126.1, 32: 164.4}

SSTF_ROTATION = {2: 104.2, 4: 125.4, 8: 152.5, 16: 188.0, 32: 232.3}
"""The next sector in one direction, and shortest positioning time first, by an independent simulation of the same disk
(no closed form is known)."""


def disk_order() -> Iterator[Row]:
    """First come, first served gains nothing from a queue; positioning-time order gains what theory says."""
    for depth in (2, 8, 32):
        disk = _device("hdd-ent", ncq_window=1, command_overhead_ns=0)
        result = _run(disk, iodepth=depth, size_bytes=_capacity(disk), runtime_ns=2000 * S)
        yield Row("Disk", f"first come, first served, depth {depth}", "as depth 1", 86.3, _iops(result), 0.02, "IOPS")
    for depth, expected in SSTF_ROTATION.items():
        # the disk chooses after the command overhead, when the next command has come: among all that are outstanding
        disk = _device("hdd-ent", ncq_age_per_mille=0, readahead_bytes=0)
        result = _run(disk, iodepth=depth, size_bytes=_capacity(disk), runtime_ns=2000 * S)
        case = f"shortest positioning time first, depth {depth}"
        yield Row("Disk", case, "independent simulation", expected, _iops(result), 0.02, "IOPS")
    for waiting, expected in C_LOOK.items():
        # bfq without a way back over a disk that takes one command; one more than the waiting is in the disk
        disk = _device("hdd-ent", queue_depth=1, ncq_window=1, command_overhead_ns=0, readahead_bytes=0)
        result = _run(
            disk,
            scheduler="bfq",
            nr_requests=64,
            options={"back_seek_max": 0, "fifo_expire_sync": 1 << 30, "low_latency": 0},
            host=HostParameters(0, 0),
            iodepth=waiting + 1,
            size_bytes=_capacity(disk),
            runtime_ns=2000 * S,
        )
        case = f"one way over the disk (C-LOOK), {waiting} waiting"
        yield Row("Disk", case, "independent simulation", expected, _iops(result), 0.02, "IOPS")


SERVICE_NS = 100_000
ARRIVALS = 1_000_000
QUEUE_SEEDS = (1, 2, 3, 4)


def queues() -> Iterator[Row]:
    """Poisson arrivals at equal servers: the mean wait, in service times (Erlang 1917, Pollaczek 1930)."""
    kinds: tuple[tuple[str, int, str, Callable[[int, float], float], str], ...] = (
        ("M/M/1", 1, "exponential", erlang_wait, "rho / (1 - rho)"),
        ("M/D/1", 1, "constant", pollaczek_wait, "rho / 2(1 - rho)"),
        ("M/M/4", 4, "exponential", erlang_wait, "C(4, 4 rho) / 4(1 - rho)"),
        ("M/M/8", 8, "exponential", erlang_wait, "C(8, 8 rho) / 8(1 - rho)"),
    )
    for name, servers, distribution, formula, text in kinds:
        for load in (0.5, 0.8, 0.9):
            drawn = [_mean_wait(servers, distribution, load, seed) for seed in QUEUE_SEEDS]
            # so many arrivals have a load of their own; the formula at that load takes most of the chance out
            expected = statistics.fmean(formula(servers, at) for _, at in drawn)
            wait = statistics.fmean(wait for wait, _ in drawn)
            yield Row(name, f"load {load}", text, expected, wait, 0.015, "service times")


def _mean_wait(servers: int, distribution: str, load: float, seed: int) -> tuple[float, float]:
    """The mean wait in service times, and the load that this many arrivals came to."""
    device = _device(
        "constant", queue_depth=10_240, service_ns=SERVICE_NS, servers=servers, service_distribution=distribution
    )
    iops = round(servers * load * S / SERVICE_NS)
    result = _run(
        device,
        seed=seed,
        host=HostParameters(0, 0),
        iodepth=8192,
        norandommap=True,
        rate_iops=(iops, 0, 0),
        rate_process="poisson",
        io_submit_mode="offload",
        runtime_ns=ARRIVALS * S // iops,
    )
    read = result.jobs[0].directions["read"]
    service_ns = result.counters["server_busy_ns"] / read.ios
    drawn = result.counters["server_busy_ns"] / result.ended_at_ns / servers
    return (read.lat.mean_ns - service_ns) / service_ns, drawn


def erlang_wait(servers: int, load: float) -> float:
    """Return the mean wait of M/M/c in service times, by Erlang's C formula."""
    offered = servers * load
    last = offered**servers / math.factorial(servers) / (1 - load)
    waiting = last / (sum(offered**count / math.factorial(count) for count in range(servers)) + last)
    return waiting / (servers * (1 - load))


def pollaczek_wait(_servers: int, load: float) -> float:
    """Return the mean wait of M/D/1 in service times (Pollaczek and Khinchine)."""
    return load / (2 * (1 - load))


def closed_networks() -> Iterator[Row]:
    """So many customers between a delay and equal exponential dies: mean value analysis (Reiser, Lavenberg 1980)."""
    for dies, depth in ((32, 1), (32, 16), (32, 64), (32, 256), (64, 64)):
        device = _device("stalling", channels=dies, read_service_ns=60_000, service_shape=1, off_ns=0, queue_depth=1023)
        result = _run(
            device,
            host=HostParameters(20_000, 0),
            iodepth=depth,
            io_submit_mode="offload",
            norandommap=True,
            runtime_ns=3 * S,
        )
        expected = mean_value_analysis(dies, depth, 60e-6, 20e-6)
        case = f"{dies} dies of 60 us, delay 20 us, {depth} outstanding"
        yield Row("Closed network", case, "mean value analysis", expected, _iops(result), 0.01, "IOPS")


def mean_value_analysis(dies: int, depth: int, service_s: float, delay_s: float) -> float:
    """Return the I/Os a second of `depth` customers between a delay and equal exponential dies chosen at random."""
    at_one_die = throughput = 0.0
    for customers in range(1, depth + 1):
        response_s = service_s * (1 + at_one_die)
        throughput = customers / (response_s + delay_s)
        at_one_die = throughput * response_s / dies
    return throughput


def write_amplification() -> Iterator[Row]:
    """Uniform random writes under greedy collection (Xiang and Kurkoski 2012), from what the dies programmed."""
    for spare in (70, 100, 150, 280, 500, 1000):
        device = _device("nvme-flash", over_provisioning_per_mille=spare, precondition="random")
        result = _run(device, rw="randwrite", iodepth=32, size_bytes=_capacity(device), runtime_ns=4 * S)
        programs = result.counters["programs"]
        host = programs - result.counters["collection_programs"]
        yield Row(
            law="Write amplification",
            case=f"{spare / 10:g} % over-provisioning",
            formula="A / (A + W0(-A exp(-A))), A = 1 + spare/user",
            expected=greedy_amplification(spare / 1000),
            simulated=programs / host,
            tolerance=0.04,
            unit="",
        )


def greedy_amplification(spare: float) -> float:
    """Return the write amplification by the closed form; W0 (Lambert's W, principal branch) by Newton's method."""
    a = 1 + spare
    argument = -a * math.exp(-a)
    w = -0.5
    for _ in range(100):
        w -= (w * math.exp(w) - argument) / (math.exp(w) * (w + 1))
    return a / (a + w)


def _capacity(device: DeviceParameters) -> int:
    return int(device.values["capacity_bytes"])


def _iops(result: SimulationResult) -> float:
    return result.jobs[0].directions["read"].iops


if __name__ == "__main__":
    print(json.dumps(document(), indent=1))
