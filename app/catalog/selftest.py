"""The simulator against the closed forms: the last output of `lodestone selftest`, which is the same everywhere."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

GENERATED = Path(__file__).with_name("selftest_generated.json")


@cache
def selftest() -> dict[str, Any]:
    """Return the table; a test runs it anew and compares."""
    found: dict[str, Any] = json.loads(GENERATED.read_text())
    return found
