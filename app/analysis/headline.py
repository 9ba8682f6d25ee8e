"""A comparison in one sentence: what the primary metrics say, with their intervals."""

from __future__ import annotations

from collections import Counter

from app.domain.comparison import Candidate, Comparison, MetricComparison, Verdict
from app.domain.metric import Better, format_value, significant

CLAUSES_MAX = 3

Row = tuple[Candidate, MetricComparison]


def headline(comparison: Comparison) -> str:
    """Return one sentence about the primary metrics, the clearest changes first.

    Over many groups it counts their verdicts and names the clearest alone; every row stands in the table.
    """
    said = _sentence(comparison)
    return f"both sides declare the same, so no change was tested: {said}" if comparison.placebo else said


def _sentence(comparison: Comparison) -> str:
    rows = [(candidate, row) for candidate in comparison.candidates for row in candidate.metrics if row.primary]
    if comparison.measured:
        return _alone(comparison)
    if not rows:
        return comparison.notes[0] if comparison.notes else "nothing could be compared"
    rows.sort(key=lambda entry: _RANK[entry[1].verdict])
    beside = _beside(comparison)
    labelled = len({candidate.group.label for candidate, _ in rows}) > 1
    if len(rows) > CLAUSES_MAX:
        counts = Counter(row.verdict for _, row in rows)
        counted = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _RANK if counts[verdict])
        return (
            f"of {len(rows)} primary comparisons {counted}; {_clause(rows[0], comparison.baseline, labelled)}{beside}"
        )
    reasons = {row.reason if row.ratio is not None and row.verdict is Verdict.INCONCLUSIVE else None for _, row in rows}
    if len(rows) > 1 and len(reasons) == 1 and (shared := next(iter(reasons))) is not None:
        clauses = (_clause(entry, comparison.baseline, labelled, with_reason=False) for entry in rows)
        return f"{'; '.join(clauses)}; of each: {shared}{beside}"
    return "; ".join(_clause(entry, comparison.baseline, labelled) for entry in rows) + beside


def _alone(comparison: Comparison) -> str:
    said = [
        f"{row.name}{f' ({row.group.label})' if row.group.label else ''} "
        f"{format_value(row.summary.median, row.unit)} (median of {row.summary.n})"
        for row in comparison.measured
        if row.primary and row.summary.median is not None
    ]
    more = f" and {len(said) - CLAUSES_MAX} more" if len(said) > CLAUSES_MAX else ""
    return f"one variant, so nothing is compared: {', '.join(said[:CLAUSES_MAX]) or 'nothing was measured'}{more}"


def _beside(comparison: Comparison) -> str:
    """Name what got worse beside an improvement: nobody should have to find a longer tail in the table."""
    if comparison.verdict is not Verdict.IMPROVED:
        return ""
    worse = [
        row
        for candidate in comparison.candidates
        for row in candidate.metrics
        if not row.primary and row.verdict is Verdict.REGRESSED and row.ratio is not None
    ]
    if not worse:
        return ""
    named = ", ".join(f"{row.name} {significant(row.ratio or 0.0)}×" for row in worse[:CLAUSES_MAX])
    more = f" and {len(worse) - CLAUSES_MAX} more" if len(worse) > CLAUSES_MAX else ""
    return f"; but worse: {named}{more}"


_RANK = {Verdict.REGRESSED: 0, Verdict.IMPROVED: 1, Verdict.INCONCLUSIVE: 2, Verdict.EQUIVALENT: 3}


def _clause(entry: Row, baseline: str, labelled: bool, *, with_reason: bool = True) -> str:
    candidate, row = entry
    where = f"{row.name} ({candidate.group.label})" if labelled and candidate.group.label else row.name
    if row.ratio is None:
        return f"{where}: {row.reason}"
    if row.verdict is Verdict.EQUIVALENT:
        return f"{where} of {candidate.variant} is that of {baseline} within the threshold{_interval(row)}"
    if row.verdict is Verdict.INCONCLUSIVE:
        said = f"{where} of {candidate.variant} is {significant(row.ratio)}× that of {baseline}, inconclusive"
        return f"{said}{_interval(row)}{f': {row.reason}' if with_reason else ''}"
    return f"{candidate.variant} has {significant(row.ratio)}× the {where} of {baseline}, {_sense(row)}{_interval(row)}"


def _sense(row: MetricComparison) -> str:
    if row.better is None:
        return str(row.verdict)
    direction = "higher" if row.better is Better.HIGHER else "lower"
    return f"{row.verdict} ({direction} is better)"


def _interval(row: MetricComparison) -> str:
    if row.exact:
        return ", exact for the seeds that ran"
    if row.ci95 is None:
        return ""
    return f", 95 % interval {significant(row.ci95[0])}–{significant(row.ci95[1])}"
