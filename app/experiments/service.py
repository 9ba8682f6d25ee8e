"""What can be done with an experiment: create, list, read, cancel, run again, conclude."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session
from ulid import ULID

from app.analysis.headline import headline
from app.db import events, leases
from app.db.engine import Transaction, now_ms
from app.db.tables import Experiment, IdempotencyKey, Run, RunOutcome
from app.domain.claim import Failure
from app.domain.comparison import Comparison, MeasuredRun, Verdict
from app.domain.digest import canonical_json, digest_of
from app.domain.experiment import Definition
from app.domain.metric import Sample
from app.domain.outcome import Notice, RunProgress
from app.domain.plan import first_repeat, kind_of, planned_runs
from app.domain.state import State
from app.errors import Conflict, NotFound, QueueFull, RequestError
from app.experiments import repository
from app.experiments.comparing import compared_as_defined, repeat_wanted, stage_times
from app.experiments.schemas import ExperimentDetail, ExperimentEvent, ExperimentPage, ExperimentSummary, RunSummary
from app.web.context import Context, Principal

PAGE_MAX = 200
RUNS_SHOWN_MAX = 2000
"""Runs in the answer for one experiment; a matrix of more is read by its comparison."""

EVENTS_BATCH = 500


@dataclass(frozen=True)
class Idempotency:
    """The key that a request came with and the digest of what it asked for."""

    key: str
    request_digest: str


def idempotency(key: str | None, *parts: bytes) -> Idempotency | None:
    """Return the idempotency of a request made of `parts`; None without a key."""
    if key is None:
        return None
    if not 1 <= len(key) <= 255 or not key.isprintable():
        raise RequestError("Idempotency-Key holds 1 to 255 printable characters", code="bad_idempotency_key")
    return Idempotency(key, hashlib.sha256(b"\0".join(parts)).hexdigest())


Made = TypeVar("Made")


def once_only(once: Idempotency | None, attempt: Callable[[], Made]) -> Made:
    """Return what an attempt to create makes; of two at once with one key the second finds what the first made."""
    try:
        return attempt()
    except IntegrityError:
        if once is None:
            raise
        return attempt()


def made_before(session: Session, by: Principal, once: Idempotency | None) -> str | None:
    """Return what was made under this key before. Raises Conflict when the key was used for something else."""
    earlier = repository.remembered(session, by.user_id, once.key) if once is not None else None
    if once is None or earlier is None:
        return None
    if earlier.request_digest != once.request_digest:
        raise Conflict("this Idempotency-Key was used for another request", code="idempotency_key_reused")
    return earlier.experiment_id


def create(
    session: Transaction,
    context: Context,
    by: Principal,
    definition: Definition,
    *,
    notices: tuple[Notice, ...],
    once: Idempotency | None = None,
    rerun_of: str | None = None,
) -> str:
    """Store an admitted experiment and its runs, to be woken after the commit; return its id.

    Raises Conflict when the key was used for something else, QueueFull when too many runs wait.
    """
    if (earlier := made_before(session, by, once)) is not None:
        return earlier
    if repository.waiting_runs(session) + definition.run_count > context.settings.queued_runs_max:
        raise QueueFull("too many runs wait on this server; try again when some have ended")
    experiment_id = str(ULID())
    repository.add(
        session,
        _row(experiment_id, by, definition, notices, rerun_of),
        _runs(experiment_id, definition, first_repeat(definition)),
    )
    events.append(session, experiment_id, "experiment", {"state": State.QUEUED})
    if once is not None:
        repository.remember(
            session,
            IdempotencyKey(
                owner_id=by.user_id,
                key=once.key,
                request_digest=once.request_digest,
                experiment_id=experiment_id,
                created_ms=now_ms(),
            ),
        )
    kinds = sorted({kind_of(choice.runner) for choice in definition.runners})
    session.after_commit(lambda: context.messages.wake(kinds, definition.run_count))
    session.after_commit(lambda: context.messages.announce(experiment_id))
    return experiment_id


def _row(
    experiment_id: str, by: Principal, definition: Definition, notices: tuple[Notice, ...], rerun_of: str | None
) -> Experiment:
    return Experiment(
        id=experiment_id,
        owner_id=by.user_id,
        project_id=by.project_id,
        title=definition.title or _untitled(definition),
        digest=digest_of(definition),
        definition=definition.model_dump_json(),
        notices=canonical_json([notice.model_dump() for notice in notices]),
        runner=", ".join(choice.runner for choice in definition.runners),
        state=State.QUEUED,
        runs_total=definition.run_count,
        rerun_of=rerun_of,
        created_ms=now_ms(),
    )


def _untitled(definition: Definition) -> str:
    names = " against ".join(variant.name for variant in definition.variants)
    return f"{definition.workload.kind} on {definition.device.profile}: {names}"


def _runs(experiment_id: str, definition: Definition, repeat: int, after: int = 0) -> list[Run]:
    return [
        Run(
            id=str(ULID()),
            experiment_id=experiment_id,
            position=planned.position,
            runner=planned.runner,
            variant=planned.variant,
            cell=canonical_json(planned.cell),
            replicate=planned.replicate,
            seed=planned.seed,
            state=State.QUEUED,
        )
        for planned in planned_runs(definition, repeat, after)
    ]


def found(session: Session, by: Principal, experiment_id: str) -> Experiment:
    """Return one's own experiment. Raises NotFound."""
    experiment = repository.find(session, by.user_id, experiment_id)
    if experiment is None:
        raise NotFound(f"there is no experiment {experiment_id[:64]}")
    return experiment


