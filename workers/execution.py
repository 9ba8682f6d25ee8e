"""Executes one claimed run: a heartbeat beside it, a deadline around it, and exactly one ending in the store."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from app.domain.claim import ClaimedRun, Directive, Failure
from app.domain.outcome import Outcome, RunProgress
from app.errors import (
    ClaimLost,
    LodestoneError,
    PreparationFailed,
    RunCancelled,
    RunFailure,
    RunnerUnavailable,
    RunOverdue,
)
from workers.runners import registry
from workers.runners.base import Task
from workers.store import RunStore

log = logging.getLogger("lodestone.worker")


FIRST_BEAT_S = 0.005
"""The first news of a run goes out almost at once: somebody may be watching."""


@dataclass(frozen=True)
class Pace:
    """How often a worker reports, how long its lease lasts, and whether it is about to end."""

    heartbeat_s: float
    lease_s: float
    draining: Callable[[], bool] = lambda: False


class Heart:
    """Beats in a thread of its own while a run executes; the run's `Control`.

    A store that cannot be reached is tried again until the lease must have passed on to somebody else.
    """

    def __init__(self, store: RunStore, claimed: ClaimedRun, pace: Pace) -> None:
        self._store = store
        self._claimed = claimed
        self._pace = pace
        self._deadline = time.monotonic() + claimed.definition.timeout
        self._progress: RunProgress | None = None
        self._directive = Directive.CARRY_ON
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heart-{claimed.run_id}", daemon=True)

    def __enter__(self) -> Heart:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def report(self, progress: RunProgress) -> None:
        """Keep the newest progress for the next beat."""
        self._progress = progress

    def stopping(self) -> bool:
        """Whether to stop: cancelled. ClaimLost, RunnerUnavailable (draining) and RunOverdue are raised."""
        if self._directive is Directive.LOST:
            raise ClaimLost
        if self._pace.draining():
            raise RunnerUnavailable("the worker is shutting down", retry_after_s=0)
        if time.monotonic() > self._deadline:
            raise RunOverdue(self._claimed.definition.timeout)
        return self._directive is Directive.STOP

    def _beat(self) -> None:
        reached = time.monotonic()
        pause_s = FIRST_BEAT_S
        while not self._ended.wait(pause_s):
            pause_s = self._pace.heartbeat_s
            if time.monotonic() > self._deadline + self._pace.lease_s:
                # whatever hangs there does not ask whether to stop; let the lease run out
                self._directive = Directive.LOST
                return
            progress, self._progress = self._progress, None
            try:
                directive = self._store.heartbeat(self._claimed, progress)
            except Exception as error:
                # the edge of a thread: whatever the store raises, the run may outlast it
                log.warning("run %s: heartbeat failed: %s", self._claimed.run_id, error)
                if time.monotonic() - reached > self._pace.lease_s:
                    directive = Directive.LOST
                else:
                    continue
            reached = time.monotonic()
            if directive is not Directive.CARRY_ON:
                self._directive = directive
                return


def execute(store: RunStore, claimed: ClaimedRun, pace: Pace) -> None:
    """Execute a claimed run and store how it ended, once. Re-raises what only a fault of ours can be."""
    try:
        with Heart(store, claimed, pace) as heart:
            outcome = _outcome(store, claimed, heart)
        _complete(store, claimed, outcome, pace)
    except RunCancelled:
        store.cancelled(claimed)
    except ClaimLost:
        log.warning("run %s attempt %s: the lease passed on; nothing stored", claimed.run_id, claimed.attempt)
    except RunFailure as failure:
        _give_back(store, claimed, failure)
    except Exception as error:
        broken = Failure(code="internal_error", phase="run", message=f"{type(error).__name__}: {error}"[:2000])
        store.give_back(claimed, broken)
        raise


def _complete(store: RunStore, claimed: ClaimedRun, outcome: Outcome, pace: Pace) -> None:
    """Store an outcome, patiently: a store that is away for less than the lease costs nothing."""
    limit = time.monotonic() + pace.lease_s
    while True:
        try:
            stored = store.complete(claimed, outcome)
        except Exception as error:
            # the edge of the store: after the lease the run is offered again, so nothing more can be done here
            log.warning("run %s: its outcome could not be stored: %s", claimed.run_id, error)
            if time.monotonic() > limit:
                raise ClaimLost from None
            time.sleep(pace.heartbeat_s)
            continue
        if not stored:
            raise ClaimLost
        return


def _outcome(store: RunStore, claimed: ClaimedRun, heart: Heart) -> Outcome:
    try:
        task = Task(claimed.setup(), store.files(claimed))
    except ValueError as error:
        raise PreparationFailed(str(error)) from None
    runner = registry.runner(task.setup.runner_kind)
    return runner.parse(task, runner.run(task, heart))


def _give_back(store: RunStore, claimed: ClaimedRun, failure: RunFailure) -> None:
    log.warning("run %s attempt %s: %s", claimed.run_id, claimed.attempt, failure)
    store.give_back(claimed, as_failure(failure))


def as_failure(failure: LodestoneError) -> Failure:
    """Return a failure as the value that is stored."""
    return Failure(
        code=failure.code,
        phase=getattr(failure, "phase", "run"),
        message=failure.message[:20_000],
        attempts_allowed=getattr(failure, "attempts_allowed", 1),
        retry_after_s=getattr(failure, "retry_after_s", None),
        details=failure.details,
    )
