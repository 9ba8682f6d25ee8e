"""A comparison in one sentence: what the primary metrics say, with their intervals."""

from __future__ import annotations

from app.domain.comparison import Candidate, Comparison, MetricComparison, Verdict
from app.domain.metric import Better, significant

CLAUSES_MAX = 3


def headline(comparison: Comparison) -> str:
    """Return one sentence about the primary metrics, the clearest changes first.

    Speaks of the first candidates alone when there are many; every row stands in the table.
    """
    rows = [(candidate, row) for candidate in comparison.candidates for row in candidate.metrics if row.primary]
    if not rows:
        return comparison.notes[0] if comparison.notes else "nothing could be compared"
    rows.sort(key=lambda entry: _RANK[entry[1].verdict])
    clauses = [_clause(candidate, row, comparison.baseline) for candidate, row in rows[:CLAUSES_MAX]]
    more = len(rows) - CLAUSES_MAX
    return "; ".join(clauses) + (f"; and {more} more" if more > 0 else "")


_RANK = {Verdict.REGRESSED: 0, Verdict.IMPROVED: 1, Verdict.INCONCLUSIVE: 2, Verdict.EQUIVALENT: 3}


def _clause(candidate: Candidate, row: MetricComparison, baseline: str) -> str:
    label = candidate.group.label
    where = f"{row.name}{f' ({label})' if label else ''}"
    if row.ratio is None:
        return f"{where}: {row.reason}"
    if row.verdict is Verdict.EQUIVALENT:
        return f"{where} of {candidate.variant} is that of {baseline} within the threshold{_interval(row)}"
    if row.verdict is Verdict.INCONCLUSIVE:
        return f"{where} of {candidate.variant} against {baseline} is inconclusive{_interval(row)}"
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
