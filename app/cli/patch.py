"""`lodestone patch`: say what a mail, an mbox, a page or a diff changes, and what is doubtful about it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from app.cli.files import TEXT_MAX_BYTES
from app.domain.patch import Patch, PatchSet
from app.errors import RequestError
from app.ingest.patches import read_patches
from app.ingest.patches.range_diff import range_diff


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


def _content(path: Path) -> bytes:
    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read(TEXT_MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                content = file.read(TEXT_MAX_BYTES + 1)
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror or error}") from None
    if len(content) > TEXT_MAX_BYTES:
        raise RequestError(f"{path}: larger than {TEXT_MAX_BYTES} bytes")
    return content


def _print(path: Path, found: PatchSet) -> None:
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
        print(f"{path}:{warning.line}: warning: {warning.message}", file=sys.stderr)


def _place(patch: Patch) -> str:
    return "-" if patch.position is None else f"{patch.position}/{patch.total or '?'}"


def _counts(added: int | None, deleted: int | None) -> str:
    return "not counted" if added is None or deleted is None else f"+{added} -{deleted}"
