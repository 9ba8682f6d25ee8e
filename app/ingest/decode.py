"""Turns the bytes of a pasted or uploaded text into text, whatever charset its author's tools wrote."""

from __future__ import annotations

import codecs
import zlib


def _byte_as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("lodestone.byte-as-latin-1", _byte_as_latin_1)


GZIP = b"\x1f\x8b"
UNPACKED_MAX_BYTES = 16_000_000
"""Of a compressed text so much is unpacked; what goes on is refused."""


class TooLarge(ValueError):
    """A compressed text that unpacks to more than `UNPACKED_MAX_BYTES`, or one that is damaged."""


def decode_text(content: bytes) -> str:
    """Return UTF-8 text; each byte that is not UTF-8 is taken for Latin-1, so that an old mail's `µs` stays one.

    A byte-order mark names UTF-16; gzip, as archives serve mails, is unpacked. Raises TooLarge.
    """
    if content.startswith(GZIP):
        content = _unpacked(content)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    content = content.removeprefix(codecs.BOM_UTF8)
    return content.decode("utf-8", errors="lodestone.byte-as-latin-1")


def _unpacked(content: bytes) -> bytes:
    unpacking = zlib.decompressobj(wbits=31)
    try:
        text = unpacking.decompress(content, UNPACKED_MAX_BYTES)
    except zlib.error as error:
        raise TooLarge(f"the gzip is damaged: {error}") from None
    if unpacking.unconsumed_tail:
        raise TooLarge(f"it unpacks to more than {UNPACKED_MAX_BYTES} bytes")
    if not unpacking.eof:
        raise TooLarge("the gzip is cut off or damaged")
    return text
