"""A whole Lodestone in processes of its own, as `lodestone up` starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil

from tests.support.servers import free_port, wait_until

START_S = 60.0


class Service:
    """`lodestone up` on a free port with a data directory of its own."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = data_dir.parent / f"{data_dir.name}.log"
        self._environment = {**os.environ, "LODESTONE_DATA_DIR": str(data_dir), **environment}
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Service:
        command = [sys.executable, "-m", "app.cli.main", "up", "--port", str(self.port)]
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, env=self._environment, stdout=log, stderr=subprocess.STDOUT)
        wait_until(self._ready, START_S, f"the service is ready; its log: {self.log}")
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.end(signal.SIGTERM)

    def _ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        return self.get("/readyz", default=None) is not None

    def end(self, number: int) -> int:
        """Send a signal to the supervisor and return its exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(30)

    def get(self, path: str, default: Any = ...) -> Any:
        """Return the JSON at a path; `default` when the server does not answer with success."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=20) as response:
                return json.load(response)
        except OSError:
            if default is ...:
                raise
            return default

    def post(self, path: str, body: Any = None) -> Any:
        """Return the JSON that a POST answers."""
        data = json.dumps(body).encode() if body is not None else b""
        request = urllib.request.Request(self.address + path, data=data, method="POST")
        with urllib.request.urlopen(request, timeout=20) as response:
            return json.load(response)

    def children(self, word: str = "") -> list[psutil.Process]:
        """Return the supervisor's living processes whose command line holds a word."""
        assert self.process is not None
        found = []
        for child in psutil.Process(self.process.pid).children(recursive=True):
            try:
                if child.status() != psutil.STATUS_ZOMBIE and word in " ".join(child.cmdline()):
                    found.append(child)
            except psutil.NoSuchProcess:
                continue
        return found

    def experiment(self, experiment_id: str) -> Any:
        """Return an experiment."""
        return self.get(f"/api/v1/experiments/{experiment_id}")

    def wait_for(self, experiment_id: str, timeout_s: float) -> Any:
        """Return an experiment once it is over and compared."""

        def over() -> Any:
            found = self.get(f"/api/v1/experiments/{experiment_id}", default=None)
            return found if found is not None and found["verdict"] is not None else None

        return wait_until(over, timeout_s, f"experiment {experiment_id} is over; log: {self.log}")


def gone(processes: list[psutil.Process], timeout_s: float) -> list[psutil.Process]:
    """Return those processes that still live after a while."""
    limit = time.monotonic() + timeout_s
    alive = processes
    while alive and time.monotonic() < limit:
        alive = [child for child in alive if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
        time.sleep(0.02)
    return alive
