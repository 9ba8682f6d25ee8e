"""Reads xfstests' xunit reports. Tags are found one by one, so that a report that was cut or quoted can be read too."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from app.domain.report import Status, TestOutcome
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.placed_text import PlacedText
from app.ingest.outputs.quantity import number

_CASE = re.compile(r"<testcase\b(?P<attributes>(?:[^<>\"']|\"[^\"<]{0,2000}\"|'[^'<]{0,2000}'){0,200}?)(?P<closed>/?)>")
_ATTRIBUTE = re.compile(r"([\w:]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_VERDICT = re.compile(r"<(failure|error|skipped)\b([^<>]{0,4000})", re.IGNORECASE)
_STATUS = {"failure": Status.FAILED, "error": Status.BROKEN, "skipped": Status.NOTRUN}


def read(document: Document) -> Iterator[Block]:
    """Yield one block with the outcome of each test of each section; a test that is there twice ran twice."""
    if "<testcase" not in document.text:
        return
    placed = PlacedText(document)
    grouped: dict[tuple[str | None, str], list[tuple[Status, float | None, int, str | None]]] = {}
    end = 0
    for found in _CASE.finditer(placed.text):
        attributes = {name: double or single for name, double, single in _ATTRIBUTE.findall(found["attributes"])}
        name = attributes.get("name")
        if not name:
            continue
        status, message, end = _verdict(placed.text, found)
        suite, _, section = attributes.get("classname", "").partition(".")
        key = (section if suite == "xfstests" and section not in ("", "global") else None, html.unescape(name))
        grouped.setdefault(key, []).append(
            (status, _seconds(attributes.get("time")), placed.line_at(found.start()), message)
        )
    if not grouped:
        return
    first = min(document.index_at(line) for runs in grouped.values() for _, _, line, _ in runs)
    last = placed.index_at(max(0, end - 1))
    document.take(first, last + 1)
    outcomes = [_outcome(section, name, runs) for (section, name), runs in grouped.items()]
    yield Block("xfstests", first, last + 1, outcomes=outcomes)


def _verdict(text: str, found: re.Match[str]) -> tuple[Status, str | None, int]:
    if found["closed"]:
        return Status.PASSED, None, found.end()
    close = text.find("</testcase", found.end())
    following = text.find("<testcase", found.end())
    end = min((at for at in (close, following) if at >= 0), default=len(text))
    verdict = _VERDICT.search(text, found.end(), end)
    if verdict is None:
        return Status.PASSED, None, end
    message = next((d or s for name, d, s in _ATTRIBUTE.findall(verdict[2]) if name == "message"), None)
    return _STATUS[verdict[1].lower()], html.unescape(message)[:500] if message else None, end


def _seconds(text: str | None) -> float | None:
    return number(text) if text else None


def _outcome(section: str | None, name: str, runs: list[tuple[Status, float | None, int, str | None]]) -> TestOutcome:
    failures = sum(status is Status.FAILED for status, *_ in runs)
    passes = sum(status is Status.PASSED for status, *_ in runs)
    status, seconds, _, message = runs[-1]
    if failures:
        status = Status.FLAKY if passes else Status.FAILED
    several = len(runs) > 1
    return TestOutcome(
        *(name, status, runs[0][2], section, seconds),
        runs=len(runs) if several else None,
        failures=failures if several else None,
        message=message,
    )
