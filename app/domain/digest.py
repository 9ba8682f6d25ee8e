"""The identity of a definition: SHA-256 of its canonical JSON."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from app.domain.experiment import SCHEMA_VERSION, Definition, PatchUse

_DIGEST = re.compile(r"[0-9a-f]{64}")


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no blanks, equal for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(definition: Definition) -> str:
    """Return the digest of a definition as 64 hexadecimal digits.

    Defaults are filled in and quantities normalised; title and description do not count; files and patches count by
    content: a definition names files by digest, and a patch written out is the same as its id.
    """
    document = definition.model_dump(mode="json", exclude={"title", "description"})
    for declared, variant in zip(definition.variants, document["variants"], strict=True):
        variant["patches"] = [_by_content(patch) for patch in declared.patches]
    # 600 and 600.0 are one duration, whatever way it was written
    canonical = canonical_json({"schema": SCHEMA_VERSION, "definition": _whole_numbers(document)})
    return hashlib.sha256(canonical.encode()).hexdigest()


def _by_content(patch: str | PatchUse) -> dict[str, Any]:
    use = PatchUse(patch=patch) if isinstance(patch, str) else patch
    name = use.patch.strip().removeprefix("sha256:")
    digest = name if _DIGEST.fullmatch(name) else hashlib.sha256(use.patch.encode()).hexdigest()
    return {"patch": digest, "revert": use.revert}


def _whole_numbers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return value
