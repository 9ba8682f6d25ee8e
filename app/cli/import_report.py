"""`lodestone import`: read results that were measured elsewhere, compare the sides that were found."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from app.analysis.compare import compare
from app.analysis.render_text import render_text
from app.analysis.untrusted import one_line
from app.cli.files import TEXT_MAX_BYTES
from app.domain.metric import format_value
from app.domain.report import Claim, Report
from app.errors import RequestError
from app.ingest.decode import TooLarge, decode_text
from app.ingest.recognise import Pasted, recognise
from app.ingest.report import read_report


def execute(options: argparse.Namespace) -> int:
    """Print what a file holds: its figures, the comparison of its sides, and what could not be read."""
    text = _text(options.file)
    report = read_report(text, compare)
    if options.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
        return 0
    if recognise(text, report) is Pasted.NOTHING:
        raise RequestError(f"{options.file}: no benchmark output, table, test result, patch or job was found in it")
    _print(options.file, report)
    return 0


def _text(path: Path) -> str:
    """Return a file's text, of whatever charset."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror or error}") from None
    if len(content) > TEXT_MAX_BYTES:
        raise RequestError(f"{path}: larger than {TEXT_MAX_BYTES} bytes")
    try:
        return decode_text(content)
    except TooLarge as error:
        raise RequestError(f"{path}: {error}") from None


def _print(path: Path, report: Report) -> None:
    found = [
        f"{len(report.results)} figures of {report.kind}" if report.results else "",
        f"{len(report.tests)} tests" if report.tests else "",
        f"{len(report.claims)} claims" if report.claims else "",
        f"{len(report.patches)} patches" if report.patches else "",
        "what was run" if report.experiment is not None else "",
    ]
    print(f"{path}: {', '.join(part for part in found if part)}\n")
    for result in report.results:
        place = " ".join(str(part) for part in (result.variant, result.job, result.cell) if part is not None)
        shown = format_value(result.value, result.unit) if result.value is not None else "a range"
        print(f"  {result.line:5}  {place:30} {result.metric:40} {shown}")
    if report.comparison is not None:
        print("\n" + render_text(report.comparison, title=str(path.name)), end="")
    for claim in report.claims:
        print(f"{path}:{claim.line}: claim: {one_line(claim.text)}{_borne_out(claim)}")
    for patch in report.patches:
        print(f"{path}: patch: {one_line(str(patch.get('subject', '')))}")
    if report.experiment is not None:
        print(f"{path}: it says what was run: {', '.join(report.experiment.get('workload', {}))}")
    for remark in report.warnings:
        print(f"{path}:{remark.line}: warning: {remark.message}")


def _borne_out(claim: Claim) -> str:
    if claim.agrees is None or claim.computed_percent is None:
        return " (not checked)"
    word = "borne out" if claim.agrees else "not borne out"
    return f" ({word}: {claim.metric} changed by {claim.computed_percent:+.1f} %)"
