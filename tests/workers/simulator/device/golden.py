"""Golden traces: what each device answers to a fixed list of requests, as text that a person and a C test can read.

`python -m tests.workers.simulator.device.golden` writes them anew; do that only when a service rule changes on purpose.
"""

import random
from pathlib import Path

from tests.workers.simulator.machines import VALUES
from workers.simulator.device.trace import Arrival, DeviceTrace
from workers.simulator.kinds import READ, WRITE
from workers.simulator.parameters import DeviceParameters

DIRECTORY = Path(__file__).parent / "golden"
SEED = 20_240_229
REQUESTS = 400

# Mean time between arrivals: busy, but not ever busier.
GAP_NS = {"constant": 20_000, "hdd": 6_000_000, "flash": 15_000, "stalling": 100_000}


def arrivals(kind: str) -> list[Arrival]:
    """Return requests of several sizes: random ones, and runs that continue where the last one ended."""
    rng = random.Random(kind)
    sectors = int(VALUES[kind]["capacity_bytes"]) // 512
    time_ns = 0
    found: list[Arrival] = []
    for _ in range(REQUESTS):
        time_ns += rng.randrange(2 * GAP_NS[kind])
        size = rng.choice([8, 8, 8, 32, 256])
        direction = rng.choice([READ, READ, WRITE])
        sector = 8 * rng.randrange((sectors - size) // 8)
        if found and rng.random() < 0.3:
            _, direction, last, length = found[-1]
            sector = last + length
        if sector + size <= sectors:
            found.append((time_ns, direction, sector, size))
    return found


def text(kind: str) -> str:
    """Return the golden trace of a device as it stands now."""
    lines = [f"# {name} {value}" for name, value in sorted(VALUES[kind].items())]
    given = arrivals(kind)
    done = DeviceTrace(DeviceParameters(kind, VALUES[kind]), SEED, given).completions()
    lines += [f"# seed {SEED}", "# arrival_ns direction sector sectors completion_ns"]
    lines += [" ".join(map(str, (*arrival, end_ns))) for arrival, end_ns in zip(given, done, strict=True)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for device_kind in VALUES:
        (DIRECTORY / f"{device_kind}.txt").write_text(text(device_kind))
