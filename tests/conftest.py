"""What the tests share: real servers, databases of both kinds, and an application on top of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.config import Settings
from app.db.blobs import BlobStore
from app.db.engine import Database
from app.db.migrate import migrate
from app.jobs import Messages
from app.main import create_app
from tests.support.servers import PostgresServer, RedisServer, find_postgres
from workers.store import SqlStore


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis of this test session on a Unix socket."""
    with RedisServer(tmp_path_factory.mktemp("redis") / "redis.sock") as server:
        yield server.url


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """A real PostgreSQL of this test session on a Unix socket."""
    if find_postgres() is None:
        pytest.skip("no PostgreSQL server: install Debian's postgresql (make test does as root)")
    with PostgresServer() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'lodestone.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database() as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A migrated database, once of each kind."""
    made = Database(database_url)
    migrate(made)
    yield made
    made.dispose()


@pytest.fixture
def settings(tmp_path: Path, redis_url: str) -> Settings:
    """Settings of a server in a directory of its own."""
    return Settings(data_dir=tmp_path / "data", broker_url=redis_url, lease_s=5, sweep_s=0.1)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A client of a whole server in this process, without workers."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000", raise_server_exceptions=False) as made:
        yield made


@pytest.fixture
def store(settings: Settings, client: TestClient) -> Iterator[SqlStore]:
    """A worker's store on the client's server."""
    database = Database(settings.resolved_database_url)
    yield SqlStore(database, BlobStore(settings.blob_dir), Messages(settings.resolved_broker_url), settings)
    database.dispose()
