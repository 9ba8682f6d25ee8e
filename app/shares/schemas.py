"""What the share calls answer, and the frozen copy that a share holds."""

from __future__ import annotations

from pydantic import BaseModel

from app.domain.comparison import Comparison
from app.domain.experiment import Definition
from app.domain.outcome import Notice
from app.experiments.schemas import LatencyCurve, StageShare
from app.reports.schemas import ReportContent


class ShareMade(BaseModel):
    """A share: `path` is appended to the server's address."""

    slug: str
    path: str
    experiment_id: str | None
    report_id: str | None
    created_ms: int


class Snapshot(BaseModel):
    """What a share of an experiment shows, as it was when it was made."""

    title: str
    digest: str
    runner: str
    headline: str | None
    definition: Definition
    comparison: Comparison
    latencies: list[LatencyCurve]
    stages: list[StageShare]
    notices: list[Notice]
    created_ms: int
    shared_ms: int


class ReportSnapshot(BaseModel):
    """What a share of a report shows, as it was when it was made; `digest` is of the text."""

    report: ReportContent
    digest: str
    created_ms: int
    shared_ms: int
