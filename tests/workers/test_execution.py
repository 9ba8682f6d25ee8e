"""Whatever happens to a run, the store hears of exactly one ending."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from app.domain.claim import ClaimedRun, Directive, Failure
from app.domain.outcome import Outcome, RunProgress
from app.ingest.definition import definition_from
from tests.support.definitions import noop
from workers.execution import Pace, execute
from workers.runners import registry

PACE = Pace(heartbeat_s=0.01, lease_s=0.3)


class Told:
    """A store that remembers what it was told."""

    def __init__(self, *directives: Directive, faults: int = 0, lost: bool = False, unstored: int = 0) -> None:
        self.completions = 0
        self._unstored = unstored
        self.ends: list[str] = []
        self.failure: Failure | None = None
        self.progress: list[RunProgress] = []
        self.beats = 0
        self._directives = list(directives)
        self._faults = faults
        self._lost = lost

    def claim(self, worker: str, runners: Sequence[str]) -> ClaimedRun | None:
        return None

    def files(self, claimed: ClaimedRun) -> Mapping[str, str]:
        return {}

    def heartbeat(self, claimed: ClaimedRun, progress: RunProgress | None) -> Directive:
        self.beats += 1
        if self.beats <= self._faults:
            raise ConnectionError("away")
        if progress is not None:
            self.progress.append(progress)
        return self._directives.pop(0) if self._directives else Directive.CARRY_ON

    def complete(self, claimed: ClaimedRun, outcome: Outcome) -> bool:
        self.completions += 1
        if self.completions <= self._unstored:
            raise ConnectionError("away")
        self.ends.append("complete")
        return not self._lost

    def cancelled(self, claimed: ClaimedRun) -> bool:
        self.ends.append("cancelled")
        return True

    def give_back(self, claimed: ClaimedRun, failure: Failure) -> bool:
        self.ends.append("give_back")
        self.failure = failure
        return True


def claimed(noop_ms: int = 0, **changes: Any) -> ClaimedRun:
    definition = definition_from(noop(device={"profile": "constant", "noop_ms": noop_ms}, **changes))
    return ClaimedRun(
        run_id="r",
        experiment_id="e",
        attempt=1,
        definition=definition,
        runner="noop",
        variant="before",
        cell={},
        replicate=0,
        seed=1,
    )


def test_a_run_that_ends_is_completed() -> None:
    store = Told()
    execute(store, claimed(), PACE)
    assert store.ends == ["complete"]


def test_the_heart_beats_and_reports_beside_the_run() -> None:
    store = Told()
    execute(store, claimed(300), PACE)
    assert store.beats > 5
    assert store.progress


def test_a_stop_cancels_the_run_at_once() -> None:
    store = Told(Directive.STOP)
    began = time.monotonic()
    execute(store, claimed(30_000), PACE)
    assert store.ends == ["cancelled"]
    assert time.monotonic() - began < 1


def test_a_lost_lease_stores_nothing() -> None:
    store = Told(Directive.LOST)
    execute(store, claimed(30_000), PACE)
    assert store.ends == []


def test_a_lease_lost_at_the_very_end_is_accepted_quietly() -> None:
    store = Told(lost=True)
    execute(store, claimed(), PACE)
    assert store.ends == ["complete"]


def test_a_store_that_is_away_for_a_while_does_not_end_the_run() -> None:
    store = Told(faults=5)
    execute(store, claimed(200), PACE)
    assert store.ends == ["complete"]


def test_a_store_that_is_away_for_longer_than_the_lease_ends_the_run() -> None:
    store = Told(faults=10**6)
    began = time.monotonic()
    execute(store, claimed(30_000), PACE)
    assert store.ends == []
    assert time.monotonic() - began < 5


def test_a_run_past_its_deadline_is_lost_with_the_reason() -> None:
    store = Told()
    execute(store, claimed(30_000, timeout=0.1), PACE)
    assert store.failure is not None
    assert store.failure.code == "run_overdue"
    assert "time limit of 0.1 s" in store.failure.message


def test_a_draining_worker_gives_its_run_back_to_be_offered_at_once() -> None:
    store = Told()
    execute(store, claimed(30_000), Pace(0.01, 1, lambda: True))
    assert store.failure is not None
    assert (store.failure.code, store.failure.retry_after_s) == ("runner_unavailable", 0)


def test_what_cannot_be_prepared_fails_without_another_attempt() -> None:
    store = Told()
    device = {"profile": "constant", "noop_fail": "no image"}
    run = claimed().model_copy(update={"definition": definition_from(noop(device=device))})
    execute(store, run, PACE)
    assert store.failure is not None
    assert (store.failure.phase, store.failure.attempts_allowed) == ("prepare", 1)


def test_a_fault_of_ours_is_stored_and_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        kind = "noop"

        def run(self, task: object, control: object) -> None:
            raise ZeroDivisionError

        def parse(self, task: object, raw: object) -> None:
            raise AssertionError

    monkeypatch.setattr(registry, "runner", lambda kind: Broken())
    store = Told()
    with pytest.raises(ZeroDivisionError):
        execute(store, claimed(), PACE)
    assert store.failure is not None
    assert store.failure.code == "internal_error"


def test_a_store_that_is_away_at_the_end_gets_the_outcome_when_it_is_back() -> None:
    store = Told(unstored=5)
    execute(store, claimed(), PACE)
    assert store.ends == ["complete"]


def test_an_outcome_that_cannot_be_stored_within_the_lease_is_left_to_another_attempt() -> None:
    store = Told(unstored=10**6)
    execute(store, claimed(), PACE)
    assert store.ends == []


def test_a_run_that_hangs_without_asking_loses_its_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hung:
        kind = "noop"

        def run(self, task: object, control: object) -> None:
            time.sleep(1.5)

        def parse(self, task: object, raw: object) -> Outcome:
            return Outcome(samples=())

    monkeypatch.setattr(registry, "runner", lambda kind: Hung())
    store = Told()
    execute(store, claimed(timeout=0.1), PACE)
    beats_within_deadline_and_lease = 0.4 / PACE.heartbeat_s
    assert store.beats <= beats_within_deadline_and_lease + 5
