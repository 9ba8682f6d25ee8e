"""Takes off everything that mailers, archives, terminals and loggers put around somebody's lines, in one place."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from app.ingest.outputs.document import Document, Line
from app.ingest.outputs.mail_body import bodies, without_stray_encoding

LINE_MAX_CHARS = 100_000
"""A longer line is cut: whole mails flattened onto one line stay below."""

_QUOTATION = re.compile(r" ?(?:>(?!=\d)[ \t]?)+")
_TERMINAL = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[()][A-Z0-9])")
_ODD_BLANKS = str.maketrans({"\xa0": " ", "\u2009": " ", "\u202f": " ", "\ufeff": None, "\u200b": None, "\0": None})
_TIMESTAMP = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]|\[ *\d{1,9}\.\d{6}\] "
)
_ENTITY = re.compile(r"&(?:gt|lt|amp|nbsp|quot|#\d{1,6});")
_HTML = re.compile(r"<(?:html|body|pre|table|td|div)\b", re.IGNORECASE)
_CELL_END = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]{0,200}>|</?(?:p|pre|div|tr|li|h[1-6]|table)\b[^<>]{0,500}>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|i|u|em|tt|code|span|font|strong|html|head|body|title|meta|link|td|th|tr|tbody|thead|ul|ol|li|img|hr"
    r"|blockquote|section|article|main|nav|small|sup|sub)\b[^<>]{0,500}>",
    re.IGNORECASE,
)


def unwrap(pieces: Iterable[tuple[int, str]]) -> Document:
    """Return the document of a text given in pieces, each with the number of its first line.

    Takes off mail headers, quoted-printable, base64, format=flowed, HTML, `> ` quotation, terminal colours, and the
    time stamps that loggers put before every line. Tabs become blanks.
    """
    lines: list[Line] = []
    for first, text in pieces:
        lines += _piece(text, first)
    return Document(lines)


def _piece(text: str, first: int) -> list[Line]:
    lines = bodies(text.split("\n"), first)
    if "=" in text and not _TIMESTAMP.match(text):
        lines = without_stray_encoding(lines)
    if "\x1b" in text:
        lines = [line._replace(text=_TERMINAL.sub("", line.text)) for line in lines]
    if "\r" in text:
        lines = [line._replace(text=part) for line in lines for part in _shown(line.text)]
    lines = [_bare(line) for line in lines]
    if _HTML.search(text):
        lines = [line._replace(text=part) for line in lines for part in _without_tags(line.text)]
    if "&" in text and _ENTITY.search(text):
        lines = [_bare(line._replace(text=html.unescape(line.text))) for line in lines]
    stamped = sum(1 for line in lines if _TIMESTAMP.match(line.text))
    if stamped > 2 and stamped * 2 > sum(1 for line in lines if line.text.strip()):
        lines = [line._replace(text=_TIMESTAMP.sub("", line.text, count=1)) for line in lines]
    return lines


def _bare(line: Line) -> Line:
    text = line.text
    if not text.isascii():
        text = text.translate(_ODD_BLANKS)
    depth = line.depth
    if ">" in text[:2] and (found := _QUOTATION.match(text)):
        depth += found[0].count(">")
        text = text[found.end() :]
    if "\t" in text:
        text = text[:LINE_MAX_CHARS].expandtabs()
    if len(text) > LINE_MAX_CHARS:
        text = text[:LINE_MAX_CHARS]
    return Line(line.number, depth, text.rstrip())


def _shown(text: str) -> Iterator[str]:
    """Progress bars write over themselves; each state becomes a line."""
    parts = [part for part in text.split("\r") if part.strip()]
    yield from parts or [""]


def _without_tags(text: str) -> Iterator[str]:
    if "<" not in text:
        yield text
        return
    text = _CELL_END.sub(" | ", text)
    for part in _BREAK.split(text):
        bare = _TAG.sub("", part).rstrip()
        if bare.strip() or len(part) == len(text):
            yield bare
