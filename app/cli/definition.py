"""Loads the definition that the command line names, with the files beside it."""

from __future__ import annotations

from pathlib import Path

from app.cli.files import read_bytes, read_text
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
    for name, value in definition.referenced().items():
        if value.startswith("sha256:"):
            raise problem(f"files.{name}", "an upload lies on a server; without one, name a file beside the definition")
        file = beside(path, name, value)
        found[name] = read_bytes(file).decode("latin-1") if definition.is_trace(name) else read_text(file)
    return found


def beside(path: Path, name: str, value: str) -> Path:
    """Return the file beside a definition that it names. Raises InvalidDefinition for one that lies elsewhere.

    A definition may come out of a mail: it must not be able to name any file of this machine.
    """
    folder = path.parent.resolve()
    file = (folder / value).resolve()
    if not file.is_relative_to(folder):
        raise problem(f"files.{name}", f"{value!r} does not lie beside the definition; copy it there")
    return file
