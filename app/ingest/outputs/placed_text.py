"""The free lines of a document as one string whose offsets know their lines, for formats that lose line breaks."""

from __future__ import annotations

from bisect import bisect_right

from app.ingest.outputs.document import Document

PREFIX_MAX_CHARS = 300
"""A label is shorter; a mail flattened onto one line is not."""


class PlacedText:
    """What nobody has read yet, joined by line feeds."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._offsets: list[int] = []
        self._indexes: list[int] = []
        parts: list[str] = []
        offset = 0
        for index, line in document.free():
            self._offsets.append(offset)
            self._indexes.append(index)
            parts.append(line.text)
            offset += len(line.text) + 1
        self.text = "\n".join(parts)

    def index_at(self, offset: int) -> int:
        """Return the index of the document's line at an offset."""
        return self._indexes[max(0, bisect_right(self._offsets, offset) - 1)]

    def line_at(self, offset: int) -> int:
        """Return the number, in the text as it was given, of the line at an offset."""
        return self._document.number_at(self.index_at(offset))

    def before_on_line(self, offset: int) -> str:
        """Return what stands on the same line before an offset, its last PREFIX_MAX_CHARS."""
        start = max(0, offset - PREFIX_MAX_CHARS)
        return self.text[max(start, self.text.rfind("\n", start, offset) + 1) : offset]
