"""The lines of fio's normal output, versions 1.x to 3.x: which kind one is, and what stands on it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from app.ingest.outputs.fio_rates import Rate
from app.ingest.outputs.quantity import TIME_NS, bytes_in, number

_NUMBER = r"\d[\d.,]*"

KIND = re.compile(
    r"(?P<rates>(?:read|write|trim|mixed)\s*:)(?=\s*(?:$|(?i:io|bw|iops)\s*=))"
    r"|(?P<skipped>(?:clat|slat|lat)\s+(?:prio\b|\((?:high|low) prio\)))"
    r"|(?P<percentiles>(?P<of>slat|clat|lat|sync)\s+percentiles\s*\((?P<unit>[numμµ]?sec)\)\s*:?)"
    r"|(?P<latency>(?P<what>slat|clat|lat|sync)\s*\((?P<scale>[numμµ]?sec)\)\s*:)"
    r"|(?P<row>\|?\s*\d{1,3}(?:\.\d+)?th=)"
    r"|(?P<group>Run status group\s+(?P<number>\d{1,9}))"
    r"|(?P<status>(?P<direction>READ|WRITE|TRIM|MIXED)\s*:)(?=\s*(?:$|(?:bw|io|aggrb)\s*=))"
    r"|(?P<version>fio[- ]\d+\.\d[\w.+-]*\s*$)"
    r"|(?P<steady>steadystate\s*:)"
    r"|(?P<message>(?:fio|note):\s)"
    r"|(?P<preamble>(?:Starting\s+\d+\s+(?:process|thread)|Starting$|Jobs:\s|(?:Client|Server):))"
    r"|(?P<other>(?:bw|iops)\s*(?:\([^)]*\))?\s*:|cpu\s*:|IO depths\s*:|submit\s*:|complete\s*:|issued\b|latency\s*:"
    r"|fsync/|Disk stats|lat\s*\([^)]*\)\s*:|bw log|\.\.\.$|[a-z]\w*: ios=\d)"
)
"""Matched at the start of a stripped line; the group's name is the kind. `job` and `start` lines are looked for apart,
because they begin with a job's name."""

_JOB = re.compile(
    r"\(groupid=\s*(?P<group>\d{1,9})(?:,\s*jobs=\s*(?P<jobs>\d+))?\)\s*:"
    r"\s*err=\s*(?P<error>-?\d{1,9})\s*(?:\((?P<why>[^()]*(?:\([^()]*\)[^()]*)*)\))?"
)
START = re.compile(r"(?P<name>\S.*?)\s*:\s*\(g=(?P<group>\d{1,9})\)\s*:\s*rw=")
LAYING = re.compile(r".+: Laying out IO file")
INLINE = re.compile(
    r"^(?P<label>\S.*?)[\s:]*(?<![\w-])(?P<line>(?:READ|WRITE|TRIM|MIXED|read|write|trim|mixed)\s*:\s*(?:io|bw|iops|IOPS|BW|aggrb)\s*=.*)"
)
"""A rate line after somebody's own words: `before:  WRITE: bw=…`."""

_BLOCK_SIZES = re.compile(r"bs=\s*(?:\(R\)\s*)?([\d.]+[kKmMgGB]*i?B?)-([\d.]+[kKmMgGB]*i?B?)(?:/|,|\s|$)")
_VALUE = re.compile(rf"\b(min|max|avg|stdev|dev)\s*=\s*({_NUMBER}[kKMG]?)")
_STATISTIC = {"avg": "mean", "dev": "stdev"}
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d+)?)th=\[\s*(?:>=)?\s*([\d.]+[kKMG]?)\s*\]")
_IOPS = re.compile(rf"\biops\s*=\s*({_NUMBER}[kKMGT]?)", re.IGNORECASE)
_RATE = re.compile(rf"\b(?:aggrb|bw)\s*=\s*({_NUMBER})\s*([kKMGTP]?i?[Bb](?:it)?)\s*/\s*s(?:ec)?", re.IGNORECASE)
_SECOND_RATE = re.compile(rf"\s*\(\s*({_NUMBER})\s*([kKMGTP]?i?[Bb](?:it)?)/s\s*\)")
_IO = re.compile(rf"\bio\s*=\s*({_NUMBER})\s*([kKMGTP]?i?B)?")
_IO_IN_TIME = re.compile(rf"\(\s*({_NUMBER})\s*([kKMGTP]?i?B)\s*/\s*({_NUMBER})\s*([num]?sec|s)\s*\)")
_RUNTIME = re.compile(rf"\b(?:runt|maxt)\s*=\s*({_NUMBER})\s*([num]?sec|s)\b")
_RUN = re.compile(rf"\brun\s*=\s*({_NUMBER})\s*([num]?sec)?\s*-\s*({_NUMBER})\s*([num]?sec)")
_MINT = re.compile(rf"\bmint\s*=\s*({_NUMBER})\s*([num]?sec|s)\b")


class Rates(NamedTuple):
    """What a `read : …` or `READ: …` line says: operations and bytes a second, bytes, nanoseconds."""

    iops: float | None
    rates: list[Rate]
    io: float | None
    runtime_ns: float | None
    runtime_min_ns: float | None


class Job(NamedTuple):
    """What the line says that a job's figures begin with."""

    name: str | None
    group: int
    error: int
    why: str | None


def job(text: str) -> Job | None:
    """Return what a `name: (groupid=0, jobs=1): err= 0` line says, None when it is none, or not whole."""
    at = text.find("(groupid=")
    found = _JOB.match(text, at) if at >= 0 else None
    if found is None:
        return None
    name = text[:at].strip().removesuffix(":").rstrip()
    if name.startswith("<") and ">" in name:
        name = name.partition(">")[2].lstrip()  # the host's name, from a server
    return Job(name or None, int(found["group"]), int(found["error"]), found["why"])


