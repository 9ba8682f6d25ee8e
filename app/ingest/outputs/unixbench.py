"""Reads reports of UnixBench 4, 5 and 6: index tables, raw result lines, lists of results, flattened or rewrapped ones.

A test is found by its name and whatever figures follow the name, so that lost line breaks do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from app.domain.metric import UNIXBENCH_TOTALS, Better, UnknownMetric, metric_named
from app.domain.report import Remark, Result
from app.ingest.outputs import unixbench_index
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.placed_text import PlacedText
from app.ingest.outputs.quantity import number

_S = r"\s+"
_NAMES = (
    r"Dhrystone 2 using register variables|Dhrystone 2 without register variables|Double-Precision Whetstone"
    r"|Execl Throughput(?: Test)?|File (?:Copy|Read|Write) \d+ bufsize \d+ maxblocks|Pipe Throughput"
    r"|Pipe-based Context Switching(?: Test)?|Process Creation|Shell Scripts \(\d+ concurrent\)|System Call Overhead"
    r"|C Compiler Throughput|Dc: sqrt\(2\) to 99 decimal places|Recursion Test--Tower of Hanoi"
    r"|Arithmetic Test \(type = [a-z]+\)|Arithoh|[23]D graphics: [a-z ]+"
)
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_TEST = re.compile(
    rf"(?P<progress>\b\d+{_S}x{_S})?\b(?P<name>{_NAMES.replace(' ', _S)})(?P<colon>\s*:)?"
    rf"(?:{_S}(?P<numbers>{_NUMBER}(?:{_S}{_NUMBER}){{0,12}}))?"
    rf"(?:\s*(?P<unit>KBps|lps|lpm|MWIPS|score|fps)\b)?"
    rf"(?:\s*\(\s*(?P<seconds>{_NUMBER})\s*s(?:ecs?)?\s*,\s*(?P<samples>\d+)\s*samples?\s*\))?"
)
_MARK = re.compile(
    rf"(?P<begin>BYTE UNIX Benchmarks|Benchmark Run:|INDEX VALUES"
    rf"|System Benchmarks (?:Partial )?Index(?: Values)?{_S}BASELINE)"
    rf"|(?P<cpus>(?P<of>\d+) CPUs? in system[;,]{_S}running{_S}(?P<parallel>\d{{1,9}}){_S}parallel{_S}cop(?:y|ies))"
    rf"|(?P<total>System{_S}Benchmarks{_S}Index{_S}Score(?:{_S}\(Partial{_S}Only\))?|FINAL{_S}SCORE)"
    # two scores on a line are the sides of somebody's table
    rf"{_S}(?P<score>{_NUMBER})(?![\d.,]*[ \t]+\d[\d.,]*(?![\d.,]|[ \t]+CPU))"
    rf"|(?P<command>\./Run\b(?:[ \t]+[\w/.-]+)*)"
)
_SIGNS = ("maxblocks", "UNIX Bench", "Benchmarks", "Whetstone", "Dhrystone", "Throughput", "Creation", "Overhead",
          "Shell Scripts", "Switching", "FINAL")  # fmt: skip
_PREAMBLE = re.compile(
    r"BYTE UNIX|Version \d|System\s*(?:--|:)|OS:|Machine:|Language:|CPU \d+:|Start Benchmark|Benchmark Run:"
    r"|INDEX VALUES|"
    r"\d+ interactive|\d\d:\d\d:\d\d up|/\S+.*\d+%|\d+ CPUs? in|[-=]{10,}$|System Benchmarks|TEST\s+BASELINE|BASELINE|"
    r"/bin/sh|x86|Hyper|\d+ x |Use of unin|make|#|Use directories|\*|End Benchmark|$"
)
_COPIES = re.compile(r"-c[ \t]*(\d+)")
PREAMBLE_MAX_LINES = 60


class _Test(NamedTuple):
    """One mention of a test with figures."""

    name: str
    value: float
    baseline: float | None
    indexed: float | None
    unit: str | None
    start: int
    end: int


@dataclass(slots=True)
class _Section:
    """One run of UnixBench, or one list of its results."""

    start: int
    end: int
    copies: int | None
    tests: list[_Test] = field(default_factory=list)
    total: tuple[str, float, int] | None = None
    unread: list[tuple[str, int]] = field(default_factory=list)
    """Tests whose figures are no result of UnixBench's, and where they stand."""


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each run of UnixBench that the text shows."""
    if not any(sign in document.text for sign in _SIGNS):
        return
    placed = PlacedText(document)
    for section in _sections(placed.text):
        first, last = placed.index_at(section.start), placed.index_at(section.end - 1)
        block = Block("unixbench", _preamble_start(document, first), last + 1)
        block.prefix = _TABLE_HEAD.sub(" ", placed.before_on_line(section.start))
        _fill(block, section, placed)
        document.take(block.start, block.end)
        yield block


def _preamble_start(document: Document, first: int) -> int:
    start = first
    for index in range(first - 1, max(-1, first - PREAMBLE_MAX_LINES), -1):
        text = document.lines[index].text.strip()
        if document.taken[index] or not _PREAMBLE.match(text):
            break
        if text and not set(text) <= set("-="):
            start = index
    return start


def _sections(text: str) -> Iterator[_Section]:
    events: list[tuple[int, re.Match[str]]] = [(found.start(), found) for found in _MARK.finditer(text)]
    events += [(found.start(), found) for found in _TEST.finditer(text)]
    events.sort(key=lambda event: event[0])
    section: _Section | None = None
    copies: int | None = None
    seen_end = 0
    for start, found in events:
        if found.re is _TEST:
            test = _test(found)
            if test is None:
                if section is not None and found["numbers"] and not _somebody_spoke(text[seen_end:start]):
                    section.unread.append((" ".join(found["name"].split()), start))
                    seen_end = found.end()
                continue
            if section is not None and (
                section.total is not None or _known(section, test) or _somebody_spoke(text[seen_end:start])
            ):
                yield section
                section = None
            section = section or _Section(start, test.end, copies)
            section.tests.append(test)
            section.end = seen_end = test.end
            continue
        kind = found.lastgroup if found.lastgroup in ("begin", "cpus", "command") else "total"
        if kind == "total":
            name = " ".join(found["total"].split())
            if section is not None and section.total is None and not _somebody_spoke(text[seen_end:start]):
                section.total = (name, number(found["score"]) or 0.0, start)
                section.end = seen_end = found.end()
            elif number(found["score"]):
                if section is not None:
                    yield section
                section = _Section(start, found.end(), copies, total=(name, number(found["score"]) or 0.0, start))
                seen_end = found.end()
            continue
        if kind == "begin" and section is not None and ("Index" in found[0] or "INDEX" in found[0]):
            continue  # the index table of the run whose lines stand above it
        if section is not None:
            yield section
            section = None
        if kind == "cpus":
            copies = int(found["parallel"])
        elif kind == "command":
            said = _COPIES.findall(found[0])
            copies = int(said[0]) if len(said) == 1 and len(said[0]) < 6 else None
        else:
            copies = copies if "Benchmark Run" not in found[0] and "BYTE" not in found[0] else None
    if section is not None:
        yield section


def _test(found: re.Match[str]) -> _Test | None:
    if found["progress"] or not found["numbers"]:
        return None
    name = " ".join(found["name"].split())
    figures = [value for each in found["numbers"].split() if (value := number(each)) is not None]
    known = unixbench_index.BASELINES.get(name)
    end = found.end()
    if len(figures) == 3 and figures[1] and (figures[0] == known or _is_index(*figures)):
        return _Test(name, figures[1], figures[0], figures[2], found["unit"], found.start(), end)
    if len(figures) == 2 and known is not None and figures[0] == known:
        return _Test(name, figures[1], figures[0], None, found["unit"], found.start(), end)
    if len(figures) == 1:
        return _Test(name, figures[0], None, None, found["unit"], found.start(), end)
    return None


def _is_index(baseline: float, result: float, index: float) -> bool:
    """Whether three figures are a baseline, a result and an index of any version (4.0 took no factor of ten)."""
    if not baseline or not result:
        return False
    expected = result / baseline
    return any(abs(index - factor * expected) <= 0.2 * factor * expected + 0.1 for factor in (10.0, 1.0))


def _known(section: _Section, test: _Test) -> bool:
    """Whether a test begins another run: the same one with another result."""
    same = [other for other in section.tests if other.name == test.name]
    if not same:
        return False
    other = same[-1]
    repeated = (other.indexed is None) != (test.indexed is None)
    return not repeated or abs(other.value - test.value) > 0.001 * max(other.value, test.value)


_RULES = re.compile(r"[-=~_*#|+\s]*")
_TABLE_HEAD = re.compile(
    r"TEST\s+BASELINE\s+RESULT\s+INDEX|INDEX VALUES"
    r"|System Benchmarks (?:Partial )?Index(?: Values)?\s+BASELINE\s+RESULT\s+INDEX"
    r"|BASELINE\s+RESULT\s+INDEX|\d+\s+x\s+[^\n]*|\.\.\.|[^\n]*\(no measured results\)|(?:KBps|lps|lpm|MWIPS)"
)


def _somebody_spoke(between: str) -> bool:
    """Whether there are words between two figures that are not the table's own."""
    if len(between) > 2000:
        return True
    rest = _TABLE_HEAD.sub(" ", between)
    words = _RULES.sub(" ", rest).split()
    return any(any(sign.isalpha() for sign in word) for word in words)


