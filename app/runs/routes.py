"""The run calls under `/api/v1/runs`."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import FileResponse, Response

from app.errors import NotFound
from app.runs import service
from app.runs.schemas import RunDetail
from app.web.context import By, Identifier, InContext

router = APIRouter(prefix="/runs", tags=["runs"])


@router.get("/{run_id}")
def detail(run_id: Identifier, context: InContext, by: By) -> RunDetail:
    """Return a run with its samples, histograms, series and stages."""
    with context.database.read() as session:
        return service.detail(session, context.blobs, by, run_id)


@router.get(
    "/{run_id}/artifacts/{name}",
    response_class=FileResponse,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "The file as it was stored."}},
)
def artifact(run_id: Identifier, name: str, context: InContext, by: By) -> Response:
    """Return a file of a run."""
    with context.database.read() as session:
        found = service.artifact(session, by, run_id, name)
    path = context.blobs.path(found.digest)
    if not path.exists():
        raise NotFound("the file is not kept any more")
    return FileResponse(path, media_type=found.media_type, filename=found.name, content_disposition_type="inline")
