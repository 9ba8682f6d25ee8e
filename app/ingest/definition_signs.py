"""Tells a definition from a job file by its content."""

from __future__ import annotations

import re

_DEFINITION = re.compile(r"(?:^\s*|[{,]\s*)([\"']?(?:workload|variants|runner)[\"']?\s*:)", re.MULTILINE)


def looks_like_definition(text: str) -> bool:
    """Whether a text has the keys of a definition rather than the sections of a job file."""
    keys = {match.group(1).strip("\"' :") for match in _DEFINITION.finditer(text)}
    return "workload" in keys and ("variants" in keys or "runner" in keys)
