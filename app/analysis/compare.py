"""The way from runs to a comparison: line up, measure, correct for many metrics, judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.analysis.circumstances import circumstances
from app.analysis.comparability import guard
from app.analysis.effect import LEVEL
from app.analysis.pairing import Deterministic, Lineup, is_deterministic, line_up
from app.analysis.primary import default_primary
from app.analysis.rows import Design, Row, adjust_exploratory, adjust_primary, row_of
from app.analysis.summaries import summarise
from app.analysis.verdict import PAIRS_MIN, Case, Judgement, judge, judge_seeds, overall
from app.analysis.why import reasons
from app.domain.comparison import Candidate, Comparison, Measured, MeasuredRun, MetricComparison, Order, Verdict
from app.domain.metric import Group, GroupKey


def compare(
    runs: Iterable[MeasuredRun],
    *,
    baseline: str,
    primary: Sequence[str] = (),
    threshold_percent: float = 2.0,
    deterministic: Deterministic = False,
    order: Order = "interleaved",
    declared: frozenset[str] = frozenset(),
    looks: int = 1,
) -> Comparison:
    """Compare every other variant with `baseline`, metric by metric inside each group.

    Interleaved runs are paired by replicate, a deterministic runner's by seed whatever the order; otherwise the sides
    are compared as independent. `deterministic` is True, or names the runners that are. `primary` names the metrics
    that decide; empty, they are chosen (and a note says so). Runs that failed or lack a metric drop out with their
    pair. `declared` are the parts of the environment in which the variants are meant to differ; any other difference is
    noted, and bars the verdicts where it is known to change figures. `looks` is how often the runs may be looked at
    before they are all there: p-values and intervals then hold over all the looks. Never raises for what the values
    are: what cannot be compared is inconclusive, with the reason in words.
    """
    runs = tuple(runs)
    lineup = line_up(runs, deterministic=deterministic)
    notes = list(lineup.notes)
    deciding = _deciding(lineup, primary, notes)
    design = Design(deterministic, order, looks)
    rows = [
        row_of(lineup, baseline, variant, group, name, name in deciding, design)
        for variant in lineup.variants
        if variant != baseline
        for group, names in lineup.metrics.items()
        for name in names
        if _comparable(lineup, baseline, variant, group, name in deciding)
    ]
    rows = adjust_exploratory(adjust_primary(rows, looks), looks)
    guarded = guard(runs, declared)
    if guarded.bars:
        rows = [replace(row, barred=guarded.bars[0]) for row in rows]
    finished = [(row, _finish(row, threshold_percent, looks)) for row in rows]
    verdict = _decide(finished, deciding, notes)
    notes += circumstances(runs, lineup, baseline, order, deterministic)
    notes += (*(f"not comparable: {bar}" for bar in guarded.bars), *guarded.notes)
    return Comparison(
        baseline=baseline,
        verdict=verdict,
        primary=deciding,
        threshold_percent=threshold_percent,
        deterministic=all(is_deterministic(group.runner, deterministic) for group in lineup.groups.values()),
        order=order,
        candidates=_candidates(lineup.groups, finished),
        measured=_alone(lineup, baseline, deciding) if lineup.variants == [baseline] else (),
        why=reasons(runs, baseline),
        notes=tuple(notes),
    )


def _deciding(lineup: Lineup, primary: Sequence[str], notes: list[str]) -> tuple[str, ...]:
    measured = list(dict.fromkeys(name for names in lineup.metrics.values() for name in names))
    if not primary:
        by_runner: dict[str | None, dict[str, None]] = {}
        for key, names in lineup.metrics.items():
            by_runner.setdefault(lineup.groups[key].runner, {}).update(names)
        chosen = default_primary(*by_runner.values()) if by_runner else ()
        if chosen:
            notes.append(f"no primary metric was named; decided by {', '.join(chosen)}")
        return chosen
    missing = [name for name in primary if name not in measured]
    if missing:
        notes.append(f"primary, but not measured by any run: {', '.join(missing)}")
    return tuple(dict.fromkeys(primary))


def _comparable(lineup: Lineup, baseline: str, variant: str, group: GroupKey, primary: bool) -> bool:
    """Whether a row is due: both sides know the group, or else a deciding metric would silently vanish."""
    sides = (lineup.has(baseline, group), lineup.has(variant, group))
    return all(sides) or (primary and any(sides))


def _finish(row: Row, threshold_percent: float, looks: int) -> MetricComparison:
    judgement, exact = _judgement(row, threshold_percent, looks)
    reason = judgement.reason
    if row.aligned.left_out and row.refusal is None:
        reason += f"; {row.aligned.left_out} {'without a partner' if row.aligned.paired else 'not finite'} left out"
    return MetricComparison(
        name=row.name,
        unit=row.unit,
        better=row.better,
        primary=row.primary,
        baseline=summarise(row.aligned.baseline),
        candidate=summarise(row.aligned.candidate),
        n=row.aligned.n,
        ratio=row.effect.ratio,
        estimator=row.effect.estimator,
        ci95=None if exact else row.effect.interval,
        p_value=None if exact else row.effect.p_value,
        p_adjusted=None if exact else row.p_adjusted,
        verdict=judgement.verdict,
        exact=exact,
        detectable_percent=judgement.detectable_percent,
        more_pairs=judgement.more_pairs,
        seeds=row.seeds,
        reason=reason,
    )


def _judgement(row: Row, threshold_percent: float, looks: int) -> tuple[Judgement, bool]:
    """Return the verdict of a row, and whether it is an exact statement about the seeds that ran."""
    if row.refusal is not None:
        return Judgement(Verdict.INCONCLUSIVE, row.refusal), False
    if row.barred is not None:
        return Judgement(Verdict.INCONCLUSIVE, f"the sides cannot be compared: {row.barred}"), False
    if row.seeds and row.aligned.n < PAIRS_MIN:
        return judge_seeds(row.seeds, better=row.better, threshold_percent=threshold_percent, wavering=row.wavering), (
            row.too_few_seeds
        )
    judgement = judge(
        Case(
            effect=row.effect,
            baseline_n=len(row.aligned.baseline),
            candidate_n=len(row.aligned.candidate),
            paired=row.aligned.paired,
            better=row.better,
            p_adjusted=row.p_adjusted,
            family=row.family,
            looks=looks,
            cells=row.cells,
            threshold_percent=threshold_percent,
            replicates="seeds" if row.seeds else "pairs" if row.aligned.paired else "runs a side",
        )
    )
    if judgement.verdict is Verdict.INCONCLUSIVE and row.unanimous_seeds and not _below(row.p_adjusted):
        # more seeds must not take a word away that fewer seeds would give
        stated = judge_seeds(row.seeds, better=row.better, threshold_percent=threshold_percent, wavering=False)
        if stated.verdict is not Verdict.INCONCLUSIVE:
            why = f": {row.aligned.n} seeds cannot tell it from chance over so many comparisons"
            return replace(stated, reason=stated.reason + why, detectable_percent=judgement.detectable_percent), True
    return judgement, False


def _below(p_adjusted: float | None) -> bool:
    return p_adjusted is not None and p_adjusted < LEVEL


def _decide(finished: Sequence[tuple[Row, MetricComparison]], deciding: Sequence[str], notes: list[str]) -> Verdict:
    verdicts = [metric.verdict for _, metric in finished if metric.primary]
    present = {metric.name for _, metric in finished}
    verdicts += [Verdict.INCONCLUSIVE for name in deciding if name not in present]
    verdict = overall(verdicts)
    if Verdict.REGRESSED in verdicts and Verdict.IMPROVED in verdicts:
        notes.append("a trade: primary metrics both improved and regressed; the regression decides")
    elif verdict is Verdict.IMPROVED and Verdict.INCONCLUSIVE in verdicts:
        notes.append("improved where it could be told; other primary metrics are inconclusive")
    return verdict


def _alone(lineup: Lineup, variant: str, deciding: Sequence[str]) -> tuple[Measured, ...]:
    found = []
    for key, names in lineup.metrics.items():
        for name in sorted(names, key=lambda name: name not in deciding):
            series = lineup.of(variant, key, name)
            found.append(
                Measured(
                    variant=variant,
                    group=lineup.groups[key],
                    name=name,
                    unit=next(iter(series.units), ""),
                    better=next(iter(series.directions), None),
                    primary=name in deciding,
                    summary=summarise(tuple(series.values.values())),
                )
            )
    return tuple(found)


def _candidates(
    groups: dict[GroupKey, Group], finished: Sequence[tuple[Row, MetricComparison]]
) -> tuple[Candidate, ...]:
    gathered: dict[tuple[str, GroupKey], list[MetricComparison]] = {}
    for row, metric in finished:
        gathered.setdefault((row.variant, row.group), []).append(metric)
    return tuple(
        Candidate(variant=variant, group=groups[group], metrics=tuple(metrics))
        for (variant, group), metrics in gathered.items()
    )
