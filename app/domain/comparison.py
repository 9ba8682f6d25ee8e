"""A comparison: candidates against the baseline, metric by metric, each with a verdict and its reason."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from app.domain.base import Frozen
from app.domain.metric import Better, Group, Sample, Scalar

Order = Literal["interleaved", "blocked", "unknown"]
"""How the runs of the variants followed each other; `unknown` for results that were measured elsewhere."""


class Verdict(StrEnum):
    """What may be said of a candidate against the baseline."""

    IMPROVED = "improved"
    REGRESSED = "regressed"
    EQUIVALENT = "equivalent"
    INCONCLUSIVE = "inconclusive"


class StageTime(Frozen):
    """Time that the I/Os of one run spent in one stage: `DIRECTION.STAGE`, in nanoseconds."""

    name: str
    meaning: str = ""
    count: int
    total_ns: int


class MeasuredRun(Frozen):
    """What a comparison needs to know of one run.

    Runs of one `replicate` form a pair when the order was interleaved. `failed` holds the reason of a run that yielded
    nothing to compare; its pair is dropped. `environment` is what the run was made on, `stages` and `counters` what
    may explain its figures.
    """

    variant: str
    replicate: Annotated[int, Field(ge=0)]
    seed: int | None = None
    cell: dict[str, Scalar] = Field(default_factory=dict)
    runner: str | None = None
    samples: tuple[Sample, ...] = ()
    failed: str | None = None
    environment: dict[str, Any] = Field(default_factory=dict)
    stages: tuple[StageTime, ...] = ()
    counters: dict[str, float] = Field(default_factory=dict)


class Summary(Frozen):
    """One side's values in the metric's unit; statistics that need more values than there are, are None."""

    n: int
    mean: float | None = None
    median: float | None = None
    stdev: float | None = None
    min: float | None = None
    max: float | None = None


class SeedDifference(Frozen):
    """A deterministic runner's two values at one seed; `ratio` is None where the baseline's is not positive."""

    seed: int | None
    baseline: float
    candidate: float
    difference: float
    ratio: float | None


class MetricComparison(Frozen):
    """One metric of one candidate.

    `ratio` is candidate/baseline and `ci95` its 95 % interval, both None where a ratio makes no sense; `estimator` says
    how the ratio was taken. `p_value` is raw; `p_adjusted` is Holm's over the primary metrics, and for the exploratory
    ones a false-discovery rate (Benjamini and Hochberg). `n` counts the pairs when the order was interleaved, else the
    runs of the smaller side. `exact` marks a statement about the seeds that ran and nothing beyond them, each listed in
    `seeds`. `detectable_percent` is the smallest change that as many runs with this spread show in four of five
    experiments, and `more_pairs` how many more pairs (runs a side when blocked) would about settle an open case.
    """

    name: str
    unit: str
    better: Better | None
    primary: bool
    baseline: Summary
    candidate: Summary
    n: int
    ratio: float | None
    estimator: Literal["hodges-lehmann", "medians"]
    ci95: tuple[float, float] | None
    p_value: float | None
    p_adjusted: float | None
    verdict: Verdict
    exact: bool
    detectable_percent: float | None
    more_pairs: int | None = None
    seeds: tuple[SeedDifference, ...] = ()
    reason: str


class Candidate(Frozen):
    """One variant other than the baseline, in one group; the group's JSON holds only what is set."""

    variant: str
    group: Group
    metrics: tuple[MetricComparison, ...]

    @model_serializer(mode="wrap")
    def _group_without_gaps(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        document: dict[str, Any] = handler(self)
        document["group"] = {name: value for name, value in document["group"].items() if value is not None}
        return document

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # by its return type alone the serializer above would describe any object
        return handler({name: value for name, value in core.items() if name != "serialization"})


class StageChange(Frozen):
    """How the mean time of an I/O in one stage changed; `share` is of the change of all stages together, 1 is all."""

    name: str
    meaning: str
    baseline_ns: float
    candidate_ns: float
    change_ns: float
    share: float | None


class CounterChange(Frozen):
    """How something that a run counts changed: means over the runs of either side."""

    name: str
    baseline: float
    candidate: float


class Why(Frozen):
    """Which stages of an I/O's way, and which counters, moved with a candidate's figures; the clearest first.

    `direction` is read, write, …; the times are means of one I/O over all runs. `sentence` says it in words.
    """

    variant: str
    group: Group
    direction: str
    baseline_ns: float
    candidate_ns: float
    stages: tuple[StageChange, ...]
    counters: tuple[CounterChange, ...] = ()
    sentence: str


class Measured(Frozen):
    """One metric of a variant that stands alone, with nothing to compare it with."""

    variant: str
    group: Group
    name: str
    unit: str
    better: Better | None
    primary: bool
    summary: Summary


class Comparison(Frozen):
    """Every candidate against the baseline; `verdict` is the experiment's, decided by the primary metrics alone."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    baseline: str
    verdict: Verdict
    primary: tuple[str, ...]
    threshold_percent: float
    deterministic: bool
    order: Order
    candidates: tuple[Candidate, ...]
    measured: tuple[Measured, ...] = ()
    """The figures of an experiment of one variant; empty when there are candidates."""
    why: tuple[Why, ...] = ()
    placebo: bool = False
    """Both sides declare the same, so no change was tested: what differs is noise, or the runner's own."""
    notes: tuple[str, ...] = ()


class QuantileShift(Frozen):
    """How one quantile of the merged latencies moved.

    `ratio` is candidate/baseline of the merged quantiles; `band95` covers it over runs, the bins' width included, and
    is None where `reason` says why. `resolution_percent` is that width: smaller shifts are not seen. `beyond` counts
    the I/Os past the quantile on the side that has fewer.
    """

    percent: float
    baseline_ns: int | None
    candidate_ns: int | None
    ratio: float | None
    band95: tuple[float, float] | None
    resolution_percent: float | None
    beyond: int
    reason: str | None = None
