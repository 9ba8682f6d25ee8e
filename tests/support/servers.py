"""Real servers for tests, each in a directory of its own, ended by its process id."""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from app.cli.broker import redis_command

START_S = 20.0


def wait_until(condition, timeout_s: float, what: str):  # type: ignore[no-untyped-def]
    """Return the condition's first true value; fail with `what` after the timeout."""
    limit = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > limit:
            raise AssertionError(f"not within {timeout_s:g} s: {what}")
        time.sleep(0.01)


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True


class RedisServer:
    """A private Redis on a Unix socket."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"redis+socket://{path}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> RedisServer:
        self._process = subprocess.Popen(redis_command(self.path), stdout=subprocess.DEVNULL)
        wait_until(lambda: _connects(self.path), START_S, "Redis listens")
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(10)


def find_postgres() -> Path | None:
    """Return the directory of PostgreSQL's server programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


class PostgresServer:
    """A private PostgreSQL on a Unix socket; it refuses root, so as root it runs as the user `postgres`."""

    def __init__(self) -> None:
        programs = find_postgres()
        assert programs is not None
        self._programs = programs
        self._root = Path(tempfile.mkdtemp(prefix="lodestone-pg-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)

    def _as_server(self) -> dict[str, object]:
        if os.getuid() != 0:
            return {}
        account = pwd.getpwnam("postgres")
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    def __enter__(self) -> PostgresServer:
        if os.getuid() == 0:
            shutil.chown(self._root, "postgres", "postgres")
        data = self._root / "data"
        initdb = [str(self._programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "lodestone", "-E", "UTF8"]
        subprocess.run(
            [*initdb, "--locale=C", "--no-sync"], check=True, capture_output=True, cwd="/", **self._as_server()
        )
        command = [str(self._programs / "postgres"), "-D", str(data), "-k", str(self._root)]
        command += ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **self._as_server()
        )
        wait_until(self._answers, START_S, "PostgreSQL answers")
        return self

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self._conninfo("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _conninfo(self, name: str) -> str:
        return f"host={self._root} user=lodestone dbname={name}"

    @contextlib.contextmanager
    def database(self) -> Iterator[str]:
        """The URL of a new, empty database."""
        import psycopg

        name = f"lodestone_{next(self._numbers)}"
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        yield f"postgresql://lodestone@/{name}?host={self._root}"
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(20)
        shutil.rmtree(self._root, ignore_errors=True)
