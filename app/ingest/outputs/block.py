"""What one reader found in one place: the results of one run, one table or one summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from app.domain.report import Distribution, Kind, Remark, Result, TestOutcome
from app.ingest.outputs.document import Document


@dataclass(slots=True)
class Block:
    """Results that belong together, and the lines they stand on (`start` up to `end`, indexes of the document).

    `prefix` is what stands before the first result on its own line, where a side may be named. `sided` blocks hold
    several sides, and their results carry their variants already.
    """

    kind: Kind
    start: int
    end: int
    results: list[Result] = field(default_factory=list)
    outcomes: list[TestOutcome] = field(default_factory=list)
    distributions: list[Distribution] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    prefix: str = ""
    sided: bool = False
    version: str | None = None
    """The tool's own version, where it is printed."""
    precision: int = 0
    """Which of fio's formats of one run says most: 2 is JSON, 1 terse, 0 the rounded text."""
    processes: tuple[tuple[str | int | None, ...], ...] = ()
    """Who did the I/O, the same in every report of one run: process id, job and group."""
    printed_ms: float | None = None
    """When the report was printed, in milliseconds of the epoch, where there is no process id."""
    cell: str | None = None
    heading: str | None = None
    """What stands over the label: the test that both sides are of."""


Reader = Callable[[Document], Iterator[Block]]
"""Yields what it finds in the lines that are free, and takes the lines it has read."""
