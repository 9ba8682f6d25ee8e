"""Leases keep their promises on SQLite and on PostgreSQL: nothing lost, nothing doubled, whoever dies."""

from __future__ import annotations

import threading
import time
from collections import Counter

import pytest
from sqlalchemy import insert, update
from sqlmodel import col, select

from app.db import events, leases
from app.db.engine import Database, now_ms
from app.db.tables import DEFAULT_PROJECT, LOCAL_USER, Event, Experiment, Run
from app.domain.claim import ClaimedRun, Directive, Failure
from app.domain.outcome import RunProgress
from app.domain.plan import planned_runs
from app.domain.state import State
from app.ingest.definition import definition_from
from tests.support.definitions import noop

LEASE_S = 60.0


def add_experiment(database: Database, experiment_id: str = "e1", repeat: int = 3) -> None:
    definition = definition_from(noop(repeat=repeat))
    with database.write() as session:
        session.add(
            Experiment(
                id=experiment_id,
                owner_id=LOCAL_USER,
                project_id=DEFAULT_PROJECT,
                title="x",
                digest="d",
                definition=definition.model_dump_json(),
                runner="noop",
                state=State.QUEUED,
                runs_total=definition.run_count,
                created_ms=now_ms(),
            )
        )
        session.flush()
        for planned in planned_runs(definition, repeat):
            session.add(
                Run(
                    id=f"{experiment_id}r{planned.position}",
                    experiment_id=experiment_id,
                    position=planned.position,
                    runner="noop",
                    variant=planned.variant,
                    replicate=planned.replicate,
                    seed=planned.seed,
                    state=State.QUEUED,
                )
            )


def claim(database: Database, worker: str = "w") -> ClaimedRun | None:
    with database.write() as session:
        return leases.claim(session, worker, ["noop"], LEASE_S)


def must_claim(database: Database, worker: str = "w") -> ClaimedRun:
    claimed = claim(database, worker)
    assert claimed is not None
    return claimed


def end(database: Database, claimed: ClaimedRun, state: State = State.DONE) -> bool:
    with database.write() as session:
        return leases.end(session, claimed, state)


def let_lease_run_out(database: Database, claimed: ClaimedRun) -> None:
    with database.write() as session:
        session.execute(update(Run).where(col(Run.id) == claimed.run_id).values(lease_ms=now_ms() - 1))


def expire(database: Database, attempts_max: int = 3) -> int:
    with database.write() as session:
        return leases.expire(session, attempts_max)


def run_of(database: Database, run_id: str) -> Run:
    with database.read() as session:
        return session.get_one(Run, run_id)


def experiment_of(database: Database, experiment_id: str = "e1") -> Experiment:
    with database.read() as session:
        return session.get_one(Experiment, experiment_id)


def test_runs_are_claimed_in_the_experiments_order(database: Database) -> None:
    add_experiment(database)
    assert [must_claim(database).variant for _ in range(6)] == ["before", "after", "after", "before", "before", "after"]
    assert claim(database) is None


def test_an_older_experiment_goes_first(database: Database) -> None:
    add_experiment(database, "e2")
    add_experiment(database, "e1")
    assert must_claim(database).experiment_id == "e1"


def test_a_runner_that_a_worker_lacks_is_not_claimed(database: Database) -> None:
    add_experiment(database)
    with database.write() as session:
        assert leases.claim(session, "w", ["simulator"], LEASE_S) is None


def test_parallel_workers_never_claim_a_run_twice(database: Database) -> None:
    add_experiment(database, repeat=15)
    claimed: list[str] = []

    def work(name: str) -> None:
        while (found := claim(database, name)) is not None:
            claimed.append(found.run_id)
            assert end(database, found)

    workers = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert Counter(claimed) == Counter({f"e1r{position}": 1 for position in range(30)})
    experiment = experiment_of(database)
    assert (experiment.state, experiment.runs_ended) == (State.DONE, 30)


