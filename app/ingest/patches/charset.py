"""Which of the charsets that mails name can be used, and how the bytes of a line become text."""

from __future__ import annotations

import codecs

_NOT_FOR_MAIL = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7", "mbcs", "oem", "palmos"}
)
"""Python's codecs that are no charsets of text lines, or whose cost grows faster than their input."""

_TWO_BYTES = ("utf-16", "utf-32", "utf_16", "utf_32")


def codec_of(name: str) -> str | None:
    """Return the codec of a charset, None for one that does not exist or cannot be used line by line."""
    name = name.strip().strip("'\"").lower()
    if name in ("", "us-ascii", "ascii", "unknown-8bit", "x-unknown", "default", "8bit"):
        return "utf-8"
    try:
        found = codecs.lookup(name[:60])
        b"".decode(found.name)  # raises LookupError for codecs that are not for text
    except (LookupError, ValueError):
        return None
    if found.name in _NOT_FOR_MAIL or found.name.startswith(_TWO_BYTES):
        return None
    return found.name


def text_of(raw: bytes, codec: str) -> tuple[str, bool]:
    """Return bytes as text, and whether they were valid in that codec; Latin-1 is what is left when they are not."""
    try:
        return raw.decode(codec), True
    except UnicodeError:
        pass
    try:
        return raw.decode("utf-8"), False
    except UnicodeDecodeError:
        return raw.decode("latin-1"), False
