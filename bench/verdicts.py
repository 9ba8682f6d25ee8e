"""How far verdicts can be trusted: false alarms, missed changes, coverage and power, measured on made-up noise.

Usage: bench/verdicts.py [--check] [--experiments N] [--seed N]
Each line gives the figure beside its bound; --check exits with 1 when a bound is missed. A bound on a rate allows for
the chance of this many experiments (three standard errors).
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.analysis.compare import compare
from app.analysis.effect import effect_of
from app.analysis.pairing import Aligned
from app.analysis.power import paired_factor
from app.analysis.quantile_shift import quantile_shifts
from app.analysis.ranks import paired_shift
from app.domain.comparison import MeasuredRun, MetricComparison, Order, Verdict
from app.domain.latency_histogram import GROUP_BINS, GROUP_BITS, LatencyHistogram
from app.domain.metric import known_names, measured
from bench import stopping

Noise = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]

PRIMARY = ("read.iops", "write.iops", "write.clat_mean")
ALARMS = (Verdict.IMPROVED, Verdict.REGRESSED)


def normal(stream: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """1 % noise around 1, on the plain scale."""
    return 1.0 + stream.normal(0.0, 0.01, shape)


def log_normal(stream: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """20 % noise, skewed as latencies are."""
    return np.exp(stream.normal(0.0, 0.2, shape))


def bimodal(stream: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Three runs of ten are 8 % slower, as after an unlucky allocation."""
    return np.where(stream.random(shape) < 0.3, 0.92, 1.0) * np.exp(stream.normal(0.0, 0.005, shape))