def _fill(block: Block, section: _Section, placed: PlacedText) -> None:
    merged: dict[str, _Test] = {}
    for test in section.tests:
        other = merged.get(test.name)
        merged[test.name] = test if other is None else _both(other, test)
    for test in merged.values():
        line = placed.line_at(test.start)
        unit, better = _unit_of(test)
        block.results.append(Result(test.name, test.value, unit, better, line, copies=section.copies))
        if test.indexed is not None:
            _check_index(block, test, line)
            block.results.append(
                Result(f"{test.name} index", test.indexed, "index", Better.HIGHER, line, copies=section.copies)
            )
    for name, at in section.unread:
        if at < section.end:
            block.remarks.append(Remark(placed.line_at(at), f"{name}: its figures are not understood; it is not read"))
    if section.total is not None:
        name, value, at = section.total
        block.results.append(Result(name, value, "index", Better.HIGHER, placed.line_at(at), copies=section.copies))
        _check_score(block, name, value, list(merged.values()), placed.line_at(at))


def _both(first: _Test, second: _Test) -> _Test:
    """A raw line and a line of the index table about the same result."""
    indexed = first if first.indexed is not None else second
    return indexed._replace(unit=first.unit or second.unit, start=first.start)


def _unit_of(test: _Test) -> tuple[str, Better]:
    try:
        metric = metric_named(test.name)
    except UnknownMetric:
        return test.unit or "", Better.HIGHER
    return test.unit or metric.unit, metric.better


