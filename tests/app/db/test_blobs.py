"""Blobs lie under the digest of their content and nowhere else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from app.db.blobs import BlobStore


def test_a_blob_is_found_under_its_digest(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    digest = store.put(b"content")
    assert digest == hashlib.sha256(b"content").hexdigest()
    assert store.get(digest) == b"content"


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    assert store.put(b"x") == store.put(b"x")
    assert sum(path.is_file() for path in tmp_path.rglob("*")) == 1


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "a" * 63, "A" * 64, "g" * 64, "a" * 64 + "/.."])
def test_what_is_no_digest_reaches_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="is not a digest"):
        BlobStore(tmp_path).get(name)
