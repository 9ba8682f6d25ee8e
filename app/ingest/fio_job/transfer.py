"""The lines of a document with their places, mail bodies decoded.

A mail may carry its text quoted-printable or in base64; a line of the decoded text keeps the number of the line of the
mail in which it begins.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_ENCODING = re.compile(r"Content-Transfer-Encoding:\s*(quoted-printable|base64)\s*$", re.I)
_ANY_ENCODING = re.compile(r"^Content-Transfer-Encoding:\s*(?:quoted-printable|base64)\s*$", re.I | re.M)
_HEADER_LINE = re.compile(r"(?:[A-Za-z][A-Za-z0-9-]*:|From |[ \t]+\S)")
_BASE64_LINE = re.compile(r"[A-Za-z0-9+/]{4,}={0,2}\s*$")
_LITERAL_EQUALS = re.compile(r"=(?![0-9A-Fa-f]{2}|$)")
_BOUNDARY = re.compile(r"--\S")


class Piece(NamedTuple):
    """One line: where it stands in the document (both from 1), and its text."""

    line: int
    column: int
    text: str


def decoded(text: str) -> list[Piece]:
    """Return the document's lines; those of encoded mail bodies as they read after decoding."""
    lines = text.split("\n")
    if not _ANY_ENCODING.search(text):
        return [Piece(number, 1, line.rstrip("\r")) for number, line in enumerate(lines, 1)]
    pieces: list[Piece] = []
    at = 0
    while at < len(lines):
        found = _ENCODING.match(lines[at])
        pieces.append(Piece(at + 1, 1, lines[at].rstrip("\r")))
        at += 1
        if not found:
            continue
        while at < len(lines) and lines[at].strip() and _HEADER_LINE.match(lines[at]):
            pieces.append(Piece(at + 1, 1, lines[at].rstrip("\r")))
            at += 1
        body_end = _body_end(lines, at, found[1].lower())
        decode = _base64 if found[1].lower() == "base64" else _quoted_printable
        pieces += decode(lines[at:body_end], at + 1)
        at = body_end
    return pieces


def _body_end(lines: list[str], at: int, encoding: str) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    while at < len(lines):
        if _BOUNDARY.match(lines[at]) or (encoding == "base64" and not _BASE64_LINE.match(lines[at])):
            break
        at += 1
    return at


def _quoted_printable(lines: list[str], first: int) -> list[Piece]:
    if any(_LITERAL_EQUALS.search(line.rstrip()) for line in lines):
        return [Piece(first + offset, 1, line.rstrip("\r")) for offset, line in enumerate(lines)]  # decoded already
    import quopri

    pieces: list[Piece] = []
    parts: list[str] = []
    start = first
    for number, line in enumerate(lines, first):
        start = start if parts else number
        broken = line.rstrip().endswith("=")
        parts.append(line.rstrip()[:-1] if broken else line.rstrip())
        if not broken or number == first + len(lines) - 1:
            raw = "".join(parts).encode("utf-8", "surrogatepass")
            pieces.append(Piece(start, 1, _text(quopri.decodestring(raw))))
            parts = []
    return pieces


def _base64(lines: list[str], first: int) -> list[Piece]:
    import base64

    pieces: list[Piece] = []
    text = b""
    start = first
    for number, line in enumerate(lines, first):
        try:
            chunk = base64.b64decode(line.strip(), validate=True)
        except ValueError:
            return [Piece(first + offset, 1, raw) for offset, raw in enumerate(lines)]
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            pieces.append(Piece(start, 1, _text(text + end).rstrip("\r")))
            text, start = b"", number
        start = start if text else number
        text += rest
    return [*pieces, Piece(start, 1, _text(text))]


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
