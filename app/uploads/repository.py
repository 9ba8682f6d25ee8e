"""The uploads' SQL."""

from __future__ import annotations

import contextlib

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.db.tables import Upload


def find(session: Session, owner_id: str, digest: str) -> Upload | None:
    """Return somebody's upload of a file."""
    return session.get(Upload, (digest, owner_id))


def add(session: Session, upload: Upload) -> None:
    """Insert an upload unless it is there; the same file may be arriving twice at once."""
    if find(session, upload.owner_id, upload.digest) is None:
        with contextlib.suppress(IntegrityError), session.begin_nested():
            session.add(upload)
