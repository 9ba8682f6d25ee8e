"""The cells of tables in mails: figures with their units, spreads, ranges and percentages, as people write them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from app.ingest.outputs.quantity import TIME_NS, bytes_in, number

_N = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|\.\d+)"
_UNIT = (
    r"(?:[kKMGTP]?i?[Bb](?:it|ytes?)?(?:/s(?:ec)?|ps)|[kKMGTP]i?B|[kKM]?\s?IOPS|[kKM]?iops|[kKM]?IO/s|[kKM]?ops/s(?:ec)?"
    r"|[mun]?sec(?:onds?|s)?|seconds?|[mnuµμ]s|s|files/s(?:ec)?|tps|qps|req/s|lps|lpm|MWIPS|[xX]|[kKMGT](?![A-Za-z]))"
)
_SPREAD = r"(?:±|\+/-|\+-|\ufffd)"
FIGURE = re.compile(
    rf"(?P<sign>[+-]?)(?P<low>{_N})\s?(?P<low_unit>{_UNIT})?(?![\w.])"
    rf"(?:\s?(?:-|–|~|\.\.)\s?(?P<high>{_N})\s?(?P<high_unit>{_UNIT})?(?![\w.,]))?"
    rf"(?:\s*\(?\s*{_SPREAD}\s*(?P<spread>{_N})\s?(?P<spread_percent>%)?\s*\)?)?"
    rf"(?:\s*(?P<bracket>[(\[*<])\s*(?P<percent>[+-]?\s?\d+(?:\.\d+)?)\s?%\s*[)\]*>])?"
)
PERCENT = re.compile(rf"[(\[*]?\s*(?P<value>[+-]?\s?{_N})\s?%\s*[)\]*]?")
BOUND = re.compile(rf"(?:[<>]=?|[≤≥])\s?{_N}(?:\s?{_UNIT})?(?![\w.])")
"""What only says that a figure is below or above another."""
ABOUT = "~≈"
"""What stands before a figure that its author rounded."""
MISSING = re.compile(r"(?:-{1,3}|–|—|n/?a|none|nan|ERR\w*|fail(?:ed)?|oom|crash(?:ed)?|x|\?)$", re.IGNORECASE)
UNIT_IN_NAME = re.compile(rf"\s*[(\[,]\s*(?:in\s+)?(?P<unit>{_UNIT}|%)\s*[)\]]?\s*$")
_PROSE_UNIT = re.compile(
    rf"(?:\bin\s+|\bunits?\s*(?:is|are|:)?\s*|\(|\[)(?P<unit>{_UNIT})\b(?!\s+\w+ing)|(?<![\w/])(?P<bare>[kKM]?IOPS|[KMG]i?B/s)\b",
)


class Figure(NamedTuple):
    """A cell's figure. A range has `low` and `high`, otherwise `high` is None; `percent` is the author's own."""

    low: float
    high: float | None
    unit: str
    stdev: float | None
    percent: float | None
    decimals: float
    """Half a unit of the last printed digit."""


@lru_cache(maxsize=8192)
def figure(text: str) -> Figure | None:
    """Return the figure that a cell is, None for text, a percentage or nothing."""
    bare = _without_emphasis(text)
    if not bare or len(bare) > 60:
        return None
    found = FIGURE.fullmatch(bare.lstrip(ABOUT).lstrip() if bare[0] in ABOUT else bare)
    if found is None:
        return None
    return of_match(found)


def _without_emphasis(text: str) -> str:
    bare = text.strip()
    for mark in ("**", "__", "*", "_", "`"):
        if len(bare) > 2 * len(mark) and bare.startswith(mark) and bare.endswith(mark):
            bare = bare[len(mark) : -len(mark)].strip()
    return bare


def of_match(found: re.Match[str]) -> Figure | None:
    """Return the figure of a match of FIGURE."""
    low = number(found["low"])
    if low is None:
        return None
    unit, scale = _unit(found["low_unit"] or found["high_unit"] or "")
    high = number(found["high"]) if found["high"] else None
    sign = -1.0 if found["sign"] == "-" else 1.0
    spread = number(found["spread"]) if found["spread"] else None
    if spread is not None and found["spread_percent"]:
        spread = abs(low) * spread / 100.0
    percent = number(found["percent"].replace(" ", "")) if found["percent"] else None
    return Figure(
        *(sign * low * scale, high * scale if high is not None else None, unit),
        stdev=spread * scale if spread is not None else None,
        percent=percent,
        decimals=rounding(found["low"]) * scale,
    )


def rounding(text: str) -> float:
    """Return half a unit of a printed number's last digit."""
    digits, _, exponent = text.lower().replace(",", "").partition("e")
    decimals = len(digits.partition(".")[2])
    return 0.5 * 10.0 ** min(int(exponent or 0) - decimals, 300)


def _unit(unit: str) -> tuple[str, float]:
    """Return a unit without the suffix that is part of the number: 300k is 300000."""
    unit = "".join(unit.split())
    if len(unit) == 1 and unit in "kKMGT":
        return "", {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}[unit]
    if unit[:1] in "kKM" and unit[1:] in ("IOPS", "iops"):
        return "IOPS", 1e6 if unit[0] == "M" else 1e3
    if unit[:1] in "kKM" and unit[1:].startswith(("ops", "IO/s")):
        return unit[1:], 1e6 if unit[0] == "M" else 1e3
    return unit, 1.0


@lru_cache(maxsize=8192)
def percent(text: str) -> float | None:
    """Return the percentage that a cell is, None for anything else."""
    found = PERCENT.fullmatch(_without_emphasis(text))
    return number(found["value"].replace(" ", "")) if found else None


def split_unit(name: str) -> tuple[str, str]:
    """Return a heading without the unit in brackets after it, and the unit: `avg-lat(us)`."""
    found = UNIT_IN_NAME.search(name)
    if not found or found["unit"] in ("x", "X", "%"):
        return name.strip(), ""
    rest = name[: found.start()].strip()
    return (rest, found["unit"]) if rest else (name.strip(), "")


def unit_in_prose(text: str) -> str:
    """Return the unit a caption gives: `in seconds`, `(MB/s)`, `IOPS of …`; empty when it gives none or several."""
    units = {(found["unit"] or found["bare"]) for found in _PROSE_UNIT.finditer(text)}
    units = {unit for unit in units if unit not in ("x", "X") and len(unit) > 1}
    short = {"seconds": "s", "second": "s", "secs": "s", "sec": "s", "iops": "IOPS"}
    named = {short.get(unit, unit) for unit in units}
    return named.pop() if len(named) == 1 else ""


def known_unit(unit: str) -> bool:
    """Whether a text is a unit of time, size or rate."""
    return unit in TIME_NS or bytes_in(unit) is not None or bool(re.fullmatch(_UNIT, unit))
