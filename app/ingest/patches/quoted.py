"""Takes a patch out of a reply that quotes it: the lines at one depth, without what was written between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from app.ingest.outputs.document import Line
from app.ingest.patches.headers import person
from app.ingest.patches.letter import Letter, with_in_body_headers
from app.ingest.patches.remarks import Remarks

QUOTATION_MAX_CHARS = 40
"""Twenty replies deep."""

_QUOTED_DIFF = re.compile(
    r"(?P<marks> ?(?:> ?){1,20})(?:diff --git |--- (?:a/|/dev/null)|@@ -\d)|(?P<indent>[ \t]{1,12})diff --git "
)
_ATTRIBUTION = re.compile(
    r"(?:On .{1,200}?[,;] ?)?(?P<who>[^,;:<>\n]{1,100}(?:<[^<>\s]{1,200}>)?) (?:wrote|writes):\s*$"
)


def quoted_letter(letter: Letter, remarks: Remarks) -> Letter | None:
    """Return the letter that a reply quotes, if there is a diff in the quotation."""
    found = next(((index, m) for index, line in enumerate(letter.lines) if (m := _QUOTED_DIFF.match(line.text))), None)
    if found is None:
        return None
    at, match = found
    marks = match["marks"] or match["indent"]
    lines = _at_depth(letter.lines, marks)
    inner = replace(letter, lines=lines, author=_author(letter.lines[:at]), date=None, follow_ups=())
    inner.message_id, inner.in_reply_to, inner.references = letter.in_reply_to, None, ()
    kind = "a quotation" if match["marks"] else "indented text"
    remarks.add(letter.lines[at].number, f"this patch is read from {kind}; parts may have been left out")
    return with_in_body_headers(inner, remarks)


def _at_depth(lines: Sequence[Line], marks: str) -> list[Line]:
    bare = marks.rstrip()
    taken = []
    for line in lines:
        if line.text.startswith(marks):
            taken.append(line._replace(text=line.text[len(marks) :]))
        elif line.text.rstrip() == bare:
            taken.append(line._replace(text=""))
        elif (
            bare
            and marks != bare
            and line.text.startswith(bare)
            and line.text[len(bare) : len(bare) + 1] in ("+", "-", "\t")
        ):
            taken.append(line._replace(text=line.text[len(bare) :]))
    return taken


def _author(above: Sequence[Line]) -> str | None:
    """Who wrote what is quoted, from the line over it."""
    for index in range(len(above) - 1, -1, -1):
        text = above[index].text.rstrip()
        if not text.endswith(("wrote:", "writes:")):
            continue
        joined = text if index == 0 else f"{above[index - 1].text.rstrip()} {text}"
        for form in (text, joined):
            if (found := _ATTRIBUTION.search(form[-400:])) and not found["who"].startswith(">"):
                return person(re.sub(r"^.*\d\d?:\d\d(?: ?[AP]M)?(?: ?[+-]\d{4})?,? ", "", found["who"]))
        return None
    return None
