"""Agreeing on one rate where a line of fio's states it twice, or states something that cannot be."""

from __future__ import annotations

from dataclasses import dataclass

AGREEMENT = 0.005
"""Two roundings to three digits differ by 0.5 % at most."""

PLAUSIBLE = 0.03
"""What io over runtime may miss a rate by: both are rounded, and fio rounds the runtime to milliseconds."""

RUNTIME_MIN_NS = 200e6
"""Below, the rounding of the runtime alone explains a difference."""

IOPS_MIN = 1000.0
"""Below, IOPS has too few digits to tell 1000 from 1024."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate as printed: bytes per second, and whether its unit was binary."""

    value: float
    binary: bool
    text: str


def settle(rates: list[Rate], io: float | None, runtime_ns: float | None, requests: float | None) -> tuple[float, str]:
    """Return the rate in B/s to believe and, where something had to be decided, why.

    `rates` are those of one line (one or two), `io` the bytes transferred in `runtime_ns`, `requests` IOPS × block
    size where both are known.
    """
    first = next((rate for rate in rates if rate.binary), rates[0])
    agreed = all(abs(rate.value - first.value) <= AGREEMENT * max(rate.value, first.value) for rate in rates)
    timed = io / runtime_ns * 1e9 if io and runtime_ns and runtime_ns >= RUNTIME_MIN_NS else None
    if agreed:
        return _checked(first, timed, requests)
    judge, by = (timed, "io/runtime") if timed else (requests, "IOPS × block size")
    said = " and ".join(rate.text for rate in rates)
    if not judge:
        return first.value, f"{said} contradict each other, and nothing on the line decides; {first.text} is taken"
    nearest = min(rates, key=lambda rate: abs(rate.value - judge))
    if abs(nearest.value - judge) <= PLAUSIBLE * judge:
        return nearest.value, f"{said} contradict each other; {by} speaks for {nearest.text}"
    return judge, f"{said} contradict each other, and {by} is {judge:.6g} B/s, which is taken"


def _checked(rate: Rate, timed: float | None, requests: float | None) -> tuple[float, str]:
    if timed and abs(rate.value - timed) > 2 * PLAUSIBLE * timed:
        return timed, f"{rate.text} contradicts io/runtime, {timed:.6g} B/s, which is taken"
    if requests and not timed:
        for base, sign in ((1000 / 1024, "decimal"), ((1000 / 1024) ** 2, "decimal")):
            if abs(rate.value - requests) > 3 * AGREEMENT * requests >= abs(rate.value * base - requests) * 3:
                return rate.value * base, f"{rate.text} is {sign}: IOPS × block size is {requests:.6g} B/s"
    return rate.value, ""
