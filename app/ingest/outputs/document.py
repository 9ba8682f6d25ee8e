"""A text on its way to being read: its lines with their places, and which of them somebody has read already."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Line(NamedTuple):
    """One line as its author wrote it: without quotation marks and transfer encoding.

    `number` is that of the text as it was given, from 1; `depth` counts the quotation marks that were taken off.
    """

    number: int
    depth: int
    text: str


class Document:
    """The lines of one text, and a mark on each that has been read, so that no figure is read twice."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)
        self.taken = bytearray(len(self.lines))
        self._text: str | None = None

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def text(self) -> str:
        """All lines, joined; for searching, not for places."""
        if self._text is None:
            self._text = "\n".join(line.text for line in self.lines)
        return self._text

    def forget_text(self) -> None:
        """Give the memory of `text` back."""
        self._text = None

    def take(self, start: int, end: int) -> None:
        """Mark the lines from index `start` up to `end` as read."""
        if end - start == 1 and 0 <= start < len(self.lines):
            self.taken[start] = 1
            return
        start, end = max(0, start), min(len(self.lines), end)
        if end > start:
            self.taken[start:end] = b"\x01" * (end - start)

    def free(self, start: int = 0, end: int | None = None) -> Iterator[tuple[int, Line]]:
        """Yield the lines that nobody has read, each with its index."""
        stop = len(self.lines) if end is None else min(end, len(self.lines))
        for index in range(start, stop):
            if not self.taken[index]:
                yield index, self.lines[index]

    def index_at(self, number: int) -> int:
        """Return the index of the first line that stands at or after line `number` of the given text."""
        return bisect_left(self.lines, number, key=lambda line: line.number)

    def number_at(self, index: int) -> int:
        """Return the number of the line at an index; beyond the end, of the last."""
        return self.lines[min(max(index, 0), len(self.lines) - 1)].number if self.lines else 1
