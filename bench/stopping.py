"""Whether `repeat: auto` keeps the false-alarm rate although it looks several times: studies for bench/verdicts.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from app.analysis.compare import compare
from app.analysis.stopping import settled
from app.domain.comparison import Comparison, MeasuredRun, Verdict
from app.domain.metric import measured
from app.domain.plan import AUTO_LOOKS

Noise = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
"""Values around 1 of a shape, as bench/verdicts.py has them."""

PRIMARY = ("read.iops", "write.iops", "write.clat_mean")


def adaptive(
    stream: np.random.Generator, noise: Noise, shift: float, threshold_percent: float
) -> tuple[Comparison, int]:
    """Run one made-up experiment pair by pair until it is settled; return what is said, and after how many pairs."""
    values = {name: 1000.0 * noise(stream, (2, AUTO_LOOKS[-1])) * np.array([[1.0], [shift]]) for name in PRIMARY}
    done = None
    for pairs in AUTO_LOOKS:
        runs = [
            MeasuredRun(
                variant=variant,
                replicate=replicate,
                samples=tuple(measured(name, float(table[side, replicate])) for name, table in values.items()),
            )
            for replicate in range(pairs)
            for side, variant in enumerate(("before", "after"))
        ]
        done = compare(
            runs,
            baseline="before",
            primary=PRIMARY,
            threshold_percent=threshold_percent,
            looks=len(AUTO_LOOKS),
        )
        if settled(done):
            return done, pairs
    assert done is not None
    return done, AUTO_LOOKS[-1]


def alarms(stream: np.random.Generator, noise: Noise, experiments: int) -> float:
    """A/A data with a threshold near zero: the rate of experiments that call it a change at any look."""
    said = [adaptive(stream, noise, 1.0, 0.001)[0].verdict for _ in range(experiments)]
    return sum(verdict in (Verdict.IMPROVED, Verdict.REGRESSED) for verdict in said) / experiments


def wrong_equivalences(stream: np.random.Generator, noise: Noise, experiments: int) -> float:
    """The change is exactly the threshold: the rate of metrics called equivalent at the end."""
    rows = [
        row.verdict is Verdict.EQUIVALENT
        for _ in range(experiments)
        for row in adaptive(stream, noise, 1.02, 2.0)[0].candidates[0].metrics
    ]
    return float(np.mean(rows))


def uncovered(stream: np.random.Generator, noise: Noise, experiments: int) -> float:
    """The rate of intervals at the end that miss the true ratio of 1.03."""
    missed = [
        row.ci95 is not None and not row.ci95[0] <= 1.03 <= row.ci95[1]
        for _ in range(experiments)
        for row in adaptive(stream, noise, 1.03, 2.0)[0].candidates[0].metrics
    ]
    return float(np.mean(missed))


def found_and_pairs(stream: np.random.Generator, noise: Noise, experiments: int) -> Iterator[tuple[bool, int]]:
    """A 3 % change of all three metrics: whether it is called so, and after how many pairs."""
    for _ in range(experiments):
        done, pairs = adaptive(stream, noise, 1.03, 2.0)
        yield done.verdict in (Verdict.IMPROVED, Verdict.REGRESSED), pairs
