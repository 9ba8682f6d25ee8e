"""Files by content: a blob's name is the SHA-256 of its bytes, so writing twice is writing once."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

_DIGEST = re.compile(r"[0-9a-f]{64}")


class BlobStore:
    """A directory of blobs; written whole or not at all."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, content: bytes) -> str:
        """Store bytes and return their digest (64 hexadecimal digits)."""
        digest = hashlib.sha256(content).hexdigest()
        path = self.path(digest)
        if path.exists():
            return digest
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return digest

    def get(self, digest: str) -> bytes:
        """Return a blob's bytes. Raises FileNotFoundError when there is none."""
        return self.path(digest).read_bytes()

    def path(self, digest: str) -> Path:
        """Return where a blob lies. Raises ValueError for what is no digest, so no name can leave the directory."""
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"{digest!r} is not a digest")
        return self.root / digest[:2] / digest
