"""What the patch calls take and answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from app.domain.comparison import Verdict
from app.domain.patch import Patch, PatchWarning, Series


class PatchLocator(BaseModel):
    """Where a patch is: its address on lore or patchwork, or its Message-ID."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class Claim(BaseModel):
    """What the author says in words about a figure."""

    text: str
    value: float | None
    unit: str
    line: int


class Figures(BaseModel):
    """The figures in the text around the patches: how many, and what comes of comparing their sides."""

    kind: str | None
    results: int
    tests: int
    verdict: Verdict | None
    headline: str | None
    claims: list[Claim]


class PatchContent(BaseModel):
    """What was read out of a text: the series, its patches in order, the figures, and every doubt."""

    title: str
    series: Series
    patches: list[Patch]
    figures: Figures
    warnings: list[PatchWarning]


class PatchSummary(BaseModel):
    """A kept series as lists show it; `files`, `added` and `deleted` count over the patches to apply."""

    id: str
    title: str
    author: str | None
    version: int
    patches: int
    total: int | None
    files: int
    added: int
    deleted: int
    created_ms: int


class PatchPage(BaseModel):
    """One page of series, newest first; `next` is the cursor of the page after it."""

    items: list[PatchSummary]
    next: str | None


class PatchDetail(PatchContent):
    """A kept series; `id` is the SHA-256 of its text, `source` the address that it was brought from."""

    schema_version: Literal[1] = 1
    id: str
    size_bytes: int
    source: str | None
    created_ms: int


class RangeDiffPair(BaseModel):
    """One pair of a range-diff: `=` the same, `!` changed, `<` dropped, `>` new; positions in both versions."""

    old: int | None
    new: int | None
    sign: Literal["=", "!", "<", ">"]
    subject: str | None
    difference: list[str]


class RangeDiffShown(BaseModel):
    """What changed between two versions of a series."""

    pairs: list[RangeDiffPair]
    text: str
