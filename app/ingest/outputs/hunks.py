"""Sets the patches of a mail aside: what they add or take away is no result, whatever it looks like."""

from __future__ import annotations

import re

from app.ingest.outputs.document import Document

_HEADER = re.compile(
    r"(?:diff --git |index [0-9a-f]{6,}\.\.|--- (?:a/|/dev/null)|\+\+\+ (?:b/|/dev/null)|(?:new|deleted) file mode)"
)
_HUNK = re.compile(r"@@ -\d+(?:,(\d{1,9}))? \+\d+(?:,(\d{1,9}))? @@")
_BULLET = re.compile(r"- [A-Z]\w")
_STAT = re.compile(
    r" \S.*\s\|\s+(?:\d+ [+-]*|Bin .*)$| \d+ files? changed\b"
    r"| (?:create|delete|rename) | mode change [0-7]{6} => [0-7]{6}\b"
)


def take_patches(document: Document) -> None:
    """Mark the lines of hunks, their headers and diffstats as read.

    A hunk ends where its own counts say, or at the first line that can be none of its.
    """
    if "@@ -" not in document.text and " file" not in document.text:
        return
    index = 0
    while index < len(document):
        text = document.lines[index].text
        if _HEADER.match(text) or _STAT.match(text):
            document.take(index, index + 1)
        elif found := _HUNK.match(text):
            end = _hunk_end(document, index, int(found[1] or 1), int(found[2] or 1))
            document.take(index, end)
            index = end
            continue
        index += 1


def _hunk_end(document: Document, start: int, old: int, new: int) -> int:
    index = start + 1
    while index < len(document) and (old > 0 or new > 0):
        text = document.lines[index].text
        if _BULLET.match(text) and not document.lines[index - 1].text:
            break  # the hunk was cut, and its author goes on with a list
        sign = text[:1]
        if sign == "+":
            new -= 1
        elif sign == "-":
            old -= 1
        elif sign in (" ", ""):
            old, new = old - 1, new - 1
        elif sign != "\\":
            break
        index += 1
    return index
