"""Runs the simulator's Python sources although compiled modules lie beside them, in a process of its own."""

import importlib.abc
import importlib.machinery
import subprocess
import sys
from collections.abc import Sequence
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[3]

INTERPRET = """
import sys
from tests.workers.simulator.interpreted import SourceOnly
sys.meta_path.insert(0, SourceOnly())
"""


class SourceOnly(importlib.abc.MetaPathFinder):
    """Finds workers.simulator and what is inside as .py files only; everything else is left to Python."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("workers.simulator."):
            return None
        for directory in path or []:
            finder = FileFinder(directory, (SourceFileLoader, importlib.machinery.SOURCE_SUFFIXES))
            spec = finder.find_spec(fullname, target)
            if spec is not None:
                return spec
        return None


def run(code: str, *, interpreted: bool, timeout_s: float = 120) -> str:
    """Return what the code prints in a fresh process, with or without the compiled modules."""
    start = INTERPRET if interpreted else ""
    done = subprocess.run(
        [sys.executable, "-c", start + code], cwd=ROOT, capture_output=True, text=True, timeout=timeout_s, check=False
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout
