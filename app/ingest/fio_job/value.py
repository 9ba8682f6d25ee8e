"""One option's text turned into its value, by the rules of fio's option parser for the option's type."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from app.catalog.fio_options import NUMERIC_KINDS, PERCENTAGES, POWERS_OF_TWO, FioOptionSpec
from app.domain.diagnostic import Severity
from app.domain.fio import FioValue
from app.ingest.fio_job.number import UINT64, Reading, int32, read_bytes, read_flag, read_float, read_time

Number = int | float


@dataclass(slots=True)
class Understood:
    """What a text means for an option: `value` is None when fio refuses it (then `remarks` has an error)."""

    value: FioValue | None = None
    parts: tuple[Number | None, ...] = ()
    remarks: list[tuple[Severity, str]] = field(default_factory=list)

    def say(self, severity: Severity, message: str) -> None:
        self.remarks.append((severity, message))

    def refuse(self, message: str) -> Understood:
        self.value = None
        self.remarks.append(("error", message))
        return self


def understand(spec: FioOptionSpec, text: str | None, kb_base: int) -> Understood:
    """Read the text after `=` (None: there was no `=`) as fio would, with remarks where that may surprise."""
    if text is None:
        if spec.kind == "STR_SET" or spec.valueless:
            return Understood(value=True)
        return Understood().refuse(f"{spec.name} needs a value")
    if spec.kind in NUMERIC_KINDS:
        return _numbers(spec, text, kb_base)
    return _READERS[spec.kind](spec, text, kb_base)


def _pieces(text: str, *, lists: bool) -> list[str]:
    """Return what fio reads one after the other: it looks for a comma first, then for a colon, then for a minus."""
    pieces = []
    rest: str | None = text
    while rest is not None:
        at = rest.find(",")
        if at >= 0 and at == len(rest) - 1:
            rest = rest[:at]
            pieces.append(rest)
            pieces.append("")
            break
        if at < 0 and not lists:
            at = rest.find(":")
            if at < 0:
                at = rest.find("-")
        pieces.append(rest)
        rest = rest[at + 1 :] if at >= 0 else None
    return pieces


def _spread(pieces: list[Number | None], count: int) -> tuple[Number | None, ...]:
    """Return fio's value for each of `count` places: the last piece also fills the places that none names."""
    places: list[Number | None] = [None] * count
    for at, piece in enumerate(pieces[:count]):
        places[at] = piece
    if len(pieces) < count:
        places[len(pieces) :] = [pieces[-1]] * (count - len(pieces))
    return tuple(places)


def _numbers(spec: FioOptionSpec, text: str, kb_base: int) -> Understood:
    expression = text.startswith("(") and "," not in text
    pieces = [text] if expression else _pieces(text, lists=False)
    readings = [_reading(spec, piece, kb_base) for piece in pieces]
    if len(pieces) == 1 or spec.parts == 1:
        return _scalar(spec, text, readings, kb_base)
    out = Understood(value=text.strip())
    if not any(isinstance(reading, Reading) for reading in readings):
        return out.refuse(next((str(r) for r in readings if r), f"{spec.name} needs a value"))
    for reading in readings[: spec.parts]:
        if isinstance(reading, Reading):
            _remark(out, spec, text, reading, kb_base)
        elif reading:
            out.say("warning", f"fio passes over a part of this list: {reading}")
    if len(readings) > spec.parts:
        out.say("warning", f"{spec.name} has {spec.parts} values at most; fio ignores the rest of '{text.strip()}'")
    numbers = [_final(spec, reading) if isinstance(reading, Reading) else None for reading in readings]
    out.parts = (numbers[0], numbers[-1]) if spec.parts == 2 else _spread(numbers, spec.parts)
    if "," not in text and spec.parts == 3:
        shown = ", ".join("unchanged" if part is None else str(part) for part in out.parts)
        out.say("warning", f"fio takes '{text.strip()}' as read, write and trim: {shown}; bsrange gives a range")
    return out


def _scalar(spec: FioOptionSpec, text: str, readings: list[Reading | str], kb_base: int) -> Understood:
    """Read an option that keeps one number: the first, whatever follows it."""
    out, kept = Understood(), readings[0]
    if isinstance(kept, str):
        return out.refuse(kept or f"{spec.name} needs a value")
    _remark(out, spec, text, kept, kb_base)
    if len(readings) > 1 and not text.lstrip().startswith("-"):
        out.say("warning", f"{spec.name} takes one value; fio ignores what follows the first in '{text.strip()}'")
    if kept.percent or text.endswith("z"):
        out.value = text.strip()
    else:
        out.value = value = _final(spec, kept)
        out.parts = (value,) * spec.parts if spec.parts > 1 else ()
    return out


def _reading(spec: FioOptionSpec, piece: str, kb_base: int) -> Reading | str:
    """Return the number, or why fio refuses it; an empty text says that there is nothing to read."""
    if piece.endswith("z"):
        if spec.kind != "STR_VAL_ZONE":
            return f"'z' (zones) is no suffix for {spec.name}"
        zones = re.fullmatch(r"\s*([0-9]+)z", piece)
        return Reading(int(zones[1])) if zones else f"'{piece.strip()}' is not a number of zones"
    head = piece.split(",", 1)[0]
    if not head.strip():
        return ""
    reading = read_time(head, seconds=spec.unit == "s") if spec.unit else read_bytes(head, kb_base)
    if reading is None:
        return f"'{head.strip()}' is not a number"
    return _out_of_range(spec, reading) or reading


def _out_of_range(spec: FioOptionSpec, reading: Reading) -> str:
    """Say which limit the number breaks, by fio's own arithmetic: 32 bits for an INT, a percentage as -1 - N."""
    if reading.cut:
        return "fio keeps 32 bits of an expression that has no suffix, and this one needs more"
    stored = (-1 - reading.value) % UINT64 if reading.percent else reading.value
    if spec.name in POWERS_OF_TWO and stored.bit_count() != 1:
        return f"{spec.name} has to be a power of two"
    low, high = spec.minimum, spec.maximum
    if spec.kind == "INT":
        narrow = int32(stored)
        large = high is not None and (narrow > int32(int(high)) if narrow < 0 else narrow > high)
        small = bool(low) and low is not None and narrow < low
        shown = narrow
    else:
        large = high is not None and stored > high
        small = bool(low) and low is not None and stored < low
        shown = reading.signed
        if shown < 0 and spec.name != "randseed":
            return f"{shown} is negative, or was too large for 64 bits"
    if large:
        return f"{shown} is above the largest value of {spec.name}, {high}"
    if small:
        return f"{shown} is below the smallest value of {spec.name}, {low}"
    return ""


def _final(spec: FioOptionSpec, reading: Reading) -> Number:
    """Return bytes or a count as a whole number, a time in seconds."""
    if spec.unit:
        whole, rest = divmod(reading.signed, 1_000_000)
        return whole if rest == 0 else reading.signed / 1_000_000
    if spec.kind == "INT":
        return int32(reading.value) if reading.signed < 0 else reading.value % (1 << 32)
    return reading.signed


def _remark(out: Understood, spec: FioOptionSpec, text: str, reading: Reading, kb_base: int) -> None:
    value = _final(spec, reading)
    unit = " seconds" if spec.unit else ""
    if reading.percent:
        if spec.name not in PERCENTAGES:
            out.say(
                "warning", f"fio has no percentages for {spec.name} and stores a number without meaning; leave % out"
            )
        elif not 0 <= reading.signed <= 100:
            out.say("error", f"{spec.name} is above 100 %")
        return
    if reading.swapped:
        units = "kiB, MiB, … are powers of 1000" if kb_base == 1024 else "ki, Mi, … are powers of 1000, kiB of 1024"
        out.say("warning", f"fio reads '{text.strip()}' as {value}: under kb_base={kb_base} the suffixes {units}")
    if reading.computed:
        out.say("info", f"'{text.strip()}' is {value}{unit}; fio has to be built with arithmetic to read it")
    if reading.ignored.strip() and reading.ignored.strip()[0] not in "-:/":
        out.say("warning", f"fio reads '{text.strip()}' as {value}{unit} and ignores '{reading.ignored.strip()}'")


def _flag(spec: FioOptionSpec, text: str, _kb_base: int) -> Understood:
    out = Understood()
    pieces = _pieces(text, lists=False)
    found = read_flag(pieces[0])
    if found is None:
        return out.refuse(f"{spec.name} takes 0 or 1, not '{text.strip()}'")
    number, rest = found
    if spec.maximum is not None and number > spec.maximum:
        return out.refuse(f"{number} is above the largest value of {spec.name}, {spec.maximum}")
    if rest.strip():
        out.say("warning", f"fio reads '{text.strip()}' as {number} and ignores '{rest.strip()}'")
    out.value = bool(number)
    return out


