"""A comparison as CSV: a line a metric, numbers exact, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io

from app.domain.comparison import Candidate, Comparison, Measured, MetricComparison, Summary
from app.domain.metric import Group, exact_value

_SUMMARY = ("n", "mean", "median", "stdev", "min", "max")
COLUMNS = (
    *("baseline", "variant", "job", "copies", "cell", "runner", "metric", "unit", "better", "primary"),
    *(f"baseline_{name}" for name in _SUMMARY),
    *(f"candidate_{name}" for name in _SUMMARY),
    *("pairs", "ratio", "estimator", "ci95_low", "ci95_high", "p_value", "p_adjusted", "verdict", "exact"),
    *("detectable_percent", "more_pairs", "threshold_percent", "reason"),
)


def render_csv(comparison: Comparison) -> str:
    """Return the table with a header (RFC 4180, lines ended by CR LF); what is unknown stays empty.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for candidate in comparison.candidates:
        for metric in candidate.metrics:
            writer.writerow(_line(comparison, candidate, metric))
    for row in comparison.measured:
        writer.writerow(_alone(row))
    return out.getvalue()


def _alone(row: Measured) -> list[str]:
    """A figure that stands alone fills the columns of the baseline; the others stay empty."""
    known = [_text(row.variant), "", *_place(row.group), _text(row.name), _text(row.unit), row.better or ""]
    known += [_flag(row.primary), *_summary(row.summary)]
    return known + [""] * (len(COLUMNS) - len(known))


def _place(group: Group) -> list[str]:
    cell = " ".join(f"{name}={value}" for name, value in (group.cell or {}).items())
    return [_text(group.job or ""), _number(group.copies), _text(cell), _text(group.runner or "")]


def _line(comparison: Comparison, candidate: Candidate, metric: MetricComparison) -> list[str]:
    low, high = metric.ci95 or (None, None)
    return [
        _text(comparison.baseline),
        _text(candidate.variant),
        *_place(candidate.group),
        _text(metric.name),
        _text(metric.unit),
        metric.better or "",
        _flag(metric.primary),
        *_summary(metric.baseline),
        *_summary(metric.candidate),
        _number(metric.n),
        _number(metric.ratio),
        metric.estimator,
        _number(low),
        _number(high),
        _number(metric.p_value),
        _number(metric.p_adjusted),
        metric.verdict,
        _flag(metric.exact),
        _number(metric.detectable_percent),
        _number(metric.more_pairs),
        _number(comparison.threshold_percent),
        _text(metric.reason),
    ]


def _summary(summary: Summary) -> list[str]:
    return [_number(getattr(summary, name)) for name in _SUMMARY]


def _number(value: float | None) -> str:
    return "" if value is None else exact_value(float(value))


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _text(value: str) -> str:
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