def _check_index(block: Block, test: _Test, line: int) -> None:
    assert test.indexed is not None
    assert test.baseline
    known = unixbench_index.BASELINES.get(test.name)
    if known is not None and test.baseline != known:
        message = f"{test.name}: the baseline {test.baseline:g} is not UnixBench's, {known:g}"
        block.remarks.append(Remark(line, message))
    computed = unixbench_index.index(test.value, test.baseline)
    rounding = 0.051 + unixbench_index.index(0.051, test.baseline)
    if abs(computed - test.indexed) > rounding and abs(computed / 10 - test.indexed) > rounding:
        message = f"{test.name}: the index {test.indexed:g} should be {computed:.1f} for {test.value:g}"
        block.remarks.append(Remark(line, message))


def _check_score(block: Block, name: str, value: float, tests: list[_Test], line: int) -> None:
    indexes = [test.indexed for test in tests if test.indexed]
    if not indexes:
        return
    computed = unixbench_index.score(indexes)
    if abs(computed - value) > 0.06 + 0.0005 * value:
        message = f"{name}: {value:g} printed, but the {len(indexes)} indexes shown give {computed:.1f}"
        block.remarks.append(Remark(line, message))
    if name == UNIXBENCH_TOTALS[0] and len(indexes) < unixbench_index.FULL_INDEX_TESTS:
        message = f"{name}: {len(indexes)} of {unixbench_index.FULL_INDEX_TESTS} tests are shown"
        block.remarks.append(Remark(line, message))
