"""A fio job file, as fio 3.33 understands it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.domain.diagnostic import Diagnostic

FioValue = bool | int | float | str

Target = Literal["device", "filesystem", "artifact", "file"]


@dataclass(frozen=True, slots=True)
class FioOption:
    """One option of a job, with the place that set it.

    `value` is whole bytes for sizes, seconds for times, a boolean for flags, text for lists, ranges and percentages.
    `parts` holds what fio makes of a list: read, write and trim for an option that has one value a direction (None:
    that direction keeps what it had), the low and the high end for a range (bsrange: six numbers). `splits` holds the
    pairs of a mix for read, write and trim: bytes and percent for bssplit, percent of the accesses and of the file (or
    bytes of it, zoned_abs) for a zoned random_distribution. `target` says what a path stands for when
    the job runs in an experiment: its device, its mounted filesystem, an artifact of the run, or a file given with it.
    """

    name: str
    value: FioValue
    text: str
    line: int
    column: int
    parts: tuple[int | float | None, ...] = ()
    splits: tuple[tuple[tuple[int, int], ...], ...] = ()
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class FioJob:
    """One section that runs, with everything that it inherits from the [global] sections before it."""

    name: str
    section: str
    line: int
    settings: Mapping[str, FioOption]

    @property
    def options(self) -> dict[str, FioValue]:
        """The values by fio's canonical option name; defaults are not filled in."""
        return {name: option.value for name, option in self.settings.items()}

    def line_of(self, name: str) -> int:
        """Return the line that set the option, the section's own line when nothing did."""
        option = self.settings.get(name)
        return option.line if option else self.line


@dataclass(frozen=True, slots=True)
class FioJobFile:
    """The jobs of one file in their order, and everything there is to say about it."""

    jobs: tuple[FioJob, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether fio would run it and Lodestone may: no diagnostic is an error."""
        return all(d.severity != "error" for d in self.diagnostics)
