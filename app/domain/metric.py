"""Metrics: their names, their units, which direction is better, and the samples that runs yield."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Annotated

from pydantic import Field

from app.domain.base import Frozen

Scalar = bool | int | float | str
GroupKey = tuple[tuple[str, Scalar], ...]


class Better(StrEnum):
    """Which direction of a metric is an improvement."""

    HIGHER = "higher"
    LOWER = "lower"


class Metric(Frozen):
    """A metric's canonical name, its unit, and which direction is better."""

    name: str
    unit: str
    better: Better


class Group(Frozen):
    """What a sample belongs to besides its variant; comparisons stay inside one group."""

    job: str | None = None
    copies: int | None = None
    cell: dict[str, Scalar] | None = None
    runner: str | None = None

    @property
    def key(self) -> GroupKey:
        """A hashable form, equal for equal groups whatever the order of the cell's keys."""
        parts: list[tuple[str, Scalar]] = []
        if self.job is not None:
            parts.append(("job", self.job))
        if self.copies is not None:
            parts.append(("copies", self.copies))
        if self.runner is not None:
            parts.append(("runner", self.runner))
        if self.cell:
            parts += [(f"cell.{name}", value) for name, value in sorted(self.cell.items())]
        return tuple(parts)

    @property
    def label(self) -> str:
        """The group as people read it; empty for the group of everything."""
        return " ".join(f"{name.removeprefix('cell.')}={value}" for name, value in self.key)


class Sample(Frozen):
    """One value of one metric from one run.

    `better` is None where nobody knows it (a column of somebody's table). A value may be NaN or infinite as measured;
    comparisons leave such a value out and say so.
    """

    metric: Annotated[str, Field(min_length=1, max_length=400)]
    unit: Annotated[str, Field(max_length=100)]
    value: Annotated[float, Field(allow_inf_nan=True)]
    better: Better | None
    group: Group = Field(default_factory=Group)


class UnknownMetric(ValueError):
    """No metric has this name; `close` holds known names that look like it."""

    def __init__(self, name: str, close: tuple[str, ...]) -> None:
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        super().__init__(f"no metric is named {name!r}{hint}")
        self.name = name
        self.close = close


def metric_named(name: str) -> Metric:
    """Return the metric of a canonical name. Raises UnknownMetric naming close matches."""
    fixed = _fixed().get(name)
    if fixed is not None:
        return fixed
    for pattern, unit, better in _PATTERNS:
        if pattern.fullmatch(name):
            return Metric(name=name, unit=unit, better=better)
    raise UnknownMetric(name, tuple(difflib.get_close_matches(name, known_names(), n=3, cutoff=0.6)))


def is_known(name: str) -> bool:
    """Tell whether a name is a canonical metric's."""
    return name in _fixed() or any(pattern.fullmatch(name) for pattern, _, _ in _PATTERNS)


def known_names() -> list[str]:
    """Return every fixed name and, of the families that take a number, the usual members."""
    return [*_fixed(), *_USUAL_MEMBERS]


def measured(name: str, value: float, group: Group | None = None) -> Sample:
    """Return a sample of a canonical metric, `value` in the metric's own unit. Raises UnknownMetric."""
    metric = metric_named(name)
    return Sample(metric=name, unit=metric.unit, value=value, better=metric.better, group=group or Group())


_HIGHER, _LOWER = Better.HIGHER, Better.LOWER
_DIRECTIONS = ("read", "write", "trim", "sync")
_LATENCIES = ("slat", "clat", "lat")
_PERCENTILE = r"p(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)"
_FILE_TESTS = tuple(
    f"File {what} {size} bufsize {blocks} maxblocks"
    for what in ("Copy", "Read", "Write")
    for size, blocks in ((1024, 2000), (256, 500), (4096, 8000))
)


def _fio() -> dict[str, tuple[str, Better]]:
    table: dict[str, tuple[str, Better]] = {"total.iops": ("IOPS", _HIGHER), "total.bw": ("B/s", _HIGHER)}
    for direction in _DIRECTIONS:
        table[f"{direction}.iops"] = ("IOPS", _HIGHER)
        table[f"{direction}.bw"] = ("B/s", _HIGHER)
        table[f"{direction}.io"] = ("B", _HIGHER)
        table[f"{direction}.runtime"] = ("ns", _LOWER)
        for latency in _LATENCIES:
            for statistic in ("min", "mean", "max", "stdev"):
                table[f"{direction}.{latency}_{statistic}"] = ("ns", _LOWER)
    return table


def _unixbench() -> dict[str, tuple[str, Better]]:
    table: dict[str, tuple[str, Better]] = {
        "Dhrystone 2 using register variables": ("lps", _HIGHER),
        "Double-Precision Whetstone": ("MWIPS", _HIGHER),
        "Execl Throughput": ("lps", _HIGHER),
        **dict.fromkeys(_FILE_TESTS, ("KBps", _HIGHER)),
        "Pipe Throughput": ("lps", _HIGHER),
        "Pipe-based Context Switching": ("lps", _HIGHER),
        "Process Creation": ("lps", _HIGHER),
        "Shell Scripts (1 concurrent)": ("lpm", _HIGHER),
        "Shell Scripts (8 concurrent)": ("lpm", _HIGHER),
        "Shell Scripts (16 concurrent)": ("lpm", _HIGHER),
        "System Call Overhead": ("lps", _HIGHER),
        "C Compiler Throughput": ("lpm", _HIGHER),
        "Dc: sqrt(2) to 99 decimal places": ("lpm", _HIGHER),
        "Recursion Test--Tower of Hanoi": ("lps", _HIGHER),
    }
    table |= {f"{name} index": ("index", _HIGHER) for name in list(table)}
    return table | dict.fromkeys(UNIXBENCH_TOTALS, ("index", _HIGHER))


