"""`lodestone patch`: say what a mail, an mbox, a page or a diff changes, and what is doubtful about it."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from app.cli.files import TEXT_MAX_BYTES
from app.config import settings
from app.domain.patch import Patch, PatchSet
from app.errors import RequestError
from app.ingest.patches import read_patches
from app.ingest.patches.packed import Unpackable, unpacked
from app.ingest.patches.range_diff import range_diff

_LOCATOR = re.compile(r"https?://|<?[^\s<>@/]+@[^\s<>@/]+>?$")


def execute(options: argparse.Namespace) -> int:
    """Print the series of a file, or with `--range-diff` what changed since an older version of it."""
    found = read_patches(_content(options.file))
    if not found.patches:
        raise RequestError(
            f"{options.file}: no patch was found in it; it takes mails, mboxes, patchwork pages, git show and diffs"
        )
    if options.range_diff is not None:
        older = read_patches(_content(options.range_diff))
        if not older.patches:
            raise RequestError(f"{options.range_diff}: no patch was found in it")
        print(range_diff(older, found).text, end="")
        return 0
    if options.json:
        print(json.dumps({"schema": 1, **found.model_dump(mode="json")}, ensure_ascii=False, indent=2))
        return 0
    _print(options.file, found)
    return 0


def _content(name: str) -> bytes:
    """Return a file's bytes, of standard input for `-`; what is no file, but an address or a Message-ID, is brought."""
    path = Path(name)
    if name != "-" and _LOCATOR.match(name) and not path.exists():
        from app.patches.fetch import Fetcher

        found = Fetcher(settings().allowed_patch_hosts, TEXT_MAX_BYTES).fetch(name)
        print(f"lodestone: read {found.url}", file=sys.stderr)
        return found.content
    try:
        if name == "-":
            content = sys.stdin.buffer.read(TEXT_MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                content = file.read(TEXT_MAX_BYTES + 1)
    except OSError as error:
        raise RequestError(f"{name}: {error.strerror or error}") from None
    if len(content) > TEXT_MAX_BYTES:
        raise RequestError(f"{name}: larger than {TEXT_MAX_BYTES} bytes")
    try:
        return unpacked(content, TEXT_MAX_BYTES)
    except Unpackable as error:
        raise RequestError(f"{name}: {error}") from None


def _print(name: str, found: PatchSet) -> None:
    series = found.series
    title = series.subject or "a patch without a subject"
    print(f"{title}: version {series.version}, {series.total or len(found.patches)} patches")
    for patch in found.patches:
        print(f"\n{_place(patch):>7}  {patch.subject or '(no subject)'}")
        if patch.author:
            print(f"         {patch.author}{f', {patch.date}' if patch.date else ''}")
        for file in patch.files:
            counts = "binary" if file.binary else _counts(file.added, file.deleted)
            moved = f" (from {file.old_path})" if file.old_path else ""
            print(f"         {counts:>12}  {file.path}{moved}")
        for trailer in patch.trailers:
            print(f"         {trailer.key}: {trailer.value}")
    for warning in found.warnings:
        print(f"{name}:{warning.line}: warning: {warning.message}", file=sys.stderr)


def _place(patch: Patch) -> str:
    return "-" if patch.position is None else f"{patch.position}/{patch.total or '?'}"


def _counts(added: int | None, deleted: int | None) -> str:
    return "not counted" if added is None or deleted is None else f"+{added} -{deleted}"
