"""Decides before anything is queued whether a definition can run here, and names what stands against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from app.catalog import devices, runners
from app.catalog.runners import RunnerAbility
from app.catalog.schedulers import SCHEDULERS, nr_requests_range, settings_of
from app.domain.diagnostic import Diagnostic
from app.domain.experiment import RUNS_MAX, Definition
from app.domain.fio import FioJobFile
from app.domain.metric import UnknownMetric, metric_named
from app.domain.outcome import Notice
from app.domain.plan import AUTO_LOOKS, Cell, Setup, cell_label, cells, setup_of
from app.domain.trace import Trace, TraceProblem
from app.experiments.foresight import foreseen
from app.ingest.definition import problems
from app.ingest.fio_job import read
from app.ingest.fio_load import loads_of
from app.ingest.traces.read import check_against, read_trace

PROBLEMS_MAX = 50

SETUPS_MAX = 4000
"""Runner × cell × variant: each is checked before anything is queued, within a second or two."""

Found = list[tuple[str, str]]


def admit(definition: Definition, files: Mapping[str, str]) -> tuple[Notice, ...]:
    """Return what a reader of the results has to know about the definition.

    Raises InvalidDefinition listing every key (and line of the job) that stands against running it.
    """
    found: Found = [*_of_the_whole(definition)]
    if found:
        raise problems(found)
    notices: dict[Notice, None] = {}
    jobs = _Jobs(files)
    traces = _Traces(files)
    for setup, where in _setups(definition, found):
        ability = runners.ability(setup.runner_kind)
        found += [(f"{where}{key}", message) for key, message in _of_the_setup(setup, ability)]
        if setup.workload.fio is not None and len(found) < PROBLEMS_MAX:
            for diagnostic in jobs.diagnostics(setup, ability):
                if diagnostic.severity == "error":
                    entry = "workload.fio", f"line {diagnostic.line}: {diagnostic.message}"
                    found += [entry] if entry not in found else []
                else:
                    notices[_notice(diagnostic)] = None
        if setup.workload.replay is not None and not found:
            found += traces.problems(setup)
        if len(found) >= PROBLEMS_MAX:
            break
    if found:
        raise problems(found)
    return (*foreseen(definition, jobs.first), *notices)


def _notice(diagnostic: Diagnostic) -> Notice:
    return Notice(severity=diagnostic.severity, message=diagnostic.message, line=diagnostic.line)


def _of_the_whole(definition: Definition) -> Iterator[tuple[str, str]]:
    names = [choice.runner for choice in definition.runners]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield "runner", f"{name} is named twice"
        if name == "noop" and len(names) > 1:
            yield "runner", "noop makes its figures up; it cannot stand beside a runner that measures"
        if name not in runners.ABILITIES:
            offered = ", ".join(runners.ABILITIES)
            yield "runner", f"this server has no runner {name!r}; it has {offered}"
    if definition.repeat == "auto":
        if definition.order != "interleaved":
            yield "order", "repeat: auto adds pairs as they are needed, which blocks do not have; write interleaved"
        if len(definition.variants) < 2:
            yield "repeat", "one variant has nothing to settle; write a number"
        most = definition.run_count // AUTO_LOOKS[0] * AUTO_LOOKS[-1]
        if most > RUNS_MAX:
            yield "repeat", f"auto may come to {most} runs; one experiment holds {RUNS_MAX} at most"
    setups = len(definition.runners) * definition.cell_count * len(definition.variants)
    if setups > SETUPS_MAX:
        yield "matrix", f"{setups} different set-ups; one experiment holds {SETUPS_MAX} at most"
    for name in definition.primary:
        try:
            metric_named(name)
        except UnknownMetric as error:
            yield "primary", str(error)
    for name in definition.files:
        if ".." in name.split("/") or name.startswith("/"):
            yield f"files.{name}", "the name of an included file lies beside the job: no leading / and no .."


def _setups(definition: Definition, found: Found) -> Iterator[tuple[Setup, str]]:
    """Yield every distinct set-up with the beginning of its key in messages; what cannot be made goes to `found`."""
    for choice in definition.runners:
        for cell in cells(definition):
            for variant in definition.variants:
                where = _where(definition, variant.name, cell)
                try:
                    yield (
                        setup_of(
                            definition, runner=choice.runner, variant=variant.name, cell=cell, seed=definition.seed
                        ),
                        where,
                    )
                except ValidationError as error:
                    first = error.errors()[0]
                    key = ".".join(str(part) for part in first["loc"])
                    found.append((f"{where}{key}", str(first["msg"]).removeprefix("Value error, ")))
                except ValueError as error:
                    found.append((where.rstrip(". "), str(error)))
                if len(found) >= PROBLEMS_MAX:
                    return


def _where(definition: Definition, variant: str, cell: Cell) -> str:
    if len(definition.variants) == 1 and not cell:
        return ""
    place = f" ({cell_label(cell)})" if cell else ""
    return f"variant {variant}{place}: "


def _of_the_setup(setup: Setup, ability: RunnerAbility) -> Iterator[tuple[str, str]]:
    if setup.workload.kind not in ability.workloads:
        yield (
            "workload",
            f"the runner {ability.kind} does not run {setup.workload.kind}; it runs {_listed(ability.workloads)}",
        )
    if setup.filesystem.type not in ability.filesystems:
        offered = _listed(ability.filesystems)
        yield "filesystem.type", f"the runner {ability.kind} has no {setup.filesystem.type}; it has {offered}"
    given = {
        "kernel": setup.kernel is not None,
        "machine": bool(setup.machine.model_dump(exclude_none=True)),
        "sysctl": bool(setup.sysctl),
        "patches": bool(setup.patches),
        "mechanisms": bool(setup.mechanisms),
        "filesystem.mkfs": bool(setup.filesystem.mkfs),
        "filesystem.mount": bool(setup.filesystem.mount),
    }
    for key, is_given in given.items():
        if is_given and key not in ability.uses:
            reason = NOT_USED.get(key, "take it out, so that nobody believes it was tried")
            yield key, f"the runner {ability.kind} does not use {key}; {reason}"
    if ability.kind == "noop":
        yield from _of_the_noop_device(setup)
    else:
        yield from _of_the_device(setup)


NOT_USED = {
    "patches": "patches are applied and built by runners with a real kernel alone (qemu, hardware); "
    "take them out, so that nobody believes they were tried"
}
"""What to do about a part of a definition that a runner does not use, where more can be said than to take it out."""

NOOP_OVERRIDES = frozenset({"noop_ms", "noop_iops", "noop_fail"})
NOOP_MS_MAX = 600_000


def _of_the_noop_device(setup: Setup) -> Iterator[tuple[str, str]]:
    for name, value in setup.device.overrides.items():
        if name not in NOOP_OVERRIDES:
            yield f"device.{name}", f"the runner noop knows {_listed(sorted(NOOP_OVERRIDES))}"
        elif name != "noop_fail" and (isinstance(value, str | bool) or not 0 <= value <= NOOP_MS_MAX):
            yield f"device.{name}", f"a number from 0 to {NOOP_MS_MAX}"


def _of_the_device(setup: Setup) -> Iterator[tuple[str, str]]:
    try:
        _, values = devices.resolve(setup.device.profile, setup.device.overrides)
    except ValueError as error:
        yield "device", str(error)
        return
    scheduler = setup.device.scheduler
    if scheduler is not None and scheduler not in SCHEDULERS:
        yield "device.scheduler", f"no scheduler is named {scheduler!r}; there are {_listed(list(SCHEDULERS))}"
        return
    requests = setup.device.nr_requests
    used = scheduler or devices.profile(setup.device.profile).default_scheduler
    try:
        settings_of(used, setup.device.overrides)
    except ValueError as error:
        yield "device", str(error)
    least, most = nr_requests_range(used, int(values["queue_depth"]))
    if requests is not None and not least <= requests <= most:
        why = "; without an elevator a queue holds what the device takes" if used == "none" else ""
        yield "device.nr_requests", f"{requests} is not within {least} and {most} under {used}{why}"


class _Jobs:
    """Reads a definition's job once for each environment, and checks it once for each runner and kind of device."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self._read: dict[tuple[tuple[str, str], ...], FioJobFile] = {}
        self._checked: dict[tuple[object, ...], list[Diagnostic]] = {}

    @property
    def first(self) -> FioJobFile | None:
        """The job file in the first environment, None where there was none to read."""
        return next(iter(self._read.values()), None)

    def diagnostics(self, setup: Setup, ability: RunnerAbility) -> list[Diagnostic]:
        """Return what there is to say about the job in this set-up."""
        environment = tuple(sorted(setup.environment.items()))
        if environment not in self._read:
            job = setup.workload.fio or ""
            self._read[environment] = read(job, files=self._files, environment=setup.environment)
        job_file = self._read[environment]
        if not job_file.ok or ability.fio is None:
            return list(job_file.diagnostics)
        try:
            _, device = devices.resolve(setup.device.profile, setup.device.overrides)
        except ValueError:
            return list(job_file.diagnostics)
        key = (ability.kind, environment, device["capacity_bytes"], device["discard"])
        if key not in self._checked:
            loads = loads_of(job_file, honoured=ability.fio.honoured, ignored=ability.fio.ignored, device=device)
            self._checked[key] = [*job_file.diagnostics, *loads.diagnostics]
        return self._checked[key]


class _Traces:
    """Reads the trace of a definition once, and checks it once for each kind of device."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self._trace: Trace | None = None
        self._checked: dict[tuple[object, ...], Found] = {}

    def problems(self, setup: Setup) -> Found:
        """Return what stands against replaying the trace in this set-up."""
        replay = setup.workload.replay
        if replay is None:
            return []
        _, device = devices.resolve(setup.device.profile, setup.device.overrides)
        key = (device["capacity_bytes"], device["discard"])
        if key not in self._checked:
            self._checked[key] = []
            try:
                if self._trace is None:
                    self._trace = read_trace(self._files.get(replay.trace, "").encode("latin-1"), replay.format)
                check_against(self._trace, device)
            except TraceProblem as error:
                self._checked[key] = [("workload.replay.trace", str(error))]
        return self._checked[key]


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)
