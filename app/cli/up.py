"""`lodestone up`: one process that starts, watches and ends all others."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import fcntl
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from app.cli.broker import redis_command
from app.config import Settings, settings, unknown_settings
from app.errors import RequestError

GRACE_S = 8.0
"""How long a child may take to end before it is killed."""

BACKOFF_S = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Pauses before a child that ended is started again; the last one repeats."""

STEADY_S = 30.0
"""A child that lived so long begins at the first pause again."""

BROKER_WAIT_S = 10.0


@dataclass
class Child:
    """A process to keep alive."""

    name: str
    command: list[str]
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    starts: int = 0
    due: float = 0.0
    pending: bytes = field(default=b"", repr=False)


def execute(options: argparse.Namespace) -> int:
    """Serve until SIGINT, SIGTERM or SIGHUP. Raises RequestError in one line for what cannot be served."""
    configured = _configured(options)
    for name in unknown_settings(os.environ):
        print(f"lodestone: {name} is no setting (`lodestone settings` prints them all); it is ignored", file=sys.stderr)
    with _only_one(configured.data_dir):
        _prove_writable(configured)
        _prove_port_free(configured)
        return Supervisor(configured).run()


def _configured(options: argparse.Namespace) -> Settings:
    for name in ("port", "host", "data_dir", "workers"):
        value = getattr(options, name)
        if value is not None:
            os.environ[f"LODESTONE_{name.upper()}"] = str(value)
    return settings()


@contextlib.contextmanager
def _only_one(data_dir: Path) -> Iterator[None]:
    """Hold the data directory's lock; whoever ends, however, lets go of it."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RequestError(f"the data directory {data_dir} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise RequestError(f"another `lodestone up` serves {data_dir}; end it or set LODESTONE_DATA_DIR") from None
    try:
        yield
    finally:
        os.close(handle)


def _prove_writable(configured: Settings) -> None:
    probe = configured.data_dir / f".probe-{os.getpid()}"
    try:
        probe.write_bytes(b"")
        probe.unlink()
        configured.broker_socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"the data directory {configured.data_dir} cannot be written: {error.strerror}") from None


def _prove_port_free(configured: Settings) -> None:
    family = socket.AF_INET6 if ":" in configured.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((configured.host, configured.port))
        except OSError as error:
            where = f"{configured.host}:{configured.port}"
            raise RequestError(f"cannot listen on {where}: {error.strerror}; choose another with --port") from None


class Supervisor:
    """Starts the broker, the workers and the web service; restarts what ends; ends all when asked."""

    def __init__(self, configured: Settings) -> None:
        self._settings = configured
        self._selector = selectors.DefaultSelector()
        self._asked: int | None = None
        self._children = self._described()

    def _described(self) -> list[Child]:
        environment = {
            **os.environ,
            "LODESTONE_DATA_DIR": str(self._settings.data_dir),
            "LODESTONE_BROKER_URL": self._settings.resolved_broker_url,
            "PYTHONUNBUFFERED": "1",
        }
        children = []
        if not self._settings.broker_url:
            children.append(Child("redis", redis_command(self._settings.broker_socket), environment))
        web = [sys.executable, "-m", "uvicorn", "app.main:create_app", "--factory", "--no-access-log"]
        web += ["--host", self._settings.host, "--port", str(self._settings.port)]
        web += ["--timeout-graceful-shutdown", "2", "--log-level", "warning"]
        children.append(Child("web", web, environment))
        for number in range(1, self._settings.workers + 1):
            children.append(Child(f"worker-{number}", [sys.executable, "-m", "workers.main"], environment))
        return children

    def run(self) -> int:
        """Serve until a signal asks to end."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask)
        announced = False
        try:
            for child in self._children:
                self._start(child)
                if child.name == "redis":
                    self._await_broker()
                if self._asked is not None:
                    break
            while self._asked is None:
                self._relay(0.2)
                self._restart_ended()
                if not announced and self._serves():
                    announced = True
                    self._say(f"Lodestone serves {self._settings.address} (Ctrl-C ends it)")
        finally:
            self._end_all()
        return 0

    def _ask(self, number: int, _frame: object) -> None:
        self._asked = number

    def _start(self, child: Child) -> None:
        child.started = time.monotonic()
        child.starts += 1
        child.process = subprocess.Popen(
            child.command,
            env=child.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # Ctrl-C goes to the supervisor alone, which ends the others in their order
            start_new_session=True,
            preexec_fn=_die_with_parent,  # noqa: PLW1509  the supervisor has no threads
        )
        assert child.process.stdout is not None
        os.set_blocking(child.process.stdout.fileno(), False)
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)

    def _await_broker(self) -> None:
        limit = time.monotonic() + BROKER_WAIT_S
        while time.monotonic() < limit and self._asked is None:
            with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
                probe.connect(str(self._settings.broker_socket))
                return
            self._relay(0.02)

    def _serves(self) -> bool:
        with socket.socket(socket.AF_INET6 if ":" in self._settings.host else socket.AF_INET) as probe:
            probe.settimeout(0.2)
            return probe.connect_ex((self._settings.host, self._settings.port)) == 0

    def _restart_ended(self) -> None:
        now = time.monotonic()
        for child in self._children:
            if child.process is not None and child.process.poll() is not None:
                status = child.process.returncode
                self._drain(child)
                child.process = None
                if now - child.started > STEADY_S:
                    child.starts = 1
                pause = BACKOFF_S[min(child.starts, len(BACKOFF_S)) - 1]
                child.due = now + pause
                self._say(f"{child.name} ended with status {status}; starting it again in {pause:g} s")
            elif child.process is None and now >= child.due:
                self._start(child)

    def _relay(self, timeout_s: float) -> None:
        for key, _ in self._selector.select(timeout_s):
            self._read(key.data, key.fileobj)  # type: ignore[arg-type]

    def _read(self, child: Child, stream: IO[bytes]) -> None:
        try:
            data = os.read(stream.fileno(), 65536)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(stream)
            return
        *lines, child.pending = (child.pending + data).split(b"\n")
        for line in lines:
            self._say(line.decode(errors="replace"), child.name)

    def _drain(self, child: Child) -> None:
        assert child.process is not None
        assert child.process.stdout is not None
        while child.process.stdout in [key.fileobj for key in self._selector.get_map().values()]:
            before = len(self._selector.get_map())
            self._read(child, child.process.stdout)
            if len(self._selector.get_map()) == before:
                break
        if child.pending:
            self._say(child.pending.decode(errors="replace"), child.name)
            child.pending = b""
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(child.process.stdout)
        child.process.stdout.close()

    def _say(self, line: str, name: str = "lodestone") -> None:
        print(f"{name:>9} | {line}", flush=True)

    def _end_all(self) -> None:
        """End workers and web first, the broker last; kill what does not end in time."""
        running = [child for child in self._children if child.process is not None]
        for group in ([child for child in running if child.name != "redis"], running):
            alive = [child for child in group if child.process is not None and child.process.poll() is None]
            for child in alive:
                assert child.process is not None
                child.process.terminate()
            limit = time.monotonic() + GRACE_S
            while alive and time.monotonic() < limit:
                self._relay(0.05)
                alive = [child for child in alive if child.process is not None and child.process.poll() is None]
            for child in alive:
                assert child.process is not None
                child.process.kill()
                child.process.wait()


def _die_with_parent() -> None:
    """Ask Linux to kill this process when the supervisor dies, however it dies (prctl(2), PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
