"""Finds letters on the pages of web archives, copied as text: lore's threads, and headers shown as a list."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from app.ingest.outputs.document import Line
from app.ingest.patches.headers import DECORATION, moment, person
from app.ingest.patches.letter import Letter, with_in_body_headers
from app.ingest.patches.remarks import Remarks
from app.ingest.patches.subject import read_subject

HEADLINES = 40
"""Lines at the top of a page among which its headers and headline are looked for."""

HEADLINE_MAX_CHARS = 300

_LORE_FROM = re.compile(r"From: (?P<who>.{1,200}?) @ (?P<when>\d{4}-\d\d-\d\d +\d{1,2}:\d\d) UTC \(permalink / raw\)$")
_LORE_NAVIGATION = re.compile(
    r"(?:\d+ siblings?, \d+ repl|\[flat\||end of thread|~ *\[|reply\s+other threads|permalink)"
)
_SHOWN = re.compile(r"[\s*•·-]{0,6}(?P<name>Subject|From|Date|Message-I[Dd])\s{0,3}:\s*(?P<value>\S.*)$")
_MARC_ADDRESS = re.compile(r"<(?P<local>[^<>\s]{1,100}) \(\) (?P<host>[^<>]{1,150})>")


def lore_thread(lines: list[Line], remarks: Remarks) -> list[Letter]:
    """Return the mails of a thread that was copied off lore's page; none for other texts.

    A page shows names without addresses, and the subject of each mail on the line with the asterisk above it.
    """
    starts = [
        index
        for index, line in enumerate(lines)
        if line.text.startswith("From: ") and _LORE_FROM.match(line.text.rstrip())
    ]
    letters: list[Letter] = []
    if not starts:
        return letters
    tops = [_top(lines, start, starts[number - 1] if number else 0) for number, start in enumerate(starts)]
    for number, start in enumerate(starts):
        end = tops[number + 1] if number + 1 < len(starts) else len(lines)
        found = _LORE_FROM.match(lines[start].text.rstrip())
        assert found is not None
        letter = Letter(lines[start].number, [], is_mail=True, subject_line=lines[start].number)
        letter.author = found["who"].strip()
        letter.date = _utc(found["when"])
        top = tops[number]
        if lines[top].text.startswith("* "):
            letter.subject, letter.subject_line = lines[top].text[2:].strip(), lines[top].number
        body = start + 1
        while body < end and lines[body].text.strip():
            body += 1
        letter.lines = [line for line in lines[body:end] if not _LORE_NAVIGATION.match(line.text)]
        letters.append(with_in_body_headers(letter, remarks))
    return letters


def _top(lines: list[Line], start: int, floor: int) -> int:
    """Where a mail's part of the page begins: at the asterisk over it, or at its own first line."""
    for index in range(start - 1, max(floor, start - 200), -1):
        if lines[index].text.startswith("* "):
            return index
    return start if not (floor == 0 and start and lines[0].text.startswith("* ")) else 0


def _utc(text: str) -> str | None:
    try:
        return datetime.strptime(" ".join(text.split()), "%Y-%m-%d %H:%M").replace(tzinfo=UTC).isoformat()
    except ValueError:
        return None


def headed(lines: list[Line]) -> Letter:
    """Return a text as one letter, with the subject, author and date that its first lines show."""
    letter = Letter(lines[0].number if lines else 1, lines)
    last = -1
    shown = [index for index, line in enumerate(lines[: 4 * HEADLINES]) if line.text.strip()][:HEADLINES]
    for index in shown:
        text = lines[index].text.strip()
        if text.startswith(("diff --git ", "@@ -", "--- ")) or len(text) > HEADLINE_MAX_CHARS:
            break
        found = _SHOWN.match(text)
        if found is None:
            subject = read_subject(text)
            if letter.subject is None and subject.is_patch and subject.text:
                _headline(letter, text, lines[index])
                last = index
            continue
        name, value = found["name"].lower(), DECORATION.sub("", found["value"])
        if name == "subject" and (letter.subject is None or read_subject(letter.subject) == read_subject(value)):
            _headline(letter, value, lines[index])
        elif name == "from" and letter.author is None:
            letter.author = person(_MARC_ADDRESS.sub(_unhidden, value))
        elif name == "date" and letter.date is None:
            letter.date = moment(value) or _utc(value.rpartition(":")[0])
        elif name.startswith("message") and letter.message_id is None and "@" in value:
            letter.message_id = value.strip("<> ")
        else:
            continue
        last = index
    if letter.subject is None:
        letter.author = letter.date = letter.message_id = None
        return letter
    letter.lines = lines[last + 1 :]
    return letter


def _headline(letter: Letter, text: str, line: Line) -> None:
    letter.subject, letter.subject_line, letter.is_mail = text, line.number, True


def _unhidden(found: re.Match[str]) -> str:
    return f"<{found['local']}@{found['host'].replace(' ! ', '.')}>"
