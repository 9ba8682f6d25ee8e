"""Latency curves as a picture that needs no scripts: share of I/Os at or below a latency, logarithmic in time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from html import escape

from app.analysis.untrusted import one_line
from app.domain.metric import format_value
from app.domain.plan import cell_label
from app.experiments.schemas import LatencyCurve

WIDTH = 640
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 24, 248
LEGEND_TOP, LEGEND_ROW, SWATCH = BOTTOM + 44, 18, 32
LABEL_MAX = 80
"""Characters of a line of text: what 12 px leave room for."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's palette: told apart by colour-blind readers, on light and on dark."""

DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "10 4")
POINTS_MAX = 400

Scale = Callable[[float], float]


def latency_svg(curves: list[LatencyCurve]) -> list[str]:
    """Return one picture for each direction and kind of total latency, cell of the matrix and runner in the curves."""
    pictures: dict[str, list[LatencyCurve]] = {}
    for curve in curves:
        if curve.name.endswith(".lat") and curve.count:
            pictures.setdefault(_heading(curve), []).append(curve)
    return [_picture(heading, of_one) for heading, of_one in pictures.items()]


def _heading(curve: LatencyCurve) -> str:
    cell = curve.group.get("cell")
    parts = (curve.name, cell_label(cell) if isinstance(cell, Mapping) else "", str(curve.group.get("runner") or ""))
    return " · ".join(part for part in parts if part)


def _picture(heading: str, curves: list[LatencyCurve]) -> str:
    height = LEGEND_TOP + LEGEND_ROW * len(curves)
    low = math.floor(math.log10(max(1, min(curve.min_ns for curve in curves))))
    high = max(low + 1, math.ceil(math.log10(max(2, *(curve.max_ns for curve in curves)))))

    def x(latency_ns: float) -> float:
        share = (math.log10(max(1.0, latency_ns)) - low) / (high - low)
        return LEFT + min(1.0, max(0.0, share)) * (WIDTH - LEFT - RIGHT)

    def y(share: float) -> float:
        return BOTTOM - share * (BOTTOM - TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">',
        f"<title>{escape(heading)}: share of I/Os at or below a latency</title>",
    ]
    for decade in range(low, high + 1):
        at, label = x(10.0**decade), format_value(10.0**decade, "ns").replace(".000", "").replace(".00", "")
        label = label.replace(".0 ", " ")
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{y(0):.1f}" stroke="#8888" />')
        parts.append(f'<text x="{at:.1f}" y="{y(0) + 16:.1f}" text-anchor="middle">{label}</text>')
    for percent in (0, 25, 50, 75, 100):
        at = y(percent / 100)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#8884" />')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{percent} %</text>')
    for number, curve in enumerate(curves):
        stroke = f'stroke="{COLOURS[number % len(COLOURS)]}" stroke-dasharray="{DASHES[number % len(DASHES)]}"'
        parts.append(f'<path d="{_path(curve, x, y)}" fill="none" stroke-width="2" {stroke} />')
        parts.append(_legend_row(LEGEND_TOP + LEGEND_ROW * number, stroke, _label(curve)))
    parts.append(f'<text x="{LEFT}" y="14">{escape(one_line(heading, LABEL_MAX))}</text></svg>')
    return "".join(parts)


def _legend_row(y: int, stroke: str, label: str) -> str:
    return (
        f'<line x1="{LEFT}" x2="{LEFT + SWATCH}" y1="{y}" y2="{y}" stroke-width="2" {stroke} />'
        f'<text x="{LEFT + SWATCH + 8}" y="{y + 4}">{escape(one_line(label, LABEL_MAX))}</text>'
    )


def _path(curve: LatencyCurve, x: Scale, y: Scale) -> str:
    step = max(1, len(curve.curve) // POINTS_MAX)
    points = curve.curve[::step]
    if points[-1] != curve.curve[-1]:
        points.append(curve.curve[-1])
    commands = [f"M{x(curve.min_ns):.1f} {y(0):.1f}"]
    commands += [f"L{x(latency):.1f} {y(share):.1f}" for latency, share in points]
    return "".join(commands)


def _label(curve: LatencyCurve) -> str:
    apart = (f"{key}={value}" for key, value in curve.group.items() if key not in ("cell", "runner", "job"))
    return " · ".join((curve.variant, *([str(curve.group["job"])] if curve.group.get("job") else []), *apart))
