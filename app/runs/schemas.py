"""What the run calls answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from app.domain.metric import Sample
from app.domain.outcome import Histogram, Notice, Series, Stage
from app.experiments.schemas import RunSummary


class ArtifactSummary(BaseModel):
    """A file of a run."""

    name: str
    size_bytes: int
    media_type: str
    digest: str


class RunDetail(RunSummary):
    """A run with everything it brought back; the lists are empty before it ends."""

    experiment_id: str
    samples: list[Sample]
    histograms: list[Histogram]
    series: list[Series]
    stages: list[Stage]
    counters: dict[str, float]
    environment: dict[str, Any]
    notices: list[Notice]
    artifacts: list[ArtifactSummary]
