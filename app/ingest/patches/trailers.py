"""The trailers at the end of a commit message, found as `git interpret-trailers` finds them, and those in replies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.domain.patch import Trailer
from app.ingest.outputs.document import Line
from app.ingest.patches.remarks import Remarks

TRAILERS_MAX = 500
"""Of one message; a treewide change names a hundred people."""

_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]{0,80})[ \t]*:[ \t]*(\S.*)$")
_OURS = re.compile(r"Signed-off-by: |\(cherry picked from commit ")
_OF_PEOPLE = re.compile(
    r"((?:Signed-off|Reviewed|Acked|Tested|Reported|Suggested|Requested|Co-developed|Debugged|Reported-and-tested"
    r"|Reviewed-and-tested|Tested-and-acked|Bisected|Fixed|Analyzed)-by|Cc|Fixes|Link|Closes|Message-I[dD])"
    r"[ \t]*:[ \t]*(\S.*)$",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"([A-Z][A-Za-z-]{2,40}-by)[ \t]*:[ \t]*(\S.*)$", re.IGNORECASE)
_WITHOUT_COLON = re.compile(
    r"((?:Signed-off|Reviewed|Acked|Tested|Reported|Suggested)-by)[ \t]+(\S[^:]{0,200}[>\]])\s*$"
)


def read_trailers(body: Sequence[Line], remarks: Remarks) -> tuple[Trailer, ...]:
    """Return the trailers of a commit message.

    The last paragraph counts if all of it are trailers, or a quarter with one of git's own among them. Paragraphs
    directly before it that hold nothing but people's trailers count too, with a warning, because git passes them over.
    """
    paragraphs = _paragraphs(body)
    if not paragraphs:
        return ()
    last = paragraphs.pop()
    found = _of_block(last) if _is_block(last) else []
    while paragraphs and (found or _only_people(paragraphs[-1])) and _only_people(paragraphs[-1]):
        earlier = paragraphs.pop()
        remarks.add(earlier[0].number, "these trailers stand apart from the last paragraph, where git looks for them")
        found = _of_block(earlier) + found
    if not found and (run := _last_run(last)):
        remarks.add(run[0].number, "these trailers follow the text without a blank line; git does not see them")
        found = _of_block(run)
    if not found:
        found = without_colons(body, remarks)
    return tuple(found[:TRAILERS_MAX])


def without_colons(lines: Sequence[Line], remarks: Remarks) -> list[Trailer]:
    """Return trailers as some archives' pages show them, `Signed-off-by Name <address>`, each with a warning."""
    found = [
        Trailer(key=said[1], value=said[2].strip(), line=line.number)
        for line in lines
        if line.text[:1].isupper() and (said := _WITHOUT_COLON.match(line.text))
    ]
    for trailer in found:
        remarks.add(trailer.line, f"{trailer.key} without its colon is taken for a trailer")
    return found


def given_in_reply(body: Sequence[Line]) -> list[tuple[str, str, int]]:
    """Return the trailers of people (`Reviewed-by` and the like) in a reply, quoted lines apart: key, value, line."""
    found = []
    for line in body:
        said = _GIVEN.match(line.text)
        if said and ("@" in said[2] or "<" in said[2] or "[email" in said[2]):
            found.append((said[1], said[2].strip(), line.number))
    return found[:TRAILERS_MAX]


def _paragraphs(body: Sequence[Line]) -> list[list[Line]]:
    paragraphs: list[list[Line]] = [[]]
    for line in body:
        if line.text.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [paragraph for paragraph in paragraphs if paragraph]


def _is_block(paragraph: Sequence[Line]) -> bool:
    trailers = others = 0
    ours = False
    for line in paragraph:
        if line.text[:1].isspace():
            if not trailers:  # a continuation of nothing
                others += 1
        elif _OURS.match(line.text):
            ours = True
            trailers += 1
        elif _TRAILER.match(line.text.rstrip()):
            trailers += 1
        else:
            others += 1
    return bool(trailers) and (others == 0 or (ours and trailers * 3 >= others))


def _only_people(paragraph: Sequence[Line]) -> bool:
    return all(_OF_PEOPLE.match(line.text.rstrip()) or line.text[:1].isspace() for line in paragraph) and bool(
        _OF_PEOPLE.match(paragraph[0].text.rstrip())
    )


def _last_run(paragraph: Sequence[Line]) -> Sequence[Line]:
    start = len(paragraph)
    while start and _OF_PEOPLE.match(paragraph[start - 1].text.rstrip()):
        start -= 1
    return paragraph[start:]


def _of_block(paragraph: Sequence[Line]) -> list[Trailer]:
    found: list[tuple[str, list[str], int]] = []
    for line in paragraph:
        text = line.text.rstrip()
        if text[:1].isspace() and found:
            found[-1][1].append(text.strip())
        elif said := _TRAILER.match(text):
            found.append((said[1], [said[2]], line.number))
    return [Trailer(key=key, value=" ".join(parts), line=line) for key, parts, line in found]
