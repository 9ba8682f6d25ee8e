"""What can be read of a run."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlmodel import Session

from app.db.blobs import BlobStore
from app.db.tables import Run, RunArtifact
from app.errors import NotFound
from app.experiments.service import run_summary
from app.runs import repository
from app.runs.schemas import ArtifactSummary, RunDetail
from app.web.context import Principal


def found(session: Session, by: Principal, run_id: str) -> Run:
    """Return a run of one's own. Raises NotFound."""
    run = repository.find(session, by.user_id, run_id)
    if run is None:
        raise NotFound(f"there is no run {run_id[:64]}")
    return run


def detail(session: Session, blobs: BlobStore, by: Principal, run_id: str) -> RunDetail:
    """Return a run whole."""
    run = found(session, by, run_id)
    outcome = repository.outcome(session, run.id)
    artifacts = repository.artifacts(session, run.id)
    evidence = json.loads(outcome.evidence) if outcome else {}
    return RunDetail(
        **run_summary(run).model_dump(),
        experiment_id=run.experiment_id,
        samples=json.loads(outcome.samples) if outcome else [],
        histograms=_bulky(blobs, artifacts, "histograms.json"),
        series=_bulky(blobs, artifacts, "series.json"),
        stages=evidence.get("stages", []),
        counters=evidence.get("counters", {}),
        environment=evidence.get("environment", {}),
        notices=evidence.get("notices", []),
        artifacts=[ArtifactSummary(**artifact.model_dump(exclude={"run_id"})) for artifact in artifacts],
    )


def _bulky(blobs: BlobStore, artifacts: Sequence[RunArtifact], name: str) -> list[dict[str, object]]:
    digest = next((item.digest for item in artifacts if item.name == name), None)
    return list(json.loads(blobs.get(digest))) if digest else []


def artifact(session: Session, by: Principal, run_id: str, name: str) -> RunArtifact:
    """Return a run's artifact by name. Raises NotFound."""
    run = found(session, by, run_id)
    for item in repository.artifacts(session, run.id):
        if item.name == name:
            return item
    raise NotFound(f"run {run.id} has no artifact of that name")
