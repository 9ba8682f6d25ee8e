"""Builds the simulator's compiled form in place: every module under workers/simulator that has a .pxd beside it."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
SIMULATOR = Path("workers/simulator")

# Cython's memoryview code, compiled once instead of into every module.
SHARED = "workers.simulator._memoryviews"

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # annotations speak to people and mypy; C types stand in the .pxd
    "infer_types": True,
    "boundscheck": bool(os.environ.get("LODESTONE_BOUNDSCHECK")),
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}


def extensions() -> list[Extension]:
    """Return one extension for each module that declares C types."""
    declared = sorted(path.relative_to(ROOT) for path in (ROOT / SIMULATOR).rglob("*.pxd"))
    modules = [
        Extension(
            ".".join(path.with_suffix("").parts), [str(path.with_suffix(".py"))], extra_compile_args=["-O2", "-w"]
        )
        for path in declared
    ]
    return [*modules, Extension(SHARED, [SHARED.replace(".", "/") + ".c"], extra_compile_args=["-O2", "-w"])]


setup(
    ext_modules=cythonize(
        extensions(), compiler_directives=DIRECTIVES, shared_utility_qualified_name=SHARED, nthreads=2, quiet=True
    ),
    options={"build_ext": {"parallel": 2}},
)
