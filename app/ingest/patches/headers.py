"""Reads the headers of a mail: encoded words, people, dates, message ids. The splitting is Python's email package's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import HeaderParser
from email.utils import parsedate_to_datetime

from app.ingest.outputs.document import Line
from app.ingest.patches.charset import codec_of
from app.ingest.patches.remarks import Remarks

HEADER_MAX_CHARS = 20_000
"""Of one header; a mail to two hundred people has a `Cc` of ten thousand."""

DECORATION = re.compile(r"\s(?:\[thread overview\]|\(raw\)|\[raw\])$")
"""What lore's page shows behind a header."""

BROKEN = (ValueError, LookupError, TypeError, AttributeError, HeaderParseError, OverflowError)
"""What the email package raises on damaged headers."""

_ID = re.compile(r"<([^<>\s]{1,500}@[^<>\s]{0,300})>")
_ADDRESS = re.compile(r"<?([^\s<>\"(),;:]{1,200}@[^\s<>\"(),;:]{1,200})>?")
HIDDEN = re.compile(r"<?\[email\s?protected\]>?")
"""What a web archive shows in place of an address."""


class Headers:
    """The headers of one mail or part, each asked for by name."""

    def __init__(self, lines: Sequence[Line], remarks: Remarks) -> None:
        self._lines = lines
        self._remarks = remarks
        text = "\n".join(_readable(line.text[:HEADER_MAX_CHARS]) for line in lines)
        self._message: Message = HeaderParser().parsestr(text)

    def line_of(self, name: str) -> int:
        """Return the line a header stands on, the first line where it is missing."""
        start = name.lower() + ":"
        found = (line.number for line in self._lines if line.text[: len(start)].lower() == start)
        return next(found, self._lines[0].number if self._lines else 1)

    def get(self, name: str) -> str | None:
        """Return a header's text, unfolded and decoded; None where it is missing."""
        raw = self._message.get(name)
        if raw is None:
            return None
        text = DECORATION.sub("", " ".join(str(raw)[:HEADER_MAX_CHARS].split()))
        return decoded(text, self.line_of(name), self._remarks)

    def ids(self, name: str) -> tuple[str, ...]:
        """Return the message ids in a header, without their angle brackets."""
        return tuple(_ID.findall(str(self._message.get(name) or "")[:HEADER_MAX_CHARS]))

    @property
    def content_type(self) -> str:
        """The media type, `text/plain` where it is missing or damaged."""
        try:
            return self._message.get_content_type()
        except BROKEN:
            return "text/plain"

    def parameter(self, name: str, header: str = "content-type") -> str:
        """Return a parameter of the content type, empty where there is none."""
        try:
            value = self._message.get_param(name, "", header)
            if isinstance(value, tuple):
                value = value[2]
            return str(value).strip().strip('"')
        except BROKEN:
            return ""

    @property
    def transfer_encoding(self) -> str:
        """How the body is encoded, in small letters."""
        return str(self._message.get("Content-Transfer-Encoding") or "").strip().lower()


def _readable(text: str) -> str:
    if text.isascii():
        return text
    raw = text.encode("utf-8", "surrogateescape")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def decoded(text: str, line: int, remarks: Remarks) -> str:
    """Return a header without encoded words; a charset nobody knows is read as UTF-8, with a warning."""
    if "=?" not in text:
        return text
    try:
        parts = decode_header(text)
    except BROKEN:
        remarks.add(line, "an encoded word of this header is damaged; it is shown as it stands")
        return text
    whole = []
    for content, charset in parts:
        if isinstance(content, str):
            whole.append(content)
            continue
        codec = codec_of(charset or "utf-8")
        if codec is None:
            remarks.add(line, f"the charset {str(charset)[:40]!r} of this header is unknown; read as UTF-8")
        whole.append(content.decode(codec or "utf-8", "replace"))
    return " ".join("".join(whole).split())


def person(text: str | None) -> str | None:
    """Return who is meant as `Name <address>`, the name or the address alone where only that is given.

    As git does: the first address counts, the rest is the name, without quotation marks and angle brackets.
    """
    if text is None:
        return None
    text = text[:HEADER_MAX_CHARS].strip()
    hidden = HIDDEN.search(text)
    if hidden:
        name = text.replace(hidden[0], "").strip().strip('"').strip()
        return f"{name} <[email protected]>" if name else "[email protected]"
    found = _ADDRESS.search(text)
    if found is None:
        return text.strip('"').strip() or None
    before, after = text[: found.start()].strip(), text[found.end() :].strip()
    name = before
    if not name and after.startswith("("):
        name = after.strip("() ")
    if len(name) >= 2 and name[0] == name[-1] == '"':
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    name = " ".join(name.split())
    return f"{name} <{found[1]}>" if name else found[1]


def moment(text: str | None) -> str | None:
    """Return a date header in ISO 8601, None where it cannot be read."""
    if not text:
        return None
    try:
        when = parsedate_to_datetime(text[:100])
        return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).isoformat()
    except (*BROKEN, IndexError):
        return None
