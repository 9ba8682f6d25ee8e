"""A recorded trace of block I/O, whatever format it came in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

TraceFormat = Literal["blktrace", "iolog", "csv"]

READ, WRITE, TRIM = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Trace:
    """I/Os in the order of their times, which are nanoseconds since the first one was recorded.

    Offsets and sizes are in bytes, directions 0 read, 1 write, 2 trim. `record` is the number of each I/O's record in
    its file, from 1, for messages. `left_out` counts what stands in the file and is not replayed, by its name.
    """

    format: TraceFormat
    time_ns: tuple[int, ...]
    direction: tuple[int, ...]
    offset_bytes: tuple[int, ...]
    size_bytes: tuple[int, ...]
    record: tuple[int, ...]
    left_out: tuple[tuple[str, int], ...] = ()

    def __len__(self) -> int:
        """Return the number of I/Os."""
        return len(self.time_ns)


class TraceProblem(ValueError):
    """A trace that cannot be replayed; the message names the record."""


class Recording:
    """Collects the I/Os of a trace while it is read, and refuses what is out of order."""

    def __init__(self, found: TraceFormat, most: int) -> None:
        self._format: TraceFormat = found
        self._most = most
        self._rows: list[tuple[int, int, int, int, int]] = []
        self._left_out: Counter[str] = Counter()

    def leave_out(self, name: str) -> None:
        """Count something that is not replayed."""
        self._left_out[name] += 1

    def add(self, record: int, time_ns: int, direction: int, offset: int, size: int) -> None:
        """Add an I/O. Raises TraceProblem when it lies before the one before it, or is one too many."""
        if self._rows and time_ns < self._rows[-1][0]:
            before, number = self._rows[-1][0], self._rows[-1][4]
            raise TraceProblem(
                f"record {record}: at {time_ns} ns, before record {number} at {before} ns; sort the trace"
            )
        if len(self._rows) >= self._most:
            raise TraceProblem(f"record {record}: a trace of more than {self._most} I/Os; cut it")
        self._rows.append((time_ns, direction, offset, size, record))

    def trace(self) -> Trace:
        """Return what was collected. Raises TraceProblem when that is nothing."""
        if not self._rows:
            raise TraceProblem(f"the {self._format} holds no read, write or trim")
        first = self._rows[0][0]
        return Trace(
            self._format,
            tuple(row[0] - first for row in self._rows),
            tuple(row[1] for row in self._rows),
            tuple(row[2] for row in self._rows),
            tuple(row[3] for row in self._rows),
            tuple(row[4] for row in self._rows),
            tuple(sorted(self._left_out.items())),
        )
