"""How quick the service and the command line are: a real `lodestone up`, real HTTP, real processes.

Usage: bench/service.py [--check]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sqlalchemy import insert  # noqa: E402

from app.db.engine import Database, now_ms  # noqa: E402
from app.db.tables import DEFAULT_PROJECT, LOCAL_USER, Experiment, Run  # noqa: E402
from app.domain.digest import digest_of  # noqa: E402
from app.domain.plan import planned_runs  # noqa: E402
from app.ingest.definition import definition_from  # noqa: E402
from tests.support.definitions import noop  # noqa: E402
from tests.support.service import Service  # noqa: E402

STORED = 10_000
REPEATS = 40
STARTS = 15


@dataclass(frozen=True)
class Line:
    """A figure beside its bound."""

    what: str
    figure: float
    unit: str
    bound: float | None
    at_most: bool = True

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.bound is None or (self.figure <= self.bound if self.at_most else self.figure >= self.bound)

    def __str__(self) -> str:
        sign = "≤" if self.at_most else "≥"
        bound = f"{sign} {self.bound:g} {self.unit}" if self.bound is not None else "(for information)"
        return f"{self.what:58} {self.figure:9.1f} {self.unit:6} {bound:18} {'ok' if self.holds else 'MISSED'}"


def percentile_95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(values, n=20)[-1]


def timed_ms(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def first_progress_ms(service: Service) -> float:
    """Return the time from the submission to the first progress event of a run."""
    definition = noop(device={"profile": "constant", "noop_ms": 150}, repeat=1)
    began = time.perf_counter()
    made = service.post("/api/v1/experiments", definition)
    with urllib.request.urlopen(f"{service.address}/api/v1/experiments/{made['id']}/events", timeout=20) as stream:
        for line in stream:
            if line.startswith(b"event: progress"):
                took = (time.perf_counter() - began) * 1000
                break
        else:
            raise AssertionError("no progress event came")
    service.wait_for(made["id"], 20)
    return took


def store_many(service: Service) -> list[str]:
    """Store experiments by the ten thousand, each with the runs of a usual one, and return their ids."""
    definition = definition_from(noop())
    database = Database(f"sqlite:///{service.data_dir / 'lodestone.db'}")
    text, digest, plan = definition.model_dump_json(), digest_of(definition), list(planned_runs(definition, 6))
    ids = [f"00{number:08d}" for number in range(STORED)]
    common = {"owner_id": LOCAL_USER, "project_id": DEFAULT_PROJECT, "digest": digest, "definition": text}
    common |= {"runner": "noop", "state": "done", "verdict": "improved", "headline": "x", "comparison": "{}"}
    common |= {"notices": "[]", "runs_total": 12, "runs_ended": 12, "event_count": 0, "cancel_requested": False}
    with database.write() as session:
        session.execute(
            insert(Experiment), [{**common, "id": key, "title": f"stored {key}", "created_ms": now_ms()} for key in ids]
        )
        session.execute(
            insert(Run),
            [
                {
                    "id": f"{key}{planned.position:02d}",
                    "experiment_id": key,
                    "position": planned.position,
                    "runner": "noop",
                    "variant": planned.variant,
                    "cell": "{}",
                    "replicate": planned.replicate,
                    "seed": planned.seed,
                    "state": "done",
                    "attempt": 1,
                    "not_before_ms": 0,
                }
                for key in ids
                for planned in plan
            ],
        )
    database.dispose()
    return ids


def service_lines() -> Iterator[Line]:
    """Measure a service with ten thousand stored experiments."""
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder) / "data", LODESTONE_WORKERS="2") as service:
        first_progress_ms(service)
        waits = [first_progress_ms(service) for _ in range(20)]
        yield Line("submit → first progress event, median of 20", statistics.median(waits), "ms", 100)
        yield Line("submit → first progress event, 95th percentile", percentile_95(waits), "ms", 100)
        ids = store_many(service)
        listed = [timed_ms(lambda: service.get("/api/v1/experiments?limit=50")) for _ in range(REPEATS)]
        yield Line(f"list 50 of {STORED} experiments, 95th percentile", percentile_95(listed), "ms", 50)
        words = [timed_ms(lambda: service.get("/api/v1/experiments?q=00009&limit=50")) for _ in range(REPEATS)]
        yield Line(f"search the titles of {STORED}, 95th percentile", percentile_95(words), "ms", 50)
        got = [timed_ms(lambda key=key: service.experiment(key)) for key in ids[:: STORED // REPEATS]]
        yield Line(f"get one of {STORED} experiments, 95th percentile", percentile_95(got), "ms", 50)
        made = service.post("/api/v1/experiments", noop(repeat=200))
        took = timed_ms(lambda: service.wait_for(made["id"], 120))
        yield Line("noop runs a second through two workers", 400 / (took / 1000), "/s", None, at_most=False)


def startup_lines() -> Iterator[Line]:
    """Measure how long the command takes to start."""
    lodestone = str(Path(sys.executable).parent / "lodestone")
    with tempfile.TemporaryDirectory() as folder:
        job, definition = Path(folder) / "a.fio", Path(folder) / "a.json"
        job.write_text("[a]\nsize=1m\n")
        definition.write_text(json.dumps(noop()))
        for words in (["--help"], ["lint", str(job)], ["lint", str(definition)]):
            took = [
                timed_ms(lambda words=words: subprocess.run([lodestone, *words], capture_output=True, check=True))
                for _ in range(STARTS)
            ]
            shown = " ".join(Path(word).name for word in words)
            yield Line(f"lodestone {shown}, median of {STARTS}", statistics.median(took), "ms", 300)


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    options = parser.parse_args()
    missed = 0
    for lines in (startup_lines(), service_lines()):
        for line in lines:
            print(line, flush=True)
            missed += not line.holds
    print(f"{missed} bounds missed")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
