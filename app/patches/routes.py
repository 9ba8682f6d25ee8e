"""The patch calls under `/api/v1/patches`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse
from pydantic import ValidationError

from app.errors import TooLarge, Unprocessable
from app.ingest.patches.packed import Oversized, Unpackable, unpacked
from app.patches import service
from app.patches.fetch import Fetched, Fetcher
from app.patches.schemas import PatchDetail, PatchLocator, PatchPage, RangeDiffShown
from app.web.context import By, Context, InContext

router = APIRouter(prefix="/patches", tags=["patches"])

Digest = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]

BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The text as it is (an mbox, a mail, a page, a diff), or as JSON where to bring it from.",
        "content": {
            "text/plain": {"schema": {"type": "string"}},
            "application/json": {"schema": PatchLocator.model_json_schema()},
        },
    }
}


@router.post("", status_code=201, openapi_extra=BODY)
async def create(request: Request, response: Response, context: InContext, by: By) -> PatchDetail:
    """Keep a series, or bring it by Message-ID or address (lore, patchwork); the same text has the same id."""
    body = await request.body()
    is_json = request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"

    def work() -> PatchDetail:
        brought = _brought(context, body) if is_json else Fetched(_unpacked(context, body), "")
        shown, _ = service.read(brought.content)
        context.blobs.put(brought.content)
        with context.database.write() as session:
            return service.detail(service.keep(session, by, brought.content, shown, brought.url or None))

    made = await run_in_threadpool(work)
    response.headers["Location"] = f"/api/v1/patches/{made.id}"
    return made


def _unpacked(context: Context, body: bytes) -> bytes:
    try:
        return unpacked(body, context.settings.body_max_bytes)
    except Oversized as error:
        raise TooLarge(f"the body: {error}") from None
    except Unpackable as error:
        raise Unprocessable(f"the body: {error}", code="no_patch") from None


def _brought(context: Context, body: bytes) -> Fetched:
    try:
        locator = PatchLocator.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the body"
        raise Unprocessable(f"{place}: {first['msg']}") from None
    settings = context.settings
    return Fetcher(settings.allowed_patch_hosts, settings.body_max_bytes).fetch(locator.url)


@router.get("")
def listing(
    context: InContext,
    by: By,
    limit: Annotated[int, Query(ge=1, le=service.PAGE_MAX)] = 50,
    cursor: Annotated[str | None, Query(max_length=32, pattern="^[0-9A-Za-z]+$")] = None,
    q: Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$", description="words in the title")] = None,
) -> PatchPage:
    """List series, newest first."""
    with context.database.read() as session:
        return service.listed(session, by, limit=limit, cursor=cursor, words=q)


@router.get("/{patch_id}")
def detail(patch_id: Digest, context: InContext, by: By) -> PatchDetail:
    """Return a series: patches, files, trailers, the figures found in the text, warnings."""
    with context.database.read() as session:
        return service.detail(service.found(session, by, patch_id))


@router.get("/{patch_id}/text", response_class=PlainTextResponse)
def text(patch_id: Digest, context: InContext, by: By) -> Response:
    """Return the text that was brought, byte for byte."""
    with context.database.read() as session:
        digest = service.found(session, by, patch_id).digest
    return Response(context.blobs.get(digest), media_type="text/plain; charset=utf-8")


@router.get("/{patch_id}/diffs/{number}", response_class=PlainTextResponse)
def diff(patch_id: Digest, number: Annotated[int, Path(ge=0, le=9999)], context: InContext, by: By) -> Response:
    """Return the diff of one patch, by its place in the list, in git's form."""
    with context.database.read() as session:
        digest = service.found(session, by, patch_id).digest
    return Response(service.diff_of(context.blobs, digest, number), media_type="text/plain; charset=utf-8")


@router.get("/{patch_id}/range-diff")
def range_diff(
    patch_id: Digest,
    context: InContext,
    by: By,
    older: Annotated[str | None, Query(pattern="^[0-9a-f]{64}$", description="the id of the older version")] = None,
) -> RangeDiffShown:
    """Return what changed since an older version: another series, or the version before in the same text."""
    with context.database.read() as session:
        digest = service.found(session, by, patch_id).digest
        before = None if older is None else service.found(session, by, older).digest
    if before is None:
        return service.versions_compared(context.blobs, digest)
    return service.series_compared(context.blobs, before, digest)
