"""docs/patches.md names every key of the JSON."""

from __future__ import annotations

import re
from pathlib import Path

from app.domain.patch import FileChange, FollowUp, Patch, PatchSet, PatchWarning, Series, Trailer

PAGE = Path(__file__).resolve().parents[4] / "docs/patches.md"


def test_every_key_is_documented_and_no_other() -> None:
    page = PAGE.read_text()
    told = page[page.index("## The JSON") :]
    named = set(re.findall(r'"(\w+)"', told[: told.index("## Over the API")]))
    models = (FileChange, FollowUp, Patch, PatchSet, PatchWarning, Series, Trailer)
    keys = {name for model in models for name, field in model.model_fields.items() if not field.exclude}
    assert named == keys | {"schema"}
