"""Numbers and units as benchmarks print them."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from app.domain.metric import Better

_SCALE = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_POWER = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
_BYTES = re.compile(r"(?P<letter>[kKmMgGtTpPeE]?)(?P<binary>i?)(?P<what>B(?:ytes?)?|b(?:its?|ytes?)?)?$")

TIME_NS = {
    **dict.fromkeys(("ns", "nsec", "nsecs", "nanoseconds"), 1.0),
    **dict.fromkeys(("us", "usec", "usecs", "µs", "μs", "microseconds"), 1e3),
    **dict.fromkeys(("ms", "msec", "msecs", "milliseconds"), 1e6),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1e9),
}
"""Nanoseconds in each unit of time that the tools print."""

_HIGHER = re.compile(
    r"(?:bps|b/s|bytes/s|iops|iop/s|ops/s|/s|/sec|/min|lps|lpm|mwips|kbps|mbps|tps|qps|files/s|index|score"
    r"|bogo[- ]?ops|requests|transactions|hits?)$",
    re.IGNORECASE,
)
_HIGHER_WORDS = re.compile(
    r"(?:\b|_)(?:iops|bw|bandwidth|throughput|rate|ops|score|index|tps|qps|speed|hmean|per[ _]sec(?:ond)?"
    r"|per[ _]thread|per[ _]process)(?:\b|_)",
    re.IGNORECASE,
)
_SPREAD_WORDS = re.compile(
    r"(?:\b|_)(?:std?[_. ]?dev(?:iation)?|standard deviation|coeffvar|cv|variance)(?:\b|_)", re.IGNORECASE
)
"""The spread of any quantity, as in mmtests' rows `Stddev` and `CoeffVar`: less of it is better, whatever it is of."""
_LOWER_WORDS = re.compile(
    r"(?:\b|_)(?:lat|latency|latencies|slat|clat|elapsed|elapsd|runtime|run time|time|amean|duration|delay"
    r"|seconds|secs|faults|misses|overhead|cpu|(?-i:p(?:50|9\d(?:\.\d+)?))|\d\d(?:\.\d+)?th)(?:\b|_)",
    re.IGNORECASE,
)


def number(text: str) -> float | None:
    """Return the value of a printed number, thousands commas and a decimal suffix (`35.0k`, `1357.9K`) understood.

    None for what is no number, and for one that is too large to be one.
    """
    text = text.strip()
    if not text:
        return None
    if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 300:
        return float(text)  # most are so
    scale = 1.0
    if text[-1].lower() in "kmgtp":
        scale = _SCALE[text[-1].lower()]
        text = text[:-1]
    if not text.isascii() or "_" in text:
        return None
    if "," in text:
        if not _GROUPED.match(text):
            return None
        text = text.replace(",", "")
    try:
        value = float(text)
    except ValueError:
        return None
    value *= scale
    return value if math.isfinite(value) else None


@lru_cache(maxsize=1024)
def bytes_in(unit: str, thousand: int = 1024) -> float | None:
    """Return the bytes in a unit of size (`KiB`, `MB`, `Mbit`); None for another unit.

    An `i` is binary (IEC 80000-13). Without one, `thousand` is 1024 for the tools that mean binary units by KB and MB
    (fio before 3.0 at its default kb_base), else 1000. A lower-case b after a letter is bits.
    """
    found = _BYTES.match(unit)
    if not found or not (found["letter"] or found["what"]):
        return None
    base = 1024 if found["binary"] else thousand
    scale = float(base ** _POWER[found["letter"].lower()])
    what = found["what"] or "B"
    return scale / 8 if what in ("b", "bit", "bits") else scale


@lru_cache(maxsize=1024)
def better_of(name: str, unit: str) -> Better | None:
    """Return which direction of a metric is better, None when neither its unit nor its name tells.

    A spread is better small, whatever it is of; otherwise the unit is asked first.
    """
    if unit in TIME_NS or _SPREAD_WORDS.search(name):
        return Better.LOWER
    if unit and _HIGHER.search(unit):
        return Better.HIGHER
    lower, higher = _LOWER_WORDS.search(name), _HIGHER_WORDS.search(name)
    if lower and not higher:
        return Better.LOWER
    if higher and not lower:
        return Better.HIGHER
    return None


def common_factor(unit: str, wanted: str) -> float | None:
    """Return what turns a value in one unit into another of the same kind; None when they are of different kinds."""
    if unit == wanted:
        return 1.0
    if unit in TIME_NS and wanted in TIME_NS:
        return TIME_NS[unit] / TIME_NS[wanted]
    rates = [re.sub(r"(?:/s(?:ec)?|ps)$", "", each) for each in (unit, wanted)]
    if (rates[0] != unit) != (rates[1] != wanted):
        return None
    sizes = [bytes_in(each, 1000) for each in rates]
    return sizes[0] / sizes[1] if sizes[0] and sizes[1] else None
