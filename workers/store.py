"""The only way from a worker to the truth: claim, heartbeat, complete, give back.

`SqlStore` speaks to the database directly and is for workers beside it. Nothing else in `workers` knows of `app.db`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from app.config import Settings
from app.db import leases
from app.db.blobs import BlobStore
from app.db.engine import Database, Transaction, now_ms
from app.db.tables import RunArtifact, RunOutcome
from app.domain.claim import ClaimedRun, Directive, Failure
from app.domain.digest import canonical_json
from app.domain.outcome import Outcome, RunProgress
from app.domain.state import State
from app.errors import PreparationFailed
from app.jobs import Messages


class RunStore(Protocol):
    """What a worker may ask of the truth."""

    def claim(self, worker: str, runners: Sequence[str]) -> ClaimedRun | None:
        """Claim the next run that one of `runners` can execute; None when none waits."""

    def files(self, claimed: ClaimedRun) -> Mapping[str, str]:
        """Return the text files that the run's workload may include. Raises PreparationFailed when one is gone."""

    def heartbeat(self, claimed: ClaimedRun, progress: RunProgress | None) -> Directive:
        """Extend the lease and hear whether to go on."""

    def complete(self, claimed: ClaimedRun, outcome: Outcome) -> bool:
        """Store an outcome once; False when the lease was lost and nothing was stored."""

    def cancelled(self, claimed: ClaimedRun) -> bool:
        """Note that the run was stopped as asked; False when the lease was lost."""

    def give_back(self, claimed: ClaimedRun, failure: Failure) -> bool:
        """Offer the run again, or fail it when no attempts remain; False when the lease was lost."""


class SqlStore:
    """The store of a worker that reaches the database itself."""

    def __init__(self, database: Database, blobs: BlobStore, messages: Messages, settings: Settings) -> None:
        self._database = database
        self._blobs = blobs
        self._messages = messages
        self._settings = settings

    def await_schema(self, pause_s: float) -> None:
        """Return once the service has prepared the database."""
        while not self._database.has_table(RunOutcome.__tablename__):
            time.sleep(pause_s)

    def claim(self, worker: str, runners: Sequence[str]) -> ClaimedRun | None:
        """Claim the next run that one of `runners` can execute; None when none waits."""
        with self._database.write() as session:
            claimed = leases.claim(session, worker, runners, self._settings.lease_s)
            if claimed is not None:
                self._announce(session, claimed)
        return claimed

    def files(self, claimed: ClaimedRun) -> Mapping[str, str]:
        """Return the files that the definition names, from the blobs."""
        contents = {}
        for name, digest in claimed.definition.referenced().items():
            encoding = "latin-1" if claimed.definition.is_trace(name) else "utf-8"
            try:
                contents[name] = self._blobs.get(digest.removeprefix("sha256:")).decode(encoding)
            except (OSError, ValueError) as error:
                raise PreparationFailed(f"the uploaded file {name} cannot be read: {error}") from None
        return contents

    def heartbeat(self, claimed: ClaimedRun, progress: RunProgress | None) -> Directive:
        """Extend the lease and hear whether to go on."""
        with self._database.write() as session:
            directive = leases.heartbeat(session, claimed, self._settings.lease_s, progress)
            if progress is not None:
                self._announce(session, claimed)
        return directive

    def complete(self, claimed: ClaimedRun, outcome: Outcome) -> bool:
        """Store an outcome once, under this attempt's number."""
        files = [(artifact, self._blobs.put(artifact.content)) for artifact in outcome.files()]
        failure = None
        if outcome.workload_error is not None:
            failure = Failure(code="workload_failed", phase="workload", message=outcome.workload_error)
        with self._database.write() as session:
            if not leases.end(session, claimed, State.FAILED if failure else State.DONE, failure):
                return False
            session.add(_outcome_row(claimed, outcome))
            for artifact, digest in files:
                session.add(
                    RunArtifact(
                        run_id=claimed.run_id,
                        name=artifact.name,
                        digest=digest,
                        size_bytes=len(artifact.content),
                        media_type=artifact.media_type,
                    )
                )
            self._announce(session, claimed)
        return True

    def cancelled(self, claimed: ClaimedRun) -> bool:
        """Note that the run was stopped as asked."""
        with self._database.write() as session:
            self._announce(session, claimed)
            return leases.end(session, claimed, State.CANCELLED)

    def give_back(self, claimed: ClaimedRun, failure: Failure) -> bool:
        """Offer the run again, or fail it when no attempts remain."""
        with self._database.write() as session:
            self._announce(session, claimed)
            return leases.release(session, claimed, failure, self._settings.attempts_max)

    def _announce(self, session: Transaction, claimed: ClaimedRun) -> None:
        session.after_commit(lambda: self._messages.announce(claimed.experiment_id))


def _outcome_row(claimed: ClaimedRun, outcome: Outcome) -> RunOutcome:
    evidence = outcome.model_dump(mode="json", include={"stages", "counters", "environment", "notices"})
    return RunOutcome(
        run_id=claimed.run_id,
        experiment_id=claimed.experiment_id,
        attempt=claimed.attempt,
        samples=json.dumps([sample.model_dump(mode="json", exclude_none=True) for sample in outcome.samples]),
        evidence=canonical_json(evidence),
        stored_ms=now_ms(),
    )
