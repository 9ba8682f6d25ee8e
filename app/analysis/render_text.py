"""A comparison as plain text of 72 columns, ready for a commit message or a cover letter.

Every line begins with a word or an indent of ours: a title can neither end a commit message (`---`) nor start a diff.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from app.analysis.untrusted import one_line, width
from app.analysis.verdict import counted
from app.domain.comparison import Candidate, Comparison, MetricComparison, Verdict
from app.domain.metric import format_value, significant

COLUMNS = 72
ROWS_MAX = 60
"""Metrics listed one by one; the rest is counted, for nobody reads further in a mail."""

ALWAYS_LISTED = (".lat_mean", ".clat_p99")
"""Exploratory metrics that stand in the text even if nothing changed: nobody judges a rate without its latency."""

WHYS_MAX = 6
_LABEL = 12


def render_text(
    comparison: Comparison,
    *,
    title: str = "",
    digest: str = "",
    runner: str = "",
    reproduce: str = "",
    link: str = "",
    exploratory: Literal["changed", "all", "none"] = "changed",
) -> str:
    """Return the text, ended by a newline, no line over 72 columns but a longer `link`, which is not broken.

    All primary metrics are listed with their reasons; of the exploratory ones those that changed, all, or none, and the
    others are counted. Values are medians.
    """
    return (
        "\n".join(
            [
                *_head(comparison, title, digest, runner),
                *_body(comparison, exploratory),
                *_foot(comparison, reproduce, link),
            ]
        )
        + "\n"
    )


def _head(comparison: Comparison, title: str, digest: str, runner: str) -> Iterator[str]:
    if title:
        yield from _labelled("Experiment:", title)
    if digest:
        yield f"Digest: {one_line(digest, COLUMNS - 8)}"
    if runner:
        yield from _labelled("Runner:", runner + (" (deterministic)" if comparison.deterministic else ""))
    if not comparison.candidates:
        yield from _labelled("Verdict:", "none, as nothing was compared")
        return
    yield from _labelled("Runs:", f"{_replicates(comparison)}, {_ORDERS[comparison.order]}")
    if comparison.placebo:
        yield from _labelled("Sides:", "both declare the same, so no change was tested")
    decided = f" by {', '.join(comparison.primary)}" if comparison.primary else ""
    verdict = f"{comparison.verdict.upper()}{decided} (threshold {comparison.threshold_percent:g} %)"
    yield from _labelled("Verdict:", verdict)


def _body(comparison: Comparison, exploratory: str) -> Iterator[str]:
    yield from _figures(comparison)
    left = ROWS_MAX
    unlisted = 0
    for candidate in comparison.candidates:
        listed = [metric for metric in candidate.metrics if _is_listed(metric, exploratory)]
        others = Counter(metric.verdict for metric in candidate.metrics if not _is_listed(metric, exploratory))
        if left <= 0:
            unlisted += len(listed)
            continue
        yield ""
        yield from _labelled("Compared:", _heading(comparison, candidate))
        for metric in listed[:left]:
            yield from _row(metric)
        unlisted += len(listed[left:])
        left -= len(listed)
        if others:
            counted = ", ".join(f"{count} {verdict}" for verdict, count in sorted(others.items()))
            yield from _wrapped(f"exploratory, not listed: {counted}", indent=2)
    if unlisted:
        yield f"  {unlisted} more metrics are in the full comparison"


def _figures(comparison: Comparison) -> Iterator[str]:
    """The figures of an experiment of one variant."""
    heading = None
    for row in comparison.measured[:ROWS_MAX]:
        if row.group.label != heading:
            heading = row.group.label
            yield ""
            yield from _labelled("Measured:", f"{row.variant}{f' [{heading}]' if heading else ''}")
        value = "-" if row.summary.median is None else format_value(row.summary.median, row.unit, ascii_only=True)
        stdev = row.summary.stdev
        spread = f" +- {format_value(stdev, row.unit, ascii_only=True)}" if stdev else ""
        yield from _wrapped(
            f"{'*' if row.primary else ' '} {one_line(row.name)}  {value}{spread}  n={row.summary.n}", indent=2
        )
    if len(comparison.measured) > ROWS_MAX:
        yield f"  {len(comparison.measured) - ROWS_MAX} more metrics are in the full comparison"


def _row(metric: MetricComparison) -> Iterator[str]:
    mark = "*" if metric.primary else " "
    verdict = metric.verdict.value
    name = one_line(metric.name, COLUMNS - 6 - len(verdict))
    yield f"  {mark} {name}{' ' * (COLUMNS - 4 - width(name) - len(verdict))}{verdict}"
    yield from _packed([_sides(metric), _ratio(metric), f"n={metric.n}"], indent=6)
    if metric.primary or metric.verdict is Verdict.INCONCLUSIVE:
        yield from _wrapped(_ascii(metric.reason), indent=6)


def _foot(comparison: Comparison, reproduce: str, link: str) -> Iterator[str]:
    if comparison.candidates:
        yield ""
        yield "  * decides; values are medians; x is candidate/baseline with its 95 %"
        yield "  interval; metrics without * are exploratory (false-discovery rate)"
    for why in comparison.why[:WHYS_MAX]:
        where = f"{why.variant}{f' [{why.group.label}]' if why.group.label else ''}"
        yield ""
        yield from _labelled("Why:", _ascii(f"{where}: {why.sentence}"))
    if comparison.notes:
        yield ""
        for note in comparison.notes:
            yield from _labelled("Note:", _ascii(note))
    if reproduce or link:
        yield ""
    if reproduce:
        yield from _labelled("Reproduce:", reproduce)
    if link:
        yield f"Link: {''.join(one_line(link).split())}"


_ORDERS = {"interleaved": "interleaved", "blocked": "in blocks", "unknown": "order not known"}


def _replicates(comparison: Comparison) -> str:
    counts = sorted({metric.n for candidate in comparison.candidates for metric in candidate.metrics})
    paired = comparison.deterministic or comparison.order == "interleaved"
    unit = "seeds" if comparison.deterministic else "pairs" if paired else "runs a side"
    if not counts:
        return f"no {unit}"
    spread = str(counts[-1]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{spread} {counted(counts[-1], unit)}"


def _heading(comparison: Comparison, candidate: Candidate) -> str:
    group = f" [{candidate.group.label}]" if candidate.group.label else ""
    return f"{candidate.variant} against {comparison.baseline}{group}"


def _is_listed(metric: MetricComparison, exploratory: str) -> bool:
    changed = metric.verdict in (Verdict.IMPROVED, Verdict.REGRESSED) or metric.name.endswith(ALWAYS_LISTED)
    return metric.primary or exploratory == "all" or (exploratory == "changed" and changed)


def _sides(metric: MetricComparison) -> str:
    sides = (metric.baseline.median, metric.candidate.median)
    unit = one_line(metric.unit, 16)
    return " -> ".join("-" if side is None else format_value(side, unit, ascii_only=True) for side in sides)


def _ratio(metric: MetricComparison) -> str:
    if metric.ratio is None:
        return "no ratio"
    ratio = f"x{_four(metric.ratio)}"
    if metric.exact:
        return f"{ratio} exact"
    if metric.ci95 is None:
        return f"{ratio} no interval"
    return f"{ratio} [{_four(metric.ci95[0])}, {_four(metric.ci95[1])}]"


def _four(ratio: float) -> str:
    """Four decimals where they say something, four digits elsewhere."""
    return f"{ratio:.4f}" if 0.1 <= ratio < 1000.0 else significant(ratio)


def _labelled(label: str, text: str) -> list[str]:
    return _wrapped(text, indent=_LABEL, first=f"{label:<{_LABEL}}")


def _packed(parts: list[str], indent: int) -> Iterator[str]:
    """Put parts on as few lines as they fit, never breaking one."""
    line = ""
    for part in parts:
        if line and indent + width(line) + 2 + width(part) > COLUMNS:
            yield " " * indent + line
            line = part
        else:
            line = f"{line}  {part}" if line else part
    yield " " * indent + line


def _wrapped(text: str, *, indent: int, first: str | None = None) -> list[str]:
    """Wrap by terminal columns; a word longer than a line is cut."""
    room = COLUMNS - indent
    lines: list[str] = []
    line = ""
    for word in one_line(text).split():
        for piece in _pieces(word, room):
            if line and width(line) + 1 + width(piece) > room:
                lines.append(line)
                line = piece
            else:
                line = f"{line} {piece}" if line else piece
    lines.append(line)
    head = " " * indent if first is None else first
    return [(head if at == 0 else " " * indent) + text for at, text in enumerate(lines)]


def _pieces(word: str, room: int) -> Iterator[str]:
    piece = ""
    for sign in word:
        if width(piece + sign) > room:
            yield piece
            piece = ""
        piece += sign
    yield piece


def _ascii(text: str) -> str:
    return text.replace("±", "+-").replace("µ", "u")