UNIXBENCH_TOTALS = (
    "System Benchmarks Index Score",
    "System Benchmarks Index Score (Partial Only)",
    "FINAL SCORE",
)
"""The one figure that UnixBench ends with, by version and by whether all index tests ran."""

_COMPILEBENCH_RATES = ("initial create", "create", "patch", "compile", "clean", "read tree", "read compiled tree")
_COMPILEBENCH_TIMES = ("delete tree", "delete compiled tree", "stat tree", "stat compiled tree")
_DBENCH_OPERATIONS = (
    *("NTCreateX", "Close", "Rename", "Unlink", "Deltree", "Mkdir", "Qpathinfo", "Qfileinfo", "Qfsinfo"),
    *("Sfileinfo", "Find", "WriteX", "ReadX", "LockX", "UnlockX", "Flush"),
)


def _others() -> dict[str, tuple[str, Better]]:
    table: dict[str, tuple[str, Better]] = {
        **dict.fromkeys(_COMPILEBENCH_RATES, ("MB/s", _HIGHER)),
        **dict.fromkeys(_COMPILEBENCH_TIMES, ("s", _LOWER)),
        "files_per_second": ("files/s", _HIGHER),
        "throughput": ("MB/s", _HIGHER),
        "max_latency": ("ms", _LOWER),
    }
    for operation in _DBENCH_OPERATIONS:
        table[f"{operation}.count"] = ("ops", _HIGHER)
        table[f"{operation}.avg_latency"] = ("ms", _LOWER)
        table[f"{operation}.max_latency"] = ("ms", _LOWER)
    return table


@cache
def _fixed() -> Mapping[str, Metric]:
    """The metrics whose names are fixed; made when first asked for, since not every start of the command asks."""
    return {
        name: Metric(name=name, unit=unit, better=better)
        for name, (unit, better) in (_fio() | _unixbench() | _others()).items()
    }


_PATTERNS: tuple[tuple[re.Pattern[str], str, Better], ...] = (
    (re.compile(rf"(?:{'|'.join(_DIRECTIONS)})\.(?:{'|'.join(_LATENCIES)})_{_PERCENTILE}"), "ns", _LOWER),
    (re.compile(r"File (?:Copy|Read|Write) \d+ bufsize \d+ maxblocks"), "KBps", _HIGHER),
    (re.compile(r"Shell Scripts \(\d+ concurrent\)"), "lpm", _HIGHER),
    (re.compile(r"Arithmetic Test \(type = [a-z]+\)"), "lps", _HIGHER),
    (
        re.compile(
            r"(?:File (?:Copy|Read|Write) \d+ bufsize \d+ maxblocks|Shell Scripts \(\d+ concurrent\)"
            r"|Arithmetic Test \(type = [a-z]+\)) index"
        ),
        "index",
        _HIGHER,
    ),
)
_USUAL_MEMBERS = tuple(
    f"{direction}.{latency}_p{percentile}"
    for direction in _DIRECTIONS
    for latency in _LATENCIES
    for percentile in ("50", "90", "95", "99", "99.9", "99.99", "100")
)

_DECIMAL = ("", "k", "M", "G", "T")
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi")
_TIME_NS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def format_value(value: float, unit: str, *, ascii_only: bool = False) -> str:
    """Return a value as people read it, four significant digits, in the field's own scale.

    Bytes take binary prefixes as fio prints them first (`24.31 MiB/s`), IOPS a decimal one from 10,000 on
    (`62.20k IOPS`), nanoseconds become µs, ms or s (`12.40 µs`; `us` when `ascii_only`). Other units stay as given.
    """
    if not math.isfinite(value):
        return f"{value} {unit}".strip()
    size = abs(value)
    if unit == "ns":
        scale, name = next((entry for entry in _TIME_NS if size >= entry[0]), (1.0, "ns"))
        return f"{significant(value / scale)} {name.replace('µ', 'u') if ascii_only else name}"
    if unit in ("B", "B/s"):
        step = _step(size, 1024.0, 1.0, len(_BINARY))
        return f"{significant(value / 1024.0**step)} {_BINARY[step]}{unit}"
    if unit == "IOPS":
        step = _step(size, 1000.0, 10.0, len(_DECIMAL))
        return f"{significant(value / 1000.0**step)}{_DECIMAL[step]} IOPS"
    return f"{significant(value)} {unit}".strip()


def exact_value(value: float) -> str:
    """Return a value that reads back as the same number, whole numbers without a point."""
    return str(int(value)) if math.isfinite(value) and value.is_integer() and abs(value) < 2**53 else repr(value)


def significant(value: float, digits: int = 4) -> str:
    """Return a number with so many significant digits, never in powers of ten when it is 0.0001 or more."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude < -4:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(0, digits - 1 - magnitude)}f}"


def _step(size: float, base: float, first: float, steps: int) -> int:
    """The power of `base` to divide by; the first step is taken only from `first` × base on."""
    if size < base * first:
        return 0
    step = 0
    while size >= base and step < steps - 1:
        size /= base
        step += 1
    return step
