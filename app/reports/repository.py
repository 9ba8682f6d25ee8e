"""The reports' SQL."""

from __future__ import annotations

from sqlalchemy import select
from sqlmodel import Session, col

from app.db.tables import Report

SUMMARY_COLUMNS = (
    *(Report.id, Report.title, Report.kind, Report.verdict, Report.headline, Report.figures, Report.created_ms),
)


def add(session: Session, report: Report) -> None:
    """Insert a report."""
    session.add(report)
    session.flush()


def find(session: Session, owner_id: str, report_id: str) -> Report | None:
    """Return an owner's report."""
    query = select(Report).where(col(Report.id) == report_id, col(Report.owner_id) == owner_id)
    return session.execute(query).scalar_one_or_none()


def page(
    session: Session, owner_id: str, *, limit: int, before: str | None, words: str | None
) -> list[dict[str, object]]:
    """Return the columns of a summary for up to `limit` reports older than `before`, newest first."""
    query = select(*(col(column) for column in SUMMARY_COLUMNS)).where(col(Report.owner_id) == owner_id)
    if before is not None:
        query = query.where(col(Report.id) < before)
    if words:
        query = query.where(col(Report.title).icontains(words, autoescape=True))
    rows = session.execute(query.order_by(col(Report.id).desc()).limit(limit))
    return [dict(row) for row in rows.mappings()]
