"""Every setting of the service, from the environment (`LODESTONE_…`), each with a reason and a printable default."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.errors import RequestError

SOCKET_PATH_MAX = 100
"""A Unix socket's path holds 107 bytes on Linux; Redis adds a suffix while it starts."""


def _data_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "lodestone"


class Settings(BaseSettings):
    """Where things are and how much of each is allowed."""

    model_config = SettingsConfigDict(env_prefix="LODESTONE_", extra="ignore")

    data_dir: Path = Field(
        default_factory=_data_home, description="Database, artifacts and the private broker's socket"
    )
    database_url: str = Field("", description="SQLAlchemy URL; empty means SQLite in the data directory")
    broker_url: str = Field("", description="Redis URL of the Celery broker; empty means the private one of `up`")
    host: str = Field("127.0.0.1", description="Address that the web service listens on")
    port: int = Field(8000, ge=0, le=65535, description="Port that the web service listens on")
    allowed_hosts: str = Field("", description="Further Host names that browsers may use, separated by commas")
    server: str = Field("", description="Server that the command line talks to; empty means http://HOST:PORT")
    token: str = Field("", description="Token that the command line sends to the server")
    workers: int = Field(
        default_factory=lambda: max(1, os.cpu_count() or 1), ge=1, le=256, description="Worker processes of `up`"
    )
    frontend_dir: Path | None = Field(None, description="The built web page; empty means frontend/dist of the checkout")

    body_max_bytes: int = Field(8_000_000, ge=1000, description="Largest request body but for uploads")
    upload_max_bytes: int = Field(
        256_000_000, ge=1000, description="Largest upload: traces run to hundreds of megabytes"
    )
    patch_hosts: str = Field(
        "lore.kernel.org,patchwork.kernel.org,patchwork.ozlabs.org",
        description="Hosts that patches are brought from by address, separated by commas; empty: from none",
    )
    lease_s: float = Field(15.0, gt=0, description="A run whose worker is silent for so long is offered again")
    heartbeat_s: float = Field(0.25, gt=0, description="How often a worker reports and asks whether to stop")
    sweep_s: float = Field(1.0, gt=0, description="How often expired leases and forgotten wake-ups are looked for")
    watchdog_s: float = Field(
        20.0, gt=0, description="An idle worker that receives nothing for so long restarts itself"
    )
    attempts_max: int = Field(5, ge=1, le=100, description="How often a run whose worker vanished is offered in all")
    queued_runs_max: int = Field(200_000, ge=1, description="Runs that may wait at once on this server")

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, path: Path) -> Path:
        return path.expanduser().absolute()

    @property
    def resolved_database_url(self) -> str:
        """The database's SQLAlchemy URL with defaults filled in."""
        return self.database_url or f"sqlite:///{self.data_dir / 'lodestone.db'}"

    @property
    def broker_socket(self) -> Path:
        """The private broker's Unix socket; outside a data directory whose path is too long for one."""
        inside = self.data_dir / "redis.sock"
        if len(os.fsencode(inside)) <= SOCKET_PATH_MAX:
            return inside
        name = hashlib.sha256(os.fsencode(inside)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"lodestone-{os.getuid()}-{name}" / "redis.sock"

    @property
    def resolved_broker_url(self) -> str:
        """The broker's URL with defaults filled in."""
        return self.broker_url or f"redis+socket://{self.broker_socket}"

    @property
    def allowed_patch_hosts(self) -> tuple[str, ...]:
        """The hosts that patches are brought from."""
        return tuple(name.strip().lower() for name in self.patch_hosts.split(",") if name.strip())

    @property
    def address(self) -> str:
        """The base URL of a server with these settings."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def resolved_server(self) -> str:
        """The server's base URL for the command line, without a trailing slash."""
        return (self.server or self.address).rstrip("/")

    @property
    def blob_dir(self) -> Path:
        """Where artifacts and uploads lie by their digest."""
        return self.data_dir / "blobs"


OTHER_VARIABLES = frozenset({"LODESTONE_BOUNDSCHECK", "LODESTONE_SCREENSHOTS"})
"""Variables of the build and of the tests, which are no settings."""


def unknown_settings(environment: Mapping[str, str]) -> list[str]:
    """Return the variables that look like settings and are none: a misspelt one changes nothing, silently."""
    known = {f"LODESTONE_{name.upper()}" for name in Settings.model_fields} | OTHER_VARIABLES
    return sorted(name for name in environment if name.startswith("LODESTONE_") and name not in known)


def settings() -> Settings:
    """Return the settings of this process. Raises RequestError naming the variable that is out of range."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper()
        message = str(first["msg"]).removeprefix("Input ")
        raise RequestError(f"LODESTONE_{name}: {message} (given: {first['input']!r})") from None
