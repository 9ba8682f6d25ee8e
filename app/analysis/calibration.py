"""A runner's measured false-alarm rate: what its verdicts say when both sides are the same."""

from __future__ import annotations

from collections.abc import Iterable

from app.analysis.effect import CONFIDENCE
from app.domain.base import Frozen
from app.domain.comparison import Verdict


class FalseAlarms(Frozen):
    """False alarms among A/A comparisons: their share and its exact 95 % interval (Clopper and Pearson 1934)."""

    comparisons: int
    alarms: int
    rate: float | None
    ci95: tuple[float, float]


def false_alarms(verdicts: Iterable[Verdict]) -> FalseAlarms:
    """Count `improved` and `regressed` among the overall verdicts of comparisons of a thing with itself."""
    from scipy.special import betaincinv  # type: ignore[import-untyped]

    said = list(verdicts)
    alarms = sum(verdict in (Verdict.IMPROVED, Verdict.REGRESSED) for verdict in said)
    quiet, tail = len(said) - alarms, (1.0 - CONFIDENCE) / 2.0
    return FalseAlarms(
        comparisons=len(said),
        alarms=alarms,
        rate=alarms / len(said) if said else None,
        ci95=(
            float(betaincinv(alarms, quiet + 1, tail)) if alarms else 0.0,
            float(betaincinv(alarms + 1, quiet, 1.0 - tail)) if quiet else 1.0,
        ),
    )