def listed(
    session: Session,
    by: Principal,
    *,
    limit: int,
    cursor: str | None,
    state: State | None,
    verdict: str | None,
    words: str | None,
) -> ExperimentPage:
    """Return a page of one's experiments, newest first."""
    rows = repository.page(
        session, by.user_id, limit=limit + 1, before=cursor, state=state, verdict=verdict, words=words
    )
    items = [ExperimentSummary.model_validate(row) for row in rows[:limit]]
    return ExperimentPage(items=items, next=items[-1].id if len(rows) > limit else None)


def detail(session: Session, by: Principal, experiment_id: str) -> ExperimentDetail:
    """Return an experiment whole."""
    experiment = found(session, by, experiment_id)
    runs = [run_summary(run) for run in repository.runs(session, experiment.id, RUNS_SHOWN_MAX)]
    return ExperimentDetail(
        **{name: getattr(experiment, name) for name in ExperimentSummary.model_fields},
        definition=Definition.model_validate_json(experiment.definition),
        notices=[Notice.model_validate(notice) for notice in json.loads(experiment.notices)],
        rerun_of=experiment.rerun_of,
        cancel_requested=experiment.cancel_requested,
        last_event=experiment.event_count,
        runs_shown=len(runs),
        runs=runs,
    )


def run_summary(run: Run) -> RunSummary:
    """Return a run as its experiment shows it."""
    return RunSummary(
        **run.model_dump(exclude={"cell", "progress", "failure"}),
        cell=json.loads(run.cell),
        progress=RunProgress.model_validate_json(run.progress) if run.progress else None,
        failure=Failure.model_validate_json(run.failure) if run.failure else None,
    )


def events_after(session: Session, experiment_id: str, number: int) -> list[ExperimentEvent]:
    """Return the next events of an experiment in order."""
    return [
        ExperimentEvent(
            number=event.number, kind=event.kind, run_id=event.run_id, at_ms=event.at_ms, data=json.loads(event.data)
        )
        for event in repository.events_after(session, experiment_id, number, EVENTS_BATCH)
    ]


def cancel(session: Transaction, context: Context, by: Principal, experiment_id: str) -> None:
    """Ask an experiment to stop: what waits is cancelled now, what runs at its next heartbeat."""
    experiment = found(session, by, experiment_id)
    # runs before their experiment: the order in which every worker takes these locks
    count = leases.cancel_queued(session, experiment.id)
    if not repository.request_cancel(session, experiment.id):
        raise Conflict("the experiment is over", code="already_over")
    leases.count_cancelled(session, experiment.id, count)
    session.after_commit(lambda: context.messages.announce(experiment_id))


def comparison_of(session: Session, by: Principal, experiment_id: str) -> tuple[Experiment, Comparison]:
    """Return an experiment with its comparison. Raises Conflict while it is not over."""
    experiment = found(session, by, experiment_id)
    if experiment.comparison is not None:
        return experiment, Comparison.model_validate_json(experiment.comparison)
    if not State(experiment.state).final:
        raise Conflict(
            f"{experiment.runs_ended} of {experiment.runs_total} runs have ended; the comparison follows the last",
            code="not_over",
        )
    return experiment, compared(session, experiment)


