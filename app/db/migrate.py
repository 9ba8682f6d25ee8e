"""Brings a database to the newest schema; safe to call from several processes that start at once."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlmodel import Session, col, select

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
    with database.write() as session:
        _local_user(session)


def _local_user(session: Session) -> None:
    if session.exec(select(User).where(col(User.id) == LOCAL_USER)).first() is None:
        session.add(User(id=LOCAL_USER, name="local user", created_ms=now_ms()))
        session.flush()
        session.add(Project(id=DEFAULT_PROJECT, name="default", owner_id=LOCAL_USER, created_ms=now_ms()))
