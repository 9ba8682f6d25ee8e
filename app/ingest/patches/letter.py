"""What one text says before it is interpreted: who, when, what about, and its lines; mails, pages and logs alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.domain.patch import FollowUp
from app.ingest.outputs.document import Line
from app.ingest.patches.container import Mail
from app.ingest.patches.headers import HIDDEN, moment, person
from app.ingest.patches.remarks import Remarks

SCISSORS_MAX_CHARS = 100
"""A longer line was not typed to cut at."""

_FIELDS = {"from": "author", "subject": "subject", "date": "date"}
_IN_BODY = re.compile(r"(From|Subject|Date): ?(.*)$", re.IGNORECASE)
_SCISSORS = re.compile(r"[-\s]*(?:>8|8<|>%|%<)[-\s>8<%]*(?:cut here)?[-\s>8<%]*$")
_PGP_BEGIN, _PGP_SIGNATURE = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"


@dataclass
class Letter:
    """One text with what is known about it; None is what it does not say."""

    line: int
    lines: list[Line]
    subject: str | None = None
    subject_line: int = 1
    author: str | None = None
    date: str | None = None
    message_id: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = field(default=())
    is_mail: bool = False


def of_mail(mail: Mail, remarks: Remarks) -> Letter:
    """Return what a mail says, its in-body headers first as `git am` takes them."""
    letter = Letter(mail.line, mail.lines, subject_line=mail.line)
    headers = mail.headers
    if headers is not None:
        letter.is_mail = True
        letter.subject = headers.get("subject")
        letter.subject_line = headers.line_of("subject")
        letter.author = person(headers.get("x-original-from") or headers.get("from"))
        date = headers.get("date")
        letter.date = moment(date)
        if date and letter.date is None:
            remarks.add(headers.line_of("date"), f"this date cannot be read: {date[:80]!r}")
        own = headers.ids("message-id")
        letter.message_id = own[0] if own else None
        replied = headers.ids("in-reply-to")
        letter.references = headers.ids("references") or replied
        letter.in_reply_to = replied[-1] if replied else (letter.references[-1] if letter.references else None)
    letter.lines = _without_pgp(letter.lines, remarks)
    letter.lines = _below_scissors(letter.lines, remarks)
    return with_in_body_headers(letter, remarks)


def with_in_body_headers(letter: Letter, remarks: Remarks) -> Letter:
    """Take `From:`, `Subject:` and `Date:` off the beginning of the body; they come before those of the mail."""
    at = 0
    lines = letter.lines
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    taken = False
    while at < len(lines) and (found := _IN_BODY.match(lines[at].text.rstrip())):
        value, number = found[2].strip(), lines[at].number
        at += 1
        while at < len(lines) and lines[at].text[:1] in (" ", "\t") and lines[at].text.strip():
            value += " " + lines[at].text.strip()
            at += 1
        name = _FIELDS[found[1].lower()]
        if name == "author":
            if "@" not in value and not HIDDEN.search(value):
                break
            letter.author = person(value)
        elif name == "date":
            letter.date = moment(value) or letter.date
        else:
            letter.subject, letter.subject_line = value, number
        taken = True
    if taken:
        letter.lines = lines[at:]
    return letter


def _without_pgp(lines: list[Line], remarks: Remarks) -> list[Line]:
    begin = next((index for index, line in enumerate(lines) if line.text.rstrip() == _PGP_BEGIN), None)
    if begin is None:
        return lines
    end = next((i for i in range(begin, len(lines)) if lines[i].text.rstrip() == _PGP_SIGNATURE), len(lines))
    body = begin + 1
    while body < end and lines[body].text.strip():
        body += 1
    remarks.add(lines[begin].number, "an inline PGP signature; it is not checked, and its dash escapes are taken off")
    inside = [
        line._replace(text=line.text[2:] if line.text.startswith("- ") else line.text) for line in lines[body:end]
    ]
    return lines[:begin] + inside


def _below_scissors(lines: list[Line], remarks: Remarks) -> list[Line]:
    """Leave out what stands above a scissors line, as `git am --scissors` does."""
    for index, line in enumerate(lines):
        text = line.text.strip()
        if 4 <= len(text) <= SCISSORS_MAX_CHARS and (">8" in text or "8<" in text) and _SCISSORS.match(text):
            remarks.add(line.number, "what stands above this scissors line is left out, as by git am --scissors")
            return lines[index + 1 :]
        if text.startswith(("diff --git ", "@@ -")):
            break
    return lines


def text_of(lines: Sequence[Line]) -> str:
    """Return lines as one text without blank lines around it."""
    return "\n".join(line.text.rstrip() for line in lines).strip("\n")
