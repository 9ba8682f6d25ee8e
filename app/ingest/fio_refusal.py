"""What the makers of loads share: reading an option of a job, and refusing a job at the line that is to blame."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from app.domain.diagnostic import Diagnostic, Severity
from app.domain.fio import FioJob, FioOption
from app.domain.load import Load

SECTOR_BYTES = 512
NS = 10**9
TIME_MAX_NS = 7 * 86_400 * NS
"""A limit that keeps runs bounded, far above what a real machine is asked to do."""


@dataclass
class Loads:
    """What a job file comes to: its loads, and what has to be said about it."""

    loads: list[Load] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing stands against running them."""
        return all(entry.severity != "error" for entry in self.diagnostics)


class Refused(Exception):
    """This job cannot become a load; the diagnostic is on the list."""


def say(made: Loads, severity: Severity, option: FioOption, message: str) -> None:
    """Add a diagnostic at the place of an option."""
    made.diagnostics.append(Diagnostic(severity, option.line, option.column, message))


def refuse(made: Loads, job: FioJob, name: str, message: str) -> NoReturn:
    """Add an error at the option's line (the job's, when nothing set it) and raise Refused."""
    option = job.settings.get(name)
    line, column = (option.line, option.column) if option else (job.line, 1)
    made.diagnostics.append(Diagnostic("error", line, column, message))
    raise Refused


def whole(job: FioJob, name: str, default: int) -> int:
    """Return an option as a whole number, the default when it is not set."""
    value = job.options.get(name, default)
    return int(value) if isinstance(value, int | float) else default


def flag(job: FioJob, name: str) -> bool:
    """Return whether an option is set and on."""
    return bool(job.options.get(name, False))


def word(job: FioJob, name: str, default: str) -> str:
    """Return an option as text."""
    return str(job.options.get(name, default))


def time_ns(job: FioJob, name: str, made: Loads) -> int:
    """Return a time in nanoseconds, 0 when it is not set; one beyond a week is refused."""
    value = job.options.get(name, 0)
    found = round(float(value) * NS) if isinstance(value, int | float) else 0
    if found > TIME_MAX_NS:
        refuse(made, job, name, f"{name} is longer than the {TIME_MAX_NS // NS} s that this runner simulates")
    return found


def three(job: FioJob, name: str, default: int) -> tuple[int, int, int]:
    """Return an option's values for reads, writes and trims."""
    option = job.settings.get(name)
    if option is None:
        return default, default, default
    given = option.parts or (int(option.value),)
    parts = [default if part is None else int(part) for part in given]
    sizes = (parts + parts[-1:] * 3)[:3]
    return sizes[0], sizes[1], sizes[2]
