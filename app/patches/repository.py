"""The patches' SQL."""

from __future__ import annotations

from sqlalchemy import select
from sqlmodel import Session, col

from app.db.tables import PatchSeries

SUMMARY_COLUMNS = (
    *(PatchSeries.arrival, PatchSeries.digest, PatchSeries.title, PatchSeries.author, PatchSeries.version),
    *(PatchSeries.patches, PatchSeries.total, PatchSeries.files, PatchSeries.added, PatchSeries.deleted),
    PatchSeries.created_ms,
)


def add(session: Session, series: PatchSeries) -> None:
    """Insert a series."""
    session.add(series)
    session.flush()


def find(session: Session, owner_id: str, digest: str) -> PatchSeries | None:
    """Return an owner's series by the digest of its text."""
    return session.get(PatchSeries, (digest, owner_id))


def page(
    session: Session, owner_id: str, *, limit: int, before: str | None, words: str | None
) -> list[dict[str, object]]:
    """Return the columns of a summary for up to `limit` series that arrived before `before`, newest first."""
    query = select(*(col(column) for column in SUMMARY_COLUMNS)).where(col(PatchSeries.owner_id) == owner_id)
    if before is not None:
        query = query.where(col(PatchSeries.arrival) < before)
    if words:
        query = query.where(col(PatchSeries.title).icontains(words, autoescape=True))
    rows = session.execute(query.order_by(col(PatchSeries.arrival).desc()).limit(limit))
    return [dict(row) for row in rows.mappings()]
