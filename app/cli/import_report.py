"""`lodestone import`: read results that were measured elsewhere, compare the sides that were found."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from app.analysis.compare import compare
from app.analysis.render_text import render_text
from app.cli.files import TEXT_MAX_BYTES
from app.domain.metric import format_value
from app.domain.report import Report
from app.errors import RequestError
from app.ingest.decode import decode_text
from app.ingest.report import read_report


def execute(options: argparse.Namespace) -> int:
    """Print what a file holds: its figures, the comparison of its sides, and what could not be read."""
    report = read_report(_text(options.file), compare)
    if options.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
        return 0
    if report.kind is None:
        raise RequestError(f"{options.file}: no benchmark output, table or test result was found in it")
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
    return decode_text(content)


def _print(path: Path, report: Report) -> None:
    print(f"{path}: {report.kind}, {len(report.results)} figures, {len(report.tests)} tests\n")
    for result in report.results:
        place = " ".join(str(part) for part in (result.variant, result.job, result.cell) if part is not None)
        shown = format_value(result.value, result.unit) if result.value is not None else "a range"
        print(f"  {result.line:5}  {place:30} {result.metric:40} {shown}")
    if report.comparison is not None:
        print("\n" + render_text(report.comparison, title=str(path.name)), end="")
    for remark in report.warnings:
        print(f"{path}:{remark.line}: warning: {remark.message}")