def test_the_last_two_runs_ending_at_once_end_the_experiment(database: Database) -> None:
    add_experiment(database, repeat=1)
    pair = [must_claim(database), must_claim(database)]
    start = threading.Barrier(2)

    def finish(claimed: ClaimedRun) -> None:
        start.wait()
        assert end(database, claimed)

    threads = [threading.Thread(target=finish, args=(claimed,)) for claimed in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert experiment_of(database).state == State.DONE


def test_a_run_ends_once(database: Database) -> None:
    add_experiment(database)
    claimed = must_claim(database)
    assert end(database, claimed)
    assert not end(database, claimed)
    assert experiment_of(database).runs_ended == 1


def test_an_expired_lease_is_offered_again_and_the_first_attempt_is_refused(database: Database) -> None:
    add_experiment(database)
    first = must_claim(database, "first")
    let_lease_run_out(database, first)
    assert expire(database) == 1
    second = must_claim(database, "second")
    assert (second.run_id, second.attempt) == (first.run_id, 2)
    with database.write() as session:
        assert leases.heartbeat(session, first, LEASE_S) is Directive.LOST
    assert not end(database, first)
    assert end(database, second)


def test_a_living_lease_is_left_alone(database: Database) -> None:
    add_experiment(database)
    must_claim(database)
    assert expire(database) == 0


def test_a_run_that_keeps_losing_its_worker_fails_with_the_reason(database: Database) -> None:
    add_experiment(database)
    for _ in range(3):
        let_lease_run_out(database, must_claim(database, "mortal"))
        assert expire(database, attempts_max=3) == 1
    run = run_of(database, "e1r0")
    assert run.state == State.FAILED
    assert "mortal vanished" in Failure.model_validate_json(run.failure or "").message


def test_a_heartbeat_extends_the_lease_and_keeps_one_progress_event(database: Database) -> None:
    add_experiment(database)
    claimed = must_claim(database)
    for fraction in (0.25, 0.5, 0.75):
        with database.write() as session:
            assert leases.heartbeat(session, claimed, 1000, RunProgress(fraction=fraction)) is Directive.CARRY_ON
    assert (run_of(database, claimed.run_id).lease_ms or 0) > now_ms() + 900_000
    with database.read() as session:
        kept = session.exec(select(Event).where(Event.kind == "progress")).all()
    assert len(kept) == 1
    assert '"fraction":0.75' in kept[0].data


def test_a_run_given_back_waits_as_long_as_it_was_asked_to(database: Database) -> None:
    add_experiment(database, repeat=1)
    failure = Failure(code="x", phase="claim", message="not now", attempts_allowed=5, retry_after_s=60)
    claimed = must_claim(database)
    with database.write() as session:
        assert leases.release(session, claimed, failure, attempts_max=5)
    assert must_claim(database).run_id != claimed.run_id
    assert claim(database) is None
    assert run_of(database, claimed.run_id).state == State.QUEUED


def test_a_failure_that_allows_one_attempt_is_final(database: Database) -> None:
    add_experiment(database)
    claimed = must_claim(database)
    with database.write() as session:
        assert leases.release(session, claimed, Failure(code="x", phase="prepare", message="no"), attempts_max=5)
    assert run_of(database, claimed.run_id).state == State.FAILED


def test_cancel_ends_what_waits_and_stops_what_runs(database: Database) -> None:
    add_experiment(database)
    claimed = must_claim(database)
    with database.write() as session:
        count = leases.cancel_queued(session, "e1")
        session.execute(update(Experiment).values(cancel_requested=True))
        leases.count_cancelled(session, "e1", count)
    assert claim(database) is None
    with database.write() as session:
        assert leases.heartbeat(session, claimed, LEASE_S) is Directive.STOP
    assert end(database, claimed, State.CANCELLED)
    assert experiment_of(database).state == State.CANCELLED


def test_a_cancelled_run_whose_worker_died_is_not_offered_again(database: Database) -> None:
    add_experiment(database, repeat=1)
    claimed = must_claim(database)
    with database.write() as session:
        count = leases.cancel_queued(session, "e1")
        session.execute(update(Experiment).values(cancel_requested=True))
        leases.count_cancelled(session, "e1", count)
    let_lease_run_out(database, claimed)
    expire(database)
    assert run_of(database, claimed.run_id).state == State.CANCELLED
    assert experiment_of(database).state == State.CANCELLED


def test_event_numbers_have_no_gaps_under_parallel_writers(database: Database) -> None:
    add_experiment(database)

    def write() -> None:
        for _ in range(20):
            with database.write() as session:
                events.append(session, "e1", "run", {})

    writers = [threading.Thread(target=write) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    with database.read() as session:
        numbers = [event.number for event in session.exec(select(Event).order_by(col(Event.number))).all()]
    assert numbers == list(range(1, 81))


def test_a_failed_transaction_sends_no_message(database: Database) -> None:
    sent = []
    with pytest.raises(RuntimeError), database.write() as session:
        session.after_commit(lambda: sent.append(1))
        raise RuntimeError
    assert sent == []


def test_cancel_beside_busy_workers_never_blocks_for_good(database: Database) -> None:
    add_experiment(database, repeat=20)
    began = time.monotonic()

    def work() -> None:
        while (found := claim(database)) is not None:
            with database.write() as session:
                leases.heartbeat(session, found, LEASE_S, RunProgress(fraction=0.5))
            end(database, found)

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    with database.write() as session:
        count = leases.cancel_queued(session, "e1")
        session.execute(update(Experiment).values(cancel_requested=True))
        leases.count_cancelled(session, "e1", count)
    for worker in workers:
        worker.join(60)
    with database.read() as session:
        states = {State(run.state) for run in session.exec(select(Run)).all()}
    # quick workers may be through before the cancel gets its turn; only then may it have come too late
    came_too_late = experiment_of(database).state == State.DONE and states == {State.DONE}
    assert came_too_late or experiment_of(database).state == State.CANCELLED
    assert states <= {State.DONE, State.CANCELLED}
    assert time.monotonic() - began < 30


def test_cancelling_ten_thousand_runs_takes_a_moment(database: Database) -> None:
    add_experiment(database, repeat=1)
    with database.write() as session:
        session.execute(update(Experiment).values(runs_total=10_002))
        common = {"experiment_id": "e1", "runner": "noop", "variant": "a", "cell": "{}", "seed": 1, "attempt": 0}
        common |= {"state": State.QUEUED, "not_before_ms": 0, "replicate": 0}
        session.execute(insert(Run), [{**common, "id": f"x{n}", "position": 2 + n} for n in range(10_000)])
    began = time.monotonic()
    with database.write() as session:
        count = leases.cancel_queued(session, "e1")
        session.execute(update(Experiment).values(cancel_requested=True))
        leases.count_cancelled(session, "e1", count)
    assert time.monotonic() - began < 5
    assert experiment_of(database).state == State.CANCELLED
