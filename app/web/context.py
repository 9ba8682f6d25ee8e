"""What every request may use: settings, the truth, blobs, messages, and who is asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request

from app.config import Settings
from app.db.blobs import BlobStore
from app.db.engine import Database
from app.db.tables import DEFAULT_PROJECT, LOCAL_USER
from app.jobs import Messages
from app.web.news import News


@dataclass(frozen=True)
class Context:
    """The service's parts, made once by `app.main`."""

    settings: Settings
    database: Database
    blobs: BlobStore
    messages: Messages
    news: News


@dataclass(frozen=True)
class Principal:
    """Who is asking and in which project; on a private loopback server always the local user."""

    user_id: str
    project_id: str


def context_of(request: Request) -> Context:
    """Return the context that the application was made with."""
    context = request.app.state.context
    assert isinstance(context, Context)
    return context


def principal_of(request: Request) -> Principal:
    """Return who is asking. The server listens on loopback for one user, so there is nothing to prove."""
    return Principal(LOCAL_USER, DEFAULT_PROJECT)


InContext = Annotated[Context, Depends(context_of)]
By = Annotated[Principal, Depends(principal_of)]
Identifier = Annotated[str, Path(pattern="^[0-9A-Za-z_-]{1,64}$")]
"""An id or a slug in a path; nothing else reaches a query."""

CURSOR = "^[0-9A-HJKMNP-TV-Z]{26}$"
"""A cursor is the id (a ULID) of the last row of a page."""
