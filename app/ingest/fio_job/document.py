"""Reads the job files of a whole document, with every place that of the document, and shows what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from app.domain.diagnostic import Diagnostic
from app.domain.fio import FioJob, FioJobFile
from app.ingest.fio_job.find import Block, Intricate, blocks, is_job_file, prose_outside, starts_with_section
from app.ingest.fio_job.parse import MAX_TEXT_CHARS, parse

MAX_PASTE_CHARS = 200_000  # a job pasted with its results; larger files that begin like a job are read as one

_NOTHING: Mapping[str, str] = MappingProxyType({})


def read(
    text: str,
    *,
    files: Mapping[str, str] = _NOTHING,
    environment: Mapping[str, str] = _NOTHING,
    machine: Mapping[str, int] = MappingProxyType({}),
) -> FioJobFile:
    """Read a job file, or the job files inside a mail, a script, YAML and so on; the arguments are those of `parse`.

    The jobs of several files come in the order of the document; a [global] section holds in its own file only.
    """

    def strictly(part: str) -> FioJobFile:
        return parse(part, files=files, environment=environment, machine=machine)

    if len(text) > MAX_TEXT_CHARS:
        return strictly(text)
    alone = strictly(text) if is_job_file(text) else None
    if alone and (alone.ok or len(text) > MAX_PASTE_CHARS):
        return alone
    try:
        found = blocks(text)
    except Intricate:
        message = "too many job files in this text; give one of them"
        return alone or FioJobFile((), (Diagnostic("error", 1, 1, message),))
    notes = _numbered(found)
    if alone:
        after = prose_outside(text, found) if found else None
        if after is None:
            return alone
        notes.append(Diagnostic("warning", after, 1, "from here on this is no job file; only what is one is read"))
    if not found:
        if starts_with_section(text):
            return strictly(text)
        message = "no job file in this text: no [section] with fio options after it"
        return FioJobFile((), (Diagnostic("error", 1, 1, message),))
    parsed = [_placed(block, strictly(block.text)) for block in found]
    diagnostics = [*notes, *(d for file in parsed for d in file.diagnostics)]
    diagnostics.sort(key=lambda d: (d.line, d.column))
    return FioJobFile(tuple(job for file in parsed for job in file.jobs), tuple(diagnostics))


def _numbered(found: list[Block]) -> list[Diagnostic]:
    if len(found) < 2:
        return []
    return [
        Diagnostic("info", block.start_line, 1, f"job file {number} of {len(found)} begins here")
        for number, block in enumerate(found, 1)
    ]


def _placed(block: Block, file: FioJobFile) -> FioJobFile:
    """Move every place from the job file's own text to the document."""

    def job(of: FioJob) -> FioJob:
        settings = {}
        for name, option in of.settings.items():
            line, column = block.place(option.line, option.column)
            settings[name] = replace(option, line=line, column=column)
        return replace(of, line=block.place(of.line, 1)[0], settings=settings)

    def diagnostic(of: Diagnostic) -> Diagnostic:
        line, column = block.place(of.line, of.column)
        return replace(of, line=line, column=column)

    return FioJobFile(tuple(job(j) for j in file.jobs), tuple(diagnostic(d) for d in file.diagnostics))


def lint_document(job_file: FioJobFile) -> dict[str, Any]:
    """Return what `lodestone lint --json` prints and `POST /lint` answers for a job file."""
    return {
        "schema": 1,
        "ok": job_file.ok,
        "diagnostics": [diagnostic.as_dict() for diagnostic in job_file.diagnostics],
        "jobs": [{"name": job.name, "options": job.options} for job in job_file.jobs],
    }
