"""The experiment calls under `/api/v1/experiments`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse
from sse_starlette import EventSourceResponse, ServerSentEvent

from app.analysis.written import MEDIA_TYPES, Format, written
from app.catalog import runners
from app.db.tables import Experiment
from app.domain.comparison import Comparison, Verdict
from app.domain.experiment import Definition
from app.domain.state import State
from app.errors import RequestError, UnsupportedType
from app.experiments import evidence, service
from app.experiments.admission import admit
from app.experiments.schemas import Evidence, ExperimentDetail, ExperimentPage
from app.ingest.definition import read_definition
from app.uploads import service as uploads
from app.web.context import CURSOR, By, Context, Identifier, InContext, Principal

router = APIRouter(prefix="/experiments", tags=["experiments"])

LOOK_AGAIN_S = 1.0
"""Watchers look for events by themselves after so long; news only make it quicker."""

DEFINITION_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Definition"}},
            "application/yaml": {"schema": {"type": "string", "description": "the same document as YAML 1.2"}},
        },
    }
}


async def body_text(request: Request) -> str:
    """Return a request's body as text. Raises RequestError for what is no text, or not UTF-8."""
    check_text(request.headers.get("content-type", ""))
    body = await request.body()
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise RequestError(f"the body is not UTF-8: byte {error.start} is {body[error.start]:#04x}") from None


TEXT_TYPES = frozenset(
    {
        *("", "application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/plain"),
        # what curl says unless told otherwise
        *("application/x-www-form-urlencoded", "application/octet-stream"),
    }
)


def check_text(content_type: str) -> None:
    """Refuse what says of itself that it is no definition. Raises UnsupportedType."""
    kind, _, rest = content_type.partition(";")
    charset = rest.lower().replace(" ", "").partition("charset=")[2].strip('"')
    if kind.strip().lower() not in TEXT_TYPES:
        raise UnsupportedType(f"a definition is JSON or YAML, not {kind.strip()[:80]!r}")
    if charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise UnsupportedType(f"a definition is UTF-8 text, not {charset[:40]!r}")


@router.post("", status_code=202, response_model=ExperimentDetail, openapi_extra=DEFINITION_BODY)
async def create(
    request: Request,
    response: Response,
    context: InContext,
    by: By,
    idempotency_key: Annotated[str | None, Header(max_length=255)] = None,
) -> ExperimentDetail:
    """Queue an experiment; the answer's `Location` is where to follow it."""
    text = await body_text(request)

    def work() -> ExperimentDetail:
        once = service.idempotency(idempotency_key, b"create", text.encode())
        experiment_id = _queue(context, by, read_definition(text), once)
        with context.database.read() as session:
            return service.detail(session, by, experiment_id)

    made = await run_in_threadpool(work)
    response.headers["Location"] = f"/api/v1/experiments/{made.id}"
    return made


def _queue(
    context: Context,
    by: Principal,
    definition: Definition,
    once: service.Idempotency | None,
    rerun_of: str | None = None,
) -> str:
    """Admit a definition, which may take a while, and only then take the database's lock to store it."""
    with context.database.read() as session:
        earlier = service.made_before(session, by, once)
        if earlier is not None:
            return earlier
        files = uploads.contents(session, context, by, definition)
    notices = admit(definition, files)

    def attempt() -> str:
        with context.database.write() as session:
            return service.create(session, context, by, definition, notices=notices, once=once, rerun_of=rerun_of)

    return service.once_only(once, attempt)


@router.get("")
def listing(
    context: InContext,
    by: By,
    limit: Annotated[int, Query(ge=1, le=service.PAGE_MAX)] = 50,
    cursor: Annotated[str | None, Query(max_length=32, pattern=CURSOR)] = None,
    state: State | None = None,
    verdict: Verdict | None = None,
    q: Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$", description="words in the title")] = None,
) -> ExperimentPage:
    """List experiments, newest first."""
    with context.database.read() as session:
        return service.listed(session, by, limit=limit, cursor=cursor, state=state, verdict=verdict, words=q)


@router.get("/{experiment_id}")
def detail(experiment_id: Identifier, context: InContext, by: By) -> ExperimentDetail:
    """Return an experiment with its definition, state and runs."""
    with context.database.read() as session:
        return service.detail(session, by, experiment_id)


