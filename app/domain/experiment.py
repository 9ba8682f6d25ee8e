"""The experiment definition: one frozen document for the web page, the API and the command line."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, field_validator, model_validator

from app.domain.base import Frozen
from app.domain.metric import Scalar
from app.domain.quantity import DurationS, SizeBytes
from app.domain.workload import Workload

SCHEMA_VERSION = 1
RUNS_MAX = 20_000
"""Runs of one experiment: a 2,000-cell matrix at ten runs; more is several experiments."""

AUTO_FIRST = 8
"""Replicates that `repeat: auto` begins with (app/domain/plan.py says why)."""

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of signs that cannot be seen: controls, direction marks, joiners, surrogates, unassigned."""


def seen(text: str, allowed: str = "") -> str:
    """Return a text whose every sign can be seen: names that look alike must be alike. Raises ValueError."""
    for sign in text:
        if unicodedata.category(sign) in UNSEEN and sign not in allowed:
            raise ValueError(f"holds U+{ord(sign):04X}, a sign that cannot be seen")
    return text


def _seen_text(text: str) -> str:
    # joiners are part of how some languages are written
    return seen(text, allowed="\t\n\u200c\u200d")


Label = Annotated[str, StringConstraints(min_length=1, max_length=100), AfterValidator(seen)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_.\-/]+$")]
Text = Annotated[str, StringConstraints(max_length=400), AfterValidator(_seen_text)]
MatrixValues = Annotated[tuple[Scalar, ...], Field(min_length=1, max_length=200)]
RunnerName = Annotated[str, StringConstraints(pattern=r"^[a-z]+([:@][A-Za-z0-9][A-Za-z0-9_.\-]{0,99})?$")]
Seed = Annotated[int, Field(ge=0, le=2**53 - RUNS_MAX)]
"""Seeds stay exact in JSON readers that know only double-precision numbers."""


class Machine(Frozen):
    """Processors and memory of the modelled, guest or real host; absent means the runner's own."""

    profile: Label | None = None
    cpus: Annotated[int, Field(ge=1, le=4096)] | None = None
    memory: Annotated[SizeBytes, Field(ge=2**20, le=2**50)] | None = None


class Device(Frozen):
    """A device profile by name, its elevator, and any of its parameters overridden."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, Scalar]

    profile: Key
    scheduler: Key | None = None
    nr_requests: Annotated[int, Field(ge=1, le=10_240)] | None = None

    @property
    def overrides(self) -> dict[str, Scalar]:
        """The profile's parameters that the definition changes."""
        return dict(self.__pydantic_extra__ or {})


class Filesystem(Frozen):
    """What lies on the device: `raw` is the device itself."""

    type: Literal["raw", "ext4", "xfs", "btrfs", "f2fs"] = "raw"
    mkfs: Text = ""
    mount: Text = ""


class PatchUse(Frozen):
    """A patch by id or inline; `revert` takes one out that the tree already has."""

    patch: Annotated[str, StringConstraints(min_length=1, max_length=5_000_000)]
    revert: bool = False


class Variant(Frozen):
    """One side of the experiment: its name and only what it declares to be different."""

    name: Label
    patches: Annotated[tuple[str | PatchUse, ...], Field(max_length=200)] = ()
    mechanisms: dict[Key, Scalar] = {}
    kernel: Label | None = None
    machine: dict[Key, Scalar] = {}
    device: dict[Key, Scalar] = {}
    filesystem: dict[Key, Scalar] = {}
    sysctl: dict[Key, Scalar] = {}


class RunnerChoice(Frozen):
    """A runner with what the definition changes on it."""

    runner: RunnerName
    kernel: Label | None = None
    clock: Literal["virtual", "real"] | None = None
    machine: dict[Key, Scalar] = {}
    device: dict[Key, Scalar] = {}
    filesystem: dict[Key, Scalar] = {}
    sysctl: dict[Key, Scalar] = {}


class Definition(Frozen):
    """A whole experiment: what runs where, on which sides, how often, and what the verdict is about."""

    title: Text = ""
    description: Annotated[str, StringConstraints(max_length=20_000)] = ""
    runner: RunnerName | Annotated[tuple[RunnerName | RunnerChoice, ...], Field(min_length=1, max_length=20)]
    machine: Machine = Field(default_factory=Machine)
    kernel: Label | None = None
    clock: Literal["virtual", "real"] = "virtual"
    device: Device
    filesystem: Filesystem = Field(default_factory=Filesystem)
    sysctl: dict[Key, Scalar] = {}
    workload: Workload
    files: Annotated[dict[Key, Label], Field(max_length=100)] = {}
    environment: Annotated[dict[Key, Text], Field(max_length=200)] = {}
    variants: Annotated[tuple[Variant, ...], Field(min_length=1, max_length=20)]
    matrix: Annotated[dict[Key, MatrixValues], Field(max_length=6)] = {}
    repeat: Annotated[int, Field(ge=1, le=1000)] | Literal["auto"] = 10
    primary: Annotated[tuple[Key, ...], Field(max_length=3)] = ()
    order: Literal["interleaved", "blocked"] = "interleaved"
    seed: Seed = 1
    threshold_percent: Annotated[float, Field(gt=0, le=100)] = 2.0
    timeout: Annotated[DurationS, Field(gt=0, le=7 * 86_400)] = 600.0

    def referenced(self) -> dict[str, str]:
        """Return the files that the definition names, and a replayed trace that is not among them, with their uploads.

        A trace is no text; whoever reads it keeps its bytes as Latin-1.
        """
        replay = self.workload.replay
        return dict(self.files) if replay is None else {replay.trace: replay.trace, **self.files}

    def is_trace(self, name: str) -> bool:
        """Return whether the file of this name is the trace that is replayed."""
        return self.workload.replay is not None and self.workload.replay.trace == name

    @field_validator("variants")
    @classmethod
    def _distinct_names(cls, variants: tuple[Variant, ...]) -> tuple[Variant, ...]:
        names = [variant.name for variant in variants]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two variants are named {name!r}")
        return variants

    @field_validator("primary")
    @classmethod
    def _distinct_primary(cls, primary: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(primary)) != len(primary):
            raise ValueError("a primary metric is named twice")
        return primary

    @field_validator("matrix")
    @classmethod
    def _distinct_values(cls, matrix: dict[str, tuple[Scalar, ...]]) -> dict[str, tuple[Scalar, ...]]:
        for key, values in matrix.items():
            twice = [value for value, count in Counter(map(repr, values)).items() if count > 1]
            if twice:
                raise ValueError(f"{key} has {twice[0]} twice")
        return matrix

    @model_validator(mode="after")
    def _bounded(self) -> Definition:
        if self.run_count > RUNS_MAX:
            raise ValueError(f"{self.run_count} runs; one experiment holds {RUNS_MAX} at most")
        return self

    @property
    def runners(self) -> tuple[RunnerChoice, ...]:
        """The runners, one or several, each with its overrides."""
        chosen = (self.runner,) if isinstance(self.runner, str) else self.runner
        return tuple(RunnerChoice(runner=entry) if isinstance(entry, str) else entry for entry in chosen)

    @property
    def cell_count(self) -> int:
        """How many combinations the matrix has (1 without one)."""
        count = 1
        for values in self.matrix.values():
            count *= len(values)
        return count

    @property
    def run_count(self) -> int:
        """How many runs the experiment has to begin with; with `repeat: auto` more may follow."""
        repeat = AUTO_FIRST if self.repeat == "auto" else self.repeat
        return len(self.runners) * self.cell_count * len(self.variants) * repeat
