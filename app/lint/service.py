"""Checks a job file or a definition without queueing anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from app.catalog import devices, runners
from app.domain.diagnostic import Diagnostic
from app.domain.experiment import Definition
from app.domain.fio import FioJobFile
from app.errors import InvalidDefinition, LodestoneError
from app.experiments.admission import admit
from app.ingest.definition import read_definition
from app.ingest.definition_signs import looks_like_definition
from app.ingest.fio_job import read
from app.ingest.fio_load import loads_of
from app.ingest.yaml_document import Document, YamlFault, read_yaml
from app.lint.schemas import LintDiagnostic, LintJob, LintRequest, LintResult

_JOB_LINE = re.compile(r"line (\d+): ")


Files = Callable[[Definition], Mapping[str, str]]
"""Finds the files that a definition names; raises InvalidDefinition naming one that is not there."""


def lint(request: LintRequest, files: Files) -> LintResult:
    """Return what there is to say about a text; never raises for what the text is."""
    if request.kind == "definition" or (request.kind == "auto" and looks_like_definition(request.text)):
        return lint_definition(request.text, files)
    return _job(request)


def _job(request: LintRequest) -> LintResult:
    job_file = read(request.text, environment=request.environment)
    diagnostics = [*job_file.diagnostics, *_on_runner(request, job_file)]
    return LintResult(
        kind="fio",
        ok=all(entry.severity != "error" for entry in diagnostics),
        diagnostics=[LintDiagnostic.model_validate(entry.as_dict()) for entry in diagnostics],
        jobs=[LintJob(name=job.name, options=job.options) for job in job_file.jobs],
    )


def _on_runner(request: LintRequest, job_file: FioJobFile) -> list[Diagnostic]:
    """What the chosen runner and device say to a job that fio itself would accept."""
    if request.runner is None or not job_file.ok or not job_file.jobs:
        return []
    ability = runners.ABILITIES.get(request.runner)
    if ability is None or ability.fio is None or not request.device:
        return []
    overrides = {name: value for name, value in request.device.items() if name not in _DEVICE_KEYS}
    try:
        _, values = devices.resolve(str(request.device.get("profile", "")), overrides)
    except ValueError as error:
        return [Diagnostic("error", 1, 1, f"device: {error}")]
    loads = loads_of(
        job_file,
        honoured=ability.fio.honoured,
        ignored=ability.fio.ignored,
        device=values,
    )
    return loads.diagnostics


_DEVICE_KEYS = frozenset({"profile", "scheduler", "nr_requests"})


def lint_definition(text: str, files: Files) -> LintResult:
    """Return what there is to say about a definition."""
    try:
        definition = read_definition(text)
        notices = admit(definition, files(definition))
    except InvalidDefinition as error:
        document = _lines(text)
        found = [_diagnostic(problem, document) for problem in error.details["problems"]]
        return LintResult(kind="definition", ok=False, diagnostics=found, jobs=[])
    except LodestoneError as error:
        found = [LintDiagnostic(severity="error", line=1, column=1, message=error.message)]
        return LintResult(kind="definition", ok=False, diagnostics=found, jobs=[])
    document = _lines(text)
    return LintResult(
        kind="definition",
        ok=True,
        diagnostics=[
            LintDiagnostic(
                severity="warning" if notice.severity == "warning" else "info",
                line=1 if notice.line is None else _job_line(document, notice.line),
                column=1,
                message=notice.message,
                key=None if notice.line is None else "workload.fio",
            )
            for notice in notices
        ],
        jobs=[],
        runs=definition.run_count,
    )


def _lines(text: str) -> Document | None:
    try:
        return read_yaml(text)
    except YamlFault:
        return None


def _diagnostic(problem: Mapping[str, object], document: Document | None) -> LintDiagnostic:
    key, line, message = problem["key"], problem["line"], str(problem["message"])
    path = tuple(str(key).rpartition(": ")[2].split(".")) if key else ()
    if not isinstance(line, int):
        line = (document.line_of(path) if document else None) or 1
        inner = _JOB_LINE.match(message)
        if path == ("workload", "fio") and inner is not None:
            line = _job_line(document, int(inner.group(1)))
    return LintDiagnostic(severity="error", line=line, column=1, message=message, key=str(key) if key else None)


def _job_line(document: Document | None, line: int | None) -> int:
    """The line in the definition of a line of its job; block scalars begin on the line after their key."""
    begins = document.line_of(("workload", "fio")) if document else None
    return (begins or 0) + (line or 1)
