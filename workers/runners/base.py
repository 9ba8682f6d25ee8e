"""The contract of a runner: what it is given, what it answers, and what it may raise.

A runner is one module with two functions. `run` has the side effects (it executes the set-up and returns what came
out of it); `parse` is pure (it makes an outcome of that), so that reading results can be tested from files. A
workload that fails by itself is an outcome; losing the guest, the host or the deadline is a `RunFailure`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from app.domain.outcome import Outcome, RunProgress
from app.domain.plan import Setup

Raw = TypeVar("Raw")


class Control(Protocol):
    """How a running run speaks with the store: called often, cheap, never blocking."""

    def report(self, progress: RunProgress) -> None:
        """Note how far the run is; only the newest is kept."""

    def stopping(self) -> bool:
        """Whether the run should end now by raising `RunCancelled`."""


@dataclass(frozen=True)
class Task:
    """One run as a runner sees it: its settings and the text files that its workload may include."""

    setup: Setup
    files: Mapping[str, str]


class Runner(Protocol[Raw]):
    """A kind of place where runs are executed."""

    kind: str
    """The word before `:` or `@` in a definition's `runner`."""

    def run(self, task: Task, control: Control) -> Raw:
        """Execute a run and return its raw result.

        Raises PreparationFailed when it cannot be set up, RunCancelled when `control` says so, other RunFailures
        when the place of execution was lost.
        """

    def parse(self, task: Task, raw: Raw) -> Outcome:
        """Return the outcome in a raw result. Pure. Raises OutputUnreadable."""
