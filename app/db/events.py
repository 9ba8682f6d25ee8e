"""The numbered events of an experiment: state changes for good, progress of each run once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, col

from app.db.engine import now_ms
from app.db.tables import Event, Experiment
from app.domain.digest import canonical_json


def append(session: Session, experiment_id: str, kind: str, data: dict[str, Any], run_id: str | None = None) -> int:
    """Append an event and return its number.

    The update of the experiment's counter locks its row until the transaction ends, so numbers become visible in
    their order and a reader that resumes after number n misses none.
    """
    number = session.execute(
        update(Experiment)
        .where(col(Experiment.id) == experiment_id)
        .values(event_count=col(Experiment.event_count) + 1)
        .returning(col(Experiment.event_count))
    ).scalar_one()
    event = Event(
        experiment_id=experiment_id, number=number, kind=kind, run_id=run_id, data=canonical_json(data), at_ms=now_ms()
    )
    session.add(event)
    session.flush()
    return int(number)


def drop_progress(session: Session, run_id: str) -> None:
    """Forget a run's earlier progress: only the newest is worth resuming from."""
    session.execute(delete(Event).where(col(Event.run_id) == run_id, col(Event.kind) == "progress"))
