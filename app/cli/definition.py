"""Loads the definition that the command line names, with the files beside it."""

from __future__ import annotations

from pathlib import Path

from app.cli.files import read_text
from app.domain.experiment import Definition
from app.errors import InvalidDefinition
from app.ingest.definition import problem, read_definition


def load(path: Path) -> Definition:
    """Return the definition in a file. Raises InvalidDefinition whose message begins with the file's name."""
    try:
        return read_definition(read_text(path))
    except InvalidDefinition as error:
        raise InvalidDefinition(f"{path}: {error.message}", details=error.details) from None


def local_files(definition: Definition, path: Path) -> dict[str, str]:
    """Return the text of the files that a definition names, read beside it."""
    found = {}
    for name, value in definition.files.items():
        if value.startswith("sha256:"):
            raise problem(f"files.{name}", "an upload lies on a server; without one, name a file beside the definition")
        found[name] = read_text(path.parent / value)
    return found
