"""The exit statuses of the command line."""

from __future__ import annotations

from app.errors import LodestoneError

EXIT_GATE, EXIT_INPUT, EXIT_FAILED, EXIT_AWAY, EXIT_FAULT, EXIT_INTERRUPTED = 1, 2, 3, 4, 70, 130


class ServerAway(LodestoneError):
    """The server cannot be reached."""

    code = "server_away"
