"""Turns a verdict into an exit status."""

from __future__ import annotations

from app.cli.exits import EXIT_GATE
from app.domain.comparison import Comparison, Verdict

TRIPPED_BY = {
    "regressed": frozenset({Verdict.REGRESSED}),
    "inconclusive": frozenset({Verdict.REGRESSED, Verdict.INCONCLUSIVE}),
    "changed": frozenset({Verdict.REGRESSED, Verdict.IMPROVED}),
}
"""`inconclusive` is the stricter gate: what cannot be excluded trips it too."""


def gate(comparison: Comparison, fail_on: str | None) -> int:
    """Return 1 when the comparison's verdict trips the gate, else 0."""
    return EXIT_GATE if fail_on is not None and comparison.verdict in TRIPPED_BY[fail_on] else 0
