"""The lint call."""

from __future__ import annotations

from fastapi import APIRouter

from app.lint import service
from app.lint.schemas import LintRequest, LintResult

router = APIRouter(prefix="/lint", tags=["lint"])


@router.post("")
def lint(request: LintRequest) -> LintResult:
    """Check a job file or a definition; nothing is queued, and a bad text is an answer, not an error."""
    return service.lint(request, files={})
