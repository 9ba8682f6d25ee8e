"""The compiled modules must be those of the sources under test."""

import importlib.machinery
from pathlib import Path

import pytest

SIMULATOR = Path(__file__).parents[3] / "workers" / "simulator"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Stop before any test when a compiled module is missing or older than its source."""
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    stale = [
        str(source.relative_to(SIMULATOR))
        for declaration in sorted(SIMULATOR.rglob("*.pxd"))
        for source in (declaration, declaration.with_suffix(".py"))
        if not (compiled := declaration.with_suffix(suffix)).exists()
        or compiled.stat().st_mtime < source.stat().st_mtime
    ]
    here = Path(__file__).parent
    if stale and any(here in Path(item.path).parents for item in session.items):
        pytest.exit(f"not compiled since they changed: {', '.join(stale)}; run: python setup.py build_ext --inplace", 2)
