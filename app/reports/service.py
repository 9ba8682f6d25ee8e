"""Reads, keeps and changes reports: results that were measured elsewhere."""

from __future__ import annotations

import json
from typing import Any

from sqlmodel import Session
from ulid import ULID

from app.analysis.compare import compare
from app.analysis.headline import headline
from app.analysis.untrusted import one_line
from app.db import tables
from app.db.blobs import BlobStore
from app.db.engine import now_ms
from app.domain.comparison import Comparison
from app.domain.report import PairedSide, Pairing, Report
from app.errors import BodyTooLarge, Conflict, NotFound, Unprocessable
from app.ingest.decode import TooLarge, decode_text
from app.ingest.proposal import definition_text
from app.ingest.recognise import Pasted, recognise, title_of
from app.ingest.report import read_report
from app.reports import repository
from app.reports.schemas import ReportContent, ReportDetail, ReportPage, ReportPairing, ReportSummary
from app.web.context import Principal

MEASURED_ELSEWHERE = "measured elsewhere, as published"
"""What stands where an experiment names its runner."""

PAGE_MAX = 200
HEADLINE_MAX_CHARS = 1_000
RESULTS_SHOWN_MAX = 2_000
TESTS_SHOWN_MAX = 2_000
"""Rows of a report that are answered with it; the whole is its document."""


def read(content: bytes, title: str | None = None, pairing: Pairing | None = None) -> tuple[ReportContent, Report]:
    """Return what is in a text, as it is shown and whole; takes seconds for megabytes, and never fails for the text."""
    try:
        text = decode_text(content)
    except TooLarge as error:
        raise BodyTooLarge(str(error)) from None
    report = read_report(text, compare, pairing)
    title = title or title_of(text, report)
    compared = report.comparison
    return (
        ReportContent(
            pasted=recognise(text, report),
            kind=report.kind,
            title=title,
            verdict=None if compared is None else compared.verdict,
            headline=None if compared is None else one_line(headline(compared), HEADLINE_MAX_CHARS),
            results=[row.to_json() for row in report.results[:RESULTS_SHOWN_MAX]],
            results_total=len(report.results),
            tests=[row._asdict() for row in report.tests[:TESTS_SHOWN_MAX]],
            tests_total=len(report.tests),
            totals=dict(report.totals),
            pairing=None if report.pairing is None else _shown(report.pairing),
            comparison=compared,
            claims=[claim._asdict() for claim in report.claims],
            patches=[dict(patch) for patch in report.patches],
            warnings=[remark._asdict() for remark in report.warnings],
            definition=definition_text(report, title),
        ),
        report,
    )


def _shown(pairing: Pairing) -> ReportPairing:
    return ReportPairing.model_validate(pairing.to_json())


def pairing_of(wanted: ReportPairing, shown: ReportContent) -> Pairing:
    """Return a reader's pairing of what a report shows.

    Raises Unprocessable where it names no baseline among its sides, a label twice, or one that no figure has.
    """
    sides = tuple(PairedSide(side.label, side.variant, side.setup) for side in wanted.sides)
    if wanted.baseline not in {side.variant for side in sides}:
        raise Unprocessable(f"pairing.baseline: no side is of the variant {wanted.baseline!r}")
    labels = [side.label for side in sides]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise Unprocessable(f"pairing.sides: the label {twice!r} stands twice")
    known = {side.label for side in shown.pairing.sides} if shown.pairing else set()
    unknown = next((label for label in labels if label not in known), None)
    if unknown is not None:
        raise Unprocessable(f"pairing.sides: no figure has the label {unknown!r}; there are {', '.join(sorted(known))}")
    return Pairing(baseline=wanted.baseline, sides=sides)


def keep_blobs(blobs: BlobStore, content: bytes, report: Report) -> tuple[str, str]:
    """Keep a text and all that was read out of it; return the digests of both."""
    document = json.dumps(report.to_json(), ensure_ascii=False).encode()
    return blobs.put(content), blobs.put(document)


def keep(
    session: Session, by: Principal, content: bytes, shown: ReportContent, digests: tuple[str, str]
) -> tables.Report:
    """Keep a report. Raises Unprocessable for a text that holds no results."""
    if shown.pasted is not Pasted.RESULTS:
        raise Unprocessable(f"this text holds no results to report: {NOTHING_TO_REPORT[shown.pasted]}")
    report = tables.Report(
        id=str(ULID()),
        owner_id=by.user_id,
        project_id=by.project_id,
        title=shown.title,
        kind=shown.kind,
        text_digest=digests[0],
        document_digest=digests[1],
        size_bytes=len(content),
        verdict=shown.verdict,
        headline=shown.headline,
        figures=shown.results_total + shown.tests_total,
        content=shown.model_dump_json(),
        created_ms=now_ms(),
    )
    repository.add(session, report)
    return report


NOTHING_TO_REPORT = {
    Pasted.DEFINITION: "it is a definition; submit it as an experiment",
    Pasted.PATCHES: "it is a patch; bring it by POST /api/v1/patches",
    Pasted.JOB: "it is a job file; make it an experiment's workload",
    Pasted.NOTHING: "no benchmark output, table or test result was found in it",
}


def change(
    session: Session, by: Principal, report_id: str, shown: ReportContent, document_digest: str | None
) -> tables.Report:
    """Store what a report shows from now on. Raises NotFound."""
    report = found(session, by, report_id)
    report.title, report.verdict, report.headline = shown.title, shown.verdict, shown.headline
    report.content = shown.model_dump_json()
    report.document_digest = document_digest or report.document_digest
    session.add(report)
    return report


def found(session: Session, by: Principal, report_id: str) -> tables.Report:
    """Return one's report. Raises NotFound."""
    report = repository.find(session, by.user_id, report_id)
    if report is None:
        raise NotFound(f"there is no report {report_id}")
    return report


def content_of(report: tables.Report) -> ReportContent:
    """Return what a kept report shows."""
    return ReportContent.model_validate_json(report.content)


def detail(report: tables.Report) -> ReportDetail:
    """Return a kept report whole."""
    return ReportDetail(
        **dict(content_of(report)),
        id=report.id,
        digest=report.text_digest,
        size_bytes=report.size_bytes,
        created_ms=report.created_ms,
    )


def comparison_of(report: tables.Report) -> Comparison:
    """Return a report's comparison. Raises Conflict where nothing in it can be paired."""
    compared = content_of(report).comparison
    if compared is None:
        raise Conflict("nothing in this report can be paired; say by PATCH which label is which side")
    return compared


def listed(session: Session, by: Principal, *, limit: int, cursor: str | None, words: str | None) -> ReportPage:
    """Return a page of one's reports, newest first."""
    rows: list[dict[str, Any]] = repository.page(session, by.user_id, limit=limit + 1, before=cursor, words=words)
    items = [ReportSummary.model_validate(row) for row in rows[:limit]]
    return ReportPage(items=items, next=items[-1].id if len(rows) > limit else None)
