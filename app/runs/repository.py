"""The runs' SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlmodel import Session, col

from app.db.engine import now_ms
from app.db.tables import Experiment, Run, RunArtifact, RunOutcome
from app.domain.plan import kind_of
from app.domain.state import State


def find(session: Session, owner_id: str, run_id: str) -> Run | None:
    """Return a run of one of the owner's experiments."""
    return session.execute(
        select(Run)
        .join(Experiment, col(Experiment.id) == col(Run.experiment_id))
        .where(col(Run.id) == run_id, col(Experiment.owner_id) == owner_id)
    ).scalar_one_or_none()


def outcome(session: Session, run_id: str) -> RunOutcome | None:
    """Return what a run brought back."""
    return session.get(RunOutcome, run_id)


def artifacts(session: Session, run_id: str) -> Sequence[RunArtifact]:
    """Return a run's artifacts by name."""
    query = select(RunArtifact).where(col(RunArtifact.run_id) == run_id).order_by(col(RunArtifact.name))
    return session.execute(query).scalars().all()


def has_expired(session: Session) -> bool:
    """Whether a running run's lease has run out."""
    query = select(col(Run.id)).where(col(Run.state) == State.RUNNING, col(Run.lease_ms) < now_ms()).limit(1)
    return session.execute(query).first() is not None


def waiting_kinds(session: Session) -> dict[str, int]:
    """Return how many runs wait now for each kind of runner."""
    rows = session.execute(
        select(col(Run.runner), func.count())
        .where(col(Run.state) == State.QUEUED, col(Run.not_before_ms) <= now_ms())
        .group_by(col(Run.runner))
    )
    counts: dict[str, int] = {}
    for runner, count in rows:
        counts[kind_of(runner)] = counts.get(kind_of(runner), 0) + count
    return counts


def counts_by_state(session: Session) -> dict[str, int]:
    """Return how many runs are in each state."""
    rows = session.execute(select(col(Run.state), func.count()).group_by(col(Run.state)))
    return {row[0]: row[1] for row in rows}
