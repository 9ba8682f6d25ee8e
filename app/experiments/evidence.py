"""Gathers what lies behind a comparison: merged latencies, series with bands, stages, counters."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlmodel import Session

from app.analysis.quantile_shift import quantile_shifts
from app.db.blobs import BlobStore
from app.db.tables import Experiment, Run
from app.domain.digest import canonical_json
from app.domain.experiment import Definition
from app.domain.latency_histogram import LatencyHistogram, bin_value_ns, merged
from app.domain.outcome import Histogram, Notice, Series, Stage
from app.experiments import repository
from app.experiments.schemas import Evidence, LatencyCurve, QuantileShifts, SeriesBand, StageShare

PERCENTILES = ("50", "90", "95", "99", "99.9", "99.99", "100")

RUNS_READ_MAX = 400
"""Runs whose histograms and series are read for one answer; a matrix is looked at cell by cell."""

QUANTILES_MAX = 60
"""Candidates × kinds of latency whose shifts are computed; each takes some milliseconds."""

Key = tuple[str, str, str]
"""Variant, canonical group, name."""


def evidence(session: Session, blobs: BlobStore, experiment: Experiment) -> Evidence:
    """Return the evidence of the runs that have ended so far."""
    outcomes = repository.outcomes(session, experiment.id)
    ended = [run for run in repository.runs(session, experiment.id) if run.id in outcomes]
    runs = ended[:RUNS_READ_MAX]
    several = len({run.runner for run in runs}) > 1
    kept = {run.id: json.loads(outcomes[run.id].evidence) for run in runs}
    histograms = _read(session, blobs, experiment.id, "histograms.json", runs)
    series = _read(session, blobs, experiment.id, "series.json", runs)
    found = [(run, Histogram.model_validate(item)) for run, item in histograms]
    definition = Definition.model_validate_json(experiment.definition)
    notices = [Notice.model_validate(notice) for notice in json.loads(experiment.notices)]
    if len(ended) > len(runs):
        message = f"curves, series and stages show the first {len(runs)} of {len(ended)} runs; the comparison has all"
        notices.append(Notice(severity="warning", message=message))
    for entry in kept.values():
        notices += [Notice.model_validate(notice) for notice in entry["notices"]]
    return Evidence(
        latencies=_latencies(found, several),
        quantiles=_quantiles(found, several, definition),
        series=_bands(((run, Series.model_validate(item)) for run, item in series), several),
        stages=_stages(((run, Stage.model_validate(item)) for run in runs for item in kept[run.id]["stages"]), several),
        counters=_counters(runs, kept),
        environment={run.variant: kept[run.id]["environment"] for run in reversed(runs)},
        notices=list(dict.fromkeys(notices)),
    )


def _read(
    session: Session, blobs: BlobStore, experiment_id: str, name: str, runs: Sequence[Run]
) -> list[tuple[Run, Any]]:
    digests = repository.artifacts(session, experiment_id, name)
    return [(run, item) for run in runs if run.id in digests for item in json.loads(blobs.get(digests[run.id]))]


def _group(run: Run, more: Mapping[str, Any], several: bool) -> str:
    cell = json.loads(run.cell)
    place = {"cell": cell} if cell else {}
    return canonical_json({**more, **place, **({"runner": run.runner} if several else {})})


def _latencies(found: Iterable[tuple[Run, Histogram]], several: bool) -> list[LatencyCurve]:
    sides: dict[Key, list[Histogram]] = defaultdict(list)
    for run, histogram in found:
        sides[run.variant, _group(run, histogram.group, several), histogram.name].append(histogram)
    return [_curve(key, histograms) for key, histograms in sides.items()]


def _quantiles(found: Sequence[tuple[Run, Histogram]], several: bool, definition: Definition) -> list[QuantileShifts]:
    """How each candidate's latencies moved; runs are paired by replicate where both sides have them."""
    sides: dict[Key, dict[int, list[Histogram]]] = defaultdict(lambda: defaultdict(list))
    for run, histogram in found:
        key = run.variant, _group(run, histogram.group, several), histogram.name
        sides[key][run.replicate].append(histogram)
    baseline = definition.variants[0].name
    paired = definition.order == "interleaved"
    shifts: list[QuantileShifts] = []
    for (variant, group, name), candidate in sides.items():
        before = sides.get((baseline, group, name))
        if variant == baseline or before is None or len(shifts) >= QUANTILES_MAX:
            continue
        places = sorted(before.keys() & candidate.keys()) if paired else None
        shifts.append(
            QuantileShifts(
                variant=variant,
                name=name,
                group=json.loads(group),
                shifts=list(
                    quantile_shifts(
                        _by_run(before, places or sorted(before)),
                        _by_run(candidate, places or sorted(candidate)),
                        paired=bool(places),
                    )
                ),
            )
        )
    return shifts


