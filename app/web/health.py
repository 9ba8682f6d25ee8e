"""Liveness, readiness and figures for those who operate the server."""

from __future__ import annotations

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from app.domain.state import State
from app.runs import repository
from app.web.context import InContext
from app.web.errors import rendered

router = APIRouter(tags=["health"])


class Alive(BaseModel):
    """The process answers."""

    status: str = "alive"


class Ready(BaseModel):
    """Database and broker answer."""

    database: bool
    broker: bool


@router.get("/healthz")
def alive() -> Alive:
    """Say that the process answers."""
    return Alive()


@router.get("/readyz", response_model=Ready)
def ready(context: InContext) -> Ready | Response:
    """Say whether database and broker can be reached; 503 when not."""
    try:
        context.database.ping()
        database = True
    except SQLAlchemyError:
        database = False
    state = Ready(database=database, broker=context.messages.ping())
    if state.database and state.broker:
        return state
    away = " and ".join(name for name, there in state.model_dump().items() if not there)
    return rendered(503, "not_ready", f"cannot reach the {away}", **state.model_dump())


@router.get("/metrics", response_class=Response)
def metrics(context: InContext) -> Response:
    """Return figures in Prometheus' text format."""
    registry = CollectorRegistry()
    gauge = Gauge("lodestone_runs", "Runs by state", ["state"], registry=registry)
    with context.database.read() as session:
        counts = repository.counts_by_state(session)
    for state in State:
        gauge.labels(state=state).set(counts.get(state, 0))
    up = Gauge("lodestone_broker_up", "Whether the broker answers", registry=registry)
    up.set(context.messages.ping())
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
