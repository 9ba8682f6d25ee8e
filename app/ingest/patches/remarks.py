"""Collects what a reader of a patch must know, each with its line, up to a limit."""

from __future__ import annotations

from app.domain.patch import PatchWarning

WARNINGS_MAX = 500
"""More say nothing new: the text is damaged all over."""


class Remarks:
    """Warnings in the order of their lines, each once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], None] = {}

    def add(self, line: int, message: str) -> None:
        """Keep a warning about a line."""
        if len(self._found) < WARNINGS_MAX:
            self._found.setdefault((line, message))

    def listed(self) -> tuple[PatchWarning, ...]:
        """Return all warnings, sorted by line."""
        found = [PatchWarning(line=line, message=message) for line, message in sorted(self._found)]
        if len(found) == WARNINGS_MAX:
            found.append(PatchWarning(line=found[-1].line, message="more warnings are not shown"))
        return tuple(found)
