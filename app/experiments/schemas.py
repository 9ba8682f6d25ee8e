"""What the experiment calls take and answer, apart from the definition itself."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from app.domain.claim import Failure
from app.domain.comparison import QuantileShift, Verdict
from app.domain.experiment import Definition
from app.domain.metric import Scalar
from app.domain.outcome import Notice, RunProgress
from app.domain.state import State


class ExperimentSummary(BaseModel):
    """An experiment as lists show it; times in milliseconds since the epoch."""

    id: str
    title: str
    digest: str
    runner: str
    state: State
    verdict: Verdict | None
    headline: str | None
    runs_total: int
    runs_ended: int
    created_ms: int
    started_ms: int | None
    ended_ms: int | None


class ExperimentPage(BaseModel):
    """One page of experiments, newest first; `next` is the cursor of the page after it."""

    items: list[ExperimentSummary]
    next: str | None


class RunSummary(BaseModel):
    """A run as its experiment shows it."""

    id: str
    position: int
    runner: str
    variant: str
    cell: dict[str, Scalar]
    replicate: int
    seed: int
    state: State
    attempt: int
    worker: str | None
    progress: RunProgress | None
    failure: Failure | None
    started_ms: int | None
    ended_ms: int | None


class ExperimentDetail(ExperimentSummary):
    """An experiment with its definition and runs; `runs` holds the first `runs_shown` of `runs_total`."""

    definition: Definition
    notices: list[Notice]
    rerun_of: str | None
    cancel_requested: bool
    last_event: int
    runs_shown: int
    runs: list[RunSummary]


class ExperimentEvent(BaseModel):
    """One event of an experiment's stream: its number, kind and data."""

    number: int
    kind: str
    run_id: str | None
    at_ms: int
    data: dict[str, Any]


class LatencyCurve(BaseModel):
    """The merged latencies of one variant: all times in nanoseconds."""

    variant: str
    name: str
    group: dict[str, Any]
    runs: int
    count: int
    mean_ns: float
    min_ns: int
    max_ns: int
    percentiles: dict[str, int]
    curve: list[tuple[int, float]]
    """(latency, share of I/Os at or below it), one point a bin that holds any."""


class SeriesBand(BaseModel):
    """One quantity over time for one variant: the mean over its runs with the lowest and highest run."""

    variant: str
    name: str
    unit: str
    group: dict[str, Any]
    runs: int
    interval_ns: int
    mean: list[float | None]
    low: list[float | None]
    high: list[float | None]


class StageShare(BaseModel):
    """Time in one stage of the I/O's way for one variant, over all its runs."""

    variant: str
    group: dict[str, Any]
    name: str
    meaning: str
    count: int
    mean_ns: float
    max_ns: int


class QuantileShifts(BaseModel):
    """How the merged latencies of a candidate moved against the baseline's, quantile by quantile."""

    variant: str
    name: str
    group: dict[str, Any]
    shifts: list[QuantileShift]


class Evidence(BaseModel):
    """What lies behind a comparison."""

    latencies: list[LatencyCurve]
    quantiles: list[QuantileShifts]
    series: list[SeriesBand]
    stages: list[StageShare]
    counters: dict[str, dict[str, float]]
    """Mean over the runs of each variant."""
    environment: dict[str, Any]
    notices: list[Notice]
