"""The search: the few parameters of the nearest profile that bring the simulator's figures to those measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.catalog import devices
from app.errors import RequestError
from workers.fitting.knobs import KNOBS, REACH, Knob
from workers.fitting.points import Point
from workers.fitting.trial import REPORT_IOS, SEARCH_IOS, trial

FITTED_MIN = 3
"""Points to fit to; with fewer, any parameter explains them."""

MOVED = 0.02
"""Relative change of a figure that is more than the noise of a trial."""

TURN = math.log(1.25)
"""How far a parameter is turned to see what it moves."""

PULL = 1e-4
"""Weight of the squared logarithm of a parameter's change: what no figure decides stays as the profile has it."""

STARTS = 2
"""Profiles that are fitted when none is named: what no parameter changes (a write cache) may mislead."""

PLACES = 32
"""Places that are tried before the search, a power of two as a Sobol sequence wants."""

EVALUATIONS_MAX = 100
"""Trials of all points in each of the two searches: some ten seconds for a sweep of a dozen points."""

RADII = (0.5, 0.2)
RADIUS_LEAST = 0.01
"""Radii of the model, natural logarithms of factors: two searches, as the first may stop in the noise of its trials."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of one point: measured and simulated (IOPS, or nanoseconds), and whether the fit saw it."""

    label: str
    place: str
    metric: str
    measured: float
    simulated: float
    fitted: bool
    movable: bool

    @property
    def error(self) -> float:
        """Return simulated / measured - 1."""
        return self.simulated / self.measured - 1.0


