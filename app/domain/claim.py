"""What passes between a worker and the store that holds the truth."""

from __future__ import annotations

from enum import StrEnum

from app.domain.base import Frozen
from app.domain.experiment import Definition
from app.domain.plan import Cell, Setup, setup_of


class ClaimedRun(Frozen):
    """A run that one worker holds under a lease; `attempt` is the number its results are stored under."""

    run_id: str
    experiment_id: str
    attempt: int
    definition: Definition
    runner: str
    variant: str
    cell: Cell
    replicate: int
    seed: int

    def setup(self) -> Setup:
        """Return everything the run is to do. Raises ValueError naming a key that cannot be applied."""
        return setup_of(self.definition, runner=self.runner, variant=self.variant, cell=self.cell, seed=self.seed)


class Directive(StrEnum):
    """What the store answers to a heartbeat."""

    CARRY_ON = "carry_on"
    STOP = "stop"
    """The experiment was cancelled."""
    LOST = "lost"
    """The lease has passed on; whatever this attempt finds is not wanted any more."""


class Failure(Frozen):
    """Why a run ended without an outcome, and whether it may be tried again."""

    code: str
    phase: str
    message: str
    attempts_allowed: int = 1
    retry_after_s: float | None = None
    details: dict[str, object] = {}