def compared(session: Session, experiment: Experiment) -> Comparison:
    """Compare the runs of an experiment that is over."""
    definition = Definition.model_validate_json(experiment.definition)
    outcomes = repository.outcomes(session, experiment.id)
    if experiment.state == State.CANCELLED:
        return _nothing_concluded(definition, _cancelled(experiment, len(outcomes)))
    several = len(definition.runners) > 1
    measured = [
        _measured(run, outcomes.get(run.id), several=several) for run in repository.runs(session, experiment.id)
    ]
    return compared_as_defined(definition, measured)


def _measured(run: Run, outcome: RunOutcome | None, *, several: bool) -> MeasuredRun:
    state = State(run.state)
    failure = Failure.model_validate_json(run.failure) if run.failure else None
    evidence = json.loads(outcome.evidence) if outcome else {}
    return MeasuredRun(
        variant=run.variant,
        replicate=run.replicate,
        seed=run.seed,
        cell=json.loads(run.cell),
        runner=run.runner if several else None,
        samples=tuple(Sample.model_validate(sample) for sample in json.loads(outcome.samples)) if outcome else (),
        failed=None if state is State.DONE else (failure.message if failure else str(state)),
        environment=evidence.get("environment", {}),
        stages=stage_times(evidence.get("stages", ())),
        counters=evidence.get("counters", {}),
    )


def to_conclude(session: Session, experiment_id: str) -> Comparison | None:
    """Return the comparison of an experiment that is over and has none stored yet."""
    experiment = session.get(Experiment, experiment_id)
    if experiment is None or experiment.comparison is not None or not State(experiment.state).final:
        return None
    return compared(session, experiment)


def extend(session: Transaction, context: Context, experiment_id: str, comparison: Comparison) -> bool:
    """Add the pairs that an experiment with `repeat: auto` still needs; False when it needs none, or is gone on."""
    experiment = session.get_one(Experiment, experiment_id)
    definition = Definition.model_validate_json(experiment.definition)
    if experiment.state != State.DONE:
        return False
    done = experiment.runs_total // (definition.run_count // first_repeat(definition))
    wanted = repeat_wanted(definition, done, comparison)
    if wanted is None:
        return False
    runs = _runs(experiment_id, definition, wanted, after=done)
    if not repository.reopen(session, experiment_id, experiment.runs_total, runs):
        return True
    events.append(session, experiment_id, "experiment", {"state": State.RUNNING, "runs_total": experiment.runs_total})
    kinds = sorted({kind_of(choice.runner) for choice in definition.runners})
    session.after_commit(lambda: context.messages.wake(kinds, len(runs)))
    session.after_commit(lambda: context.messages.announce(experiment_id))
    return True


def failed_comparison(session: Session, experiment_id: str, reason: str) -> Comparison:
    """Return what is stored when a comparison cannot be made: nothing concluded, and why."""
    experiment = session.get_one(Experiment, experiment_id)
    definition = Definition.model_validate_json(experiment.definition)
    return _nothing_concluded(definition, f"the comparison could not be made, by a fault of this server: {reason}")


def _cancelled(experiment: Experiment, done: int) -> str:
    return f"cancelled when {done} of {experiment.runs_total} runs were done"


def _nothing_concluded(definition: Definition, why: str) -> Comparison:
    return Comparison(
        baseline=definition.variants[0].name,
        verdict=Verdict.INCONCLUSIVE,
        primary=definition.primary,
        threshold_percent=definition.threshold_percent,
        deterministic=False,
        order=definition.order,
        candidates=(),
        notes=(why,),
    )


def conclude(session: Transaction, context: Context, experiment_id: str, comparison: Comparison) -> bool:
    """Store an experiment's comparison, once; False when it has one."""
    experiment = session.get_one(Experiment, experiment_id)
    sentence = headline(comparison)
    verdict: Verdict | None = comparison.verdict
    if experiment.state == State.CANCELLED or comparison.measured:
        verdict = None
    stored = repository.store_comparison(session, experiment_id, comparison.model_dump_json(), verdict, sentence)
    if stored:
        data = {"verdict": verdict, "headline": sentence}
        events.append(session, experiment_id, "comparison", data)
        session.after_commit(lambda: context.messages.announce(experiment_id))
    return stored
