"""Undoes the compression that lore and patchwork give their mboxes, within a limit."""

from __future__ import annotations

import zlib

MEMBERS_MAX = 100
"""Of one file; each costs a copy of what follows it."""

_GZIP = b"\x1f\x8b"


class Unpackable(ValueError):
    """The compression cannot be undone."""


class Oversized(Unpackable):
    """It holds more than is allowed."""


def unpacked(content: bytes, limit_bytes: int) -> bytes:
    """Return a text without its gzip compression, as it is where it has none. Raises Unpackable."""
    if not content.startswith(_GZIP):
        return content
    pieces: list[bytes] = []
    size = 0
    while content.startswith(_GZIP):  # a file may hold several members, one after the other
        unpacking = zlib.decompressobj(wbits=31)
        try:
            piece = unpacking.decompress(content, limit_bytes + 1 - size)
        except zlib.error as error:
            raise Unpackable(f"its compression is damaged ({error})") from None
        pieces.append(piece)
        if len(pieces) > MEMBERS_MAX:
            raise Oversized(f"it is compressed in more than {MEMBERS_MAX} pieces")
        size += len(piece)
        if size > limit_bytes:
            raise Oversized(f"unpacked, it is larger than {limit_bytes} bytes")
        if not unpacking.eof:
            raise Unpackable("its compression is cut off")
        content = unpacking.unused_data
    return b"".join(pieces)
