"""Reads what xfstests' check prints, whole logs and fragments, and the flaky lists of its wrappers.

A test without a line of its own gets its status from the lists at the end (`Ran:`, `Not run:`, `Failures:`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.domain.report import Remark, Status, TestOutcome
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document

_NAME = r"(?:[a-z][a-z0-9_-]*/)?\d{3,4}"
_TEST = re.compile(rf"\s{{0,4}}(?P<name>{_NAME})(?P<gap>\s+|$)(?P<rest>.*)$")
_DECIDED = re.compile(
    r"(?:\d+(?:\.\d+)?s\s*\.{3}\s*)?(?:"
    r"(?P<expunged>\[expunged\])|(?P<notrun>\[not ?run\])"
    r"|(?P<failed>\[failed[^\]]*\]|\[[^\]]*(?:dmesg|fail)[^\]]*\]|-\s+output mismatch|_check_\w+:|.*\bis inconsistent\b"
    r"|\[oops\]|output mismatch)"
    r"|(?P<broken>-\s+no qualified output|\[broken\])"
    r"|(?:(?:\d+(?:\.\d+)?s\s*\.{3}\s*)?(?P<seconds>\d{1,9}(?:\.\d{1,9})?)\s?s)\s*$)",
    re.IGNORECASE,
)
_TRAILING_SECONDS = re.compile(r"(?:^|\s)(\d{1,9}(?:\.\d{1,9})?)s\s*$")
_SECTION = re.compile(r"\s{0,4}SECTION\s+--\s+(\S.*?)\s*$")
_LIST = re.compile(r"\s{0,4}(?P<what>Ran|Not run|Failures|Expunged)\s*:\s*(?P<names>.*)$")
_NAMES_ONLY = re.compile(rf"\s{{0,8}}{_NAME}(?:\s+{_NAME})*\s*$")
_NAMED = re.compile(_NAME)
_SUMMARY = re.compile(r"\s{0,4}(?:Failed \d+ of \d+ tests|Passed all \d+ tests)")
_CHECKED = re.compile(rf"\s*_check_\w+:.*\(see\s+\S*?(?P<name>{_NAME})\.(?:full|dmesg)\)")
_CONFIGURATION = re.compile(r"\s{0,4}(?P<section>\S+):\s+\d+ tests\b.*\b(?:seconds|s)\b")
_RATIO = re.compile(
    rf"(?P<name>{_NAME}):\s*\d+(?:\.\d+)?%\s*\((?P<failures>\d{{1,9}})/(?P<runs>\d{{1,9}})\)"
)  # fmt: skip
_WRAPPED = re.compile(r"\s+(?P<what>Flaky|Failures|Failed)\s*:\s*(?P<rest>\S.*)$")
_SIGNS = re.compile(
    r"FSTYP\s+--|\[not ?run\]|\[expunged\]|^\s{0,4}Ran:|output mismatch|_check_\w+:|Flaky:|xfstest", re.M
)


_HINT = re.compile(r"[a-z0-9]/\d{3}\b|Ran:|xfstest")


@dataclass(slots=True)
class _Run:
    """One execution of one test."""

    name: str
    line: int
    section: str | None
    status: Status | None = None
    seconds: float | None = None
    message: str | None = None


@dataclass(slots=True)
class _Log:
    runs: list[_Run] = field(default_factory=list)
    outcomes: list[TestOutcome] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    section: str | None = None
    pending: _Run | None = None
    listing: str | None = None
    listed: list[tuple[str, str, int, str | None]] = field(default_factory=list)
    started: int = 0
    """How many runs there were when the current call of check began: its lists are about those after."""
    lines: list[int] = field(default_factory=list)


def read(document: Document) -> Iterator[Block]:
    """Yield one block with the outcomes of all tests that the text is about."""
    text = document.text
    if not _HINT.search(text):
        return
    signed = bool(_SIGNS.search(text))
    if not signed and len(re.findall(rf"(?m)^\s{{0,4}}{_NAME}\s{{2,}}\d+s\s*$", text)) < 2:
        return
    log = _Log()
    for index, line in enumerate(document.lines):
        if line.text.strip() and _line(log, line.number, line.text):
            log.lines.append(index)
    _close_lists(log)
    outcomes = [*_outcomes(log), *log.outcomes]
    if not outcomes:
        return
    for index in log.lines:
        document.take(index, index + 1)
    yield Block("xfstests", log.lines[0], log.lines[-1] + 1, outcomes=outcomes, remarks=log.remarks)


def _line(log: _Log, number: int, text: str) -> bool:
    """Follow one line; whether it is check's."""
    if section := _SECTION.match(text):
        _close_lists(log)
        log.section = section[1]
        return True
    if listed := _LIST.match(text):
        log.listing = listed["what"]
        log.pending = None
        _list(log, number, listed["names"])
        return True
    if log.listing and _NAMES_ONLY.match(text):
        _list(log, number, text)
        return True
    if _SUMMARY.match(text):
        _close_lists(log)
        return True
    log.listing = None
    if configuration := _CONFIGURATION.match(text):
        log.section = configuration["section"]
        return True
    if (wrapped := _WRAPPED.match(text)) and _wrapped(log, number, wrapped):
        return True
    if (test := _TEST.match(text)) and _begin(log, number, test):
        return True
    return _continue(log, number, text)


def _list(log: _Log, number: int, names: str) -> None:
    assert log.listing is not None
    for name in _NAMED.findall(names):
        log.listed.append((log.listing, name, number, log.section))


