"""The migrations make exactly the tables that the code declares, however often and by whomever they are run."""

from __future__ import annotations

import threading

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from app.db.engine import Database
from app.db.migrate import migrate


def test_migrations_make_what_the_tables_declare(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_migrating_again_changes_nothing(database: Database) -> None:
    migrate(database)
    migrate(database)


def test_two_servers_may_migrate_at_once(database_url: str) -> None:
    databases = [Database(database_url) for _ in range(3)]
    faults: list[BaseException] = []

    def start(database: Database) -> None:
        try:
            migrate(database)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=start, args=(database,)) for database in databases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    for database in databases:
        database.dispose()
