"""Definitions that tests begin from."""

from __future__ import annotations

import copy
from typing import Any

JOB = "[global]\nioengine=libaio\ndirect=1\nbs=4k\n\n[reads]\nrw=randread\nfilename=/dev/sdX\niodepth=4\nruntime=1\ntime_based\n"

NOOP: dict[str, Any] = {
    "title": "nothing against nothing",
    "runner": "noop",
    "device": {"profile": "constant"},
    "workload": {"fio": "[a]\nsize=1m\n"},
    "variants": [{"name": "before"}, {"name": "after", "device": {"noop_iops": 1100}}],
    "repeat": 6,
}

SIMULATED: dict[str, Any] = {
    "title": "one scheduler against another",
    "runner": "simulator",
    "device": {"profile": "constant", "scheduler": "none"},
    "workload": {"fio": JOB},
    "variants": [{"name": "before"}, {"name": "after", "device": {"scheduler": "mq-deadline"}}],
    "repeat": 6,
}


def noop(**changes: Any) -> dict[str, Any]:
    """Return a definition for the noop runner with some keys replaced."""
    return {**copy.deepcopy(NOOP), **changes}


def simulated(**changes: Any) -> dict[str, Any]:
    """Return a definition for the simulator with some keys replaced."""
    return {**copy.deepcopy(SIMULATED), **changes}
