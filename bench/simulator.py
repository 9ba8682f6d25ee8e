"""How fast the simulator is, beside what it must reach: `python bench/simulator.py [--check] [--repeat N]`."""

import argparse
import math
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import simpy

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.catalog import devices
from workers.simulator import (
    DeviceParameters,
    JobParameters,
    QueueParameters,
    SimulationParameters,
    simulate,
)
from workers.simulator.device.ftl import EMPTY, STEADY, preconditioned
from workers.simulator.stream import Streams

S = 1_000_000_000
GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a figure, its bound, and which side of the bound is good."""

    name: str
    unit: str
    figure: float
    bound: float
    at_least: bool

    @property
    def reached(self) -> bool:
        """Tell whether the figure keeps the bound."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound

    def text(self) -> str:
        """Return the line."""
        sign = ">=" if self.at_least else "<="
        mark = "" if self.reached else "   MISSED"
        return f"{self.name:<58} {self.figure:>10.3g} {self.unit:<12} {sign} {self.bound:.3g}{mark}"


def machine(profile: str, jobs: tuple[JobParameters, ...], scheduler: str = "none") -> SimulationParameters:
    """Return a machine over a profile of the catalogue."""
    kind, values = devices.resolve(profile)
    return SimulationParameters(jobs=jobs, device=DeviceParameters(kind, values), queue=QueueParameters(scheduler))


def job(number: int = 1, **changes: object) -> JobParameters:
    """Return a 4 KiB random job."""
    fields: dict[str, object] = {"name": "bench", "thread_number": number, "rw": "randread", "size_bytes": 10 * GIB}
    return JobParameters(**{**fields, **changes})  # type: ignore[arg-type]


def whole_device(profile: str) -> int:
    """Return the capacity of a profile in bytes."""
    return int(devices.resolve(profile)[1]["capacity_bytes"])


def best(parameters: SimulationParameters, repeat: int) -> tuple[float, float]:
    """Return the shortest time on a core of several runs, in seconds, and the I/Os of a second of it."""
    times = []
    ios = 0
    for _ in range(repeat):
        began = time.process_time()
        result = simulate(parameters, seed=1)
        times.append(time.process_time() - began)
        ios = result.counters["completions"]
    return min(times), ios / min(times)


def job_of_2012(repeat: int) -> list[Row]:
    """Four jobs of depth 16 for 120 simulated seconds on the stalling device."""
    jobs = tuple(job(n, rw="randrw", iodepth=16, runtime_ns=120 * S) for n in (1, 2, 3, 4))
    wall_s, _ = best(machine("stalling", jobs), repeat)
    return [Row("stalling, 4 jobs x depth 16, randrw, 120 simulated s", "s", wall_s, 2.0, at_least=False)]


def rates(repeat: int) -> list[Row]:
    """Simulated direct I/Os a core-second."""
    rows = []
    cases: Mapping[str, tuple[str, str, dict[str, object], float]] = {
        "nvme-flash, none, depth 16, random reads": ("nvme-flash", "none", {"iodepth": 16, "runtime_ns": 8 * S}, 2e6),
        "nvme-flash, mq-deadline, depth 32, 70/30 randrw": (
            "nvme-flash",
            "mq-deadline",
            {"iodepth": 32, "rw": "randrw", "rwmixread": 70, "runtime_ns": 4 * S},
            0.7e6,
        ),
        "hdd-ent, mq-deadline, depth 32, random reads": (
            "hdd-ent",
            "mq-deadline",
            {"iodepth": 32, "runtime_ns": 4000 * S, "size_bytes": whole_device("hdd-ent")},
            1.2e6,
        ),
        "hdd-ent, kyber, depth 32, random reads": (
            "hdd-ent",
            "kyber",
            {"iodepth": 32, "runtime_ns": 4000 * S, "size_bytes": whole_device("hdd-ent")},
            0.9e6,
        ),
        "hdd-ent, bfq, depth 32, random reads": (
            "hdd-ent",
            "bfq",
            {"iodepth": 32, "runtime_ns": 4000 * S, "size_bytes": whole_device("hdd-ent")},
            0.8e6,
        ),
        "hdd-ent, mq-deadline, depth 32, sequential reads that merge": (
            "hdd-ent",
            "mq-deadline",
            {"iodepth": 32, "rw": "read", "runtime_ns": 60 * S, "size_bytes": whole_device("hdd-ent")},
            1e6,
        ),
        "hdd-cons, mq-deadline, depth 32, random writes": (
            "hdd-cons",
            "mq-deadline",
            {"iodepth": 32, "rw": "randwrite", "runtime_ns": 4000 * S, "size_bytes": whole_device("hdd-cons")},
            0.3e6,
        ),
        "nvme-flash, none, depth 32, random writes with collection": (
            "nvme-flash",
            "none",
            {"iodepth": 32, "rw": "randwrite", "runtime_ns": 8 * S, "size_bytes": whole_device("nvme-flash")},
            1e6,
        ),
        "nvme-flash, write and fsync, depth 1": (
            "nvme-flash",
            "none",
            {"rw": "randwrite", "engine": "psync", "fsync": 1, "runtime_ns": 8 * S},
            0.8e6,
        ),
        "constant, none, depth 64, random reads": ("constant", "none", {"iodepth": 64, "runtime_ns": 4 * S}, 1.5e6),
    }
    for name, (profile, scheduler, fields, bound) in cases.items():
        _, rate = best(machine(profile, (job(**fields),), scheduler), repeat)
        rows.append(Row(name, "I/Os a s", rate, bound, at_least=True))
    return rows


