"""Who may execute a run: claims by compare-and-set, heartbeats, results stored once, expired leases offered again.

Every function works inside the caller's write transaction and is correct when called late, twice or by several
processes at once: a row changes only from the state and attempt that the caller saw.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import CursorResult, select, update
from sqlmodel import Session, col

from app.db import events
from app.db.engine import now_ms
from app.db.tables import Experiment, Run
from app.domain.claim import ClaimedRun, Directive, Failure
from app.domain.experiment import Definition
from app.domain.outcome import RunProgress
from app.domain.state import State

CLAIM_TRIES = 5
"""Workers that see the same candidate fall through to the next one so many times before they give up."""


EXPIRED_MAX = 500
"""Expired leases that one sweep offers again; the next sweep takes the rest."""


def claim(session: Session, worker: str, runners: Sequence[str], lease_s: float) -> ClaimedRun | None:
    """Claim the next run for one of `runners`, in the order of experiments and of their runs; None when none waits."""
    for _ in range(CLAIM_TRIES):
        candidate = _next_queued(session, runners)
        if candidate is None:
            return None
        run_id, attempt = candidate
        now = now_ms()
        taken = session.execute(
            update(Run)
            .where(col(Run.id) == run_id, col(Run.state) == State.QUEUED, col(Run.attempt) == attempt)
            .values(
                state=State.RUNNING,
                attempt=attempt + 1,
                worker=worker,
                lease_ms=now + int(lease_s * 1000),
                started_ms=now,
                progress=None,
            )
        )
        if _changed(taken):
            return _started(session, run_id)
    return None


def _next_queued(session: Session, runners: Sequence[str]) -> tuple[str, int] | None:
    found = []
    for runner in runners:
        row = session.execute(
            select(col(Run.experiment_id), col(Run.position), col(Run.id), col(Run.attempt))
            .where(col(Run.state) == State.QUEUED, col(Run.runner) == runner, col(Run.not_before_ms) <= now_ms())
            .order_by(col(Run.experiment_id), col(Run.position))
            .limit(1)
            .with_for_update(skip_locked=True)
        ).first()
        if row is not None:
            found.append(tuple(row))
    if not found:
        return None
    _, _, run_id, attempt = min(found)
    return run_id, attempt


def _started(session: Session, run_id: str) -> ClaimedRun:
    run = session.get_one(Run, run_id, populate_existing=True)
    experiment = session.get_one(Experiment, run.experiment_id, populate_existing=True)
    first = session.execute(
        update(Experiment)
        .where(col(Experiment.id) == experiment.id, col(Experiment.state) == State.QUEUED)
        .values(state=State.RUNNING, started_ms=run.started_ms)
    )
    if _changed(first):
        events.append(session, experiment.id, "experiment", {"state": State.RUNNING})
    _announce(session, run, State.RUNNING)
    return ClaimedRun(
        run_id=run.id,
        experiment_id=experiment.id,
        attempt=run.attempt,
        definition=Definition.model_validate_json(experiment.definition),
        runner=run.runner,
        variant=run.variant,
        cell=json.loads(run.cell),
        replicate=run.replicate,
        seed=run.seed,
    )


def heartbeat(session: Session, claimed: ClaimedRun, lease_s: float, progress: RunProgress | None = None) -> Directive:
    """Extend the lease, note the progress, and say whether to go on."""
    values: dict[str, Any] = {"lease_ms": now_ms() + int(lease_s * 1000)}
    if progress is not None:
        values["progress"] = progress.model_dump_json(exclude_none=True)
    if not _changed(session.execute(_held(claimed).values(**values))):
        return Directive.LOST
    if progress is not None:
        events.drop_progress(session, claimed.run_id)
        data = {"variant": claimed.variant, **progress.model_dump(exclude_none=True)}
        events.append(session, claimed.experiment_id, "progress", data, claimed.run_id)
    cancelled = session.execute(
        select(col(Experiment.cancel_requested)).where(col(Experiment.id) == claimed.experiment_id)
    ).scalar_one()
    return Directive.STOP if cancelled else Directive.CARRY_ON


def end(session: Session, claimed: ClaimedRun, state: State, failure: Failure | None = None) -> bool:
    """End a run under this attempt; False when the lease was lost, and then nothing was changed."""
    reason = failure.model_dump_json() if failure else None
    ended = session.execute(
        _held(claimed).values(state=state, lease_ms=None, ended_ms=now_ms(), failure=reason, progress=None)
    )
    if not _changed(ended):
        return False
    _ended(session, session.get_one(Run, claimed.run_id, populate_existing=True), failure)
    return True


def release(session: Session, claimed: ClaimedRun, failure: Failure, attempts_max: int) -> bool:
    """Give a run back: offered again while attempts remain, else failed; False when the lease was lost."""
    run = session.execute(
        select(Run).where(col(Run.id) == claimed.run_id).with_for_update().execution_options(populate_existing=True)
    ).scalar_one()
    if run.state != State.RUNNING or run.attempt != claimed.attempt:
        return False
    _offer_again(session, run, failure, min(failure.attempts_allowed, attempts_max))
    return True


def expire(session: Session, attempts_max: int) -> int:
    """Offer every run again whose lease has run out, or fail it; return how many there were."""
    rows = session.execute(
        select(Run)
        .where(col(Run.state) == State.RUNNING, col(Run.lease_ms) < now_ms())
        .order_by(col(Run.experiment_id), col(Run.position))
        .limit(EXPIRED_MAX)
        .with_for_update(skip_locked=True)
        .execution_options(populate_existing=True)
    ).scalars()
    expired = list(rows)
    for run in expired:
        failure = Failure(
            code="run_lost", phase="run", message=f"worker {run.worker} vanished during attempt {run.attempt}"
        )
        _offer_again(session, run, failure, attempts_max)
    return len(expired)


def _offer_again(session: Session, run: Run, failure: Failure, attempts_allowed: int) -> None:
    # locked, so that a cancel that comes at the same time is either seen here or sees the run queued again
    experiment = session.get_one(Experiment, run.experiment_id, populate_existing=True, with_for_update=True)
    run.lease_ms = None
    run.progress = None
    if experiment.cancel_requested or run.attempt >= attempts_allowed:
        run.state = State.CANCELLED if experiment.cancel_requested else State.FAILED
        run.failure = failure.model_dump_json()
        run.ended_ms = now_ms()
        session.flush()
        _ended(session, run, failure)
        return
    run.state = State.QUEUED
    run.not_before_ms = now_ms() + int((failure.retry_after_s or 0) * 1000)
    session.flush()
    events.drop_progress(session, run.id)
    _announce(session, run, State.QUEUED, failure)


def cancel_queued(session: Session, experiment_id: str) -> int:
    """Cancel every run of an experiment that has not begun, at once; return how many there were.

    Takes the runs' locks; the caller marks the experiment after that, in the order in which workers take them.
    """
    cancelled = session.execute(
        update(Run)
        .where(col(Run.experiment_id) == experiment_id, col(Run.state) == State.QUEUED)
        .values(state=State.CANCELLED, ended_ms=now_ms())
    )
    assert isinstance(cancelled, CursorResult)
    return cancelled.rowcount


def count_cancelled(session: Session, experiment_id: str, count: int) -> None:
    """Count runs that `cancel_queued` ended; ends the experiment when none is left."""
    if count:
        events.append(session, experiment_id, "cancelled", {"runs": count})
        _count_ended(session, experiment_id, count)


def _held(claimed: ClaimedRun) -> Any:
    return update(Run).where(
        col(Run.id) == claimed.run_id, col(Run.attempt) == claimed.attempt, col(Run.state) == State.RUNNING
    )


def _changed(result: Any) -> bool:
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


def _announce(session: Session, run: Run, state: State, failure: Failure | None = None) -> None:
    data: dict[str, Any] = {
        "state": state,
        "variant": run.variant,
        "position": run.position,
        "attempt": run.attempt,
        "worker": run.worker,
    }
    if failure is not None:
        data["failure"] = failure.model_dump(exclude={"details"})
    events.append(session, run.experiment_id, "run", data, run.id)


def _ended(session: Session, run: Run, failure: Failure | None) -> None:
    """Tell of an ended run and count it."""
    events.drop_progress(session, run.id)
    _announce(session, run, State(run.state), failure)
    _count_ended(session, run.experiment_id, 1)


def _count_ended(session: Session, experiment_id: str, count: int) -> None:
    """Count ended runs; the last one ends its experiment. The counter's update serialises concurrent endings."""
    ended, total, cancelled = session.execute(
        update(Experiment)
        .where(col(Experiment.id) == experiment_id)
        .values(runs_ended=col(Experiment.runs_ended) + count)
        .returning(col(Experiment.runs_ended), col(Experiment.runs_total), col(Experiment.cancel_requested))
    ).one()
    if ended < total:
        return
    any_failed = session.execute(
        select(col(Run.id)).where(col(Run.experiment_id) == experiment_id, col(Run.state) == State.FAILED).limit(1)
    ).first()
    state = State.CANCELLED if cancelled else State.FAILED if any_failed else State.DONE
    session.execute(
        update(Experiment).where(col(Experiment.id) == experiment_id).values(state=state, ended_ms=now_ms())
    )
    events.append(session, experiment_id, "experiment", {"state": state})
