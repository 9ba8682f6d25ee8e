"""The upload call."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool

from app.uploads import service
from app.uploads.schemas import UploadMade
from app.web.context import By, InContext

router = APIRouter(prefix="/uploads", tags=["uploads"])

RAW_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post("", status_code=201, openapi_extra=RAW_BODY)
async def upload(request: Request, context: InContext, by: By) -> UploadMade:
    """Keep the body as a file; the same content has the same id."""
    content = await request.body()

    def work() -> UploadMade:
        with context.database.write() as session:
            return service.keep(session, context, by, content)

    return await run_in_threadpool(work)
