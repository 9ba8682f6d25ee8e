"""The share calls under `/api/v1`, and the public pages under `/s`."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse

from app.analysis.render_csv import render_csv
from app.analysis.render_svg import render_svg
from app.analysis.render_text import render_text
from app.errors import NotFound
from app.shares import service
from app.shares.page import missing_page, share_page
from app.shares.schemas import ShareMade, Snapshot
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
        return service.create(session, by, experiment_id, frozen)


@router.get("/experiments/{experiment_id}/shares")
def listing(experiment_id: Identifier, context: InContext, by: By) -> list[ShareMade]:
    """List an experiment's links that have not been revoked."""
    with context.database.read() as session:
        return service.listed(session, by, experiment_id)


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
    if suffix == "csv":
        return Response(render_csv(snapshot.comparison), media_type="text/csv; charset=utf-8")
    if suffix == "svg":
        picture = render_svg(snapshot.comparison, title=f"{snapshot.title} · {snapshot.runner}")
        return Response(picture, media_type="image/svg+xml")
    return Response(_text(snapshot, str(request.url).removesuffix(".txt")), media_type="text/plain; charset=utf-8")


def _text(snapshot: Snapshot, link: str) -> str:
    return render_text(
        snapshot.comparison, title=snapshot.title, digest=snapshot.digest, runner=snapshot.runner, link=link
    )


@public.get("/{slug}", response_class=HTMLResponse)
def page(slug: Slug, request: Request, context: InContext) -> HTMLResponse:
    """Return the page of a shared comparison; it needs no scripts and no login."""
    try:
        with context.database.read() as session:
            snapshot = service.snapshot_of(session, slug)
    except NotFound as error:
        return HTMLResponse(missing_page(error.message), status_code=404)
    return HTMLResponse(share_page(snapshot, slug, _text(snapshot, str(request.url))))
