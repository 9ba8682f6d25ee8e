"""Decides which metric a claim in words is about, by direction, quantity and statistic; undecided where several fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from app.domain.report import Result
from app.ingest.outputs.quantity import bytes_in


class Change(NamedTuple):
    """One metric of one candidate against the baseline."""

    before: Result
    after: Result


class Aspects(NamedTuple):
    """What a text or a metric's name says of a figure; `rest` are the words beside it."""

    directions: frozenset[str]
    quantities: frozenset[str]
    statistics: frozenset[str]
    kinds: frozenset[str]
    rest: frozenset[str]


_DIRECTION = {
    "read": re.compile(r"(?:\b|\brand|\bseq)read(?:s|ing)?\b"),
    "write": re.compile(r"(?:\b|\brand|\bseq)writ(?:e|es|ing)\b"),
    "trim": re.compile(r"(?:\b|\brand)trim(?:s|ming)?\b"),
    "sync": re.compile(r"\bf?(?:data)?syncs?\b"),
}
_QUANTITY = {
    "bw": re.compile(r"\bthroughput\b|\bbandwidth\b|\bbw\b"),
    "iops": re.compile(r"\biops\b"),
    "latency": re.compile(r"\blatenc(?:y|ies)\b|\b[sc]?lat\b|\bresponse times?\b"),
    "time": re.compile(r"\brun ?-?time\b|\belapsed\b|(?<!response )\btime\b"),
    "files": re.compile(r"\bfiles?/sec\b|\bfiles per\b"),
    "score": re.compile(r"\bscores?\b|\bindex\b"),
}
_STATISTIC = {
    "max": re.compile(r"\bmax(?:imum|imal)?\b|\bworst(?:[ -]case)?\b"),
    "min": re.compile(r"\bmin(?:imum|imal)?\b"),
    "mean": re.compile(r"\bmean\b|\bavg\b|\baverage\b"),
    "stdev": re.compile(r"\bst(?:d ?)?dev\b|\bstandard deviation\b|\bjitter\b"),
    "p50": re.compile(r"\bmedian\b"),
    "tail": re.compile(r"\btail\b"),
}
_KIND = {
    "slat": re.compile(r"\bslat\b|\bsubmission\b"),
    "clat": re.compile(r"\bclat\b|\bcompletion\b"),
    "lat": re.compile(r"\blat\b|\btotal latency\b"),
}
_PERCENTILE = re.compile(
    r"\bp(?P<short>\d{2,3}(?:\.\d{1,5})?)\b"
    r"|\b(?P<long>\d{1,3}(?:\.\d{1,5})?)(?:st|nd|rd|th|\s?%)?[ -]?(?:th\b|%ile|percentile)"
)
_INDEX = re.compile(r"\bsystem benchmarks index score\b|\bfinal score\b")
_WORD = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_PART = re.compile(r"\band\b|\bwhile\b|\bwhereas\b|\bbut\b|\bwith\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def aspects(text: str) -> Aspects:
    """Return what a text says of a figure."""
    plain = re.sub(r"[_()\[\],:]|(?<!\d)\.|\.(?!\d)", " ", text.lower())
    plain = " ".join(plain.split())
    statistics = {name for name, pattern in _STATISTIC.items() if pattern.search(plain)}
    for found in _PERCENTILE.finditer(plain):
        statistics.add(f"p{_plain_percent(found['short'] or found['long'])}")
    quantities = {name for name, pattern in _QUANTITY.items() if pattern.search(plain)}
    if _PERCENTILE.search(plain) and not quantities:
        quantities.add("latency")
    return Aspects(
        frozenset(name for name, pattern in _DIRECTION.items() if pattern.search(plain)),
        frozenset(quantities),
        frozenset(statistics),
        frozenset(name for name, pattern in _KIND.items() if pattern.search(plain)),
        frozenset(_WORD.findall(plain)),
    )


def _plain_percent(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


@lru_cache(maxsize=4096)
def _of_metric(metric: str, unit: str) -> Aspects:
    found = aspects(metric)
    if not found.quantities:
        per_second = re.sub(r"(?:/s(?:ec)?|ps)$", "", unit)
        if unit == "IOPS" or (per_second != unit and bytes_in(per_second)):
            found = found._replace(quantities=frozenset(("iops" if unit == "IOPS" else "bw",)))
    return found


def part_about(text: str, figure: str) -> str:
    """Return the part of a claim that a figure stands in, where every part has its own quantity and figure."""
    parts = _PART.split(text)
    if len(parts) < 2:
        return text
    for part in parts:
        said = aspects(part)
        if not (said.quantities and any(sign.isdigit() for sign in part)):
            return text
    return next((part for part in parts if figure in part), text)


def meant(text: str, line: int, changes: Sequence[Change], claims: Sequence[int]) -> list[Change]:
    """Return the changes that what is said at a line may be about: one when it is certain, none when nothing fits.

    Direction, quantity and statistic must be those named; among those, only changes whose other words (a job, a block
    size, a side) are named most count. What stands above goes before what follows, and of several tests with a claim
    under each (`claims` are the lines of all) only the nearest counts.
    """
    said = aspects(text)
    if len(said.quantities) != 1 or len(said.statistics) > 1 or "tail" in said.statistics:
        return []
    fitting = [change for change in changes if _fits(said, change.after)]
    above = [change for change in fitting if change.after.line < line]
    if above:
        nearest = max(above, key=lambda change: change.after.line)
        floor = max((each for each in claims if each < nearest.before.line), default=0)
        fitting = [change for change in above if change.after.line > floor]
    return _named_most(said, fitting)


def _fits(said: Aspects, result: Result) -> bool:
    of = _of_metric(result.metric, result.unit)
    if "sync" in of.directions - said.directions:
        return False  # what fsync takes is no latency of the I/O
    if not said.quantities <= of.quantities:
        return False
    if said.directions and of.directions != said.directions and _job_direction(result, of) != said.directions:
        return False
    if said.quantities == {"score"}:
        return bool(_INDEX.search(result.metric.lower()))
    if said.kinds and of.kinds != said.kinds:
        return False
    if "latency" in said.quantities:
        if not said.kinds and "slat" in of.kinds:
            return False
        # a latency without a statistic is the mean
        return (of.statistics or {"mean"}) == (said.statistics or {"mean"})
    return not said.statistics or of.statistics == said.statistics


def _job_direction(result: Result, of: Aspects) -> frozenset[str]:
    """A metric without a direction of its own may be of a job that has one."""
    return aspects(result.job or result.cell or "").directions if not of.directions else frozenset()


def _named_most(said: Aspects, changes: list[Change]) -> list[Change]:
    if len(changes) < 2:
        return changes
    named = [len(said.rest & _words(change.after)) for change in changes]
    return [change for change, count in zip(changes, named, strict=True) if count == max(named)]


def _words(result: Result) -> frozenset[str]:
    parts = (result.metric, result.job, result.cell, result.variant)
    counts = () if result.copies is None else (str(result.copies),)
    words = frozenset(word for part in parts if part for word in aspects(part).rest)
    return words | frozenset(counts)