@router.post("/{experiment_id}/cancel", status_code=202)
def cancel(experiment_id: Identifier, context: InContext, by: By) -> ExperimentDetail:
    """Stop an experiment: what waits at once, what runs within a second."""
    with context.database.write() as session:
        service.cancel(session, context, by, experiment_id)
    with context.database.read() as session:
        return service.detail(session, by, experiment_id)


@router.post("/{experiment_id}/rerun", status_code=202)
def rerun(
    experiment_id: Identifier,
    response: Response,
    context: InContext,
    by: By,
    idempotency_key: Annotated[str | None, Header(max_length=255)] = None,
) -> ExperimentDetail:
    """Queue a new experiment with the same definition."""
    once = service.idempotency(idempotency_key, b"rerun", experiment_id.encode())
    with context.database.read() as session:
        definition = Definition.model_validate_json(service.found(session, by, experiment_id).definition)
    made_id = _queue(context, by, definition, once, rerun_of=experiment_id)
    response.headers["Location"] = f"/api/v1/experiments/{made_id}"
    with context.database.read() as session:
        return service.detail(session, by, made_id)


@router.get("/{experiment_id}/evidence")
def evidence_of(experiment_id: Identifier, context: InContext, by: By) -> Evidence:
    """Return what lies behind the comparison so far: latencies, series, stages, counters."""
    with context.database.read() as session:
        return evidence.evidence(session, context.blobs, service.found(session, by, experiment_id))


@router.get("/{experiment_id}/comparison")
def comparison(experiment_id: Identifier, context: InContext, by: By) -> Comparison:
    """Return the comparison of an experiment that is over; 409 before."""
    return _compared(context, by, experiment_id)[1]


@router.get("/{experiment_id}/comparison.{suffix}", response_class=PlainTextResponse)
def comparison_as(experiment_id: Identifier, suffix: Format, context: InContext, by: By) -> Response:
    """Return the comparison as plain text for a mail (72 columns), as CSV, or as a picture."""
    experiment, compared = _compared(context, by, experiment_id)
    text = written(
        compared,
        suffix,
        title=experiment.title,
        runner=runners.label(experiment.runner),
        digest=experiment.digest,
    )
    return Response(text, media_type=f"{MEDIA_TYPES[suffix]}; charset=utf-8")


def _compared(context: Context, by: Principal, experiment_id: str) -> tuple[Experiment, Comparison]:
    with context.database.read() as session:
        return service.comparison_of(session, by, experiment_id)


@router.get(
    "/{experiment_id}/events",
    response_class=EventSourceResponse,
    responses={
        200: {"content": {"text/event-stream": {}}, "description": "Events; the id of each resumes after it."},
        204: {"description": "Nothing is to follow: the experiment was over before that event."},
    },
)
async def stream(
    experiment_id: Identifier,
    context: InContext,
    by: By,
    after: Annotated[int, Query(ge=0, le=2**53, description="like Last-Event-ID, for clients that set none")] = 0,
    last_event_id: Annotated[str | None, Header(pattern=r"^\d{1,15}$")] = None,
) -> Response:
    """Follow an experiment by server-sent events: state changes for good, of progress the newest."""
    number = max(after, int(last_event_id or 0))

    def nothing_follows() -> bool:
        with context.database.read() as session:
            experiment = service.found(session, by, experiment_id)
            return experiment.comparison is not None and number >= experiment.event_count

    if await run_in_threadpool(nothing_follows):
        return Response(status_code=204)
    return EventSourceResponse(_events(context, experiment_id, number), ping=15)


async def _events(context: Context, experiment_id: str, number: int) -> AsyncIterator[ServerSentEvent]:
    def read() -> list[Any]:
        with context.database.read() as session:
            return service.events_after(session, experiment_id, number)

    while True:
        found = await run_in_threadpool(read)
        for event in found:
            number = event.number
            yield ServerSentEvent(event.model_dump_json(), event=event.kind, id=str(event.number))
            if event.kind == "comparison":
                return
        if not found:
            await context.news.wait(experiment_id, LOOK_AGAIN_S)
