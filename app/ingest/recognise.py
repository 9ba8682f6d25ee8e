"""Says what a pasted text is, so that whoever pasted it is offered what fits."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from enum import StrEnum

from app.domain.report import Report
from app.ingest.definition_signs import looks_like_definition

HEADER_LINES_MAX = 60
"""Further down a subject is that of something quoted or attached."""

HEADING_LINES_MAX = 12
TITLE_MAX_CHARS = 300

_SUBJECT = re.compile(r"^Subject:[ \t]*(\S[^\n]*(?:\n[ \t][^\n]*){0,5})", re.MULTILINE)
_HEADING = re.compile(r"\s{0,3}(?:\[(?:[^\]\n]{0,40}\W)?(?:PATCH|RFC)\b[^\]\n]{0,60}\]|(?:RFC |PATCH )+\d+/\d+)\s*\S")
"""The first line of a page or a copied mail that names a patch, without `Subject:` in front."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


class Pasted(StrEnum):
    """What a text is."""

    DEFINITION = "definition"
    RESULTS = "results"
    PATCHES = "patches"
    JOB = "job"
    NOTHING = "nothing"


def recognise(text: str, report: Report) -> Pasted:
    """Return what a text is, given what was read out of it: figures before patches, patches before a job."""
    if not report.results and not report.tests and looks_like_definition(text):
        return Pasted.DEFINITION
    if report.results or report.tests:
        return Pasted.RESULTS
    if report.patches:
        return Pasted.PATCHES
    return Pasted.JOB if report.experiment is not None else Pasted.NOTHING


def title_of(text: str, report: Report) -> str:
    """Return a mail's subject, or else what was measured."""
    head = text.split("\n", HEADER_LINES_MAX)[:HEADER_LINES_MAX]
    heading = next((line.strip() for line in head[:HEADING_LINES_MAX] if _HEADING.match(line)), "")
    found = None if heading else _SUBJECT.search("\n".join(head))
    subject = _one_line(heading or (_decoded(found[1]) if found else ""))
    if subject:
        return subject
    if report.comparison is not None:
        others = dict.fromkeys(candidate.variant for candidate in report.comparison.candidates)
        sides = f"{', '.join(others)} against {report.comparison.baseline}"
        return _one_line(f"{report.kind}: {sides}")
    if report.results or report.tests:
        return _one_line(f"{report.kind}: {len(report.results) or len(report.tests)} results")
    return "a patch" if report.patches else "a job" if report.experiment is not None else "a text"


def _decoded(subject: str) -> str:
    try:
        return str(make_header(decode_header(subject)))
    except (HeaderParseError, UnicodeError, LookupError, ValueError):
        return subject


def _one_line(text: str) -> str:
    return " ".join(_CONTROL.sub(" ", text).split())[:TITLE_MAX_CHARS]
