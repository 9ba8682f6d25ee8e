"""Numbers as fio reads them: C's strtoll, then a suffix, and whatever follows is ignored.

Checked against `fio --debug=parse --parse-only`. Results are 64 bits wide and wrap, like fio's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from app.ingest.fio_job.arithmetic import evaluate

UINT64 = 1 << 64
_LONGEST = 127  # fio copies a value into a buffer of 128 bytes before it reads the number

# The manual's suffixes in the order fio tries them; it compares only this many characters.
_DECIMAL_LOOKING = ("kib", "mib", "gib", "tib", "pib")
_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_TIMES = {"s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000}

_PLAIN = re.compile(r"([0-9]{1,15})([kKmMgGtT]?)")
_STRTOLL_10 = re.compile(r"[ \t\n\v\f\r]*([+-]?)([0-9]+)")
_STRTOLL_16 = re.compile(r"[ \t\n\v\f\r]*([+-]?)(?:0[xX](?=[0-9a-fA-F]))?([0-9a-fA-F]+)")
_SCANF_U = re.compile(r"[ \t\n\v\f\r]*([+-]?)([0-9]+)")
_SCANF_X = re.compile(r"[ \t\n\v\f\r]*([+-]?)(?:0[xX])?([0-9a-fA-F]+)")
_HEX_FLOAT = re.compile(
    r"[ \t\n\v\f\r]*([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]{1,4})?)"
)
_HEX_PREFIX = re.compile(r"[ \t\n\v\f\r]*[+-]?0[xX]")
_FLOAT = re.compile(r"[ \t\n\v\f\r]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


class Reading(NamedTuple):
    """What fio makes of a text: the number, whether a percent sign followed, and the text that it did not use.

    `value` is bytes or a plain count, or microseconds for a time, as an unsigned 64-bit number; a percentage is its
    number. `swapped` tells that the suffix means powers of the other base than it says (kiB is 1000 by default),
    `computed` that the text was an expression, `cut` that its result did not fit into the 32 bits fio allows it.
    """

    value: int
    percent: bool = False
    ignored: str = ""
    swapped: bool = False
    computed: bool = False
    cut: bool = False

    @property
    def signed(self) -> int:
        """The value as the signed 64-bit number that fio's parser passes around."""
        return self.value - UINT64 if self.value >= UINT64 // 2 else self.value


def _strtoll(text: str) -> tuple[int, int] | None:
    """Return the number at the start of the text and where it ends."""
    pattern, base = (_STRTOLL_16, 16) if "0x" in text or "0X" in text else (_STRTOLL_10, 10)
    found = pattern.match(text)
    if not found:
        return None
    number = int(found[2], base) * (-1 if found[1] == "-" else 1)
    if number >= UINT64 // 2:
        return None  # ERANGE
    return max(number, -(UINT64 // 2)), found.end()


def _suffix_start(text: str, *, after_sign: bool) -> int | None:
    """Return where fio looks for a suffix: after the leading digits and signs, when a letter or % is there."""
    end = 0
    digit_seen = False
    for end, char in enumerate(text):  # noqa: B007
        if char in "0123456789":
            digit_seen = True
        elif char not in "+-" or (digit_seen and not after_sign):
            break
    else:
        return None
    return end


def _multiplier(suffix: str, kb_base: int) -> tuple[int, int, bool]:
    """Return the factor of a size suffix, how much of the text it used, and whether its base is swapped."""
    word = re.split(r"[:,/-]", suffix.lower(), maxsplit=1)[0]
    if word[:3] in _DECIMAL_LOOKING:
        return (1024 if kb_base == 1000 else 1000) ** _POWERS[word[0]], 3, kb_base == 1024
    if word[:1] in _POWERS:
        used = 2 if word[1:2] in ("b", "i") else 1
        return kb_base ** _POWERS[word[0]], used, kb_base == 1000 and word[1:2] == "i"
    return 1, 0, False


def read_bytes(text: str, kb_base: int = 1024) -> Reading | None:
    """Read a size or a plain number; None when fio refuses it."""
    if plain := _PLAIN.fullmatch(text):
        value = int(plain[1]) * kb_base ** _POWERS.get(plain[2].lower(), 0)
        return Reading(value % UINT64)
    text = text[:_LONGEST]
    if text.startswith("("):
        outcome = evaluate(text, is_time=False)
        return None if outcome is None else Reading(outcome.integer % UINT64, computed=True, cut=outcome.cut)
    number = _strtoll(text)
    if number is None:
        return None
    value, end = number
    start = 0 if len(text) < 2 else _suffix_start(text, after_sign=False)
    suffix = "" if start is None else text[start:]
    if not (suffix[:1].isascii() and (suffix[:1].isalpha() or suffix[:1] == "%")):
        suffix = ""
    if suffix.startswith("%"):
        return Reading(value % UINT64, percent=True, ignored=text[end + 1 :])
    factor, used, swapped = _multiplier(suffix, kb_base) if suffix and start is not None else (1, 0, False)
    rest = max(end, (start or 0) + used)
    return Reading(value * factor % UINT64, ignored=text[rest:], swapped=swapped)


def read_time(text: str, *, seconds: bool) -> Reading | None:
    """Read a time in microseconds; a bare number counts seconds or microseconds. None when fio refuses it."""
    text = text[:_LONGEST]
    if text.startswith("("):
        outcome = evaluate(text, is_time=True, implied=1_000_000 if seconds else 1)
        if outcome is None:
            return None
        # fio cuts the result to whole seconds before it multiplies again.
        value = int(outcome.integer / 1_000_000) * 1_000_000 if seconds else outcome.integer
        return Reading(value % UINT64, computed=True, cut=outcome.cut)
    number = _strtoll(text)
    if number is None:
        return None
    value, end = number
    start = _suffix_start(text, after_sign=True)
    suffix = "" if start is None else text[start:].lower()
    if start is None or not (suffix[:1].isascii() and suffix[:1].isalpha()):
        return Reading(value * (1_000_000 if seconds else 1) % UINT64, ignored=text[end:])
    for prefix, factor in (("us", 1), ("ms", 1000)):
        if suffix.startswith(prefix):
            used = start + (4 if suffix.startswith(prefix + "ec") else 2)
            return Reading(value * factor % UINT64, ignored=text[used:])
    if suffix in _TIMES:
        return Reading(value * _TIMES[suffix] % UINT64)
    return Reading(value % UINT64, ignored=text[max(start, end) :])


def read_flag(text: str) -> tuple[int, str] | None:
    """Read a 0/1 value as sscanf's %u (or %x) does, as a signed 32-bit number, with the text that was not used."""
    pattern, base = (_SCANF_X, 16) if "0x" in text or "0X" in text else (_SCANF_U, 10)
    found = pattern.match(text)
    if not found:
        return None
    return int32(int(found[2], base) * (-1 if found[1] == "-" else 1)), text[found.end() :]


def read_float(text: str) -> tuple[float, str] | None:
    """Read a decimal fraction as sscanf's %lf does, with the text that was not used; an expression may stand there."""
    if text.startswith("("):
        outcome = evaluate(text, is_time=False)
        return None if outcome is None else (outcome.real, "")
    if _HEX_PREFIX.match(text):
        found = _HEX_FLOAT.match(text)
        return (_hex_float(found[1]), text[found.end() :]) if found else None
    found = _FLOAT.match(text)
    return (float(found[1]), text[found.end() :]) if found else None


def _hex_float(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return float("inf")


def int32(value: int) -> int:
    """Return the value as a C int keeps it."""
    value %= 1 << 32
    return value - (1 << 32) if value >= 1 << 31 else value