@dataclass(frozen=True, slots=True)
class Setting:
    """A parameter before and after; `moves` is the largest change of a fitted figure for a quarter more or less."""

    name: str
    before: int
    after: int
    moves: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The profile that was nearest, what is changed in it, and every figure; errors are rms values of logarithms."""

    profile: str
    overrides: Mapping[str, int | str]
    settings: tuple[Setting, ...]
    rows: tuple[Row, ...]
    error_before: float
    error_fitted: float
    error_left_out: float | None
    evaluations: int


Evaluate = Callable[[Mapping[str, int | str]], list[float]]


def fit(
    points: Sequence[Point],
    *,
    profile: str | None = None,
    fixed: Mapping[str, object] | None = None,
    hold_out: int = 3,
    seed: int = 1,
) -> Fit:
    """Fit a profile (the nearest unless named) to points, every `hold_out`-th of them left out (0: none).

    `fixed` are parameters that are known and stay. Raises RequestError when there are too few points, or one that the
    simulator cannot run. The same points and seed give the same fit.
    """
    seen = [point for number, point in enumerate(points, start=1) if not hold_out or number % hold_out]
    if len(seen) < FITTED_MIN:
        raise RequestError(
            f"{len(points)} points are given, of which {len(seen)} would be fitted; at least {FITTED_MIN} are needed"
        )
    known = fixed or {}
    begun = [_begun(seen, name, known, seed) for name in _starts(seen, profile, known, seed)]
    best = min(begun, key=lambda each: each.cost)
    name, kind, values, after = best.name, devices.profile(best.name).kind, best.before, best.after
    settings, movable = _looked_at(points, seen, name, kind, after, values, seed, known)
    rows = tuple(_rows(points, seen, name, after, movable, seed))
    left_out = [math.log(row.simulated / row.measured) for row in rows if not row.fitted]
    start = devices.profile(name).values
    return Fit(
        profile=name,
        overrides={key: value for key, value in after.items() if value != start[key]},
        settings=settings,
        rows=rows,
        error_before=best.error_before,
        error_fitted=_rms([math.log(row.simulated / row.measured) for row in rows if row.fitted]),
        error_left_out=_rms(left_out) if left_out else None,
        evaluations=sum(each.evaluations for each in begun),
    )


@dataclass(frozen=True, slots=True)
class _Begun:
    """A search that began at one profile."""

    name: str
    before: Mapping[str, int | str]
    after: Mapping[str, int | str]
    error_before: float
    cost: float
    evaluations: int


def _begun(points: Sequence[Point], name: str, fixed: Mapping[str, object], seed: int) -> _Begun:
    values = _resolved(name, fixed)
    kind = devices.profile(name).kind
    calls = _Trials(points, name, seed)
    before = _rms(calls.errors(values))
    knobs = _active(calls, kind, values, fixed)
    after = _turned(kind, values, knobs, _search(calls, kind, values, knobs, seed) if knobs else [])
    return _Begun(name, values, after, before, _rms(calls.errors(after)), calls.count)


class _Trials:
    """Trials of all points, each set of values once."""

    def __init__(self, points: Sequence[Point], profile: str, seed: int) -> None:
        self.points = points
        self.profile = profile
        self.seed = seed
        self.count = 0
        self.known: dict[tuple[int | str, ...], list[float]] = {}

    def figures(self, values: Mapping[str, int | str]) -> list[float]:
        """Return every figure of every point, as logarithms."""
        key = tuple(values.values())
        if key not in self.known:
            self.count += 1
            found = []
            for point in self.points:
                simulated = trial(point, self.profile, values, self.seed, SEARCH_IOS)[0]
                found += [math.log(max(simulated[metric], 1e-3)) for metric in point.measured]
            self.known[key] = found
        return self.known[key]

    def errors(self, values: Mapping[str, int | str]) -> list[float]:
        """Return the logarithms of simulated / measured."""
        measured = [value for point in self.points for value in point.measured.values()]
        return [found - math.log(value) for found, value in zip(self.figures(values), measured, strict=True)]


def _starts(points: Sequence[Point], profile: str | None, fixed: Mapping[str, object], seed: int) -> list[str]:
    """The profiles to begin with: the one asked for, else those whose figures are nearest as they stand.

    `constant` is taken only when no other can run the jobs: with the right time it meets any single depth.
    """
    if profile is not None:
        return [profile]
    tried: list[tuple[bool, float, str]] = []
    refused = None
    for name, candidate in devices.DEVICES.items():
        if candidate.kind not in KNOBS:
            continue
        try:
            error = _rms(_Trials(points, name, seed).errors(_resolved(name, fixed)))
        except RequestError as problem:
            refused = refused or problem
            continue
        tried.append((candidate.kind == "constant", error, name))
    if not tried:
        raise refused or RequestError("there is no profile to begin with")
    modelled = [name for constant, _, name in sorted(tried) if not constant]
    return modelled[:STARTS] or [min(tried)[2]]


def _resolved(name: str, fixed: Mapping[str, object]) -> dict[str, int | str]:
    try:
        kind, values = devices.resolve(name, fixed)
    except ValueError as error:
        raise RequestError(f"device fit: {error}") from None
    if kind not in KNOBS:
        raise RequestError(f"device fit: {name} is a {kind} device, of which nothing can be fitted to mean figures")
    return values


def _turned(
    kind: str, values: Mapping[str, int | str], knobs: Sequence[Knob], turns: Sequence[float]
) -> dict[str, int | str]:
    made = dict(values)
    for knob, by in zip(knobs, turns, strict=True):
        made.update(knob.turned(kind, values, by))
    return made


def _knobs(kind: str, fixed: Mapping[str, object]) -> list[Knob]:
    return [knob for knob in KNOBS[kind] if not set(knob.names) & {devices.ALIASES.get(key, key) for key in fixed}]


def _active(calls: _Trials, kind: str, values: Mapping[str, int | str], fixed: Mapping[str, object]) -> list[Knob]:
    """The knobs that move a figure somewhere in their range, strongest first, fewer than there are figures."""
    start = calls.figures(values)
    effects = []
    for order, knob in enumerate(_knobs(kind, fixed)):
        low, high = knob.bounds(values)
        effect = 0.0
        for by in (low, low / 3, high / 3, high):
            moved = calls.figures({**values, **knob.turned(kind, values, by)})
            effect = max(effect, _rms([now - then for now, then in zip(moved, start, strict=True)]))
        if effect > MOVED:
            effects.append((-effect, order, knob))
    return [knob for _, _, knob in sorted(effects)[: len(start) - 1]]


def _search(
    calls: _Trials, kind: str, values: Mapping[str, int | str], knobs: Sequence[Knob], seed: int
) -> list[float]:
    """Turn the knobs until the error is least: from the best of some places all over their range, and the profile.

    The method (COBYQA: Ragonneau and Zhang) makes a quadratic model of the error and needs no derivatives, which
    trials, being counts of I/Os, do not have.
    """
    import numpy as np
    from scipy.optimize import minimize  # type: ignore[import-untyped]
    from scipy.stats import qmc  # type: ignore[import-untyped]

    def cost(turns: Sequence[float]) -> float:
        errors = calls.errors(_turned(kind, values, knobs, turns))
        return sum(error * error for error in errors) / len(errors) + PULL * sum(turn * turn for turn in turns)

    bounds = np.array([knob.bounds(values) for knob in knobs])
    places = qmc.Sobol(len(knobs), seed=seed).random(PLACES) * (bounds[:, 1] - bounds[:, 0]) + bounds[:, 0]
    best = min((np.zeros(len(knobs)), *places / 2), key=cost)
    for radius in RADII:
        options = {"maxfev": EVALUATIONS_MAX, "initial_tr_radius": radius, "final_tr_radius": RADIUS_LEAST}
        found = minimize(cost, best, method="COBYQA", bounds=bounds, options=options).x
        best = min(best, found, key=cost)
    return [float(turn) for turn in best]


def _looked_at(
    points: Sequence[Point],
    seen: Sequence[Point],
    name: str,
    kind: str,
    after: Mapping[str, int | str],
    before: Mapping[str, int | str],
    seed: int,
    fixed: Mapping[str, object],
) -> tuple[tuple[Setting, ...], set[tuple[int, str]]]:
    """What each parameter moves where the search ended, and which figures any of them moves."""
    calls = _Trials(points, name, seed)
    here = calls.figures(after)
    keys = [(at, metric) for at, point in enumerate(points) for metric in point.measured]
    fitted = {at for at, point in enumerate(points) if point in seen}
    movable: set[tuple[int, str]] = set()
    settings = []
    for knob in _knobs(kind, fixed):
        effect = 0.0
        for by in (-TURN, TURN, -REACH / 2, REACH / 2):
            moved = calls.figures({**after, **knob.turned(kind, after, by)})
            for key, now, then in zip(keys, moved, here, strict=True):
                change = abs(math.expm1(now - then))
                movable |= {key} if change > MOVED else set()
                effect = max(effect, change) if key[0] in fitted and abs(by) <= TURN else effect
        settings += [Setting(each, int(before[each]), int(after[each]), effect) for each in knob.names]
    return tuple(settings), movable


def _rows(
    points: Sequence[Point],
    seen: Sequence[Point],
    name: str,
    values: Mapping[str, int | str],
    movable: set[tuple[int, str]],
    seed: int,
) -> list[Row]:
    rows = []
    for at, point in enumerate(points):
        simulated = trial(point, name, values, seed, REPORT_IOS)[0]
        for metric, measured in point.measured.items():
            rows.append(
                Row(
                    *(point.label, point.place, metric, measured, max(simulated[metric], 1e-3)),
                    fitted=point in seen,
                    movable=(at, metric) in movable,
                )
            )
    return rows


def _rms(errors: Sequence[float]) -> float:
    return math.sqrt(sum(error * error for error in errors) / len(errors))
