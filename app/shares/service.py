"""Makes, lists, reads and revokes shares."""

from __future__ import annotations

import secrets

from sqlmodel import Session

from app.analysis.headline import headline
from app.catalog import runners
from app.db.blobs import BlobStore
from app.db.engine import now_ms
from app.db.tables import Share
from app.domain.experiment import Definition
from app.errors import NotFound
from app.experiments import evidence, service
from app.reports import service as reports
from app.shares import repository
from app.shares.schemas import ReportSnapshot, ShareMade, Snapshot
from app.web.context import Principal

SLUG_BYTES = 16
"""128 random bits: a link that nobody can guess."""


def snapshot(session: Session, blobs: BlobStore, by: Principal, experiment_id: str) -> Snapshot:
    """Return what a share of an experiment would show. Raises NotFound, or Conflict while it is not over."""
    experiment, comparison = service.comparison_of(session, by, experiment_id)
    behind = evidence.evidence(session, blobs, experiment)
    return Snapshot(
        title=experiment.title,
        digest=experiment.digest,
        runner=runners.label(experiment.runner),
        headline=experiment.headline or headline(comparison),
        definition=Definition.model_validate_json(experiment.definition),
        comparison=comparison,
        latencies=behind.latencies,
        stages=behind.stages,
        notices=behind.notices,
        created_ms=experiment.created_ms,
        shared_ms=now_ms(),
    )


def report_snapshot(session: Session, by: Principal, report_id: str) -> ReportSnapshot:
    """Return what a share of a report would show. Raises NotFound."""
    report = reports.found(session, by, report_id)
    return ReportSnapshot(
        report=reports.content_of(report),
        digest=report.text_digest,
        created_ms=report.created_ms,
        shared_ms=now_ms(),
    )


def create(
    session: Session,
    by: Principal,
    frozen: Snapshot | ReportSnapshot,
    *,
    experiment_id: str | None = None,
    report_id: str | None = None,
) -> ShareMade:
    """Keep a snapshot of an experiment or of a report under a new link."""
    share = Share(
        slug=secrets.token_urlsafe(SLUG_BYTES),
        experiment_id=experiment_id,
        report_id=report_id,
        owner_id=by.user_id,
        snapshot=frozen.model_dump_json(),
        created_ms=frozen.shared_ms,
    )
    repository.add(session, share)
    return made(share)


def made(share: Share) -> ShareMade:
    """Return a share as its owner sees it."""
    return ShareMade(
        slug=share.slug,
        path=f"/s/{share.slug}",
        experiment_id=share.experiment_id,
        report_id=share.report_id,
        created_ms=share.created_ms,
    )


def listed(session: Session, by: Principal, experiment_id: str) -> list[ShareMade]:
    """Return an experiment's shares. Raises NotFound."""
    service.found(session, by, experiment_id)
    return [made(share) for share in repository.of(session, by.user_id, experiment_id=experiment_id)]


def listed_of_report(session: Session, by: Principal, report_id: str) -> list[ShareMade]:
    """Return a report's shares. Raises NotFound."""
    reports.found(session, by, report_id)
    return [made(share) for share in repository.of(session, by.user_id, report_id=report_id)]


def snapshot_of(session: Session, slug: str) -> Snapshot | ReportSnapshot:
    """Return what a link shows, to anybody. Raises NotFound for a revoked or unknown one."""
    share = repository.find(session, slug)
    if share is None:
        raise NotFound("this link leads nowhere: it was revoked, or never made")
    if share.report_id is not None:
        return ReportSnapshot.model_validate_json(share.snapshot)
    return Snapshot.model_validate_json(share.snapshot)


def revoke(session: Session, by: Principal, slug: str) -> None:
    """Revoke one's link. Raises NotFound."""
    if not repository.revoke(session, by.user_id, slug):
        raise NotFound("there is no such share of yours")
