"""The states of a run and of an experiment, and which of them are final."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """What a run or an experiment is doing."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether nothing can follow."""
        return self in FINAL


FINAL = frozenset({State.DONE, State.FAILED, State.CANCELLED})
