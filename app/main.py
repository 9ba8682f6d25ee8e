"""Makes the web service: settings in, an ASGI application out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.middleware.gzip import GZipMiddleware

from app.config import Settings
from app.config import settings as settings_from_environment
from app.db.blobs import BlobStore
from app.db.engine import Database
from app.db.migrate import migrate
from app.experiments import routes as experiments
from app.experiments.sweeper import Sweeper
from app.jobs import Messages
from app.lint import routes as lint
from app.patches import routes as patches
from app.reports import routes as reports
from app.runners import routes as runners
from app.runs import routes as runs
from app.shares import routes as shares
from app.uploads import routes as uploads
from app.web import errors, health, openapi, pages
from app.web.context import Context
from app.web.guards import BodyLimit, OriginCheck, SafeHeaders
from app.web.news import News

API = "/api/v1"


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the service; its database is migrated when it starts."""
    settings = settings or settings_from_environment()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    context = Context(
        settings=settings,
        database=Database(settings.resolved_database_url),
        blobs=BlobStore(settings.blob_dir),
        messages=Messages(settings.resolved_broker_url),
        news=News(settings.resolved_broker_url),
    )
    app = FastAPI(
        title="Lodestone",
        version="1",
        summary="Filesystem experiments with verdicts that can be trusted",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_lifespan,
        responses=errors.ERROR_RESPONSES,
    )
    app.state.context = context
    errors.install(app)
    for router in (
        experiments.router,
        runs.router,
        reports.router,
        patches.router,
        shares.router,
        runners.router,
        lint.router,
        uploads.router,
    ):
        app.include_router(router, prefix=API)
    app.include_router(shares.public)
    app.include_router(health.router)
    openapi.install(app)
    pages.install(app, settings.frontend_dir or _checkout_frontend())
    for guard, options in _guards(settings):
        app.add_middleware(guard, **options)
    return app


def _guards(settings: Settings) -> list[tuple[Any, dict[str, Any]]]:
    """The guards from the innermost out."""
    compressed = {"minimum_size": 2000, "compresslevel": 5}
    return [
        (GZipMiddleware, compressed),
        (BodyLimit, {"settings": settings}),
        (OriginCheck, {"settings": settings}),
        (SafeHeaders, {}),
    ]


def _checkout_frontend() -> Path:
    return Path(__file__).resolve().parent.parent / "frontend" / "dist"


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    context: Context = app.state.context
    await run_in_threadpool(migrate, context.database)
    listening = asyncio.create_task(context.news.listen())
    sweeper = Sweeper(context)
    sweeper.start()
    try:
        yield
    finally:
        await run_in_threadpool(sweeper.stop)
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening
        context.database.dispose()
