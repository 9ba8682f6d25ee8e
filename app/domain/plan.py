"""From a definition to its runs: which variant, cell and replicate, in which order, with which settings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from app.domain.base import Frozen
from app.domain.experiment import AUTO_FIRST, Definition, Device, Filesystem, Key, Machine, PatchUse, RunnerChoice
from app.domain.experiment import Variant as DeclaredVariant
from app.domain.metric import Scalar
from app.domain.workload import Workload

Cell = dict[Key, Scalar]


class PlannedRun(Frozen):
    """One run to come; `position` is its place in the experiment's own order."""

    position: int
    runner: str
    variant: str
    cell: Cell
    replicate: int
    seed: int


class Setup(Frozen):
    """Everything one run is to do: the definition with one variant and one cell applied."""

    runner: str
    variant: str
    machine: Machine
    kernel: str | None
    clock: Literal["virtual", "real"]
    device: Device
    filesystem: Filesystem
    sysctl: dict[Key, Scalar]
    mechanisms: dict[Key, Scalar]
    patches: tuple[str | PatchUse, ...]
    workload: Workload
    files: dict[Key, str]
    environment: dict[Key, str]
    seed: int
    timeout_s: float

    @property
    def runner_kind(self) -> str:
        """The runner's kind, before any name or label."""
        return kind_of(self.runner)


def kind_of(runner: str) -> str:
    """Return the kind in `KIND`, `KIND:NAME` or `KIND@LABEL`."""
    return runner.replace("@", ":").partition(":")[0]


AUTO_LOOKS = (AUTO_FIRST, 12, 18, 27, 40)
"""With `repeat: auto`: after how many pairs the runs are looked at. Eight are the least that one look of five can tell
from chance (2/2^8 < 0.05/5); each further look has half as many pairs again, as smaller steps tell little more."""


def next_look(repeat: int) -> int | None:
    """Return how many pairs the look after one at `repeat` pairs has, None after the last."""
    return next((look for look in AUTO_LOOKS if look > repeat), None)


def first_repeat(definition: Definition) -> int:
    """Return how many replicates are run to begin with."""
    return AUTO_LOOKS[0] if definition.repeat == "auto" else definition.repeat


def planned_runs(definition: Definition, repeat: int, after: int = 0) -> Iterator[PlannedRun]:
    """Yield the runs of `repeat` replicates in their order, without those of the first `after` replicates.

    Interleaved order is ABBA: each pair of replicates runs the variants forwards, then backwards, so that a drift
    of the host falls on all sides alike. All variants of one replicate share a seed (`seed` + replicate).
    """
    position = itertools.count(after * len(definition.runners) * definition.cell_count * len(definition.variants))
    for choice in definition.runners:
        if definition.order == "interleaved":
            for replicate in range(after, repeat):
                for cell in cells(definition):
                    names = [variant.name for variant in definition.variants]
                    for name in names if replicate % 2 == 0 else reversed(names):
                        yield _planned(definition, choice, next(position), name, cell, replicate)
        else:
            for variant in definition.variants:
                for cell in cells(definition):
                    for replicate in range(after, repeat):
                        yield _planned(definition, choice, next(position), variant.name, cell, replicate)


def _planned(
    definition: Definition, choice: RunnerChoice, position: int, variant: str, cell: Cell, replicate: int
) -> PlannedRun:
    return PlannedRun(
        position=position,
        runner=choice.runner,
        variant=variant,
        cell=cell,
        replicate=replicate,
        seed=definition.seed + replicate,
    )


def cells(definition: Definition) -> list[Cell]:
    """Return every combination of the matrix (one empty cell without a matrix)."""
    keys = list(definition.matrix)
    return [dict(zip(keys, values, strict=True)) for values in itertools.product(*definition.matrix.values())]


def cell_label(cell: Mapping[str, Scalar]) -> str:
    """Return a cell as people read it: `device.scheduler=none workload.…=…`; empty without a matrix."""
    return " ".join(f"{key}={_shown(value)}" for key, value in cell.items())


def _shown(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


MATRIX_ROOTS = ("machine", "kernel", "clock", "device", "filesystem", "sysctl", "environment", "mechanisms")
"""The parts of a definition that a matrix may range over."""


def setup_of(definition: Definition, *, runner: str, variant: str, cell: Cell, seed: int) -> Setup:
    """Return what one run is to do; later layers win: definition, runner entry, cell, variant.

    Raises ValueError (pydantic's ValidationError included) naming the key that cannot be applied.
    """
    choice = next(entry for entry in definition.runners if entry.runner == runner)
    declared = next(entry for entry in definition.variants if entry.name == variant)
    layers: dict[str, Any] = {
        "machine": definition.machine.model_dump(exclude_none=True),
        "kernel": definition.kernel,
        "clock": definition.clock,
        "device": definition.device.model_dump(exclude_none=True),
        "filesystem": definition.filesystem.model_dump(),
        "sysctl": dict(definition.sysctl),
        "environment": dict(definition.environment),
        "mechanisms": {},
    }
    _apply(layers, choice)
    for key, value in cell.items():
        _apply_cell(layers, key, value)
    _apply(layers, declared)
    layers["mechanisms"] |= declared.mechanisms
    return Setup.model_validate(
        {
            **layers,
            "runner": runner,
            "variant": variant,
            "patches": declared.patches,
            "workload": definition.workload,
            "files": definition.files,
            "seed": seed,
            "timeout_s": definition.timeout,
        }
    )


def _apply(layers: dict[str, Any], changes: RunnerChoice | DeclaredVariant) -> None:
    for part in ("machine", "device", "filesystem", "sysctl"):
        layers[part] |= getattr(changes, part)
    if changes.kernel is not None:
        layers["kernel"] = changes.kernel
    if isinstance(changes, RunnerChoice) and changes.clock is not None:
        layers["clock"] = changes.clock


def _apply_cell(layers: dict[str, Any], key: str, value: Scalar) -> None:
    root, _, rest = key.partition(".")
    if root not in MATRIX_ROOTS:
        raise ValueError(f"matrix.{key}: a matrix ranges over {', '.join(MATRIX_ROOTS)}")
    if isinstance(layers[root], dict):
        if not rest:
            raise ValueError(f"matrix.{key}: name one setting, such as {root}.NAME")
        layers[root][rest] = str(value) if root == "environment" else value
    elif rest:
        raise ValueError(f"matrix.{key}: {root} has no parts")
    else:
        layers[root] = value
