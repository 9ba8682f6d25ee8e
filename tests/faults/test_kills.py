"""Kill the broker, a worker, the web server in the middle of runs, for real: nothing is lost and nothing doubled.

Each kill lands at a point drawn from a seeded stream while a run is seen to be running.
"""

from __future__ import annotations

import random
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.definitions import noop
from tests.support.servers import wait_until
from tests.support.service import Service

SEED = 20
KILLS = 20
RUNS = 160
RUN_MS = 350
"""Half a minute of runs on two workers: they may not be used up before the last kill, however quick the machine is."""
VICTIMS = {"worker": "workers.main", "redis": "unixsocket", "web": "uvicorn"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose leases run out quickly."""
    data_dir: Path = tmp_path_factory.mktemp("faults") / "data"
    quick = {"LODESTONE_LEASE_S": "2", "LODESTONE_WATCHDOG_S": "6", "LODESTONE_SWEEP_S": "0.3"}
    with Service(data_dir, LODESTONE_WORKERS="2", LODESTONE_ATTEMPTS_MAX="50", **quick) as made:
        yield made


def rows(service: Service, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{service.data_dir / 'lodestone.db'}?mode=ro", uri=True, timeout=30)) as found:
        return found.execute(query).fetchall()


def running(service: Service) -> list[tuple[Any, ...]]:
    return rows(service, "SELECT id, attempt, worker FROM run WHERE state = 'running'")


def submit(service: Service, runs: int, run_ms: int) -> str:
    device = {"profile": "constant", "noop_ms": run_ms}
    definition = noop(device=device, repeat=runs // 2)
    return str(wait_until(lambda: _try_submit(service, definition), 30, "an experiment is accepted"))


def _try_submit(service: Service, definition: dict[str, Any]) -> str | None:
    try:
        return str(service.post("/api/v1/experiments", definition)["id"])
    except OSError:
        return None


def kill_one(service: Service, kind: str, pick: float) -> bool:
    """Kill one process of a kind while a run is running; False when there is none, or no run at this moment."""
    victims = service.children(VICTIMS[kind])
    if not victims or not running(service):
        return False
    try:
        victims[int(pick * len(victims))].send_signal(signal.SIGKILL)
    except psutil.NoSuchProcess:
        return False  # it was on its way out when it was looked for
    return True


def test_twenty_kills_lose_nothing_and_double_nothing(service: Service) -> None:
    chance = random.Random(SEED)
    experiment_id = submit(service, RUNS, RUN_MS)
    deaths: dict[str, int] = dict.fromkeys(VICTIMS, 0)
    for kill in range(KILLS):
        kind, fraction, pick = chance.choice(list(VICTIMS)), chance.random(), chance.random()
        # the point: some run is running and has come at least so far
        held = wait_until(lambda: running(service), 30, f"a run is running before kill {kill} (seed {SEED})")
        if fraction > 0.5:
            # a later point: another attempt than the first one seen
            wait_until(lambda held=held: running(service) and running(service) != held, 30, "another run is running")
        wait_until(lambda kind=kind, pick=pick: kill_one(service, kind, pick), 30, f"kill {kill} of a {kind} lands")
        deaths[kind] += 1
    assert all(deaths.values()), deaths
    over = service.wait_for(experiment_id, 120)
    assert over["state"] == "done", [run["failure"] for run in over["runs"] if run["failure"]]
    assert over["runs_ended"] == RUNS
    check_invariants(service, experiment_id)


def check_invariants(service: Service, experiment_id: str) -> None:
    states = rows(service, f"SELECT state, count(*) FROM run WHERE experiment_id = '{experiment_id}' GROUP BY state")
    assert states == [("done", RUNS)]
    outcomes = rows(
        service, f"SELECT count(*), count(DISTINCT run_id) FROM run_outcome WHERE experiment_id = '{experiment_id}'"
    )
    assert outcomes == [(RUNS, RUNS)]
    mismatched = rows(
        service, "SELECT run.id FROM run JOIN run_outcome ON run_id = run.id WHERE run.attempt != run_outcome.attempt"
    )
    assert mismatched == []
    endings = rows(
        service,
        "SELECT run_id FROM event WHERE kind = 'run' AND json_extract(data, '$.state') = 'done' "
        f"AND experiment_id = '{experiment_id}' GROUP BY run_id HAVING count(*) != 1",
    )
    assert endings == []
    numbers = [
        row[0]
        for row in rows(service, f"SELECT number FROM event WHERE experiment_id = '{experiment_id}' ORDER BY number")
    ]
    assert len(numbers) == len(set(numbers))


def test_cancel_is_honoured_within_a_second(service: Service) -> None:
    experiment_id = submit(service, 12, 60_000)
    wait_until(lambda: running(service), 30, "a run is running")
    service.post(f"/api/v1/experiments/{experiment_id}/cancel")
    wait_until(lambda: service.experiment(experiment_id)["state"] == "cancelled", 1.0, "the experiment is cancelled")
    assert running(service) == []


def test_a_lost_wake_up_is_made_good_by_the_sweeper(service: Service) -> None:
    # messages sent while the broker is dead are gone for good
    (broker,) = wait_until(lambda: service.children(VICTIMS["redis"]), 30, "the broker lives")
    broker.send_signal(signal.SIGKILL)
    experiment_id = submit(service, 2, 10)
    assert service.wait_for(experiment_id, 60)["state"] == "done"