def _begin(log: _Log, number: int, test: re.Match[str]) -> bool:
    name, rest = test["name"], test["rest"].strip()
    decided = _DECIDED.match(rest)
    plausible = "/" in name and (len(test["gap"]) > 1 or not rest)
    if decided is None and not plausible:
        return False
    if decided is None and not rest and not log.runs and not log.section:
        return False
    run = _Run(name, number, log.section)
    log.runs.append(run)
    log.pending = None
    if decided is None:
        log.pending = run
        if late := _TRAILING_SECONDS.search(rest):
            run.seconds = float(late[1])
            run.status = Status.PASSED
            log.pending = None
        return True
    _decide(run, decided, rest)
    if run.status is Status.FAILED:
        log.pending = run
    return True


def _decide(run: _Run, decided: re.Match[str], rest: str) -> None:
    for status in (Status.EXPUNGED, Status.NOTRUN, Status.FAILED, Status.BROKEN):
        if decided[status.value]:
            run.status = status
            run.message = rest[:500]
            return
    run.status = run.status or Status.PASSED
    if run.status is Status.PASSED:
        run.seconds = float(decided["seconds"])


def _continue(log: _Log, number: int, text: str) -> bool:
    """What belongs to the test whose line was cut in two by the kernel's messages, or to none."""
    if checked := _CHECKED.match(text):
        run = log.pending or next((run for run in reversed(log.runs) if run.name == checked["name"]), None)
        if run is None or run.name != checked["name"]:
            run = _Run(checked["name"], number, log.section)
            log.runs.append(run)
        run.status, run.message = Status.FAILED, run.message or text.strip()[:500]
        return True
    if log.pending is None:
        return False
    decided = _DECIDED.match(text.strip())
    if decided is None:
        return False
    _decide(log.pending, decided, text.strip())
    if log.pending.status is not Status.FAILED:
        log.pending = None
    return True


def _wrapped(log: _Log, number: int, found: re.Match[str]) -> bool:
    """The lists of wrappers: tests that failed so many times of so many."""
    ratios = list(_RATIO.finditer(found["rest"]))
    for ratio in ratios:
        failures, runs = int(ratio["failures"]), int(ratio["runs"])
        status = Status.FLAKY if 0 < failures < runs else Status.FAILED if failures else Status.PASSED
        log.outcomes.append(TestOutcome(ratio["name"], status, number, log.section, runs=runs, failures=failures))
    if ratios:
        return True
    if found["what"] == "Flaky" or not _NAMES_ONLY.match(found["rest"]):
        return False
    log.outcomes += [TestOutcome(name, Status.FAILED, number, log.section) for name in _NAMED.findall(found["rest"])]
    return True


def _close_lists(log: _Log) -> None:
    """Let the lists at the end of one call of check speak about its tests."""
    said: dict[str, dict[str, int]] = {"Ran": {}, "Not run": {}, "Failures": {}, "Expunged": {}}
    for what, name, number, _ in log.listed:
        said[what].setdefault(name, number)
    section = next((section for *_, section in log.listed), log.section)
    runs = log.runs[log.started :]
    by_name: dict[str, list[_Run]] = {}
    for run in runs:
        by_name.setdefault(run.name, []).append(run)
    if not runs:
        # check sums its sections up once more at the end
        earlier = {run.name for run in log.runs if run.section == section}
        said = {what: {n: at for n, at in names.items() if n not in earlier} for what, names in said.items()}
    for what, status in (("Failures", Status.FAILED), ("Not run", Status.NOTRUN), ("Expunged", Status.EXPUNGED)):
        for name, number in said[what].items():
            mine = by_name.get(name, [])
            if not mine:
                run = _Run(name, number, section, status)
                log.runs.append(run)
                by_name[name] = [run]
            elif status is Status.FAILED and not any(run.status is Status.FAILED for run in mine):
                mine[-1].status = Status.FAILED
            elif mine[-1].status is None:
                mine[-1].status = status
    for name, number in said["Ran"].items():
        mine = by_name.get(name, [])
        if not mine:
            log.runs.append(_Run(name, number, section, Status.PASSED))
        elif mine[-1].status is None:
            mine[-1].status = Status.PASSED
    log.listed.clear()
    log.pending = log.listing = None
    log.started = len(log.runs)


def _outcomes(log: _Log) -> list[TestOutcome]:
    """One outcome for each test of a section, however often it ran."""
    grouped: dict[tuple[str | None, str], list[_Run]] = {}
    for run in log.runs:
        if run.status is None:
            log.remarks.append(Remark(run.line, f"how {run.name} ended is not in this text"))
            continue
        grouped.setdefault((run.section, run.name), []).append(run)
    return [outcome_of(runs) for runs in grouped.values()]


def outcome_of(runs: list[_Run]) -> TestOutcome:
    """Sum up the executions of one test."""
    failures = sum(run.status is Status.FAILED for run in runs)
    last = runs[-1]
    status = last.status or Status.PASSED
    executed = [run for run in runs if run.status in (Status.FAILED, Status.PASSED)]
    if 0 < failures < len(executed):
        status = Status.FLAKY
    elif failures:
        status = Status.FAILED
    several = len(runs) > 1
    message = next((run.message for run in reversed(runs) if run.message and run.status is last.status), None)
    return TestOutcome(
        *(last.name, status, runs[0].line, last.section, last.seconds),
        runs=len(runs) if several else None,
        failures=failures if several else None,
        message=message,
    )
