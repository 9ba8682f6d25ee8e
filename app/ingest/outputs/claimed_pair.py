"""Holds a pair of figures that a text names (`from 91 ms to 12 ms`) against the figures it shows."""

from __future__ import annotations

import re

from app.ingest.outputs.claimed_metric import Change
from app.ingest.outputs.quantity import TIME_NS, bytes_in, common_factor, number
from app.ingest.outputs.table_cells import rounding

RELATIVE_ERROR = 0.002
"""fio prints rates and latencies to three or four digits."""

_PRINTED_TIMES = ("ns", "us", "ms", "s")


def unit_before(pair: re.Match[str]) -> str:
    """Return the unit of the first figure: behind it, in brackets behind it, or that of the second figure."""
    named = pair.groupdict()
    for name in ("unit", "bracket", "after_unit", "after_bracket"):
        unit = (named.get(name) or "").strip()
        if unit and (name == "unit" or _is_unit(unit)):
            return unit
    return ""


def _is_unit(text: str) -> bool:
    rate = re.sub(r"(?:/s(?:ec)?|ps)$", "", text)
    return text == "%" or text.lower() == "iops" or text in TIME_NS or (len(rate) > 1 and bytes_in(rate) is not None)


def fits_pair(pair: re.Match[str], unit: str, change: Change) -> bool | None:
    """Return whether both figures of a pair are those of a change, within their rounding; None for another unit.

    Without a unit, a time may be in any that tools print, and only a fit tells which.
    """
    named = pair.groupdict()
    behind = ((named.get(name) or "").strip() for name in ("after_unit", "after_bracket"))
    after_unit = next((each for each in behind if _is_unit(each)), unit)
    metric_unit = change.after.unit
    if not unit and metric_unit in TIME_NS:
        factors = [(TIME_NS[each] / TIME_NS[metric_unit],) * 2 for each in _PRINTED_TIMES]
        return True if any(_both_fit(named, change, *pair_of) for pair_of in factors) else None
    before, after = _factor(unit, metric_unit), _factor(after_unit, metric_unit)
    return None if before is None or after is None else _both_fit(named, change, before, after)


def _factor(unit: str, wanted: str) -> float | None:
    if not unit or unit.lower() == wanted.lower():
        return 1.0
    return common_factor(unit, wanted)


def _both_fit(named: dict[str, str | None], change: Change, before: float, after: float) -> bool:
    return _fits(named["before"], named["scale"], before, change.before.value) and _fits(
        named["after"], named["after_scale"], after, change.after.value
    )


def _fits(printed: str | None, scale: str | None, factor: float, value: float | None) -> bool:
    said = number(f"{printed}{scale or ''}")
    if said is None or value is None or printed is None:
        return False
    one = number(f"1{scale or ''}") or 1.0
    # authors cut digits off as often as they round them
    digit, slack = 2.0 * rounding(printed) * one, RELATIVE_ERROR * abs(said)
    return -0.51 * digit - slack <= value / factor - said <= 0.99 * digit + slack
