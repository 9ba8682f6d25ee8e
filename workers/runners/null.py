"""The `noop` runner: a known answer without any work, to test the way of a run and as the skeleton of a new runner.

Every run takes `noop_ms` milliseconds (a device override, default 0) and reports `noop_iops` (default 1000)
multiplied by a factor that its seed alone decides.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from app.domain.metric import Sample
from app.domain.outcome import Outcome, RunProgress
from app.errors import PreparationFailed, RunCancelled
from workers.runners.base import Control, Task

STEP_S = 0.01


@dataclass(frozen=True)
class NullResult:
    """What a run of nothing brings back."""

    iops: float
    waited_s: float


def expected_iops(base: float, seed: int) -> float:
    """Return the answer that a run with this seed gives: within 1 % of `base`, the same for the same seed."""
    return base * (1 + ((seed * 2_654_435_761) % 1009 - 504) / 50_400)


class NullRunner:
    """Does nothing, exactly."""

    kind = "noop"

    def run(self, task: Task, control: Control) -> NullResult:
        """Wait as long as asked, reporting on the way."""
        overrides = task.setup.device.overrides
        duration_s = float(overrides.get("noop_ms", 0)) / 1000
        if overrides.get("noop_fail"):
            raise PreparationFailed(f"asked to fail: {overrides['noop_fail']}")
        began = time.monotonic()
        while (waited := time.monotonic() - began) < duration_s:
            if control.stopping():
                raise RunCancelled
            control.report(RunProgress(fraction=min(1.0, waited / duration_s)))
            time.sleep(min(STEP_S, duration_s - waited))
        control.report(RunProgress(fraction=1.0))
        return NullResult(expected_iops(float(overrides.get("noop_iops", 1000)), task.setup.seed), duration_s)

    def parse(self, task: Task, raw: NullResult) -> Outcome:
        """Return the one sample of a run of nothing."""
        sample = Sample(metric="total.iops", unit="IOPS", value=raw.iops, better="higher")
        return Outcome(samples=(sample,), environment={"runner": "noop"}, log=f"waited {raw.waited_s:g} s\n")
