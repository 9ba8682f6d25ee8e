"""Engines and transactions, the same on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

SWITCH_PAUSE_S = 0.01
BUSY_TIMEOUT_MS = 30_000
"""SQLite has one writer at a time; a worker rather waits than fails."""


class Transaction(Session):
    """One write transaction; what is to leave the process waits until it is committed."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.messages: list[Callable[[], None]] = []

    def after_commit(self, message: Callable[[], None]) -> None:
        """Call `message` once this transaction is committed; never if it is not."""
        self.messages.append(message)


class Database:
    """The truth: one engine, with transactions that either read or write."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        if self.url.drivername == "postgresql":
            self.url = self.url.set(drivername="postgresql+psycopg")
        self.sqlite = self.url.get_backend_name() == "sqlite"
        options: dict[str, Any] = {} if self.sqlite else {"pool_pre_ping": True, "pool_size": 10, "max_overflow": 20}
        self.engine: Engine = create_engine(self.url, **options)
        if self.sqlite:
            _prepare_sqlite(self.engine)
        self._writer = self.engine.execution_options(lodestone_write=True)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that reads; nothing it changes is kept."""
        with Session(self.engine) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """A transaction that is committed at the end of the block, whose messages leave after that."""
        with Transaction(self._writer, expire_on_commit=False) as session:
            yield session
            session.commit()
        for message in session.messages:
            message()

    def ping(self) -> None:
        """Raise SQLAlchemy's error unless the database answers."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))

    def has_table(self, name: str) -> bool:
        """Whether a table is there; False also while the database cannot be reached."""
        try:
            return inspect(self.engine).has_table(name)
        except OperationalError:
            return False

    def dispose(self) -> None:
        """Close every pooled connection."""
        self.engine.dispose()


def now_ms() -> int:
    """Return the time in milliseconds since the epoch, as every table keeps it."""
    return time.time_ns() // 1_000_000


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        # the driver's own transaction handling begins too late: transactions are begun below
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _write_ahead(cursor)
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        # a transaction that reads first and writes later could not wait for the lock: writers take it at once
        writes = connection.get_execution_options().get("lodestone_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _write_ahead(cursor: Any) -> None:
    """Switch the database to write-ahead mode, once; the busy timeout does not cover two that switch at once."""
    limit = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > limit:
                raise
            time.sleep(SWITCH_PAUSE_S)
