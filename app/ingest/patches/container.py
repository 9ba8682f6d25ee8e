"""Splits a file into mails, and a mail into the parts that can be read: mbox, .eml, multipart, or no mail at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.ingest.outputs.document import Line
from app.ingest.patches.decode import decode_body, recoded, without_carriage_returns, without_stray_encoding
from app.ingest.patches.headers import Headers
from app.ingest.patches.remarks import Remarks

MAILS_MAX = 3000
"""Of one mbox; the longest series and their threads have some hundreds."""

PARTS_MAX, DEPTH_MAX = 200, 6
HEADER_LINES_MAX = 1000

_FROM = re.compile(r">?From \S{1,300}.{0,80}?\s\w{3} \w{3} +\d{1,2} \d\d:\d\d:\d\d (?:\w+ )?\d{4}")
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}:(?:\s|$)")
_TELLING = re.compile(r"(?:From|Subject|Date|Message-ID|Content-Type|Received|Return-Path|To):", re.IGNORECASE)
_ESCAPED_FROM = re.compile(r">+From ")


@dataclass
class Mail:
    """One mail: its headers (None for a text without any) and its decoded lines."""

    line: int
    headers: Headers | None
    lines: list[Line] = field(default_factory=list)


def split_mails(text: str, remarks: Remarks, *, is_text: bool) -> list[Mail]:
    """Return the mails of a file; one without headers for what is no mail."""
    lines = without_carriage_returns([Line(number, 0, line) for number, line in enumerate(text.split("\n"), 1)])
    first = next((index for index, line in enumerate(lines) if line.text.strip()), None)
    if first is None:
        return []
    lines[first] = lines[first]._replace(text=lines[first].text.removeprefix("\ufeff"))
    starts = _starts(lines, first)
    if not starts:
        return [Mail(lines[first].number, None, without_stray_encoding(recoded(lines[first:], remarks), remarks))]
    mails: list[Mail] = []
    if starts[0] > first:
        mails.append(Mail(lines[first].number, None, recoded(lines[first : starts[0]], remarks)))
    if len(starts) > MAILS_MAX:
        remarks.add(lines[starts[MAILS_MAX]].number, f"only the first {MAILS_MAX} mails are read")
    for start, end in list(zip(starts, [*starts[1:], len(lines)], strict=True))[:MAILS_MAX]:
        mails += _mail(lines[start:end], remarks, 0, is_text=is_text)
    return mails


def _starts(lines: Sequence[Line], first: int) -> list[int]:
    starts = []
    for index in range(first, len(lines)):
        text = lines[index].text
        at_edge = index == first or not lines[index - 1].text.strip()
        if (
            text.startswith("From ")
            and at_edge
            and _FROM.match(text)
            and (index == first or (index + 1 < len(lines) and _HEADER.match(lines[index + 1].text)))
        ):
            starts.append(index)
    if not starts and is_header_block(lines, first):
        starts = [first]
    elif starts and starts[0] != first and is_header_block(lines, first):
        starts.insert(0, first)
    return starts


def is_header_block(lines: Sequence[Line], start: int) -> bool:
    """Whether the lines up to the first blank one are the headers of a mail."""
    telling = 0
    for offset, line in enumerate(lines[start : start + HEADER_LINES_MAX]):
        text = line.text
        if not text.strip():
            break
        if not (_HEADER.match(text) or (offset and text[0] in " \t") or (not offset and _FROM.match(text))):
            return False
        telling += bool(_TELLING.match(text))
    return telling >= 2


def _mail(lines: Sequence[Line], remarks: Remarks, depth: int, *, is_text: bool) -> Iterator[Mail]:
    """Yield a mail, and after it those that are attached to it whole."""
    at = 1 if _FROM.match(lines[0].text) else 0
    end = at
    while end < len(lines) and lines[end].text.strip() and end - at < HEADER_LINES_MAX:
        end += 1
    headers = Headers(lines[at:end], remarks)
    attached: list[Mail] = []
    body = [_plain_from(line) for line in lines[end + 1 :]] if at else list(lines[end + 1 :])
    mail = Mail(lines[0].number, headers)
    mail.lines = _part(body, headers, remarks, depth, attached, is_text=is_text)
    yield mail
    yield from attached


def _plain_from(line: Line) -> Line:
    """An mbox writes `>From ` where a line of the body begins with `From `."""
    return line._replace(text=line.text[1:]) if _ESCAPED_FROM.match(line.text) else line


def _part(
    lines: Sequence[Line], headers: Headers, remarks: Remarks, depth: int, attached: list[Mail], *, is_text: bool
) -> list[Line]:
    kind = headers.content_type
    boundary = headers.parameter("boundary")
    if kind.startswith("multipart/") and boundary and depth < DEPTH_MAX:
        return _multipart(lines, kind, boundary, remarks, depth, attached, is_text=is_text)
    if kind == "message/rfc822" and depth < DEPTH_MAX and lines:
        attached += _mail(lines, remarks, depth + 1, is_text=is_text)
        return []
    name = headers.parameter("name") or headers.parameter("filename", "content-disposition")
    is_patch = re.search(r"\.(?:patch|diff|txt|mbox|eml)$", name, re.IGNORECASE) is not None
    if not (kind.startswith("text/") or kind in ("application/mbox", "application/x-patch") or is_patch):
        return []
    if kind == "text/html":
        if any(line.text.strip() for line in lines):
            where = headers.line_of("content-type")
            remarks.add(where, "this part is HTML, which keeps no patch whole; no patch is read from it")
        return []
    decoded = decode_body(lines, headers, remarks, is_text=is_text)
    first = next((index for index, line in enumerate(decoded) if line.text.strip()), None)
    named = headers.parameter("filename", "content-disposition")
    if first is not None and named and (_FROM.match(decoded[first].text) or is_header_block(decoded, first)):
        attached += _mail(decoded[first:], remarks, depth + 1, is_text=True)
        return []
    return decoded


def _multipart(
    lines: Sequence[Line],
    kind: str,
    boundary: str,
    remarks: Remarks,
    depth: int,
    attached: list[Mail],
    *,
    is_text: bool,
) -> list[Line]:
    open_, close = f"--{boundary}", f"--{boundary}--"
    marks = [index for index, line in enumerate(lines) if line.text.rstrip() in (open_, close)]
    if not marks:
        remarks.add(lines[0].number if lines else 1, "the parts of this mail cannot be found; it is read as it stands")
        return recoded(lines, remarks)
    parts: list[tuple[str, list[Line]]] = []
    for mark, until in list(zip(marks, [*marks[1:], len(lines)], strict=True))[:PARTS_MAX]:
        if lines[mark].text.rstrip() == close:
            continue
        blank = mark + 1
        while blank < until and lines[blank].text.strip():
            blank += 1
        headers = Headers(lines[mark + 1 : blank], remarks)
        decoded = _part(lines[blank + 1 : until], headers, remarks, depth + 1, attached, is_text=is_text)
        parts.append((headers.content_type, decoded))
    if kind == "multipart/alternative" and any(part == "text/plain" for part, _ in parts):
        parts = [(part, decoded) for part, decoded in parts if part == "text/plain"]
    return [line for _, decoded in parts for line in decoded]
