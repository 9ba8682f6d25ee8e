"""Reads what the command line names, with errors that name the file."""

from __future__ import annotations

import sys
from pathlib import Path

from app.errors import RequestError

TEXT_MAX_BYTES = 64_000_000


def read_text(path: Path) -> str:
    """Return a file's text (`-`: standard input). Raises RequestError naming file and fault."""
    content = read_bytes(path)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RequestError(f"{path}: line {line}: byte {content[error.start]:#04x} is not UTF-8") from None


def read_bytes(path: Path) -> bytes:
    """Return a file's content (`-`: standard input). Raises RequestError naming file and fault."""
    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read(TEXT_MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                content = file.read(TEXT_MAX_BYTES + 1)
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror or error}") from None
    if len(content) > TEXT_MAX_BYTES:
        raise RequestError(f"{path}: larger than {TEXT_MAX_BYTES} bytes")
    return content
