"""What the lint call takes and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from app.domain.experiment import Key, RunnerName, Text
from app.domain.metric import Scalar
from app.ingest.definition import DEFINITION_MAX_CHARS


class LintRequest(BaseModel):
    """A job file or a definition to check; with `runner` and `device`, a job is checked against those too."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, StringConstraints(max_length=DEFINITION_MAX_CHARS)]
    kind: Literal["auto", "fio", "definition"] = "auto"
    runner: RunnerName | None = None
    device: dict[Key, Scalar] | None = None
    environment: dict[Key, Text] = {}


class LintDiagnostic(BaseModel):
    """One finding; line and column count from 1, and are 1 where the place is not known."""

    severity: Literal["error", "warning", "info"]
    line: int
    column: int
    message: str
    key: str | None = None


class LintJob(BaseModel):
    """A job as it was understood."""

    name: str
    options: dict[str, Any]


class LintResult(BaseModel):
    """Everything there is to say about a text."""

    schema_version: Literal[1] = 1
    kind: Literal["fio", "definition"]
    ok: bool
    diagnostics: list[LintDiagnostic]
    jobs: list[LintJob]
    runs: int | None = None
    """How many runs a definition has."""