def memory(_repeat: int) -> list[Row]:
    """Memory that a random map over a petabyte adds to one over a gibibyte."""
    small = machine("constant", (job(size_bytes=GIB, runtime_ns=S // 10),))
    simulate(small, seed=1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kind, values = devices.resolve("constant", {"capacity_bytes": 1 << 50})
    huge = SimulationParameters(
        jobs=(job(size_bytes=1 << 50, runtime_ns=S // 10),), device=DeviceParameters(kind, values)
    )
    simulate(huge, seed=1)
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return [Row("memory of a 1 PiB random map, above that of 1 GiB", "MiB", grown_mib, 1.0, at_least=False)]


def page_map(_repeat: int) -> list[Row]:
    """The page map alone, at 28 % of spare pages: writes of the host, with all that collection does for them."""
    ftl = preconditioned(1 << 17, 280, STEADY)
    began = time.process_time()
    ftl.overwrite(Streams([1]), 1 << 21)
    rate = (1 << 21) / (time.process_time() - began)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    largest = preconditioned(1 << 22, 280, EMPTY)
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return [
        Row("flash, page map of 131,072 pages, random writes", "writes a s", rate, 1e6, at_least=True),
        Row(f"memory of the largest page map ({largest.pages:,} pages)", "MiB", grown_mib, 200, at_least=False),
    ]


def growth(repeat: int) -> list[Row]:
    """How the cost grows with the I/Os: the slope of its logarithm, from a hundred thousand to a hundred million."""
    points = []
    for seconds, times in ((0.58, 3 * repeat), (5.8, repeat), (58.0, 1), (580.0, 1)):
        parameters = machine("nvme-flash", (job(iodepth=16, runtime_ns=round(seconds * S), time_based=True),))
        cpu_s, rate = best(parameters, times)
        points.append((math.log10(cpu_s * rate), math.log10(cpu_s)))
    slope, _ = statistics.linear_regression([ios for ios, _ in points], [cost for _, cost in points])
    return [Row("cost over I/Os, 1e5 to 1e8: slope's distance from 1", "", abs(slope - 1), 0.03, at_least=False)]


def depth(repeat: int) -> list[Row]:
    """How the cost of one I/O grows with the queue depth: by less than the logarithm of it."""
    costs = {}
    for outstanding in (16, 1024):
        parameters = machine("constant", (job(iodepth=outstanding, runtime_ns=S // 2 * 16 // outstanding * 8),))
        costs[outstanding] = 1 / best(parameters, repeat)[1]
    ratio = costs[1024] / costs[16]
    return [Row("cost of an I/O, depth 1024 against 16 (log: 2.5)", "x", ratio, 2.5, at_least=False)]


def hooks(repeat: int) -> list[Row]:
    """What asking for progress and for a cancel costs."""
    parameters = machine("nvme-flash", (job(iodepth=16, runtime_ns=8 * S),))

    def timed(**asked: object) -> float:
        began = time.process_time()
        simulate(parameters, seed=1, **asked)  # type: ignore[arg-type]
        return time.process_time() - began

    pairs = [(timed(), timed(progress=lambda _: None, cancelled=lambda: False)) for _ in range(3 * repeat)]
    ratio = min(asked for _, asked in pairs) / min(silent for silent, _ in pairs)
    return [Row("cost of progress and cancel, above 1", "x", ratio - 1, 0.01, at_least=False)]


def against_simpy(_repeat: int) -> list[Row]:
    """The same M/M/16 queue as a SimPy program, and through the whole block layer and device here."""
    began = time.process_time()
    served = _mm16_in_simpy(100_000)
    theirs = served / (time.process_time() - began)
    kind, values = devices.resolve(
        "constant",
        {"service_ns": 100_000, "servers": 16, "service_distribution": "exponential", "queue_depth": 10_240},
    )
    arrivals = job(
        iodepth=8192,
        norandommap=True,
        rate_iops=(144_000, 0, 0),
        rate_process="poisson",
        io_submit_mode="offload",
        runtime_ns=7 * S,
        time_based=True,
    )
    ours = best(SimulationParameters(jobs=(arrivals,), device=DeviceParameters(kind, values)), 1)[1]
    return [Row("M/M/16 at load 0.9, against SimPy", "x", ours / theirs, 10, at_least=True)]


def _mm16_in_simpy(customers: int) -> int:
    environment = simpy.Environment()
    servers = simpy.Resource(environment, capacity=16)
    stream = random.Random(1)
    served = 0

    def customer() -> Iterator[simpy.Event]:
        nonlocal served
        with servers.request() as turn:
            yield turn
            yield environment.timeout(stream.expovariate(1 / 100e-6))
        served += 1

    def arrivals() -> Iterator[simpy.Event]:
        for _ in range(customers):
            yield environment.timeout(stream.expovariate(144_000))
            environment.process(customer())

    environment.process(arrivals())
    environment.run()
    return served


SECTIONS: tuple[Callable[[int], list[Row]], ...] = (
    memory,
    job_of_2012,
    rates,
    page_map,
    growth,
    depth,
    hooks,
    against_simpy,
)


def main() -> int:
    """Print the table; with --check return 1 when a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 when a bound is missed")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each case; the quickest counts")
    options = parser.parse_args()
    rows = [row for section in SECTIONS for row in section(max(1, options.repeat))]
    for row in rows:
        print(row.text())
    return int(options.check and not all(row.reached for row in rows))


if __name__ == "__main__":
    sys.exit(main())
