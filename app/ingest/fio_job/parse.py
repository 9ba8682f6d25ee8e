"""From the text of a job file to its jobs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.catalog import fio_options
from app.catalog.fio_options import FioOptionSpec
from app.domain.diagnostic import Diagnostic
from app.domain.fio import FioJob, FioJobFile, FioOption
from app.ingest.fio_job.lines import Findings, Line, Reader, Section
from app.ingest.fio_job.value import understand

MAX_TEXT_CHARS = 4_000_000  # the largest real job files have some thousand lines

_NOTHING: Mapping[str, str] = MappingProxyType({})
_ORDER = {"error": 0, "warning": 1, "info": 2}


def parse(
    text: str,
    *,
    files: Mapping[str, str] = _NOTHING,
    environment: Mapping[str, str] = _NOTHING,
    machine: Mapping[str, int] = MappingProxyType({}),
) -> FioJobFile:
    """Read a job file as fio 3.33 does.

    `files` holds what `include` and the other options that read a file may name, `environment` what `${NAME}` means,
    `machine` the numbers for `$ncpus`, `$mb_memory` and `$pagesize` (without them such a value stays text).
    Never raises: what is not understood is a diagnostic with line and column, and the rest is read all the same.
    """
    findings = Findings()
    if len(text) > MAX_TEXT_CHARS:
        findings.add("error", 1, 1, f"a job file of more than {MAX_TEXT_CHARS} characters")
        return FioJobFile((), tuple(findings.items))
    sections = Reader(files, environment, findings).sections(text)
    jobs = _jobs(sections, findings)
    if not jobs and not any(d.severity == "error" for d in findings.items):
        findings.add("error", 1, 1, "no section but [global], so there is no job" if sections else "no [section]")
    return FioJobFile(tuple(jobs), tuple(sorted(findings.items, key=_place)))


def _place(diagnostic: Diagnostic) -> tuple[int, int, int]:
    return diagnostic.line, diagnostic.column, _ORDER[diagnostic.severity]


def _jobs(sections: list[Section], findings: Findings) -> list[FioJob]:
    inherited: dict[str, FioOption] = {}
    jobs = []
    for section in sections:
        settings = dict(inherited)
        _apply(section, settings, findings)
        if section.is_global:
            inherited = settings
            continue
        name = str(settings["name"].value) if "name" in settings else section.name
        jobs.append(FioJob(name, section.name, section.line, settings))
    return jobs


def _apply(section: Section, settings: dict[str, FioOption], findings: Findings) -> None:
    """Add the section's options to what it inherits: those of all jobs first, then the engine's, as fio does."""
    engine_lines: list[Line] = []
    for line in sorted(section.options, key=_priority):
        spec = fio_options.find(line.name, "")
        if spec is None:
            engine_lines.append(line)
        else:
            _set(spec, line, settings, findings)
    engine = _engine(settings)
    for line in engine_lines:
        spec = fio_options.find(line.name, engine)
        if spec is None:
            findings.add("error", line.line, line.column, _unknown(line.name, engine))
        else:
            _set(spec, line, settings, findings)


def _priority(line: Line) -> bool:
    return line.name not in fio_options.READ_FIRST


def _engine(settings: Mapping[str, FioOption]) -> str:
    return str(settings["ioengine"].value) if "ioengine" in settings else fio_options.DEFAULT_ENGINE


def _set(spec: FioOptionSpec, line: Line, settings: dict[str, FioOption], findings: Findings) -> None:
    base = settings.get("kb_base")
    kb_base = int(base.value) if base and not spec.engine else 1024
    understood = understand(spec, line.text, kb_base)
    for severity, message in understood.remarks:
        column = line.value_column if line.text is not None else line.column
        findings.add(severity, line.line, column, message)
    if understood.value is not None:
        settings.pop(spec.name, None)
        settings[spec.name] = FioOption(
            spec.name, understood.value, line.text or "", line.line, line.column, understood.parts
        )


def _unknown(name: str, engine: str) -> str:
    owners = fio_options.engines_with(name)
    if owners:
        return f"{name} is an option of {', '.join(owners)}; the engine here is {engine}"
    close = fio_options.closest(name, engine)
    return f"unknown option '{name[:60]}'" + (f"; did you mean {', '.join(close)}?" if close else "")
