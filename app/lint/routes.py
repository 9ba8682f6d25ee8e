"""The lint call."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter

from app.domain.experiment import Definition
from app.lint import service
from app.lint.schemas import LintRequest, LintResult
from app.uploads import service as uploads
from app.web.context import By, InContext

router = APIRouter(prefix="/lint", tags=["lint"])


@router.post("")
def lint(request: LintRequest, context: InContext, by: By) -> LintResult:
    """Check a job file or a definition; nothing is queued, and a bad text is an answer, not an error."""

    def files(definition: Definition) -> Mapping[str, str]:
        with context.database.read() as session:
            return uploads.contents(session, context, by, definition)

    return service.lint(request, files)
