"""`lodestone doctor`: say what this machine can run, and what is missing for the rest."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
from dataclasses import asdict, dataclass

from app.cli.broker import redis_server
from app.config import settings
from app.errors import RequestError


@dataclass(frozen=True)
class RunnerState:
    """Whether a kind of runner works here, and what to do if not."""

    runner: str
    ready: bool
    remark: str


def execute(options: argparse.Namespace) -> int:
    """Print the state of every runner and of what `up` needs."""
    runners = [RunnerState("noop", True, "always there"), _simulator()]
    report = {
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "data_dir": str(settings().data_dir),
        "broker": _broker(),
        "fio": shutil.which("fio"),
        "runners": [asdict(state) for state in runners],
    }
    if options.json:
        print(json.dumps(report, indent=2))
        return 0
    for name in ("python", "processors", "data_dir", "broker", "fio"):
        print(f"{name:12} {report[name] if report[name] is not None else 'not installed (needed by the tests alone)'}")
    for state in runners:
        print(f"{state.runner:12} {'ready' if state.ready else 'NOT READY'}: {state.remark}")
    return 0


def _broker() -> str:
    try:
        return redis_server()
    except RequestError as error:
        return f"missing: {error.message}"


def _simulator() -> RunnerState:
    from workers.simulator.engine import COMPILED

    if COMPILED:
        return RunnerState("simulator", True, "compiled")
    return RunnerState("simulator", False, "not compiled: run `make setup` (it needs a C compiler)")
