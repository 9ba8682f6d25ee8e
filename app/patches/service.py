"""Reads, keeps and compares patches; a series is named by the digest of the text it was read from."""

from __future__ import annotations

import contextlib
import hashlib
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session
from ulid import ULID

from app.analysis.compare import compare as compare_sides
from app.analysis.headline import headline
from app.analysis.untrusted import one_line
from app.db.blobs import BlobStore
from app.db.engine import now_ms
from app.db.tables import PatchSeries
from app.domain.patch import PatchSet, PatchWarning
from app.errors import NotFound, Unprocessable
from app.ingest.decode import decode_text
from app.ingest.patches import read_patches
from app.ingest.patches.range_diff import RangeDiff, compare, in_order
from app.ingest.report import read_report
from app.patches import repository
from app.patches.schemas import (
    Claim,
    Figures,
    PatchContent,
    PatchDetail,
    PatchPage,
    PatchSummary,
    RangeDiffPair,
    RangeDiffShown,
)
from app.web.context import Principal

PAGE_MAX = 200
TITLE_MAX_CHARS = 300
HEADLINE_MAX_CHARS = 1000
CLAIMS_SHOWN_MAX = 200

FIGURES_MAX_BYTES = 2_000_000
"""Larger texts are mboxes of long threads, whose figures belong to many mails."""


def read(content: bytes) -> tuple[PatchContent, PatchSet]:
    """Return what is in a text, as it is shown and whole. Raises Unprocessable for a text without a patch."""
    found = read_patches(content)
    if not found.patches:
        raise Unprocessable(
            "no patch was found in this text: mails, mboxes, patchwork pages, git show and diffs are read",
            code="no_patch",
        )
    shown = PatchContent(
        title=_title(found),
        series=found.series,
        patches=list(found.patches),
        figures=_figures(content),
        warnings=[*_unread(content), *found.warnings],
    )
    return shown, found


def _unread(content: bytes) -> list[PatchWarning]:
    if len(content) <= FIGURES_MAX_BYTES:
        return []
    message = f"no figures are looked for in a text of more than {FIGURES_MAX_BYTES // 1_000_000} MB"
    return [PatchWarning(line=1, message=message)]


def _title(found: PatchSet) -> str:
    subject = found.series.subject or next((patch.subject for patch in found.patches if patch.subject), None)
    if subject is None:
        paths = [file.path for patch in found.patches for file in patch.files]
        subject = f"a change of {paths[0]}" if paths else f"{found.series.total} patches without a subject"
    return one_line(subject, TITLE_MAX_CHARS)


def _figures(content: bytes) -> Figures:
    if len(content) > FIGURES_MAX_BYTES:
        return Figures(kind=None, results=0, tests=0, verdict=None, headline=None, claims=[])
    report = read_report(decode_text(content), compare_sides)
    compared = report.comparison
    return Figures(
        kind=report.kind,
        results=len(report.results),
        tests=len(report.tests),
        verdict=None if compared is None else compared.verdict,
        headline=None if compared is None else one_line(headline(compared), HEADLINE_MAX_CHARS),
        claims=[
            Claim(text=claim.text, value=claim.value, unit=claim.unit, line=claim.line)
            for claim in report.claims[:CLAIMS_SHOWN_MAX]
        ],
    )


def keep(
    session: Session, by: Principal, content: bytes, shown: PatchContent, source: str | None = None
) -> PatchSeries:
    """Keep a series whose text lies in the blobs already; the same text is the same series."""
    digest = hashlib.sha256(content).hexdigest()
    earlier = repository.find(session, by.user_id, digest)
    if earlier is not None:
        return earlier
    applied = [shown.patches[index] for index in shown.series.order]
    files = [file for patch in applied for file in patch.files]
    series = PatchSeries(
        digest=digest,
        owner_id=by.user_id,
        project_id=by.project_id,
        arrival=str(ULID()),
        title=shown.title,
        author=one_line(shown.series.author, TITLE_MAX_CHARS) if shown.series.author else None,
        version=shown.series.version,
        patches=len(applied),
        total=shown.series.total,
        files=len({file.path for file in files}),
        added=sum(file.added or 0 for file in files),
        deleted=sum(file.deleted or 0 for file in files),
        size_bytes=len(content),
        source=source,
        content=shown.model_dump_json(),
        created_ms=now_ms(),
    )
    # the same text may be arriving twice at once
    with contextlib.suppress(IntegrityError), session.begin_nested():
        repository.add(session, series)
    return repository.find(session, by.user_id, digest) or series


def found(session: Session, by: Principal, patch_id: str) -> PatchSeries:
    """Return one's series. Raises NotFound."""
    series = repository.find(session, by.user_id, patch_id)
    if series is None:
        raise NotFound(f"there is no series {patch_id}; bring it by POST /api/v1/patches")
    return series


def detail(series: PatchSeries) -> PatchDetail:
    """Return a kept series whole."""
    content = PatchContent.model_validate_json(series.content)
    return PatchDetail(
        **dict(content),
        id=series.digest,
        size_bytes=series.size_bytes,
        source=series.source,
        created_ms=series.created_ms,
    )


def listed(session: Session, by: Principal, *, limit: int, cursor: str | None, words: str | None) -> PatchPage:
    """Return a page of one's series, newest first."""
    rows: list[dict[str, Any]] = repository.page(session, by.user_id, limit=limit + 1, before=cursor, words=words)
    items = [PatchSummary.model_validate({**row, "id": row["digest"]}) for row in rows[:limit]]
    return PatchPage(items=items, next=str(rows[limit - 1]["arrival"]) if len(rows) > limit else None)


def diff_of(blobs: BlobStore, digest: str, number: int) -> str:
    """Return the diff of one patch by its place in the list, in git's form. Raises NotFound."""
    patches = read_patches(blobs.get(digest)).patches
    if number >= len(patches):
        raise NotFound(f"this series has {len(patches)} patches; the first is number 0")
    return patches[number].diff


def versions_compared(blobs: BlobStore, digest: str) -> RangeDiffShown:
    """Compare the two newest versions in one text. Raises Unprocessable where there is one only."""
    whole = read_patches(blobs.get(digest))
    if len(whole.series.versions) < 2:
        raise Unprocessable("this text holds one version; name another series by ?older=ID", code="one_version")
    before = whole.series.versions[-2]
    return _shown(compare(in_order(whole, before), in_order(whole)))


def series_compared(blobs: BlobStore, older: str, newer: str) -> RangeDiffShown:
    """Compare two kept series."""
    old, new = read_patches(blobs.get(older)), read_patches(blobs.get(newer))
    return _shown(compare(in_order(old), in_order(new)))


def _shown(compared: RangeDiff) -> RangeDiffShown:
    pairs = [RangeDiffPair.model_validate(pair._asdict()) for pair in compared.pairs]
    return RangeDiffShown(pairs=pairs, text=compared.text)