def rates(text: str) -> Rates:
    """Read a rate line of any version; parts that are not there or not whole are None."""
    found = _RATE.search(text)
    # fio 3 writes BW= or run=, and a second rate in brackets
    is_fio_3 = (
        "BW=" in text or "run=" in text or (found is not None and _SECOND_RATE.match(text, found.end()) is not None)
    )
    thousand = 1000 if is_fio_3 else 1024
    printed: list[Rate] = []
    if found and (value := number(found[1])) is not None:
        printed.append(_rate(value, found[2], thousand))
        second = _SECOND_RATE.match(text, found.end())
        if second and (value := number(second[1])) is not None:
            printed.append(_rate(value, second[2], 1000))
    iops = _IOPS.search(text)
    io, runtime = _transferred(text, thousand)
    shortest = None
    if span := _RUN.search(text):
        runtime = _nanoseconds(span[3], span[4])
        shortest = _nanoseconds(span[1], span[2] or span[4])
    elif least := _MINT.search(text):
        shortest = _nanoseconds(least[1], least[2])
    return Rates(number(iops[1].rstrip(",.")) if iops else None, printed, io, runtime, shortest)


def _transferred(text: str, thousand: int) -> tuple[float | None, float | None]:
    if found := _IO_IN_TIME.search(text):
        return _bytes(found[1], found[2], 1000), _nanoseconds(found[3], found[4])
    io = _IO.search(text)
    runtime = _RUNTIME.search(text)
    return (
        _bytes(io[1], io[2] or "B", thousand) if io else None,
        _nanoseconds(runtime[1], runtime[2]) if runtime else None,
    )


def _rate(value: float, unit: str, thousand: int) -> Rate:
    size = bytes_in(unit, thousand) or 1.0
    return Rate(value * size, "i" in unit or thousand == 1024, f"{value:g}{unit}/s")


def _bytes(text: str, unit: str, thousand: int) -> float | None:
    value, size = number(text.rstrip(",.")), bytes_in(unit, thousand)
    return value * size if value is not None and size else None


def _nanoseconds(text: str, unit: str) -> float | None:
    value = number(text.rstrip(",."))
    return value * TIME_NS[unit] if value is not None else None


def _plain(text: str) -> float | None:
    """Return a number of the kind that most are at once; `number` knows the others."""
    try:
        return float(text)  # what is too large to be a number is left out with the report's other such figures
    except ValueError:
        return number(text)


def statistics(text: str) -> dict[str, float]:
    """Return what a latency line states, by `min`, `max`, `mean` and `stdev`, in the line's own unit."""
    values = {}
    for name, printed in _VALUE.findall(text):
        value = _plain(printed.rstrip(",."))
        if value is not None:
            values[_STATISTIC.get(name, name)] = value
    return values


def percentiles(text: str) -> list[tuple[str, float]]:
    """Return (`p99.9`, value) pairs of a row of percentiles, in the block's own unit."""
    found = []
    for percent, printed in _PERCENTILE.findall(text):
        value = _plain(printed)
        if value is not None:
            found.append((percentile_name(percent), value))
    return found


@lru_cache(maxsize=1024)
def percentile_name(percent: str) -> str:
    """Return `p99.9` for `99.900000`."""
    return f"p{percent.rstrip('0').rstrip('.') if '.' in percent else percent}"


def block_size(text: str) -> float | None:
    """Return the one block size of a `job: (g=0): rw=…` line, None when it has a range."""
    found = _BLOCK_SIZES.search(text)
    if not found or found[1] != found[2]:
        return None
    digits = found[1].rstrip("BbiKkMmGg")
    unit = found[1][len(digits) :]
    value, size = number(digits), bytes_in(unit or "B", 1024)
    return value * size if value is not None and size else None


def wants_more(text: str) -> bool:
    """Whether a line was broken by a mailer: it ends in the middle of a list, a bracket or a value."""
    if text.endswith(("]", "],")) and text.startswith("|"):
        return False
    if _open(text):
        return True
    return not text.startswith("|") and (
        text[-1:] in ",([=/" or (text[-1:] == ":" and len(text) < 8) or text.endswith((" zone", "(R)", "(W)", "(T)"))
    )


def continues(held: str, text: str) -> bool:
    """Whether a line may be the rest of one that wants more, and not somebody's own words."""
    return _open(held) or "=" in text or text[:1].isdigit() or text[:1] in "([" or held.endswith(" zone")


def _open(text: str) -> bool:
    return ("(" in text and text.count("(") > text.count(")")) or ("[" in text and text.count("[") > text.count("]"))


_ANCHOR = re.compile(
    r"\s(?=(?:read|write|trim|mixed)\s*:\s*(?:io|bw|iops|IOPS|BW)=|(?:slat|clat|lat|sync)\s*(?:percentiles\s*)?"
    r"\([num]sec\)\s*:|\|\s*\d+\.\d+th=|(?:bw|iops)\s*(?:\([^)]{1,12}\))?\s*:\s*min=|cpu\s*:\s*usr=|IO depths\s*:"
    r"|submit\s*:\s*0=|complete\s*:\s*0=|issued\s*(?:rwts?)?\s*:\s*total=|latency\s*:\s*target=|Run status group\s+\d"
    r"|(?:READ|WRITE|TRIM|MIXED):\s*(?:bw|io)=|Disk stats|fsync/fdatasync|Starting \d+ |fio-\d\.\d|lat \([num]sec\)\s*:"
    r"|\S+: \(groupid=\d)"
)


def unfolded(text: str) -> list[str]:
    """Return the lines that somebody flattened into one."""
    return _ANCHOR.sub("\n", text).split("\n")
