"""Compares measured runs as their definition asks: one way for the server and for the command line."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.compare import compare
from app.catalog import runners
from app.domain.comparison import Comparison, MeasuredRun
from app.domain.experiment import Definition


def compared_as_defined(definition: Definition, measured: Sequence[MeasuredRun]) -> Comparison:
    """Return the comparison against the first variant, by the definition's primary metrics, threshold and order."""
    return compare(
        measured,
        baseline=definition.variants[0].name,
        primary=definition.primary,
        threshold_percent=definition.threshold_percent,
        deterministic=runners.deterministic([choice.runner for choice in definition.runners]),
        order=definition.order,
    )
