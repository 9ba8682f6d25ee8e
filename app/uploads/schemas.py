"""What the upload call answers."""

from __future__ import annotations

from pydantic import BaseModel


class UploadMade(BaseModel):
    """A kept file: `id` is `sha256:` and the digest of its content."""

    id: str
    size_bytes: int
