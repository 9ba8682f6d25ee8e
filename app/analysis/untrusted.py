"""Making titles, variant names and other people's text safe to print on one line."""

from __future__ import annotations

import unicodedata

_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def one_line(text: str, columns: int | None = None) -> str:
    """Return text without controls, direction marks and unassigned characters, blanks collapsed.

    With `columns`, cut to so many terminal columns, an ellipsis (three dots) last when something is lost.
    """
    printable = "".join(" " if unicodedata.category(sign) in _UNPRINTABLE else sign for sign in text)
    line = " ".join(printable.split())
    if columns is None or width(line) <= columns:
        return line
    kept = ""
    for sign in line:
        if width(kept + sign) > columns - 3:
            break
        kept += sign
    return f"{kept.rstrip()}..."


def width(text: str) -> int:
    """Return the terminal columns that text takes: two for wide East Asian signs, none for combining marks."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )
