"""The report calls under `/api/v1/reports`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse

from app.analysis.written import MEDIA_TYPES, Format, written
from app.domain.comparison import Comparison
from app.reports import service
from app.reports.schemas import ReportChange, ReportContent, ReportDetail, ReportPage, Title
from app.web.context import CURSOR, By, Identifier, InContext

router = APIRouter(prefix="/reports", tags=["reports"])

TEXT_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The text as it is: benchmark output, a table, a whole mail. Any charset; UTF-8 is tried first.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}


@router.post("/preview", openapi_extra=TEXT_BODY)
async def preview(request: Request) -> ReportContent:
    """Say what a text is and what was understood of it, and keep nothing."""
    content = await request.body()
    return (await run_in_threadpool(service.read, content))[0]


@router.post("", status_code=201, openapi_extra=TEXT_BODY)
async def create(
    request: Request,
    response: Response,
    context: InContext,
    by: By,
    title: Annotated[Title | None, Query()] = None,
) -> ReportDetail:
    """Keep a text with what was read out of it; the answer's `Location` is the report."""
    content = await request.body()

    def work() -> ReportDetail:
        shown, report = service.read(content, title)
        digests = service.keep_blobs(context.blobs, content, report)
        with context.database.write() as session:
            return service.detail(service.keep(session, by, content, shown, digests))

    made = await run_in_threadpool(work)
    response.headers["Location"] = f"/api/v1/reports/{made.id}"
    return made


@router.get("")
def listing(
    context: InContext,
    by: By,
    limit: Annotated[int, Query(ge=1, le=service.PAGE_MAX)] = 50,
    cursor: Annotated[str | None, Query(max_length=32, pattern=CURSOR)] = None,
    q: Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$", description="words in the title")] = None,
) -> ReportPage:
    """List reports, newest first."""
    with context.database.read() as session:
        return service.listed(session, by, limit=limit, cursor=cursor, words=q)


@router.get("/{report_id}")
def detail(report_id: Identifier, context: InContext, by: By) -> ReportDetail:
    """Return a report: tables, pairs, comparison, claims, warnings."""
    with context.database.read() as session:
        return service.detail(service.found(session, by, report_id))


@router.patch("/{report_id}")
def change(report_id: Identifier, wanted: ReportChange, context: InContext, by: By) -> ReportDetail:
    """Give a report another title, or say which label is which side; the comparison is made anew."""
    with context.database.read() as session:
        report = service.found(session, by, report_id)
        shown = service.content_of(report)
    content = context.blobs.get(report.text_digest)
    title = wanted.title or shown.title
    if "pairing" not in wanted.model_fields_set:
        shown, digest = shown.model_copy(update={"title": title}), None
    else:
        pairing = None if wanted.pairing is None else service.pairing_of(wanted.pairing, shown)
        shown, whole = service.read(content, title, pairing)
        digest = service.keep_blobs(context.blobs, content, whole)[1]
    with context.database.write() as session:
        return service.detail(service.change(session, by, report_id, shown, digest))


@router.get("/{report_id}/text", response_class=PlainTextResponse)
def text(report_id: Identifier, context: InContext, by: By) -> Response:
    """Return the text that was brought, byte for byte."""
    with context.database.read() as session:
        digest = service.found(session, by, report_id).text_digest
    return Response(context.blobs.get(digest), media_type="text/plain; charset=utf-8")


@router.get("/{report_id}/document", response_class=Response, responses={200: {"content": {"application/json": {}}}})
def document(report_id: Identifier, context: InContext, by: By) -> Response:
    """Return everything that was read, as `lodestone import --json` prints it."""
    with context.database.read() as session:
        digest = service.found(session, by, report_id).document_digest
    return Response(context.blobs.get(digest), media_type="application/json")


@router.get("/{report_id}/comparison")
def comparison(report_id: Identifier, context: InContext, by: By) -> Comparison:
    """Return the comparison of a report's sides; 409 where nothing can be paired."""
    with context.database.read() as session:
        return service.comparison_of(service.found(session, by, report_id))


@router.get("/{report_id}/comparison.{suffix}", response_class=PlainTextResponse)
def comparison_as(report_id: Identifier, suffix: Format, context: InContext, by: By) -> Response:
    """Return the comparison as plain text for a mail (72 columns), as CSV, or as a picture."""
    with context.database.read() as session:
        report = service.found(session, by, report_id)
    compared = service.comparison_of(report)
    text = written(compared, suffix, title=report.title, runner=service.MEASURED_ELSEWHERE)
    return Response(text, media_type=f"{MEDIA_TYPES[suffix]}; charset=utf-8")
