"""`lodestone lint`: check a job file or a definition."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.exits import EXIT_INPUT
from app.cli.files import read_text
from app.errors import RequestError

if TYPE_CHECKING:
    from app.domain.experiment import Definition


def execute(options: argparse.Namespace) -> int:
    """Print what there is to say about a file; exit status 2 when something stands against it."""
    text = read_text(options.file)
    files = {path.name: read_text(path) for path in options.include}
    document = _lint(options.file, text, files, _environment(options.set))
    if options.json:
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        for entry in document["diagnostics"]:
            print(f"{_place(options.file, entry)}: {entry['severity']}: {_said(entry)}")
    if document["ok"] and not options.json:
        names = ", ".join(job["name"] for job in document["jobs"])
        count = f"{len(document['jobs'])} job{'' if len(document['jobs']) == 1 else 's'}"
        print(f"{options.file}: ok" + (f" ({count}: {names})" if names else ""))
    if document["ok"]:
        return 0
    first = next(entry for entry in document["diagnostics"] if entry["severity"] == "error")
    more = sum(entry["severity"] == "error" for entry in document["diagnostics"]) - 1
    rest = f" (and {more} more)" if more else ""
    print(f"lodestone: {_place(options.file, first)}: {_said(first)}{rest}", file=sys.stderr)
    return EXIT_INPUT


def _place(file: Path, entry: dict[str, Any]) -> str:
    return f"{file}:{entry['line']}:{entry['column']}"


def _said(entry: dict[str, Any]) -> str:
    """The message on one line, after the definition's key where it is about one."""
    key = entry.get("key")
    words = " ".join(entry["message"].split())
    return words if key in (None, "workload.fio") else f"{key}: {words}"


def _beside(definition: Definition, path: Path) -> dict[str, str]:
    """The files that a definition names, as `run` reads them."""
    from app.cli.definition import local_files

    return local_files(definition, path)


def _environment(settings: list[str]) -> dict[str, str]:
    found = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign or not name:
            raise RequestError(f"--set {setting}: write NAME=VALUE")
        found[name] = value
    return found


def _lint(path: Path, text: str, files: dict[str, str], environment: dict[str, str]) -> dict:  # type: ignore[type-arg]
    from app.ingest.definition_signs import looks_like_definition

    if not looks_like_definition(text):
        # a job alone needs neither the catalogue nor pydantic: this is the quick way
        from app.ingest.fio_job import lint_document, read

        return lint_document(read(text, files=files, environment=environment))
    from app.lint import service

    result = service.lint_definition(text, lambda definition: {**_beside(definition, path), **files})
    return {"schema": 1, **result.model_dump(exclude={"schema_version"})}
