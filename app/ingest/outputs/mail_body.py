"""Takes the transfer encodings off mails, line by line, so that every line of a body keeps its place in the file.

Headers are read by Python's email package. Bodies are not, because it forgets which line of the file a decoded line
came from.
"""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import HeaderParser

from app.ingest.outputs.document import Line

PARTS_DEPTH_MAX = 8
"""Mails nest a signed part in a list's footer part in a digest, hardly more."""

PARTS_MAX = 500
"""Parts of one multipart body; a digest of a busy list has a hundred."""

HEADER_LINES_MAX = 1000

_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}:(?:\s|$)")
_TELLING = re.compile(r"(?:From|Subject|Date|Message-ID|Content-Type|Received|Return-Path|To):", re.IGNORECASE)
_MBOX = re.compile(r"From \S+\s+\w{3} \w{3} +\d")
_LITERAL_EQUALS = re.compile(r"=(?![0-9A-Fa-f]{2}|\s*$)", re.MULTILINE)
_ENCODED = re.compile(r"=(?:3D|20|[CE][0-9A-F]=[89AB][0-9A-F])|[^=\s]=$", re.MULTILINE)


def bodies(lines: list[str], first: int) -> list[Line]:
    """Return the lines of a text without mail headers and transfer encodings; a text that is no mail as it is.

    `first` is the number of its first line. Attachments and parts that are text are kept, an HTML part only where no
    plain one says the same.
    """
    starts = _mail_starts(lines)
    if not starts:
        return list(_plain(lines, first))
    found: list[Line] = list(_plain(lines[: starts[0]], first))
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        found += _message(lines, start, end, first, 0)
    return found


def _mail_starts(lines: list[str]) -> list[int]:
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return []
    starts = [first] if _is_header_block(lines, first) else []
    if starts or _MBOX.match(lines[first]):
        starts += [
            index
            for index, line in enumerate(lines)
            if index > first and line.startswith("From ") and _MBOX.match(line) and not lines[index - 1].strip()
        ]
    return starts


def _is_header_block(lines: list[str], start: int) -> bool:
    telling = 0
    for offset, line in enumerate(lines[start : start + HEADER_LINES_MAX]):
        if not line.strip():
            break
        if not (_HEADER.match(line) or (offset and line[0] in " \t") or (not offset and _MBOX.match(line))):
            return False
        telling += bool(_TELLING.match(line))
    return telling >= 2


def _message(lines: list[str], start: int, end: int, first: int, depth: int) -> list[Line]:
    """Return the body lines of the message or part whose headers begin at `start`."""
    body = start
    if body < end and _MBOX.match(lines[body]):
        body += 1
    head = body
    while body < end and lines[body].strip():
        body += 1
    headers = HeaderParser().parsestr("\n".join(line.rstrip("\r") for line in lines[head:body]))
    return _decoded(lines, headers, min(body + 1, end), end, first, depth)


def _decoded(lines: list[str], headers: Message, start: int, end: int, first: int, depth: int) -> list[Line]:
    kind = headers.get_content_type()
    boundary = headers.get_boundary()
    if kind.startswith("multipart/") and boundary and depth < PARTS_DEPTH_MAX:
        return _parts(lines, kind, boundary, start, end, first, depth)
    encoding = str(headers.get("Content-Transfer-Encoding", "")).strip().lower()
    charset = headers.get_content_charset() or "utf-8"
    body = lines[start:end]
    if encoding == "base64":
        decoded = list(_base64(body, first + start, charset))
    elif encoding == "quoted-printable" and not _LITERAL_EQUALS.search("\n".join(body)):
        decoded = list(_quoted_printable(body, first + start, charset))
    else:
        decoded = list(_plain(body, first + start))
    if not kind.startswith("text/") and any("\0" in line.text or "\ufffd" in line.text for line in decoded):
        return []
    if str(headers.get_param("format", "")).lower() == "flowed":
        return list(_unflowed(decoded, delsp=str(headers.get_param("delsp", "")).lower() == "yes"))
    return decoded


