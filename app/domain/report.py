"""A report: results that were measured elsewhere, read out of a text, with the line each was found on.

The values are plain tuples and slotted classes, not pydantic models: half a million of them come out of one large fio
document, and they are built by our own readers, not from foreign input.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from app.domain.comparison import Comparison, MeasuredRun
from app.domain.latency_histogram import LatencyHistogram, bin_value_ns
from app.domain.metric import Better

Kind = Literal["fio", "unixbench", "compilebench", "fs_mark", "dbench", "xfstests", "table", "mail"]


class Result(NamedTuple):
    """One published figure, in its canonical unit where it has one; what the text does not say is None.

    `samples` are the single values when several were printed, and `value` what their author would state (a mean; for
    the steps of one fs_mark run its files over its time). A range has `min` and `max` and no value. `stdev` is the
    author's. `n` counts runs, None where the text does not tell. `error` is the errno a run ended with. `cell` tells
    apart results of one name from several tests or tables of one text.
    """

    metric: str
    value: float | None
    unit: str
    better: Better | None
    line: int
    variant: str | None = None
    job: str | None = None
    group: int | None = None
    copies: int | None = None
    clients: int | None = None
    cell: str | None = None
    n: int | None = 1
    samples: tuple[float, ...] | None = None
    stdev: float | None = None
    min: float | None = None
    max: float | None = None
    error: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row scripts rely on."""
        row = self._asdict()
        single = () if self.value is None else (self.value,)
        row["samples"] = list(single if self.samples is None else self.samples)
        return row


class Status(StrEnum):
    """How a test of xfstests went."""

    PASSED = "passed"
    FAILED = "failed"
    NOTRUN = "notrun"
    EXPUNGED = "expunged"
    BROKEN = "broken"
    FLAKY = "flaky"


class TestOutcome(NamedTuple):
    """One test of xfstests in one section; `runs` and `failures` where it ran more than once, `seconds` of the last."""

    name: str
    status: Status
    line: int
    section: str | None = None
    seconds: float | None = None
    runs: int | None = None
    failures: int | None = None
    message: str | None = None


class Claim(NamedTuple):
    """What the author says in words about a figure: `value` is the percentage, factor or figure named first.

    `metric` and `computed_percent` are what the text's own figures give for it, where it is known which are meant;
    `agrees` says whether they bear the claim out, within its rounding.
    """

    text: str
    value: float | None
    unit: str
    line: int
    metric: str | None = None
    computed_percent: float | None = None
    agrees: bool | None = None


class PairedSide(NamedTuple):
    """Where the results under one label go: to which variant, in which setup; a variant of None leaves them out."""

    label: str
    variant: str | None
    setup: str | None = None


class Pairing(NamedTuple):
    """Which labels of a text are which side, and by which rule."""

    baseline: str
    sides: tuple[PairedSide, ...]
    rule: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the document of a pairing."""
        return {"baseline": self.baseline, "rule": self.rule, "sides": [side._asdict() for side in self.sides]}


class Remark(NamedTuple):
    """Something a reader of the report must know, with the line it is about."""

    line: int
    message: str


class Distribution(NamedTuple):
    """The latencies of one job and direction, as json+ gives them; `metric` is `read.clat`, `write.lat`, …"""

    metric: str
    line: int
    histogram: LatencyHistogram
    variant: str | None = None
    job: str | None = None
    group: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row, its bins as [nanoseconds, count]."""
        bins = [[bin_value_ns(index), count] for index, count in self.histogram.bins]
        return {**self._asdict(), "histogram": bins}


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was read out of one text.

    `runs` and `baseline` are the sides as a comparison takes them, empty and None when nothing can be paired.
    `experiment` is the part of a definition that the text gives, `patches` what `lodestone patch` would give.
    """

    kind: Kind | None
    results: tuple[Result, ...] = ()
    tests: tuple[TestOutcome, ...] = ()
    claims: tuple[Claim, ...] = ()
    warnings: tuple[Remark, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    runs: tuple[MeasuredRun, ...] = ()
    baseline: str | None = None
    comparison: Comparison | None = None
    pairing: Pairing | None = None
    patches: tuple[Mapping[str, Any], ...] = ()
    experiment: Mapping[str, Any] | None = None
    totals: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the document of `lodestone import --json`."""
        return {
            "schema": 1,
            "kind": self.kind,
            "results": [result.to_json() for result in self.results],
            "tests": [outcome._asdict() for outcome in self.tests],
            "totals": dict(self.totals),
            "comparison": None if self.comparison is None else self.comparison.model_dump(mode="json"),
            "pairing": None if self.pairing is None else self.pairing.to_json(),
            "claims": [claim._asdict() for claim in self.claims],
            "patches": [dict(patch) for patch in self.patches],
            "experiment": None if self.experiment is None else dict(self.experiment),
            "distributions": [distribution.to_json() for distribution in self.distributions],
            "warnings": [remark._asdict() for remark in self.warnings],
        }
