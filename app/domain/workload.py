"""What a run executes: one of five kinds of workload."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from app.domain.base import Frozen

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]

JOB_FILE_MAX_CHARS = 1_000_000
"""A job file is written by people; the largest published ones have some thousand lines."""


class UnixBench(Frozen):
    """UnixBench's file tests; `iterations` is the argument of `-i` as given."""

    tests: Annotated[tuple[Literal["fstime", "fsbuffer", "fsdisk"], ...], Field(min_length=1, max_length=3)]
    modes: Annotated[tuple[Literal["write", "read", "copy"], ...], Field(min_length=1, max_length=3)] = ("copy",)
    copies: Annotated[int, Field(ge=1, le=4096)] = 1
    iterations: Annotated[int, Field(ge=1, le=1000)] = 3
    seconds: Annotated[int, Field(ge=1, le=3600)] = 30
    shared_files: bool = False


class Compilebench(Frozen):
    """compilebench's phases: `-i` trees created first, then `-r` random operations."""

    initial_dirs: Annotated[int, Field(ge=1, le=1000)] = 10
    runs: Annotated[int, Field(ge=0, le=10_000)] = 30


class FsTests(Frozen):
    """Tests of xfstests by name, each repeated."""

    tests: Annotated[tuple[Name, ...], Field(min_length=1, max_length=2000)]
    repeat: Annotated[int, Field(ge=1, le=10_000)] = 1


class Replay(Frozen):
    """A recorded trace, replayed at `speed` times its own pace, or (`max`) as fast as `iodepth` outstanding I/Os go.

    `trace` is an upload, or names one of the definition's files. The format is seen from the content; one that is
    given has to agree. `iodepth` bounds what is outstanding in a timed replay too.
    """

    trace: Name
    format: Literal["blktrace", "iolog", "csv"] | None = None
    speed: Annotated[float, Field(gt=0, le=1e6)] | Literal["max"] = 1.0
    iodepth: Annotated[int, Field(ge=1, le=10_240)] | None = None
    """When left out: 4096 in a timed replay, 32 at full speed."""


class Workload(Frozen):
    """Exactly one kind of workload."""

    fio: Annotated[str, StringConstraints(min_length=1, max_length=JOB_FILE_MAX_CHARS)] | None = None
    unixbench: UnixBench | None = None
    compilebench: Compilebench | None = None
    fstests: FsTests | None = None
    replay: Replay | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Workload:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            kinds = ", ".join(type(self).model_fields)
            raise ValueError(f"name exactly one workload of {kinds}; {len(given)} given")
        return self

    @property
    def kind(self) -> str:
        """Which kind it is: `fio`, `unixbench`, `compilebench`, `fstests` or `replay`."""
        return next(name for name in type(self).model_fields if getattr(self, name) is not None)
