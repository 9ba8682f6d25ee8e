"""Turns the bytes of a pasted or uploaded text into text, whatever charset its author's tools wrote."""

from __future__ import annotations

import codecs


def _byte_as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("lodestone.byte-as-latin-1", _byte_as_latin_1)


def decode_text(content: bytes) -> str:
    """Return UTF-8 text; each byte that is not UTF-8 is taken for Latin-1, so that an old mail's `µs` stays one."""
    return content.decode("utf-8", errors="lodestone.byte-as-latin-1")
