"""Golden traces: what each device answers to a fixed list of requests, as text that a person and a C test can read.

`python -m tests.workers.simulator.device.golden` writes them anew; do that only when a service rule changes on purpose.
"""

import random
from pathlib import Path

from tests.workers.simulator.machines import VALUES
from workers.simulator.device.trace import Arrival, DeviceTrace
from workers.simulator.kinds import FLUSH, READ, WRITE
from workers.simulator.parameters import DeviceParameters

DIRECTORY = Path(__file__).parent / "golden"
SEED = 20_240_229
REQUESTS = 400

# Of each trace: the model, values that differ from its usual ones, and the mean time between arrivals, so that the
# device is busy, but not ever busier.
TRACES: dict[str, tuple[str, dict[str, int | str], int]] = {
    "constant": ("constant", {}, 20_000),
    "hdd": ("hdd", {}, 6_000_000),
    "hdd-cached": ("hdd", {"write_cache": 1, "positioning_error_ns": 5_000_000}, 6_000_000),
    "flash": ("flash", {}, 15_000),
    "flash-flushed": ("flash", {"write_cache": 1, "fua": 1}, 60_000),
    "stalling": ("stalling", {}, 100_000),
}


def values_of(name: str) -> dict[str, int | str]:
    """Return the device's values in a trace."""
    kind, changes, _ = TRACES[name]
    return {**VALUES[kind], **changes}


def arrivals(name: str) -> list[Arrival]:
    """Return requests of several sizes: random ones, runs that continue where the last one ended, and flushes."""
    rng = random.Random(name)
    values = values_of(name)
    sectors = int(values["capacity_bytes"]) // 512
    time_ns = 0
    found: list[Arrival] = []
    for _ in range(REQUESTS):
        time_ns += rng.randrange(2 * TRACES[name][2])
        if values["write_cache"] and rng.random() < 0.05:
            found.append((time_ns, FLUSH, 0, 0))
            continue
        size = rng.choice([8, 8, 8, 32, 256])
        direction = rng.choice([READ, READ, WRITE])
        sector = 8 * rng.randrange((sectors - size) // 8)
        if found and rng.random() < 0.3 and found[-1][1] != FLUSH:
            _, direction, last, length = found[-1]
            sector = last + length
        if sector + size <= sectors:
            found.append((time_ns, direction, sector, size))
    return found


def text(name: str) -> str:
    """Return the golden trace of a device as it stands now."""
    values = values_of(name)
    lines = [f"# {parameter} {value}" for parameter, value in sorted(values.items())]
    given = arrivals(name)
    done = DeviceTrace(DeviceParameters(TRACES[name][0], values), SEED, given).completions()
    lines += [f"# seed {SEED}", "# arrival_ns direction sector sectors completion_ns"]
    lines += [" ".join(map(str, (*arrival, end_ns))) for arrival, end_ns in zip(given, done, strict=True)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for trace in TRACES:
        (DIRECTORY / f"{trace}.txt").write_text(text(trace))