def _by_run(histograms: Mapping[int, list[Histogram]], places: Sequence[int]) -> list[LatencyHistogram]:
    return [merged(LatencyHistogram(histogram.bins) for histogram in histograms[place]) for place in places]


def _curve(key: Key, histograms: list[Histogram]) -> LatencyCurve:
    variant, group, name = key
    whole = merged(LatencyHistogram(histogram.bins) for histogram in histograms)
    count = whole.count
    points, running = [], 0
    for index, bin_count in whole.bins:
        running += bin_count
        points.append((bin_value_ns(index), running / count))
    total_ns = sum(histogram.mean_ns * histogram.count for histogram in histograms)
    largest = max((histogram.max_ns for histogram in histograms), default=0)
    return LatencyCurve(
        variant=variant,
        name=name,
        group=json.loads(group),
        runs=len(histograms),
        count=count,
        mean_ns=total_ns / count if count else 0.0,
        min_ns=min((histogram.min_ns for histogram in histograms if histogram.count), default=0),
        max_ns=largest,
        percentiles={percent: min(whole.percentile_ns(float(percent)) or 0, largest) for percent in PERCENTILES}
        if count
        else {},
        curve=points,
    )


def _bands(found: Iterable[tuple[Run, Series]], several: bool) -> list[SeriesBand]:
    sides: dict[Key, list[Series]] = defaultdict(list)
    for run, series in found:
        sides[run.variant, _group(run, series.group, several), series.name].append(series)
    bands = []
    for (variant, group, name), members in sides.items():
        interval_ns = members[0].interval_ns
        alike = [member.values for member in members if member.interval_ns == interval_ns]
        columns = [
            [value for values in alike if at < len(values) and (value := values[at]) is not None]
            for at in range(max(len(values) for values in alike))
        ]
        bands.append(
            SeriesBand(
                variant=variant,
                name=name,
                unit=members[0].unit,
                group=json.loads(group),
                runs=len(alike),
                interval_ns=interval_ns,
                mean=[sum(column) / len(column) if column else None for column in columns],
                low=[min(column) if column else None for column in columns],
                high=[max(column) if column else None for column in columns],
            )
        )
    return bands


def _stages(found: Iterable[tuple[Run, Stage]], several: bool) -> list[StageShare]:
    sides: dict[Key, list[Stage]] = defaultdict(list)
    for run, stage in found:
        sides[run.variant, _group(run, {}, several), stage.name].append(stage)
    return [
        StageShare(
            variant=variant,
            group=json.loads(group),
            name=name,
            meaning=stages[0].meaning,
            count=sum(stage.count for stage in stages),
            mean_ns=sum(stage.total_ns for stage in stages) / max(1, sum(stage.count for stage in stages)),
            max_ns=max(stage.max_ns for stage in stages),
        )
        for (variant, group, name), stages in sides.items()
    ]


def _counters(runs: Sequence[Run], kept: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for name, value in kept[run.id]["counters"].items():
            values[run.variant][name].append(value)
    return {
        variant: {name: sum(found) / len(found) for name, found in counters.items()}
        for variant, counters in values.items()
    }
