"""The shares' SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlmodel import Session, col

from app.db.engine import now_ms
from app.db.tables import Share


def find(session: Session, slug: str) -> Share | None:
    """Return a share that has not been revoked."""
    query = select(Share).where(col(Share.slug) == slug, col(Share.revoked_ms).is_(None))
    return session.execute(query).scalar_one_or_none()


def add(session: Session, share: Share) -> None:
    """Insert a share."""
    session.add(share)
    session.flush()


def of(
    session: Session, owner_id: str, *, experiment_id: str | None = None, report_id: str | None = None
) -> Sequence[Share]:
    """Return the shares of an experiment or of a report that have not been revoked, oldest first."""
    mine = col(Share.report_id) == report_id if report_id is not None else col(Share.experiment_id) == experiment_id
    query = (
        select(Share)
        .where(mine, col(Share.owner_id) == owner_id, col(Share.revoked_ms).is_(None))
        .order_by(col(Share.created_ms))
    )
    return session.execute(query).scalars().all()


def revoke(session: Session, owner_id: str, slug: str) -> bool:
    """Revoke one's share; False when there is none."""
    result = session.execute(
        update(Share)
        .where(col(Share.slug) == slug, col(Share.owner_id) == owner_id, col(Share.revoked_ms).is_(None))
        .values(revoked_ms=now_ms())
        .returning(col(Share.slug))
    )
    return result.first() is not None