def matches(values: tuple[str, ...], text: str) -> str | None:
    """Return the allowed value that fio sees in a text such as `write:112k`, None when there is none."""
    at = text.find(",")
    if at < 0:
        at = text.find(":")
    length = at if at >= 0 else len(text)
    for value in sorted(values, key=len, reverse=True):
        span = max(len(value), length)
        if value == text[:span]:
            return value
    return None


def _word(spec: FioOptionSpec, text: str, _kb_base: int) -> Understood:
    out = Understood()
    if spec.values and matches(spec.values, text) is None:
        if text != text.strip() and matches(spec.values, text.strip()) is not None:
            return out.refuse(f"fio does not skip the blank after '=': {spec.name}={text.strip()}")
        return out.refuse(f"'{text.strip()}' is no value of {spec.name}: {', '.join(spec.values)}")
    out.value = int(text) if spec.values and text.isascii() and text.isdigit() else text
    return out


def _words(spec: FioOptionSpec, text: str, kb_base: int) -> Understood:
    problems = [_word(spec, piece, kb_base) for piece in _pieces(text, lists=True)]
    if all(p.value is None for p in problems):
        return problems[0]
    return Understood(value=text.strip())


def _text(spec: FioOptionSpec, text: str, _kb_base: int) -> Understood:
    if not text:
        return Understood().refuse(f"{spec.name} needs a value")
    return Understood(value=text)


def _range(spec: FioOptionSpec, text: str, kb_base: int) -> Understood:
    out = Understood()
    pairs: list[tuple[Number, Number] | None] = []
    for piece in _pieces(text, lists=True):
        head = piece.split(",", 1)[0]
        low, sign, high = head.partition("-") if "-" in head else head.partition(":")
        ends = [read_bytes(end, kb_base) for end in (low, high)] if sign else []
        readings = [end for end in ends if end is not None]
        if len(readings) != 2:
            pairs.append(None)
            continue
        for reading in readings:
            _remark(out, spec, text, reading, kb_base)
        first, last = sorted(reading.value for reading in readings)
        pairs.append((first, last))
    if all(pair is None for pair in pairs):
        return out.refuse(f"'{text.strip()}' is not a range such as 4k-16k")
    if None in pairs[:3] and text.strip(","):
        out.say("warning", f"fio passes over a part of '{text.strip()}' that is not a range")
    places = [pairs[min(at, len(pairs) - 1)] for at in range(3)]
    out.parts = tuple(end for pair in places for end in (pair or (None, None)))
    out.value = text.strip()
    return out


def _floats(spec: FioOptionSpec, text: str, _kb_base: int) -> Understood:
    out = Understood()
    numbers: list[float] = []
    for piece in text.split(":"):
        found = read_float(piece)
        if found is None:
            return out.refuse(f"'{piece.strip()}' is not a number")
        number, rest = found
        if spec.minimum is not None and spec.maximum is not None and not spec.minimum <= number <= spec.maximum:
            return out.refuse(f"{number:g} is outside {spec.minimum:g} to {spec.maximum:g}")
        if rest.strip():
            out.say("warning", f"fio reads '{piece.strip()}' as {number:g} and ignores '{rest.strip()}'")
        numbers.append(int(number) if number.is_integer() else number)
    out.parts = tuple(numbers)
    out.value = numbers[0] if len(numbers) == 1 else text.strip()
    return out


def _deprecated(spec: FioOptionSpec, text: str, _kb_base: int) -> Understood:
    if spec.kind == "DEPRECATED":
        return Understood().refuse(f"fio 3.33 no longer takes {spec.name}")
    out = Understood(value=text.strip())
    out.say("warning", f"{spec.name} is deprecated and has no effect in fio 3.33")
    return out


_READERS: dict[str, Callable[[FioOptionSpec, str, int], Understood]] = {
    "STR": _word,
    "STR_ULL": _word,
    "STR_MULTI": _words,
    "STR_STORE": _text,
    "RANGE": _range,
    "BOOL": _flag,
    "STR_SET": _flag,
    "FLOAT_LIST": _floats,
    "DEPRECATED": _deprecated,
    "SOFT_DEPRECATED": _deprecated,
    "UNSUPPORTED": _deprecated,
}
