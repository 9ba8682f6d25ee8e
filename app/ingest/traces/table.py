"""A trace as a table of comma-separated values, with a head that names its columns.

A time (`time_ns`, `time_us`, `time_ms` or `time_s`), `op` (read, write, trim, or their first letters, or D for a
discard), a place (`offset_bytes` or `sector`) and a length (`size_bytes` or `sectors`); others are ignored.
"""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal, InvalidOperation

from app.domain.trace import READ, TRIM, WRITE, Recording, Trace, TraceProblem

TIMES = {"time_ns": 1, "time_us": 10**3, "time_ms": 10**6, "time_s": 10**9}
PLACES = {"offset_bytes": 1, "sector": 512}
SIZES = {"size_bytes": 1, "sectors": 512}
WAYS = {"read": READ, "r": READ, "write": WRITE, "w": WRITE, "trim": TRIM, "t": TRIM, "discard": TRIM, "d": TRIM}
COLUMNS_MAX = 100
NUMBER = re.compile(r"\d{1,18}(\.\d{1,18})?")


def is_table(content: bytes) -> bool:
    """Return whether a file begins with the head of such a table."""
    head = content[:1000].split(b"\n", 1)[0].decode(errors="replace").strip().lower().split(",")
    names = {name.strip() for name in head}
    return "op" in names and bool(names & TIMES.keys())


def read_table(content: bytes, most: int) -> Trace:
    """Return the I/Os of a table. Raises TraceProblem naming the line that is cut off, no number or out of order."""
    text = content.decode(errors="replace")
    rows = csv.reader(io.StringIO(text))
    try:
        head = [name.strip().lower() for name in next(rows, [])][:COLUMNS_MAX]
        time, time_ns = _column(head, TIMES)
        place, place_bytes = _column(head, PLACES)
        size, size_bytes = _column(head, SIZES)
        way, _ = _column(head, {"op": 1})
        recording = Recording("csv", most)
        for row in rows:
            record = rows.line_num
            if not row:
                continue
            if len(row) < len(head):
                raise TraceProblem(f"record {record}: cut off: {len(row)} of {len(head)} columns")
            word = row[way].strip().lower()
            if word not in WAYS:
                raise TraceProblem(f"record {record}: {row[way]!r} is no operation; there are read, write and trim")
            at_ns, offset, length = (
                _number(record, row[column], unit)
                for column, unit in ((time, time_ns), (place, place_bytes), (size, size_bytes))
            )
            recording.add(record, at_ns, WAYS[word], offset, length)
    except csv.Error as error:
        raise TraceProblem(f"record {rows.line_num}: {error}") from None
    return recording.trace()


def _column(head: list[str], names: dict[str, int]) -> tuple[int, int]:
    for name, unit in names.items():
        if name in head:
            return head.index(name), unit
    raise TraceProblem(f"record 1: no column {' or '.join(names)} among {', '.join(head)}")


def _number(record: int, text: str, unit: int) -> int:
    if not NUMBER.fullmatch(text.strip()):
        raise TraceProblem(f"record {record}: {text!r} is no number")
    try:
        return int(Decimal(text.strip()) * unit)
    except InvalidOperation:
        raise TraceProblem(f"record {record}: {text!r} is no number") from None
