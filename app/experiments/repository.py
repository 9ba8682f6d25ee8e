"""The experiments' SQL; nothing here decides anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import func, insert, select, update
from sqlmodel import Session, col

from app.db.tables import Event, Experiment, IdempotencyKey, Run, RunArtifact, RunOutcome
from app.domain.state import FINAL, State

SUMMARY_COLUMNS = (
    *(Experiment.id, Experiment.title, Experiment.digest, Experiment.runner, Experiment.state, Experiment.verdict),
    *(Experiment.headline, Experiment.runs_total, Experiment.runs_ended, Experiment.created_ms),
    *(Experiment.started_ms, Experiment.ended_ms),
)


def add(session: Session, experiment: Experiment, runs: Iterable[Run]) -> None:
    """Insert an experiment and its runs."""
    session.add(experiment)
    session.flush()
    session.execute(insert(Run), [run.model_dump() for run in runs])


def find(session: Session, owner_id: str, experiment_id: str) -> Experiment | None:
    """Return an owner's experiment."""
    return session.execute(
        select(Experiment).where(col(Experiment.id) == experiment_id, col(Experiment.owner_id) == owner_id)
    ).scalar_one_or_none()


def page(
    session: Session,
    owner_id: str,
    *,
    limit: int,
    before: str | None,
    state: State | None,
    verdict: str | None,
    words: str | None,
) -> list[dict[str, object]]:
    """Return the columns of a summary for up to `limit` experiments older than `before`, newest first."""
    query = select(*(col(column) for column in SUMMARY_COLUMNS)).where(col(Experiment.owner_id) == owner_id)
    if before is not None:
        query = query.where(col(Experiment.id) < before)
    if state is not None:
        query = query.where(col(Experiment.state) == state)
    if verdict is not None:
        query = query.where(col(Experiment.verdict) == verdict)
    if words:
        query = query.where(col(Experiment.title).icontains(words, autoescape=True))
    rows = session.execute(query.order_by(col(Experiment.id).desc()).limit(limit))
    return [dict(row) for row in rows.mappings()]


def runs(session: Session, experiment_id: str, limit: int | None = None) -> Sequence[Run]:
    """Return an experiment's runs in their order."""
    query = select(Run).where(col(Run.experiment_id) == experiment_id).order_by(col(Run.position))
    return session.execute(query.limit(limit) if limit is not None else query).scalars().all()


def outcomes(session: Session, experiment_id: str) -> dict[str, RunOutcome]:
    """Return what the runs of an experiment brought back, by run id."""
    rows = session.execute(select(RunOutcome).where(col(RunOutcome.experiment_id) == experiment_id)).scalars()
    return {row.run_id: row for row in rows}


def artifacts(session: Session, experiment_id: str, name: str) -> dict[str, str]:
    """Return the digest of one artifact's name for every run of an experiment that has it, by run id."""
    rows = session.execute(
        select(col(RunArtifact.run_id), col(RunArtifact.digest))
        .join(Run, col(Run.id) == col(RunArtifact.run_id))
        .where(col(Run.experiment_id) == experiment_id, col(RunArtifact.name) == name)
    )
    return {row[0]: row[1] for row in rows}


def events_after(session: Session, experiment_id: str, number: int, limit: int) -> Sequence[Event]:
    """Return up to `limit` events after a number, in order."""
    return (
        session.execute(
            select(Event)
            .where(col(Event.experiment_id) == experiment_id, col(Event.number) > number)
            .order_by(col(Event.number))
            .limit(limit)
        )
        .scalars()
        .all()
    )


def waiting_runs(session: Session) -> int:
    """Return how many runs wait on this server."""
    return int(session.execute(select(func.count()).where(col(Run.state) == State.QUEUED)).scalar_one())


def remembered(session: Session, owner_id: str, key: str) -> IdempotencyKey | None:
    """Return what an idempotency key was used for."""
    return session.get(IdempotencyKey, (owner_id, key))


def remember(session: Session, key: IdempotencyKey) -> None:
    """Keep what an idempotency key was used for. Raises IntegrityError where another request was quicker."""
    session.add(key)
    session.flush()


def request_cancel(session: Session, experiment_id: str) -> bool:
    """Mark an unfinished experiment as to be cancelled; False when it was over."""
    result = session.execute(
        update(Experiment)
        .where(col(Experiment.id) == experiment_id, col(Experiment.state).not_in([state.value for state in FINAL]))
        .values(cancel_requested=True)
        .returning(col(Experiment.id))
    )
    return result.first() is not None


def store_comparison(session: Session, experiment_id: str, comparison: str, verdict: str | None, headline: str) -> bool:
    """Store a finished experiment's comparison unless it has one; False when it had."""
    result = session.execute(
        update(Experiment)
        .where(col(Experiment.id) == experiment_id, col(Experiment.comparison).is_(None))
        .values(comparison=comparison, verdict=verdict, headline=headline)
        .returning(col(Experiment.id))
    )
    return result.first() is not None


def reopen(session: Session, experiment_id: str, runs_total: int, runs: Sequence[Run]) -> bool:
    """Add runs to an experiment that is done with `runs_total` and not concluded; False when another has."""
    result = session.execute(
        update(Experiment)
        .where(
            col(Experiment.id) == experiment_id,
            col(Experiment.state) == State.DONE,
            col(Experiment.runs_total) == runs_total,
            col(Experiment.comparison).is_(None),
        )
        .values(state=State.RUNNING, runs_total=runs_total + len(runs), ended_ms=None)
        .returning(col(Experiment.id))
    )
    if result.first() is None:
        return False
    session.execute(insert(Run), [run.model_dump() for run in runs])
    return True


def unconcluded(session: Session, limit: int) -> list[str]:
    """Return ids of experiments that are over but have no comparison yet."""
    rows = session.execute(
        select(col(Experiment.id))
        .where(col(Experiment.comparison).is_(None), col(Experiment.state).in_([state.value for state in FINAL]))
        .limit(limit)
    )
    return [row[0] for row in rows]


def over_without_comparison(session: Session, experiment_id: str) -> bool:
    """Whether an experiment has ended and not been compared yet."""
    row = session.execute(
        select(col(Experiment.id)).where(
            col(Experiment.id) == experiment_id,
            col(Experiment.comparison).is_(None),
            col(Experiment.state).in_([state.value for state in FINAL]),
        )
    ).first()
    return row is not None
