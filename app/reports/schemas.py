"""What the report calls take and answer."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.domain.comparison import Comparison, Verdict
from app.domain.metric import Better
from app.domain.report import Status
from app.ingest.recognise import Pasted

Name = Annotated[str, StringConstraints(max_length=2000)]
"""A label as it stands in a text, whatever it is made of."""

Title = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]


class ReportSide(BaseModel):
    """Where the figures under one label go: to which variant, in which setup; without a variant they stay out."""

    model_config = ConfigDict(extra="forbid")

    label: Name
    variant: Name | None = None
    setup: Name | None = None


class ReportPairing(BaseModel):
    """Which labels are which side; `rule` says how that was decided."""

    model_config = ConfigDict(extra="forbid")

    baseline: Name
    sides: Annotated[list[ReportSide], Field(max_length=1000)]
    rule: Annotated[str, StringConstraints(max_length=1000)] = ""


class ReportChange(BaseModel):
    """What is to be different about a report; `pairing` null goes back to the rule."""

    model_config = ConfigDict(extra="forbid")

    title: Title | None = None
    pairing: ReportPairing | None = None


class ReportResult(BaseModel):
    """One figure as `lodestone import --json` gives it: in its canonical unit, with the line it stands on."""

    metric: str
    value: float | None
    unit: str
    better: Better | None
    line: int
    variant: str | None
    job: str | None
    group: int | None
    copies: int | None
    clients: int | None
    cell: str | None
    n: int | None
    samples: list[float]
    stdev: float | None
    min: float | None
    max: float | None
    error: int | None


class ReportTest(BaseModel):
    """One test of xfstests."""

    name: str
    status: Status
    line: int
    section: str | None
    seconds: float | None
    runs: int | None
    failures: int | None
    message: str | None


class ReportClaim(BaseModel):
    """What the author says in words, and what the figures say to that."""

    text: str
    value: float | None
    unit: str
    line: int
    metric: str | None
    computed_percent: float | None
    agrees: bool | None


class ReportWarning(BaseModel):
    """Something that a reader has to mind, with the line it is about."""

    line: int
    message: str


class ReportContent(BaseModel):
    """What was read out of a text; the lists hold their first rows, the totals count all."""

    pasted: Pasted
    kind: str | None
    title: str
    verdict: Verdict | None
    headline: str | None
    results: list[ReportResult]
    results_total: int
    tests: list[ReportTest]
    tests_total: int
    totals: dict[str, int]
    pairing: ReportPairing | None
    comparison: Comparison | None
    claims: list[ReportClaim]
    patches: list[dict[str, Any]]
    warnings: list[ReportWarning]
    definition: str | None
    """The definition (YAML) of the experiment that the text describes."""


class ReportSummary(BaseModel):
    """A report as lists show it."""

    id: str
    title: str
    kind: str | None
    verdict: Verdict | None
    headline: str | None
    figures: int
    created_ms: int


class ReportPage(BaseModel):
    """One page of reports, newest first; `next` is the cursor of the page after it."""

    items: list[ReportSummary]
    next: str | None


class ReportDetail(ReportContent):
    """A kept report."""

    schema_version: Literal[1] = 1
    id: str
    digest: str
    """SHA-256 of the text."""
    size_bytes: int
    created_ms: int
