"""Takes charset, transfer encoding and flowing off the body of one mail part; every line keeps its place in the file.

Python's email package decodes bodies too, but forgets which line of the file a decoded line came from, and warnings
would have no line.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from collections.abc import Iterator, Sequence

from app.ingest.outputs.document import Line
from app.ingest.patches.charset import codec_of, text_of
from app.ingest.patches.diff import read_diff
from app.ingest.patches.headers import Headers
from app.ingest.patches.remarks import Remarks

_NOT_ENCODED = re.compile(r"=(?![0-9A-Fa-f]{2}|[ \t]*\r?$)")
_ENCODED = re.compile(r"=(?:3D|20|09|E2=80|C3=[89AB])|[^=\s]=$")


def decode_body(lines: Sequence[Line], headers: Headers, remarks: Remarks, *, is_text: bool) -> list[Line]:
    """Return the decoded lines of a part's body.

    `is_text`: the file was given as text already, so that 8-bit characters need no charset.
    """
    encoding = headers.transfer_encoding
    charset = headers.parameter("charset") or "utf-8"
    codec = codec_of(charset)
    if codec is None:
        remarks.add(headers.line_of("content-type"), f"the charset {charset[:40]!r} is unknown; read as UTF-8")
        codec = "utf-8"
    if encoding == "base64":
        decoded = list(_base64(lines, codec, remarks))
    elif encoding == "quoted-printable":
        decoded = list(_quoted_printable(lines, codec, remarks))
    else:
        if encoding not in ("", "7bit", "8bit", "binary"):
            where = headers.line_of("content-transfer-encoding")
            remarks.add(where, f"the transfer encoding {encoding[:40]!r} is unknown; the body is read as it stands")
        decoded = list(lines) if is_text and codec == "utf-8" else recoded(lines, remarks, codec)
        if not encoding:
            decoded = without_stray_encoding(decoded, remarks)
    if encoding in ("base64", "quoted-printable"):
        decoded = without_carriage_returns(decoded)
    if headers.parameter("format").lower() == "flowed":
        return _unflowed(decoded, remarks, delsp=headers.parameter("delsp").lower() == "yes")
    return decoded


def without_carriage_returns(lines: list[Line]) -> list[Line]:
    """Take CR off the ends of lines where all of them have one; where only some do, they are the file's own."""
    if lines and all(line.text.endswith("\r") for line in lines if line.text):
        return [line._replace(text=line.text.removesuffix("\r")) for line in lines]
    return lines


def without_stray_encoding(lines: list[Line], remarks: Remarks) -> list[Line]:
    """Decode quoted-printable that was copied without its headers: every `=` is an escape or a line's end."""
    encoded = 0
    for line in lines:
        if "=" in line.text:
            if _NOT_ENCODED.search(line.text):
                return lines
            encoded += len(_ENCODED.findall(line.text[:2000]))
    if encoded < 3:
        return lines
    remarks.add(lines[0].number, "the text looks quoted-printable without saying so; it is decoded")
    return list(_quoted_printable(lines, "utf-8", remarks))


def recoded(lines: Sequence[Line], remarks: Remarks, codec: str = "utf-8") -> list[Line]:
    """Return lines whose bytes were kept as surrogates as text in a charset."""
    return [_recoded(line, codec, remarks) for line in lines]


def _recoded(line: Line, codec: str, remarks: Remarks) -> Line:
    if line.text.isascii() and not codec.startswith("iso2022"):
        return line
    return line._replace(text=_text(line.text.encode("utf-8", "surrogateescape"), codec, line.number, remarks))


def _text(raw: bytes, codec: str, number: int, remarks: Remarks) -> str:
    text, valid = text_of(raw, codec)
    if not valid:
        remarks.add(number, f"bytes that are not valid in the charset {codec}; read as best they can be")
    return text


def _base64(lines: Sequence[Line], codec: str, remarks: Remarks) -> Iterator[Line]:
    """A decoded line gets the number of the encoded line in which it begins; what is not encoded ends the body."""
    pending, start, left = b"", lines[0].number if lines else 1, ""
    for index, line in enumerate(lines):
        encoded = left + "".join(line.text.split())
        usable = len(encoded) // 4 * 4
        left = encoded[usable:]
        try:
            chunk = base64.b64decode(encoded[:usable], validate=True)
        except (binascii.Error, ValueError):
            if line.text.strip():
                if pending:
                    yield Line(start, 0, _text(pending, codec, start, remarks))
                remarks.add(line.number, "from here on the body is not base64; it is read as it stands")
                yield from recoded(lines[index:], remarks)
                return
            continue
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            yield Line(start, 0, _text(pending + piece, codec, start, remarks))
            pending, start = b"", line.number
        if not pending:
            start = line.number
        pending += rest
    if left:
        remarks.add(start, "the base64 of this body is cut off")
    if pending:
        yield Line(start, 0, _text(pending, codec, start, remarks))


def _quoted_printable(lines: Sequence[Line], codec: str, remarks: Remarks) -> Iterator[Line]:
    parts: list[str] = []
    start = lines[0].number if lines else 1
    for line in lines:
        start = start if parts else line.number
        text = line.text.rstrip(" \t\r")
        soft = text.endswith("=")
        parts.append(text[:-1] if soft else text)
        if not soft:
            yield Line(start, 0, _unquoted("".join(parts), codec, start, remarks))
            parts = []
    if parts:
        yield Line(start, 0, _unquoted("".join(parts), codec, start, remarks))


def _unquoted(text: str, codec: str, number: int, remarks: Remarks) -> str:
    raw = text.encode("utf-8", "surrogateescape")
    return _text(quopri.decodestring(raw) if "=" in text else raw, codec, number, remarks)


def _unflowed(lines: list[Line], remarks: Remarks, *, delsp: bool) -> list[Line]:
    """Join flowed lines (RFC 3676) as git does, unless that breaks a diff that is whole without it."""
    flowed = list(_joined(lines, delsp=delsp))
    if not any(line.text.startswith("@@ -") for line in lines):
        return flowed
    forms = (flowed, _unstuffed(lines), lines)
    damages = [read_diff(form, Remarks()).damages for form in forms]
    best = damages.index(min(damages))
    if damages[0] or best:
        message = "the mail is format=flowed, which damages patches"
        remarks.add(lines[0].number, message + ("; its lines are not joined" if best else ""))
    return forms[best]


def _unstuffed(lines: list[Line]) -> list[Line]:
    return [line._replace(text=line.text[1:]) if line.text.startswith(" ") else line for line in lines]


def _joined(lines: list[Line], *, delsp: bool) -> Iterator[Line]:
    held: list[str] = []
    start = 1
    for line in lines:
        text = line.text.removesuffix("\r")
        if text == "-- ":
            if held:
                yield Line(start, 0, "".join(held))
                held = []
            yield Line(line.number, 0, text)
            continue
        text = text.removeprefix(" ")
        if not held:
            start = line.number
        if text.endswith(" "):
            held.append(text[:-1] if delsp else text)
        else:
            yield Line(start, 0, "".join(held) + text)
            held = []
    if held:
        yield Line(start, 0, "".join(held))