def _parts(lines: list[str], kind: str, boundary: str, start: int, end: int, first: int, depth: int) -> list[Line]:
    marks = [
        index for index in range(start, end) if lines[index].rstrip() in (f"--{boundary}", f"--{boundary}--")
    ]  # fmt: skip
    parts: list[tuple[str, list[Line]]] = []
    for mark, until in list(zip(marks, [*marks[1:], end], strict=True))[:PARTS_MAX]:
        if lines[mark].rstrip().endswith(f"{boundary}--"):
            continue
        blank = next((index for index in range(mark + 1, until) if not lines[index].strip()), until)
        headers = HeaderParser().parsestr("\n".join(line.rstrip("\r") for line in lines[mark + 1 : blank]))
        decoded = _decoded(lines, headers, min(blank + 1, until), until, first, depth + 1)
        parts.append((headers.get_content_type(), decoded))
    if kind == "multipart/alternative" and any(part == "text/plain" for part, _ in parts):
        parts = [(part, decoded) for part, decoded in parts if part == "text/plain"]
    return [line for _, decoded in parts for line in decoded]


def _plain(lines: list[str], first: int) -> Iterator[Line]:
    return (Line(number, 0, line.rstrip("\r")) for number, line in enumerate(lines, first))


def _base64(lines: list[str], first: int, charset: str) -> Iterator[Line]:
    """A decoded line gets the number of the encoded line in which it begins."""
    pending, start, left = b"", first, ""
    for number, line in enumerate(lines, first):
        encoded = left + "".join(line.split())
        usable = len(encoded) // 4 * 4
        left = encoded[usable:]
        try:
            chunk = base64.b64decode(encoded[:usable], validate=True)
        except ValueError:  # the list's footer, not encoded
            left = ""
            yield Line(number, 0, line.rstrip("\r"))
            continue
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            yield Line(start, 0, _text(pending + piece, charset).rstrip("\r"))
            pending, start = b"", number
        if not pending:
            start = number
        pending += rest
    if pending:
        yield Line(start, 0, _text(pending, charset))


def _quoted_printable(lines: list[str], first: int, charset: str) -> Iterator[Line]:
    parts: list[str] = []
    start = first
    for number, line in enumerate(lines, first):
        start = start if parts else number
        text = line.rstrip()
        soft = text.endswith("=")
        parts.append(text[:-1] if soft else text)
        if not soft:
            yield Line(start, 0, _unquoted("".join(parts), charset))
            parts = []
    if parts:
        yield Line(start, 0, _unquoted("".join(parts), charset))


def _unquoted(text: str, charset: str) -> str:
    if "=" not in text:
        return text
    return _text(quopri.decodestring(text.encode("utf-8", "surrogatepass")), charset)


def _text(raw: bytes, charset: str) -> str:
    try:
        return raw.decode(charset, "replace")
    except LookupError:  # people write charset=y; the bytes are hardly ever anything but UTF-8 then
        return raw.decode("utf-8", "replace")


def without_stray_encoding(lines: list[Line]) -> list[Line]:
    """Decode quoted-printable text that was copied without its headers: every `=` is an escape or a line's end."""
    text = "\n".join(line.text for line in lines)
    if text.count("=") < 3 or _LITERAL_EQUALS.search(text) or len(_ENCODED.findall(text)) < 3:
        return lines
    return [
        Line(lines[index - 1].number, 0, decoded)
        for index, _, decoded in _quoted_printable([line.text for line in lines], 1, "utf-8")
    ]


def _unflowed(lines: list[Line], *, delsp: bool) -> Iterator[Line]:
    """Join the lines of RFC 3676 that end in a blank with what follows, inside one depth of quotation."""
    held: Line | None = None
    for line in lines:
        bare = line.text.lstrip(">") if line.text.startswith(">") else line.text
        depth = len(line.text) - len(bare)
        text = bare.removeprefix(" ")
        soft = text.endswith(" ") and text != "-- "
        if held is not None and held.depth == depth and text != "-- ":
            text = held.text + text
            number = held.number
        else:
            if held is not None:
                yield held
            number = line.number
        if soft:
            held = Line(number, depth, text[:-1] if delsp else text)
        else:
            held = None
            yield Line(number, depth, text)
    if held is not None:
        yield held