def heavy_tailed(stream: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """1 % noise by Student's t with two degrees of freedom: outliers without a variance."""
    return np.exp(0.01 * np.clip(stream.standard_t(2, shape), -500.0, 500.0))


NOISES: dict[str, Noise] = {
    "normal 1 %": normal,
    "log-normal 20 %": log_normal,
    "bimodal 8 %": bimodal,
    "heavy-tailed 1 %": heavy_tailed,
}


@dataclass(frozen=True)
class Line:
    """One figure beside its bound."""

    name: str
    figure: float
    at_most: float | None = None
    at_least: float | None = None
    trials: int | None = None

    @property
    def slack(self) -> float:
        """Three standard errors of a rate at its bound."""
        bound = self.at_most if self.at_most is not None else self.at_least
        assert bound is not None
        return 3.0 * math.sqrt(bound * (1.0 - bound) / self.trials) if self.trials else 0.0

    @property
    def holds(self) -> bool:
        """Whether the figure keeps its bound."""
        over = self.at_most is not None and self.figure > self.at_most + self.slack
        under = self.at_least is not None and self.figure < self.at_least - self.slack
        return not over and not under

    def __str__(self) -> str:
        bound = f"≤ {self.at_most:g}" if self.at_most is not None else f"≥ {self.at_least:g}"
        return f"{self.name:<66} {self.figure:8.4f}  {bound:>8}  {'ok' if self.holds else 'MISSED'}"


def runs_of(values: dict[str, np.ndarray]) -> list[MeasuredRun]:
    """Return runs from (side, replicate) arrays by metric, side 0 before and 1 after."""
    pairs = next(iter(values.values())).shape[1]
    return [
        MeasuredRun(
            variant=variant,
            replicate=replicate,
            seed=replicate,
            samples=tuple(measured(name, float(table[side, replicate])) for name, table in values.items()),
        )
        for replicate in range(pairs)
        for side, variant in enumerate(("before", "after"))
    ]


def primaries(
    stream: np.random.Generator, noise: Noise, pairs: int, shift: float, threshold_percent: float, order: Order
) -> tuple[Verdict, list[MetricComparison]]:
    """Run one made-up experiment on three primary metrics; `shift` multiplies the candidate."""
    values = {name: 1000.0 * noise(stream, (2, pairs)) * np.array([[1.0], [shift]]) for name in PRIMARY}
    done = compare(
        runs_of(values), baseline="before", primary=PRIMARY, threshold_percent=threshold_percent, order=order
    )
    return done.verdict, list(done.candidates[0].metrics)


def false_alarms(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """A/A data: at a threshold near zero nothing but the test stands between noise and an alarm."""
    for name, noise in NOISES.items():
        for order in ("interleaved", "blocked"):
            for pairs in (6, 7, 10, 30):
                alarms = sum(
                    primaries(stream, noise, pairs, 1.0, 0.001, order)[0] in ALARMS for _ in range(experiments)
                )
                title = f"false alarms, 3 primary, {name}, {pairs} {order}"
                yield Line(title, alarms / experiments, at_most=0.05, trials=experiments)


def drifting_host(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """A/A on a host that slows by 10 % from the first run to the last, 1 % noise, runs in ABBA order."""
    for pairs in (10, 11):
        alarms = 0
        for _ in range(experiments):
            position = np.arange(2 * pairs).reshape(pairs, 2)
            position[1::2] = position[1::2, ::-1]
            drift = 1.0 - 0.1 * position.T / (2 * pairs - 1)
            values = {name: 1000.0 * drift * normal(stream, (2, pairs)) for name in PRIMARY}
            done = compare(runs_of(values), baseline="before", primary=PRIMARY, threshold_percent=0.001)
            alarms += done.verdict in ALARMS
        title = f"false alarms, 3 primary, host drifts by 10 %, {pairs} ABBA"
        yield Line(title, alarms / experiments, at_most=0.05, trials=experiments)


def found_changes(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """A 3 % change under 1 % noise with ten pairs, judged with the default threshold of 2 %."""
    found = [
        metric.verdict in ALARMS
        for _ in range(experiments)
        for metric in primaries(stream, normal, 10, 1.03, 2.0, "interleaved")[1]
    ]
    yield Line("3 % change, 1 % noise, 10 pairs: found", float(np.mean(found)), at_least=0.95)


def wrong_equivalence(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """The change is exactly the threshold: `equivalent` would be wrong."""
    for name, noise in NOISES.items():
        for pairs in (8, 30):
            wrong = [
                metric.verdict is Verdict.EQUIVALENT
                for _ in range(experiments)
                for metric in primaries(stream, noise, pairs, 1.02, 2.0, "interleaved")[1]
            ]
            title = f"equivalent said of a change at the threshold, {name}, {pairs} pairs"
            yield Line(title, float(np.mean(wrong)), at_most=0.05, trials=len(wrong))


def adaptive_stopping(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """`repeat: auto` looks up to five times; every rate has to hold over all the looks."""
    few = max(20, experiments // 5)
    for name, noise in NOISES.items():
        rate = stopping.alarms(stream, noise, few)
        yield Line(f"auto: false alarms, 3 primary, {name}", rate, at_most=0.05, trials=few)
        rate = stopping.wrong_equivalences(stream, noise, few)
        yield Line(f"auto: equivalent at the threshold, {name}", rate, at_most=0.05, trials=few)
        rate = stopping.uncovered(stream, noise, few)
        yield Line(f"auto: intervals that miss, {name}", rate, at_most=0.05, trials=few)
    found = list(stopping.found_and_pairs(stream, normal, few))
    rate = float(np.mean([called for called, _ in found]))
    yield Line("auto: 3 % change, 1 % noise: found", rate, at_least=0.95, trials=few)
    yield Line("auto: pairs until then, mean (fixed: 10)", float(np.mean([n for _, n in found])), at_most=20.0)


def coverage(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """How often the 95 % interval holds the true ratio, 1.03."""
    for name, noise in NOISES.items():
        for paired in (True, False):
            for pairs in (8, 10, 30):
                held = 0
                for _ in range(experiments):
                    before, after = noise(stream, (2, pairs)) * np.array([[1.0], [1.03]])
                    aligned = Aligned(tuple(before), tuple(after), tuple(range(pairs)), paired, 0)
                    interval = effect_of(aligned).interval
                    held += interval is not None and interval[0] <= 1.03 <= interval[1]
                kind = "pairs" if paired else "runs a side"
                title = f"coverage, {name}, {pairs} {kind}"
                yield Line(title, held / experiments, at_least=0.94, trials=experiments)


def power(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """What detectable_percent promises: four in five, under normal noise."""
    for pairs in (6, 8, 10, 20, 50):
        for family in (1, 3):
            factor = paired_factor(pairs, 0.05 / family)
            if factor is None:
                continue
            found = sum(
                paired_shift(stream.normal(factor, 1.0, pairs)).p_value < 0.05 / family for _ in range(experiments)
            )
            title = f"detectable change is found, {pairs} pairs, {family} primary"
            yield Line(title, found / experiments, at_least=0.74, trials=experiments)


def histogram_of(latencies_ns: np.ndarray) -> LatencyHistogram:
    """Sort latencies into fio's bins, all at once."""
    dropped_bits = np.maximum(np.floor(np.log2(np.maximum(latencies_ns, 1))).astype(np.int64) - GROUP_BITS, 0)
    bins, counts = np.unique(dropped_bits * GROUP_BINS + (latencies_ns >> dropped_bits), return_counts=True)
    return LatencyHistogram(tuple(zip(bins.tolist(), counts.tolist(), strict=True)))


def histogram_bands(stream: np.random.Generator, experiments: int) -> Iterator[Line]:
    """How often a quantile's band over runs holds the true ratio 1.1 (runs differ by 5 %, 2000 I/Os a run)."""
    for pairs in (8, 12):
        held = {50.0: 0, 99.0: 0}
        for _ in range(experiments):
            sides = []
            for shift in (1.0, 1.1):
                levels = 100_000.0 * shift * np.exp(stream.normal(0.0, 0.05, pairs))
                latencies = [level * np.exp(stream.normal(0.0, 0.5, 2000)) for level in levels]
                sides.append([histogram_of(run.astype(np.int64)) for run in latencies])
            for shift_of in quantile_shifts(*sides, paired=True, percents=tuple(held)):
                if shift_of.band95 is not None:
                    held[shift_of.percent] += shift_of.band95[0] <= 1.1 <= shift_of.band95[1]
        for percent, count in held.items():
            title = f"quantile band holds the shift, p{percent:g}, {pairs} pairs"
            yield Line(title, count / experiments, at_least=0.93, trials=experiments)


def speed(stream: np.random.Generator, _experiments: int) -> Iterator[Line]:
    """Seconds for 2 x 50 runs of 40 metrics."""
    runs = runs_of({name: 1000.0 * normal(stream, (2, 50)) for name in known_names()[:40]})
    compare(runs[:12], baseline="before")
    for order in ("interleaved", "blocked"):
        start = time.perf_counter()
        compare(runs, baseline="before", order=order)
        yield Line(f"seconds for 2 x 50 runs of 40 metrics, {order}", time.perf_counter() - start, at_most=1.0)


Study = Callable[[np.random.Generator, int], Iterator[Line]]
STUDIES: tuple[Study, ...] = (
    false_alarms,
    drifting_host,
    found_changes,
    wrong_equivalence,
    adaptive_stopping,
    coverage,
    power,
    histogram_bands,
    speed,
)


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    parser.add_argument("--experiments", type=int, default=1000, help="made-up experiments a line (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    missed = 0
    for number, study in enumerate(STUDIES):
        experiments = max(50, chosen.experiments // 5) if study is histogram_bands else chosen.experiments
        for line in study(np.random.default_rng([chosen.seed, number]), experiments):
            print(line, flush=True)
            missed += not line.holds
    print(f"{missed} bounds missed; seed {chosen.seed}, {chosen.experiments} experiments a line")
    return 1 if chosen.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
