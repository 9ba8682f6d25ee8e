"""The compose file is valid, and its commands are a working Lodestone on PostgreSQL (no Docker engine needed)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import psycopg
import yaml
from compose_spec import ComposeSpecification

from tests.support.definitions import noop
from tests.support.servers import PostgresServer, free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_the_file_keeps_the_compose_specification() -> None:
    document = {key: value for key, value in COMPOSE.items() if not key.startswith("x-")}
    specification = ComposeSpecification.model_validate(document)
    assert set(specification.services or {}) == {"api", "worker", "redis", "postgres"}


def test_every_dependency_is_a_service_with_a_health_check() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        for name in service.get("depends_on", {}):
            assert "healthcheck" in services[name]


def test_the_image_holds_what_the_commands_start() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert "requirements/runtime.lock" in dockerfile
    assert "frontend/dist" in dockerfile


def start(service: str, environment: dict[str, str], log: Path, port: int = 0) -> subprocess.Popen[bytes]:
    """Start a service's own command with this machine's addresses in it."""
    command = [str(word) for word in COMPOSE["services"][service]["command"]]
    command[0] = sys.executable
    words = {"8000": str(port), "0.0.0.0": "127.0.0.1"}
    with log.open("wb") as output:
        return subprocess.Popen(
            [words.get(word, word) for word in command],
            env={**os.environ, **environment},
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def ask(address: str, path: str, body: Any = None) -> Any:
    data = json.dumps(body).encode() if body is not None else None
    try:
        with urllib.request.urlopen(urllib.request.Request(address + path, data=data), timeout=20) as response:
            return json.load(response)
    except OSError:
        return None


def test_two_servers_and_two_workers_share_one_postgresql(
    postgres: PostgresServer, redis_url: str, tmp_path: Path
) -> None:
    ports = [free_port(), free_port()]
    processes = []
    with postgres.database() as url:
        environment = {
            "LODESTONE_DATA_DIR": str(tmp_path / "data"),
            "LODESTONE_DATABASE_URL": url,
            "LODESTONE_BROKER_URL": redis_url,
        }
        try:
            processes += [start("api", environment, tmp_path / f"api-{port}.log", port) for port in ports]
            processes += [start("worker", environment, tmp_path / f"worker-{number}.log") for number in range(2)]
            first, second = (f"http://127.0.0.1:{port}" for port in ports)
            for address in (first, second):
                wait_until(lambda address=address: ask(address, "/readyz"), 60, f"{address} is ready")
            made = ask(first, "/api/v1/experiments", noop(device={"profile": "constant", "noop_ms": 300}))
            path = f"/api/v1/experiments/{made['id']}"
            over = wait_until(lambda: (found := ask(second, path)) and found["verdict"] and found, 60, "it is over")
            assert (over["state"], over["runs_ended"]) == ("done", 12)
            assert len({run["worker"] for run in over["runs"]}) == 2
            with psycopg.connect(url) as connection:
                rows = connection.execute("SELECT count(*), count(DISTINCT run_id) FROM run_outcome").fetchone()
            assert rows == (12, 12)
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(20)
