"""What a run brings back: samples first, then the evidence behind them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from app.domain.base import Frozen
from app.domain.digest import canonical_json
from app.domain.metric import Sample

NOTICES_MAX = 1000


class Histogram(Frozen):
    """Latencies of one run in fio's bin layout, as sparse (bin, count) pairs; all times in nanoseconds."""

    name: str
    """`read.clat`, `write.slat`, …"""
    group: dict[str, str | int] = {}
    count: int
    min_ns: int
    max_ns: int
    mean_ns: float
    stdev_ns: float
    bins: tuple[tuple[int, int], ...]


class Series(Frozen):
    """One quantity over time, a value an interval."""

    name: str
    unit: str
    group: dict[str, str | int] = {}
    interval_ns: int
    values: tuple[float | None, ...]


class Stage(Frozen):
    """Time that I/Os spent in one stage of their way."""

    name: str
    meaning: str
    count: int
    total_ns: int
    max_ns: int


class Notice(Frozen):
    """Something a reader of the result has to know: what was mapped, ignored, or not concluded."""

    severity: str
    message: str
    line: int | None = None


class Artifact(Frozen):
    """A file of a run, kept by content."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.\-]{0,99}$")]
    media_type: str
    content: bytes


class Outcome(Frozen):
    """A finished run. A workload that failed by itself is an outcome too: then `workload_error` says how."""

    samples: tuple[Sample, ...]
    histograms: tuple[Histogram, ...] = ()
    series: tuple[Series, ...] = ()
    stages: tuple[Stage, ...] = ()
    counters: dict[str, int | float] = {}
    environment: dict[str, Any] = {}
    """What the result's identity holds: versions, profile values, sources."""
    notices: Annotated[tuple[Notice, ...], Field(max_length=NOTICES_MAX)] = ()
    artifacts: tuple[Artifact, ...] = ()
    log: str = ""
    workload_error: str | None = None

    def files(self) -> list[Artifact]:
        """Return the files that are kept of a run: its artifacts, and the bulky evidence."""
        made = list(self.artifacts)
        for name in ("histograms", "series"):
            values = self.model_dump(mode="json", include={name})[name]
            if values:
                content = canonical_json(values).encode()
                made.append(Artifact(name=f"{name}.json", media_type="application/json", content=content))
        if self.log:
            made.append(Artifact(name="run.log", media_type="text/plain; charset=utf-8", content=self.log.encode()))
        return made


class RunProgress(Frozen):
    """How far a run is: a fraction from 0 to 1 and, where known, the rate so far."""

    fraction: Annotated[float, Field(ge=0, le=1)]
    simulated_s: float | None = None
    ios: int | None = None
    iops: float | None = None
