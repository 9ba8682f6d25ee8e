"""Every registered runner keeps the contract of `workers.runners.base`."""

from __future__ import annotations

import pytest

from app.catalog import runners
from app.domain.metric import is_known
from app.domain.outcome import Outcome, RunProgress
from app.domain.plan import setup_of
from app.errors import RunCancelled
from app.ingest.definition import definition_from
from tests.support.definitions import noop, simulated
from workers.runners import registry
from workers.runners.base import Task

DEFINITIONS = {"noop": noop(device={"profile": "constant", "noop_ms": 30}), "simulator": simulated()}


class Watched:
    """A control that remembers what it was told, and stops when asked to."""

    def __init__(self, *, stop: bool = False) -> None:
        self.progress: list[RunProgress] = []
        self.stop = stop

    def report(self, progress: RunProgress) -> None:
        self.progress.append(progress)

    def stopping(self) -> bool:
        return self.stop


def task(kind: str, seed: int = 1) -> Task:
    definition = definition_from(DEFINITIONS[kind])
    return Task(setup_of(definition, runner=kind, variant="before", cell={}, seed=seed), {})


def outcome(kind: str, seed: int = 1) -> Outcome:
    runner = registry.runner(kind)
    return runner.parse(task(kind, seed), runner.run(task(kind, seed), Watched()))


def test_every_runner_is_tested_here() -> None:
    assert set(DEFINITIONS) == set(registry.KINDS)


@pytest.mark.parametrize("kind", registry.KINDS)
def test_it_declares_its_abilities(kind: str) -> None:
    assert registry.runner(kind).kind == runners.ability(kind).kind == kind


@pytest.mark.parametrize("kind", registry.KINDS)
def test_its_samples_are_canonical_metrics(kind: str) -> None:
    samples = outcome(kind).samples
    assert samples
    assert all(is_known(sample.metric) for sample in samples)


@pytest.mark.parametrize("kind", registry.KINDS)
def test_it_reports_progress_that_never_goes_back(kind: str) -> None:
    watched = Watched()
    registry.runner(kind).run(task(kind), watched)
    fractions = [progress.fraction for progress in watched.progress]
    assert fractions
    assert fractions == sorted(fractions)


@pytest.mark.parametrize("kind", registry.KINDS)
def test_it_stops_when_asked(kind: str) -> None:
    with pytest.raises(RunCancelled):
        registry.runner(kind).run(task(kind), Watched(stop=True))


@pytest.mark.parametrize("kind", [kind for kind in registry.KINDS if runners.ability(kind).deterministic])
def test_a_deterministic_one_gives_the_same_bytes_again(kind: str) -> None:
    assert outcome(kind, seed=5).model_dump_json() == outcome(kind, seed=5).model_dump_json()
    assert outcome(kind, seed=5) != outcome(kind, seed=6)


@pytest.mark.parametrize("kind", registry.KINDS)
def test_its_outcome_travels_as_json(kind: str) -> None:
    found = outcome(kind)
    assert Outcome.model_validate_json(found.model_dump_json()) == found
