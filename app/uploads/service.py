"""Files that people bring: job includes now, traces and patches later; named by their content."""

from __future__ import annotations

from sqlmodel import Session

from app.db.engine import now_ms
from app.db.tables import Upload
from app.domain.experiment import Definition
from app.ingest.definition import problem
from app.uploads import repository
from app.uploads.schemas import UploadMade
from app.web.context import Context, Principal

INCLUDE_MAX_BYTES = 1_000_000
"""A file that a job includes is a job file itself."""

TRACE_MAX_BYTES = 200_000_000
"""Two million I/Os of blktrace, with what it notes between them."""

PREFIX = "sha256:"


def keep(session: Session, context: Context, by: Principal, content: bytes) -> UploadMade:
    """Keep a file and return the name that definitions use for it."""
    digest = context.blobs.put(content)
    upload = Upload(digest=digest, owner_id=by.user_id, size_bytes=len(content), created_ms=now_ms())
    repository.add(session, upload)
    return UploadMade(id=PREFIX + digest, size_bytes=len(content))


def contents(session: Session, context: Context, by: Principal, definition: Definition) -> dict[str, str]:
    """Return the text of every file that a definition names. Raises InvalidDefinition naming a missing one."""
    found = {}
    for name, upload in definition.referenced().items():
        key = f"files.{name}" if name in definition.files else "workload.replay.trace"
        digest = upload.removeprefix(PREFIX)
        if repository.find(session, by.user_id, digest) is None:
            raise problem(key, f"there is no upload {upload!r}; bring it by POST /api/v1/uploads first")
        content = context.blobs.get(digest)
        if definition.is_trace(name):
            if len(content) > TRACE_MAX_BYTES:
                raise problem(key, f"{len(content)} bytes; a trace has {TRACE_MAX_BYTES} at most")
            found[name] = content.decode("latin-1")
            continue
        if len(content) > INCLUDE_MAX_BYTES:
            raise problem(key, f"{len(content)} bytes; an included file has {INCLUDE_MAX_BYTES} at most")
        try:
            found[name] = content.decode()
        except UnicodeDecodeError:
            raise problem(key, "is not UTF-8 text") from None
    return found
