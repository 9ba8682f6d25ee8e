"""Reads one hunk of a unified diff: by its own counts, and where mailers damaged it, by what still adds up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.ingest.outputs.document import Line

HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)", re.DOTALL)
BROKEN_MIN_CHARS, BROKEN_MAX_CHARS = 50, 240
"""Mailers break lines at 65 to 80 columns; a line that was broken three times is no line of a program."""

_NEXT = re.compile(r"@@ -\d|diff --(?:git|cc|combined) |Index: \S|From [0-9a-f]{40} ")
_BULLET = re.compile(r"- [A-Za-z]\w")
_VERSION = re.compile(r"\d[\w.\-+() ]{0,60}$|git-series \S+$|b4 \S+$")


class Hunk(NamedTuple):
    """One hunk: its lines in git's form, the header first, and the index of the line after it.

    `damage` says in words what is wrong with it, None for a whole one; `repaired` what was taken for granted.
    """

    end: int
    lines: list[str]
    added: int
    deleted: int
    damage: str | None = None
    repaired: str | None = None


def read_hunk(lines: Sequence[Line], at: int) -> Hunk | None:
    """Return the hunk whose header stands at an index, None where there is none."""
    found, body = _header(lines, at)
    if found is None:
        return None
    broken = "this hunk is damaged: a mailer broke its header over two lines" if body > at + 1 else None
    hunk = _below(lines, body, found)
    return hunk._replace(repaired=hunk.repaired or broken)


def _header(lines: Sequence[Line], at: int) -> tuple[re.Match[str] | None, int]:
    """Return the header at an index, and the index of its first line; mailers break headers too."""
    found = HEADER.match(lines[at].text)
    if found is None and lines[at].text.startswith("@@ -") and at + 1 < len(lines):
        joined = HEADER.match(f"{lines[at].text.rstrip()} {lines[at + 1].text.lstrip()}")
        return joined, at + 2
    return found, at + 1


def _below(lines: Sequence[Line], at: int, found: re.Match[str]) -> Hunk:
    """Read the lines of a hunk, the first of which stands at an index."""
    old_start, old_text, new_start, new_text, section = found.groups()
    old, new = int(old_text or 1), int(new_text or 1)
    section = section.rstrip()
    title = f"@@ -{_range(old_start, old_text)} +{_range(new_start, new_text)} @@" + (
        f" {section.lstrip()}" if section.strip() else ""
    )
    strict = _Body(lines, at, old, new)
    strict.run(_as_it_stands)
    if strict.complete:
        return strict.hunk(title)
    for repair, what in (
        (_context_without_blank, "context lines without their leading blank are taken as context"),
        (_continued, "lines that a mailer broke are joined"),
    ):
        if max(old, new) >= len(lines) - at:
            break  # no repair can find more lines than there are
        attempt = _Body(lines, at, old, new)
        attempt.run(repair)
        if attempt.complete:
            return attempt.hunk(title)._replace(repaired=f"this hunk is damaged: {what}")
    stop = lines[strict.at].text[:1] if strict.at < len(lines) else "end"
    if stop in ("+", "-") or (stop == " " and strict.at == at):
        # the header was written by hand: its lines go on where it says that they end
        strict = _Body(lines, at, old, new)
        strict.recount()
    strict.cut_back()
    holds = f"-{old - strict.old} +{new - strict.new}"
    says = f"-{old} +{new}"
    return strict.hunk(title)._replace(
        damage=f"this hunk is cut short or damaged: it says {says} lines, {holds} follow"
    )


def _range(start: str, count: str | None) -> str:
    return start if count is None else f"{start},{count}"


Repair = Callable[[str, "_Body"], bool]


class _Body:
    """The lines of a hunk while they are counted down."""

    def __init__(self, lines: Sequence[Line], at: int, old: int, new: int) -> None:
        self.lines, self.at, self.old, self.new = lines, at, old, new
        self.start = at
        self.taken: list[str] = []
        self.complete = False
        self.blank_kept = False

    def run(self, repair: Repair) -> None:
        """Take lines until both counts are used up, or until one does not fit and cannot be repaired."""
        while self.at < len(self.lines) and (self.old > 0 or self.new > 0):
            text = self.lines[self.at].text
            sign = text[:1]
            if sign in ("\r", "\u00a0"):
                text = " " + text[1:] if sign == "\u00a0" else text
                sign = " "
            if not self._count(sign, text) and (_NEXT.match(text) or not repair(text, self)):
                return
            self.at += 1
        if self.old == 0 and self.new == 0:
            self.complete = True
            if self.at < len(self.lines) and self.lines[self.at].text.startswith("\\ "):
                self.taken.append(self.lines[self.at].text)
                self.at += 1

    def recount(self) -> None:
        """Take every line that looks like one of a hunk, whatever the header says of their number."""
        while self.at < len(self.lines):
            text = self.lines[self.at].text
            following = self.lines[self.at + 1].text[:1] if self.at + 1 < len(self.lines) else ""
            if text[:1] not in ("+", "-", " ", "\\") and (text.strip() or following not in ("+", "-", " ")):
                return
            if text.startswith("--- ") and following == "+":
                return
            self.old -= text[:1] in ("-", " ", "")
            self.new -= text[:1] in ("+", " ", "")
            self.taken.append(text or " ")
            self.at += 1

    def _count(self, sign: str, text: str) -> bool:
        """Count one line; False when it fits in no way."""
        if sign == "+" and self.new > 0:
            self.new -= 1
        elif sign == "-" and self.old > 0:
            self.old -= 1
        elif sign in (" ", "") and self.old > 0 and self.new > 0:
            self.old, self.new = self.old - 1, self.new - 1
            text = text or " "
        elif sign != "\\":
            return False
        self.taken.append(text)
        self.blank_kept = self.blank_kept or (sign == " " and bool(text.strip()))
        return True

    def cut_back(self) -> None:
        """Give back what only looks like a part of the hunk: a mail's signature, and a list with dashes after it."""
        for index in range(self.start, self.at):
            text = self.lines[index].text
            after = self.lines[index + 1].text.strip() if index + 1 < len(self.lines) else ""
            signature = text.rstrip() == "--" and (not after or _VERSION.match(after))
            bullet = _BULLET.match(text) and not self.lines[index - 1].text
            if signature or bullet:
                for given_back in self.taken[index - self.start :]:
                    self.old += given_back[:1] in ("-", " ")
                    self.new += given_back[:1] in ("+", " ")
                del self.taken[index - self.start :]
                self.at = index
                return

    def hunk(self, title: str) -> Hunk:
        """Return what was taken."""
        added = sum(1 for text in self.taken if text[:1] == "+")
        deleted = sum(1 for text in self.taken if text[:1] == "-")
        return Hunk(self.at, [title, *self.taken], added, deleted)


def _as_it_stands(text: str, body: _Body) -> bool:
    return False


def _context_without_blank(text: str, body: _Body) -> bool:
    """Some archives strip what leads a line; then no context line of the hunk has kept its blank."""
    if body.old <= 0 or body.new <= 0 or body.blank_kept:
        return False
    body.old, body.new = body.old - 1, body.new - 1
    body.taken.append(" " + text)
    return True


def _continued(text: str, body: _Body) -> bool:
    """A mailer breaks lines that are long, once or twice each."""
    last = body.taken[-1] if body.taken else ""
    if not text.strip() or not BROKEN_MIN_CHARS <= len(last) <= BROKEN_MAX_CHARS:
        return False
    body.taken[-1] = f"{last.rstrip()} {text.lstrip()}"
    return True
