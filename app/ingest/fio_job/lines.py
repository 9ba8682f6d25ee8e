"""The lines of a job file: sections, options and includes, before any option is understood.

This is fio's own order of work: a line is cut at `;` or `#`, a section begins with `[`, `include FILE` reads another
file in place, and `${NAME}` is replaced from the environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from app.domain.diagnostic import Diagnostic, Severity

MAX_LINE_CHARS = 8191  # fio reads lines into a buffer of 8192 bytes and would go on with the rest as a new line
MAX_SECTION_CHARS = 255  # what fio keeps of a section name
MAX_SECTIONS = 4096  # fio's own limit on jobs
MAX_INCLUDE_DEPTH = 8  # a file that includes itself would not end
MAX_OPTIONS = 20_000  # of all sections and included files, which can multiply: about a second of reading
MAX_DIAGNOSTICS = 500  # more than anybody reads; keeps the answer to a binary file small

_BLANK = " \t\n\v\f\r"
_VARIABLE = re.compile(r"\$\{([^}]*)\}")


class Line(NamedTuple):
    """One option as written: the name, the text after `=` (None without one), and where both begin.

    `open` tells that a variable in the text has no value, so that nothing more can be said about it.
    """

    name: str
    text: str | None
    line: int
    column: int
    value_column: int
    open: bool = False


@dataclass(slots=True)
class Section:
    """A `[name]` and the options up to the next one."""

    name: str
    line: int
    column: int
    options: list[Line] = field(default_factory=list)

    @property
    def is_global(self) -> bool:
        return self.name.startswith("global")


class Findings:
    """Collects diagnostics up to a limit, each at most once."""

    def __init__(self) -> None:
        self.items: dict[Diagnostic, None] = {}

    def add(self, severity: Severity, line: int, column: int, message: str) -> None:
        if len(self.items) < MAX_DIAGNOSTICS:
            self.items[Diagnostic(severity, line, column, message)] = None
        elif len(self.items) == MAX_DIAGNOSTICS:
            self.items[Diagnostic("error", line, column, "there is more to say than this list holds")] = None


def _uncommented(text: str) -> str:
    for sign in ";#":
        text = text.split(sign, 1)[0]
    return text.rstrip(_BLANK)


class Reader:
    """Splits one text into sections, taking included files and variables only from what was given with it."""

    def __init__(
        self,
        files: Mapping[str, str],
        environment: Mapping[str, str],
        findings: Findings,
    ) -> None:
        self.files, self.environment, self.findings = files, environment, findings
        self.options = 0

    def sections(self, text: str) -> list[Section]:
        """Return the sections in their order; what stands before the first one is an error."""
        sections: list[Section] = []
        outside = False
        for number, raw in enumerate(text.split("\n"), 1):
            content = _uncommented(raw)
            column = len(content) - len(content.lstrip(_BLANK)) + 1
            content = content.strip(_BLANK)
            if not content:
                continue
            if len(raw) > MAX_LINE_CHARS:
                self.findings.add("error", number, 1, f"a line of more than {MAX_LINE_CHARS} characters")
            elif content.startswith("["):
                if len(sections) == MAX_SECTIONS:
                    self.findings.add("error", number, column, f"more than {MAX_SECTIONS} sections")
                    break
                sections.append(Section(self._section_name(content, number, column), number, column))
            elif self.options >= MAX_OPTIONS:
                self.findings.add("error", number, column, f"more than {MAX_OPTIONS} lines of options")
                break
            elif not sections:
                if not outside:
                    self.findings.add("error", number, column, f"'{content[:60]}' stands before the first [section]")
                outside = True
            else:
                self.options += 1
                sections[-1].options += self._options(content, number, column, (), number, column)
        return sections

    def _section_name(self, content: str, number: int, column: int) -> str:
        """fio takes all that follows `[` and drops one character at the end, whatever that is."""
        name, bracket, rest = content[1:].partition("]")
        if not bracket:
            self.findings.add("error", number, column, f"the section name '{content}' is not closed by ]")
            return content[1:].strip()
        if rest:
            name = content[1:-1]
            self.findings.add("warning", number, column, f"fio takes what follows ] for a part of the name: '{name}'")
        if not name.isprintable():
            hidden = next(sign for sign in name if not sign.isprintable())
            message = f"the section name holds U+{ord(hidden):04X}, a sign that cannot be seen"
            self.findings.add("error", number, column, message)
        if len(name) >= MAX_SECTION_CHARS:
            self.findings.add("error", number, column, f"a section name of more than {MAX_SECTION_CHARS} characters")
        if name.startswith("global") and name != "global":
            self.findings.add("warning", number, column, f"fio takes [{name}] for another [global]")
        return name

    def _options(
        self, content: str, number: int, column: int, chain: tuple[str, ...], top_line: int, top_column: int
    ) -> Iterator[Line]:
        if content.startswith("include"):
            yield from self._include(content[len("include") + 1 :], chain, top_line, top_column)
            return
        name, equals, text = content.partition("=")
        value_column = column + len(name) + 1 + len(text) - len(text.lstrip(_BLANK))
        if chain:
            number, column, value_column = top_line, top_column, top_column
        filled_name = self._substitute(name, number, column)
        filled = self._substitute(text, number, value_column)
        yield Line(
            (name if filled_name is None else filled_name).rstrip(_BLANK),
            (text if filled is None else filled) if equals else None,
            number,
            column,
            value_column,
            filled is None,
        )

    def _include(self, name: str, chain: tuple[str, ...], line: int, column: int) -> Iterator[Line]:
        name = name.strip(_BLANK)
        if ".." in name.split("/"):
            self.findings.add("error", line, column, f"include {name}: a parent path is not allowed")
            return
        beside = chain[-1].rpartition("/")[0] if chain else ""
        known = [n for n in (name, f"{beside}/{name}" if beside else name) if n in self.files]
        if not known:
            given = f"; given are {', '.join(sorted(self.files)[:8])}" if self.files else ""
            self.findings.add("error", line, column, f"include {name}: that file was not given with the job{given}")
            return
        if len(chain) == MAX_INCLUDE_DEPTH or known[0] in chain:
            self.findings.add("error", line, column, f"include {name}: nested too deep, or in a circle")
            return
        for raw in self.files[known[0]].split("\n"):
            self.options += 1
            if self.options > MAX_OPTIONS:
                self.findings.add("error", line, column, f"more than {MAX_OPTIONS} lines of options")
                return
            content = _uncommented(raw[: MAX_LINE_CHARS + 1]).strip(_BLANK)
            if content.startswith("["):
                self.findings.add("error", line, column, f"include {name}: fio allows no section in an included file")
                return
            if content:
                yield from self._options(content, line, column, (*chain, known[0]), line, column)

    def _substitute(self, text: str, line: int, column: int) -> str | None:
        """Return the text with its variables replaced, None when one has no value."""
        unknown = [found[0] for found in _VARIABLE.finditer(text) if found[1] not in self.environment]
        for variable in unknown:
            self.findings.add("error", line, column, f"{variable} has no value; give it under environment")
        return None if unknown else _VARIABLE.sub(lambda found: self.environment[found[1]], text)
