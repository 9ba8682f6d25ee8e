"""`lodestone settings`: print every setting with its value and its reason."""

from __future__ import annotations

import argparse

from app.config import Settings, settings

SECRET = frozenset({"token"})


def execute(_options: argparse.Namespace) -> int:
    """Print one line a setting."""
    values = settings()
    for name, field in Settings.model_fields.items():
        value = getattr(values, name)
        shown = "(set)" if name in SECRET and value else value
        print(f"LODESTONE_{name.upper()}={'' if shown is None else shown}\n    {field.description}")
    return 0
