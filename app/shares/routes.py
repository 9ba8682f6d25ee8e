"""The share calls under `/api/v1`, and the public pages under `/s`."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse

from app.analysis.written import MEDIA_TYPES
from app.errors import NotFound
from app.shares import service
from app.shares.page import missing_page, share_page, written_share
from app.shares.schemas import ShareMade
from app.web.context import By, Identifier, InContext

router = APIRouter(tags=["shares"])
public = APIRouter(prefix="/s", tags=["share pages"])

Slug = Annotated[str, Path(pattern="^[0-9A-Za-z_-]{1,64}$")]


@router.post("/experiments/{experiment_id}/shares", status_code=201)
def create(experiment_id: Identifier, context: InContext, by: By) -> ShareMade:
    """Freeze an experiment that is over under an unguessable, revocable link."""
    with context.database.read() as session:
        frozen = service.snapshot(session, context.blobs, by, experiment_id)
    with context.database.write() as session:
        return service.create(session, by, frozen, experiment_id=experiment_id)


@router.get("/experiments/{experiment_id}/shares")
def listing(experiment_id: Identifier, context: InContext, by: By) -> list[ShareMade]:
    """List an experiment's links that have not been revoked."""
    with context.database.read() as session:
        return service.listed(session, by, experiment_id)


@router.post("/reports/{report_id}/shares", status_code=201)
def create_of_report(report_id: Identifier, context: InContext, by: By) -> ShareMade:
    """Freeze a report under an unguessable, revocable link."""
    with context.database.read() as session:
        frozen = service.report_snapshot(session, by, report_id)
    with context.database.write() as session:
        return service.create(session, by, frozen, report_id=report_id)


@router.get("/reports/{report_id}/shares")
def listing_of_report(report_id: Identifier, context: InContext, by: By) -> list[ShareMade]:
    """List a report's links that have not been revoked."""
    with context.database.read() as session:
        return service.listed_of_report(session, by, report_id)


@router.delete("/shares/{slug}", status_code=204)
def revoke(slug: Slug, context: InContext, by: By) -> None:
    """Revoke a link: from now on it leads nowhere."""
    with context.database.write() as session:
        service.revoke(session, by, slug)


@public.get("/{slug}.{suffix}", response_class=Response)
def share_as(
    slug: Slug, suffix: Literal["json", "txt", "csv", "svg"], request: Request, context: InContext
) -> Response:
    """Return a shared comparison as JSON, plain text, CSV or a picture."""
    with context.database.read() as session:
        snapshot = service.snapshot_of(session, slug)
    if suffix == "json":
        return Response(snapshot.model_dump_json(), media_type="application/json")
    link = str(request.url).removesuffix(f".{suffix}")
    return Response(written_share(snapshot, suffix, link), media_type=f"{MEDIA_TYPES[suffix]}; charset=utf-8")


@public.get("/{slug}", response_class=HTMLResponse)
def page(slug: Slug, request: Request, context: InContext) -> HTMLResponse:
    """Return the page of a shared comparison; it needs no scripts and no login."""
    try:
        with context.database.read() as session:
            snapshot = service.snapshot_of(session, slug)
    except NotFound as error:
        return HTMLResponse(missing_page(error.message), status_code=404)
    return HTMLResponse(share_page(snapshot, slug, str(request.url)))
