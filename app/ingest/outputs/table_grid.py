"""What a table is before anybody knows what it means: cells with their columns, headings, and rows of figures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

ROWS_MAX = 5_000
COLUMNS_MAX = 64
DELTA = re.compile(r"%|diff|change|delta|gain|improv|speed-?up|ratio|\bvs\b|Δ|increase|decrease|regress", re.IGNORECASE)
"""What stands over a column that only compares two others."""

_RULE_SIGNS = " |+:=_*-"
_LONG_RULE = re.compile(r"[-=_]{3}")


class Cell(NamedTuple):
    """One cell: its text and the columns of the line it takes."""

    text: str
    start: int
    end: int

    @property
    def middle(self) -> float:
        """The column in its middle."""
        return (self.start + self.end) / 2


@dataclass(slots=True)
class Grid:
    """A table's rows: headings first, then those with figures, each with the index of its line."""

    start: int
    end: int
    heads: list[list[Cell]] = field(default_factory=list)
    rows: list[tuple[int, list[Cell]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What stands over the column of the keys: the machine, the disk, a name of the whole table."""
    unread: list[int] = field(default_factory=list)
    """Lines that stand where rows do and fit under no headings."""


def is_rule(text: str) -> bool:
    """Whether a line is drawn, not written."""
    return not text.strip(_RULE_SIGNS) and bool(_LONG_RULE.search(text))
