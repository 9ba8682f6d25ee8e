"""blktrace's binary stream (include/uapi/linux/blktrace_api.h): the Q events, one an I/O."""

from __future__ import annotations

import struct

from app.domain.trace import READ, TRIM, WRITE, Recording, Trace, TraceProblem

MAGIC = 0x656174
VERSION = 0x07
HEAD_BYTES = 48
FIELDS = "IIQQIIIIIHH"
QUEUE = 1
CATEGORY_WRITE, CATEGORY_QUEUE, CATEGORY_NOTIFY, CATEGORY_DISCARD = 1 << 1, 1 << 4, 1 << 10, 1 << 13


def is_blktrace(content: bytes) -> bool:
    """Return whether a file begins as such a stream does, in either byte order."""
    return _order(content) is not None


def read_blktrace(content: bytes, most: int) -> Trace:
    """Return the I/Os of a stream. Raises TraceProblem naming the record that is cut off, damaged or out of order."""
    order = _order(content)
    if order is None:
        raise TraceProblem("record 1: no blktrace record begins here")
    head = struct.Struct(order + FIELDS)
    recording = Recording("blktrace", most)
    at = 0
    record = 0
    while at < len(content):
        record += 1
        if at + HEAD_BYTES > len(content):
            raise TraceProblem(f"record {record}: cut off after {len(content) - at} of {HEAD_BYTES} bytes")
        magic, _, time_ns, sector, size, action, _, _, _, _, more = head.unpack_from(content, at)
        if magic >> 8 != MAGIC:
            raise TraceProblem(f"record {record}: {magic:#010x} at byte {at} is not the beginning of a record")
        if magic & 0xFF != VERSION:
            raise TraceProblem(f"record {record}: version {magic & 0xFF} of the format; version {VERSION} is read")
        at += HEAD_BYTES + more
        if at > len(content):
            raise TraceProblem(f"record {record}: cut off within its {more} bytes of data")
        category = action >> 16
        if category & CATEGORY_NOTIFY or action & 0xFF != QUEUE or not category & CATEGORY_QUEUE:
            continue
        if size == 0:
            recording.leave_out("flush")
            continue
        way = TRIM if category & CATEGORY_DISCARD else WRITE if category & CATEGORY_WRITE else READ
        recording.add(record, time_ns, way, sector << 9, size)
    return recording.trace()


def _order(content: bytes) -> str | None:
    for order in "<>":
        if len(content) >= 4 and struct.unpack_from(f"{order}I", content)[0] >> 8 == MAGIC:
            return order
    return None
