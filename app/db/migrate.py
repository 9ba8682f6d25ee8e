"""Brings a database to the newest schema; safe to call from several processes that start at once."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, insert, text
from sqlmodel import col, select

from app.db.engine import Database, now_ms
from app.db.tables import DEFAULT_PROJECT, LOCAL_USER, Project, User

MIGRATION_LOCK = 0x10DE5704E
"""PostgreSQL advisory lock under which migrations run."""


def configuration(connection: Connection) -> Config:
    """Return Alembic's configuration over an open connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def migrate(database: Database) -> None:
    """Apply every migration that is missing and make sure that the local user exists."""
    with database.engine.execution_options(lodestone_write=True).connect() as connection, connection.begin():
        if not database.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        command.upgrade(configuration(connection), "head")
        _add_local_user(connection)


def _add_local_user(connection: Connection) -> None:
    """Add the one user of a private server, under the lock that the migrations hold."""
    found = connection.execute(select(col(User.id)).where(col(User.id) == LOCAL_USER)).first()
    if found is None:
        now = now_ms()
        connection.execute(insert(User).values(id=LOCAL_USER, name="local user", created_ms=now))
        project = {"id": DEFAULT_PROJECT, "name": "default", "owner_id": LOCAL_USER, "created_ms": now}
        connection.execute(insert(Project).values(**project))
