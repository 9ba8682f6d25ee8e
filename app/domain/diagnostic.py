"""What a reader of people's files has to say about a line of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding at one place of a text; `line` and `column` count from 1, in the text as it was given."""

    severity: Severity
    line: int
    column: int
    message: str

    def as_dict(self) -> dict[str, str | int]:
        """Return the finding in the shape that `lodestone lint` and the API show."""
        return {"severity": self.severity, "line": self.line, "column": self.column, "message": self.message}
