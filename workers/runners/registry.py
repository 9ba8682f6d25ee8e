"""Every runner that this side can offer, by kind."""

from __future__ import annotations

from typing import Any

from workers.runners.base import Runner


def runner(kind: str) -> Runner[Any]:
    """Return the runner of a kind, importing only what it needs. Raises KeyError for an unknown kind."""
    return _MAKERS[kind]()


def _null() -> Runner[Any]:
    from workers.runners.null import NullRunner

    return NullRunner()


def _simulated() -> Runner[Any]:
    from workers.runners.simulated import SimulatedRunner

    return SimulatedRunner()


_MAKERS = {"noop": _null, "simulator": _simulated}

KINDS = tuple(_MAKERS)
"""The kinds in a fixed order."""
