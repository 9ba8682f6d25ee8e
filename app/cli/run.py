"""`lodestone run`: execute a definition here, without a server, and print the comparison."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.analysis.render_text import render_text
from app.analysis.untrusted import one_line
from app.catalog import runners
from app.cli.definition import load, local_files
from app.cli.exits import EXIT_FAILED
from app.cli.gate import gate
from app.domain.comparison import MeasuredRun
from app.domain.digest import digest_of
from app.domain.experiment import Definition
from app.domain.outcome import Outcome, RunProgress
from app.domain.plan import PlannedRun, first_repeat, kind_of, planned_runs, setup_of
from app.errors import InvalidDefinition, RunCancelled, RunFailure, RunOverdue
from app.experiments.admission import admit
from app.experiments.comparing import compared_as_defined, repeat_wanted, stage_times
from workers.runners import registry
from workers.runners.base import Task


@dataclass
class Here:
    """What the runs in the foreground have in common: they end when the process is interrupted."""

    stopped: bool = False


class Watch:
    """The `Control` of one run in the foreground, with its time limit."""

    def __init__(self, here: Here, timeout_s: float) -> None:
        self._here = here
        self._timeout_s = timeout_s
        self._deadline = time.monotonic() + timeout_s

    def report(self, progress: RunProgress) -> None:
        """Progress is shown by the runs that have ended."""

    def stopping(self) -> bool:
        """Whether the process was interrupted. Raises RunOverdue past the run's time limit."""
        if time.monotonic() > self._deadline:
            raise RunOverdue(self._timeout_s)
        return self._here.stopped


def execute(options: argparse.Namespace) -> int:
    """Run a definition and print its comparison."""
    definition = load(options.file)
    files = local_files(definition, options.file)
    for notice in admit(definition, files):
        where = f"line {notice.line} of the job: " if notice.line else ""
        print(one_line(f"{options.file}: {notice.severity}: {where}{notice.message}"), file=sys.stderr)
    if options.artifacts is not None:
        _make_folder(options.artifacts)
    processes = options.processes or os.cpu_count() or 1
    measured: list[MeasuredRun] = []
    failures: list[str] = []
    done, repeat = 0, first_repeat(definition)
    while True:
        plan = list(planned_runs(definition, repeat, after=done))
        more, failed = _measure(definition, files, processes, plan, options.artifacts)
        measured += more
        failures += failed
        comparison = compared_as_defined(definition, measured)
        following = None if failures else repeat_wanted(definition, repeat, comparison)
        if following is None:
            break
        done, repeat = repeat, following
    if options.json:
        print(json.dumps(comparison.model_dump(mode="json"), ensure_ascii=False, indent=2))
    else:
        runner = runners.label(", ".join(choice.runner for choice in definition.runners))
        reproduce = f"lodestone run {options.file.name}"
        print(
            render_text(
                comparison, title=definition.title, digest=digest_of(definition), runner=runner, reproduce=reproduce
            ),
            end="",
        )
    for failure in failures:
        print(f"lodestone: {failure}", file=sys.stderr)
    return EXIT_FAILED if failures else gate(comparison, options.fail_on)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidDefinition(f"{folder}: cannot keep artifacts there: {error.strerror}") from None


def _keep(folder: Path, run: PlannedRun, outcome: Outcome) -> None:
    """Write a run's files into a folder of its own, named by position and variant."""
    inside = folder / f"{run.position:04d}-{re.sub(r'[^A-Za-z0-9_.-]', '_', run.variant)[:80]}"
    _make_folder(inside)
    for artifact in outcome.files():
        (inside / artifact.name).write_bytes(artifact.content)


def _measure(
    definition: Definition, files: Mapping[str, str], processes: int, plan: list[PlannedRun], artifacts: Path | None
) -> tuple[list[MeasuredRun], list[str]]:
    exclusive = any(runners.ability(kind_of(choice.runner)).exclusive for choice in definition.runners)
    here = Here()
    measured: dict[int, MeasuredRun] = {}
    failures: list[str] = []
    with ThreadPoolExecutor(1 if exclusive else processes) as pool:
        try:
            for run, ended in _ended(pool, definition, files, here, plan):
                error = ended.exception()
                if isinstance(error, RunFailure):
                    failures.append(f"run {run.position} ({run.variant}): {error.phase}: {error.message}")
                if artifacts is not None and error is None:
                    _keep(artifacts, run, ended.result())
                measured[run.position] = _measured(definition, run, ended)
                _show(len(measured), len(plan))
        except BaseException:
            here.stopped = True
            pool.shutdown(cancel_futures=True)
            raise
    return [measured[run.position] for run in plan], failures


def _ended(
    pool: ThreadPoolExecutor, definition: Definition, files: Mapping[str, str], here: Here, plan: list[PlannedRun]
) -> Iterator[tuple[PlannedRun, Future[Outcome]]]:
    waiting = {pool.submit(_outcome, definition, files, here, run): run for run in plan}
    while waiting:
        ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in ended:
            yield waiting.pop(future), future


def _outcome(definition: Definition, files: Mapping[str, str], here: Here, run: PlannedRun) -> Outcome:
    setup = setup_of(definition, runner=run.runner, variant=run.variant, cell=run.cell, seed=run.seed)
    runner = registry.runner(setup.runner_kind)
    task = Task(setup, files)
    return runner.parse(task, runner.run(task, Watch(here, setup.timeout_s)))


def _measured(definition: Definition, run: PlannedRun, ended: Future[Outcome]) -> MeasuredRun:
    error = ended.exception()
    if error is not None and not isinstance(error, RunFailure | RunCancelled):
        raise error
    return MeasuredRun(
        variant=run.variant,
        replicate=run.replicate,
        seed=run.seed,
        cell=run.cell,
        runner=run.runner if len(definition.runners) > 1 else None,
        failed=str(error) if error else ended.result().workload_error,
        **({} if error else _behind(ended.result())),
    )


def _behind(outcome: Outcome) -> dict[str, Any]:
    return {
        "samples": outcome.samples,
        "environment": outcome.environment,
        "stages": stage_times(stage.model_dump() for stage in outcome.stages),
        "counters": outcome.counters,
    }


def _show(ended: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{ended} of {total} runs{' ' * 8}", end="\n" if ended == total else "", file=sys.stderr, flush=True)
