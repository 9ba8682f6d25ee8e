"""A comparison as one SVG picture: ratios with their intervals against the threshold, readable by itself.

Colours follow the reader's light or dark setting on a background of their own, and every verdict is also a word and a
shape, so that nothing hangs on colour alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from app.analysis.untrusted import one_line
from app.domain.comparison import Candidate, Comparison, MetricComparison, Verdict

ROWS_MAX = 60
"""Metrics drawn; a longer picture is a table, and the CSV has it."""

FACTOR_MAX = 64.0
"""Ratios further from 1 are drawn as an arrow at the edge."""

_WIDTH = 860
_PLOT_LEFT, _PLOT_RIGHT = 300, 640
_ROW, _HEAD, _TOP = 24, 30, 74
_PERCENT_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 25, 50)
_TICKS_MAX = 9
_TICK_GAP = 48

_LIGHT = {
    **{"paper": "#ffffff", "ink": "#1f2328", "faint": "#59636e", "rule": "#d1d9e0", "band": "#eaeef2"},
    **{"improved": "#116329", "regressed": "#a40e26", "equivalent": "#0550ae", "inconclusive": "#59636e"},
}
_DARK = {
    **{"paper": "#0d1117", "ink": "#f0f6fc", "faint": "#9198a1", "rule": "#3d444d", "band": "#1f2630"},
    **{"improved": "#56d364", "regressed": "#ff7b72", "equivalent": "#79c0ff", "inconclusive": "#9198a1"},
}
_FIXED_STYLE = """text { font: 13px system-ui, "DejaVu Sans", sans-serif; stroke: none; }
.strong { font-weight: 600; }
.title { font-size: 16px; }"""


def _colours(palette: dict[str, str]) -> str:
    """Rules written out in full: many viewers of SVG know no custom properties."""
    fills = "".join(f".{name} {{ fill: {palette[name]} }}\n" for name in ("paper", "band", "faint"))
    strokes = f".rule {{ stroke: {palette['rule']} }}\n.one {{ stroke: {palette['faint']} }}\n"
    words = "".join(f".{name} {{ fill: {palette[name]}; stroke: {palette[name]} }}\n" for name in Verdict)
    ring = f".ring {{ fill: {palette['paper']} }}\n"
    return f"text {{ fill: {palette['ink']} }}\n{fills}{strokes}{words}{ring}"


_STYLE = f"""
{_colours(_LIGHT)}{_FIXED_STYLE}
@media (prefers-color-scheme: dark) {{
{_colours(_DARK)}}}
text.improved, text.regressed, text.equivalent, text.inconclusive {{ stroke: none; }}
"""


@dataclass(frozen=True)
class _Axis:
    """A logarithmic axis of ratios, symmetric in nothing but its scale."""

    low: float
    high: float

    def x(self, ratio: float) -> float:
        share = (math.log(ratio) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return _PLOT_LEFT + min(1.0, max(0.0, share)) * (_PLOT_RIGHT - _PLOT_LEFT)

    def holds(self, ratio: float) -> bool:
        return self.low <= ratio <= self.high


def render_svg(comparison: Comparison, *, title: str = "", link: str = "") -> str:
    """Return the picture as an SVG document: a row a metric, primary ones first in bold, at most `ROWS_MAX`."""
    groups, left_out = _shown(comparison)
    axis = _axis(comparison, groups)
    rows = sum(_HEAD + _ROW * len(metrics) for _, metrics in groups)
    bottom = _TOP + rows
    height = bottom + 62 + (18 if left_out else 0) + (18 if link else 0)
    heading = one_line(title, 96) or f"{one_line(comparison.baseline, 40)} against its candidates"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
        ' role="img">',
        f"<title>{escape(heading)}: {comparison.verdict}</title>",
        f"<desc>{escape(_description(groups))}</desc>",
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{height}"/>',
        _text(16, 28, heading, "title strong"),
        _text(16, 50, _subtitle(comparison), comparison.verdict.value),
        *_scale(axis, comparison.threshold_percent, bottom),
        *_rows(axis, comparison, groups),
    ]
    at = bottom + 44
    if left_out:
        parts.append(_text(16, at, f"{left_out} more metrics are in the full comparison", "faint"))
        at += 18
    if link:
        parts.append(_text(16, at, one_line(link, 120), "faint"))
    return "\n".join([*parts, "</svg>", ""])


_Groups = list[tuple[Candidate, list[MetricComparison]]]


def _shown(comparison: Comparison) -> tuple[_Groups, int]:
    groups: _Groups = []
    left = ROWS_MAX
    total = 0
    for candidate in comparison.candidates:
        metrics = sorted(candidate.metrics, key=lambda metric: not metric.primary)
        total += len(metrics)
        if metrics[:left]:
            groups.append((candidate, metrics[:left]))
        left = max(0, left - len(metrics))
    return groups, total - sum(len(metrics) for _, metrics in groups)


def _axis(comparison: Comparison, groups: _Groups) -> _Axis:
    threshold = comparison.threshold_percent / 100.0
    ratios = [1.0 + threshold, 1.0 / (1.0 + threshold)]
    for _, metrics in groups:
        for metric in metrics:
            ratios += [ratio for ratio in (metric.ratio, *(metric.ci95 or ())) if ratio is not None and ratio > 0.0]
    low = max(1.0 / FACTOR_MAX, min(ratios))
    high = min(FACTOR_MAX, max(ratios))
    pad = (high / low) ** 0.06
    return _Axis(low / pad, high * pad)


def _ticks(axis: _Axis) -> list[tuple[float, str]]:
    """The densest round ratios whose labels do not touch: per cent while they fit, then factors."""
    for step in _PERCENT_STEPS:
        first = math.ceil((axis.low - 1.0) * 100.0 / step)
        last = math.floor((axis.high - 1.0) * 100.0 / step)
        if last - first > _TICKS_MAX:
            continue
        ticks = [(1.0 + at * step / 100.0, f"{at * step:+g} %" if at else "0") for at in range(first, last + 1)]
        if _fits(axis, ticks):
            return ticks
    for factor in (2, 4, 8):
        reach = range(-_TICKS_MAX, _TICKS_MAX + 1)
        ticks = [(float(factor) ** power, f"×{float(factor) ** power:.4g}") for power in reach]
        ticks = [tick for tick in ticks if axis.holds(tick[0])]
        if _fits(axis, ticks):
            break
    return ticks


def _fits(axis: _Axis, ticks: list[tuple[float, str]]) -> bool:
    places = [axis.x(ratio) for ratio, _ in ticks]
    return all(right - left >= _TICK_GAP for left, right in itertools.pairwise(places))


def _scale(axis: _Axis, threshold_percent: float, bottom: int) -> Iterator[str]:
    low, high = axis.x(max(axis.low, 1.0 - threshold_percent / 100.0)), axis.x(1.0 + threshold_percent / 100.0)
    yield f'<rect class="band" x="{low:.1f}" y="{_TOP}" width="{high - low:.1f}" height="{bottom - _TOP}"/>'
    for ratio, label in _ticks(axis):
        x = axis.x(ratio)
        kind = "one" if ratio == 1.0 else "rule"
        yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>'
        yield _text(x, bottom + 16, label, "faint", anchor="middle")


def _rows(axis: _Axis, comparison: Comparison, groups: _Groups) -> Iterator[str]:
    y = _TOP
    for candidate, metrics in groups:
        group = f" [{candidate.group.label}]" if candidate.group.label else ""
        yield _text(16, y + 20, one_line(f"{candidate.variant} / {comparison.baseline}{group}", 44), "strong")
        y += _HEAD
        for metric in metrics:
            yield from _row(axis, metric, y + _ROW / 2)
            y += _ROW


def _row(axis: _Axis, metric: MetricComparison, y: float) -> Iterator[str]:
    verdict = metric.verdict.value
    yield _text(24, y + 4, one_line(metric.name, 40), "strong" if metric.primary else "")
    if metric.ratio is not None:
        if metric.ci95 is not None and metric.ci95[0] > 0.0:
            low, high = (axis.x(end) for end in metric.ci95)
            yield f'<line class="{verdict}" stroke-width="2" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
        yield _mark(axis, metric.ratio, metric.verdict, y)
    yield _text(_PLOT_RIGHT + 16, y + 4, _figures(metric), "")
    yield _text(_WIDTH - 16, y + 4, verdict, verdict, anchor="end")


def _mark(axis: _Axis, ratio: float, verdict: Verdict, y: float) -> str:
    """Improved points up, regressed down, equivalent is a square, inconclusive a ring; an arrow lies off the axis."""
    if ratio <= 0.0 or not axis.holds(ratio):
        edge, way = (_PLOT_LEFT, -1) if ratio < 1.0 else (_PLOT_RIGHT, 1)
        return f'<path class="{verdict}" d="M{edge + 8 * way} {y} l{-8 * way} -5 v10 z"/>'
    x = axis.x(ratio)
    if verdict is Verdict.IMPROVED:
        return f'<path class="{verdict}" d="M{x:.1f} {y - 6} l6 10 h-12 z"/>'
    if verdict is Verdict.REGRESSED:
        return f'<path class="{verdict}" d="M{x:.1f} {y + 6} l6 -10 h-12 z"/>'
    if verdict is Verdict.EQUIVALENT:
        return f'<rect class="{verdict}" x="{x - 4:.1f}" y="{y - 4}" width="8" height="8"/>'
    return f'<circle class="{verdict} ring" stroke-width="2" cx="{x:.1f}" cy="{y}" r="4.5"/>'


def _figures(metric: MetricComparison) -> str:
    if metric.ratio is None:
        return "no ratio"
    return f"×{_ratio(metric.ratio)}{' exact' if metric.exact else ''}  n={metric.n}"


def _subtitle(comparison: Comparison) -> str:
    decided = f" by {', '.join(comparison.primary)}" if comparison.primary else ""
    return one_line(
        f"{comparison.verdict}{decided}; shaded: ±{comparison.threshold_percent:g} %; bars: 95 % intervals", 110
    )


def _description(groups: _Groups) -> str:
    return "; ".join(
        one_line(f"{candidate.variant} {candidate.group.label} {metric.name}: {metric.verdict}, {metric.reason}")
        for candidate, metrics in groups
        for metric in metrics
    )


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    styled = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{styled}{anchored}>{escape(text)}</text>'


def _ratio(ratio: float) -> str:
    return f"{ratio:.4f}" if ratio < 100.0 else f"{ratio:.4g}"
