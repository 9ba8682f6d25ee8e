"""Makes the beginning of a definition from what a text says was run: a fio job, a command line, a benchmark's name.

This is the one place where a report proposes an experiment; a whole mail's other parts (patches, kernels, machines) are
added by whoever reads mails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from app.domain.report import Kind, Remark
from app.ingest.fio_job.find import Block, Intricate, blocks
from app.ingest.outputs.document import Document

JOB_SEARCH_MAX_CHARS = 2_000_000
"""Larger texts are logs, not mails."""

COMMAND_MAX_LINES = 30

_ELIDED = re.compile(r"\s*\[?(?:\.{3,}|…)\]?\s*$")
_SECTION = re.compile(r"^[ \t>|+]*\[[^\]\n]{1,80}\][ \t]*$", re.MULTILINE)
_RUN = re.compile(r"\./Run\b(?P<arguments>[^\n]*)")
_OPTION_WITH_VALUE = {"-c": "copies", "-i": "iterations"}
_MODES = {"-w": "write", "-r": "read", "": "copy"}
_FILE_TESTS = ("fstime", "fsbuffer", "fsdisk")
_TESTS = frozenset(
    [
        *(
            "dhry2reg",
            "whetstone-double",
            "syscall",
            "pipe",
            "context1",
            "spawn",
            "execl",
            "shell1",
            "shell8",
            "shell16",
        ),
        *("arithmetic", "dhry", "whets", "load", "misc", "speed", "oldsystem", "system", "fs", "shell", "index", "dc"),
        *("hanoi", "grep", "sysexec", "register", "short", "int", "long", "float", "double", "arithoh", "C", "gfx"),
        *(f"{test}{mode}" for test in _FILE_TESTS for mode in ("", "-w", "-r")),
    ]
)
_COMMAND = re.compile(r"(?:^|[\s$#/(])fio\s+(?P<arguments>--?[a-zA-Z].*)$")
_ARGUMENT = re.compile(r"--?(?P<name>[a-zA-Z][\w-]*)(?:[=\s]\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\s-][^\s]*))?")
_NOT_OF_THE_JOB = frozenset(("output", "output-format", "eta", "minimal", "append-terse", "status-interval", "version"))
_COMPILEBENCH = re.compile(r"compilebench\s+(?P<arguments>-[^\n]*)")


class Proposal(NamedTuple):
    """The part of a definition that a text gives, None where it does not say what was run; and what to mind."""

    definition: Mapping[str, Any] | None
    remarks: tuple[Remark, ...] = ()


def experiment_from(document: Document, text: str, kind: Kind | None) -> Proposal:
    """Return what a text says was run.

    A UnixBench or compilebench report proposes that benchmark; otherwise the first fio job file is taken, else the
    first fio command line.
    """
    unixbench = _unixbench(document)
    if unixbench is not None and kind in (None, "unixbench", "table", "mail"):
        return Proposal({"workload": {"unixbench": unixbench}})
    if kind == "compilebench":
        return Proposal({"workload": {"compilebench": _compilebench(document)}})
    found = _job_file(text)
    if found is not None:
        left_out = "the job file leaves out what stood here; an experiment made from it runs what is shown"
        gaps = tuple(Remark(piece.line, left_out) for piece in found.pieces if _ELIDED.match(piece.text))
        lines = [line for line in found.text.split("\n") if not _ELIDED.fullmatch(line)]
        return Proposal({"workload": {"fio": "\n".join(lines)}}, gaps)
    job = _job_of_command(document)
    if job is not None:
        return Proposal({"workload": {"fio": job}})
    return Proposal({"workload": {"unixbench": unixbench}} if unixbench is not None else None)


def _job_file(text: str) -> Block | None:
    if len(text) > JOB_SEARCH_MAX_CHARS or not (_SECTION.search(text) or "base64" in text):
        return None
    try:
        return next(iter(blocks(text)), None)
    except Intricate:
        return None


def _unixbench(document: Document) -> dict[str, Any] | None:
    found = _RUN.search(document.text)
    if found is None:
        return None
    said: dict[str, Any] = {}
    tests: list[str] = []
    modes: list[str] = []
    words = iter(found["arguments"].split())
    for word in words:
        name = next((each for each in _OPTION_WITH_VALUE if word.startswith(each)), None)
        if name is not None:
            value = word[len(name) :] or next(words, "")
            if not value.isdigit() or len(value) > 6:
                break
            said.setdefault(_OPTION_WITH_VALUE[name], int(value))
        elif word in _TESTS:
            _add_test(word, tests, modes)
        elif not word.startswith("-"):
            break
    if not tests and not said:
        return None
    return {**({"tests": tests} if tests else {}), **({"modes": modes} if modes else {}), **said}


def _add_test(word: str, tests: list[str], modes: list[str]) -> None:
    """UnixBench's `fs` is all three file tests in all three modes; a suffix names one mode, none means copying."""
    if word == "fs":
        tests += [test for test in _FILE_TESTS if test not in tests]
        modes += [mode for mode in _MODES.values() if mode not in modes]
        return
    test = next((test for test in _FILE_TESTS if word.startswith(test)), None)
    if test is None:
        tests += [word] if word not in tests else []
        return
    mode = _MODES[word[len(test) :]]
    tests += [test] if test not in tests else []
    modes += [mode] if mode not in modes else []


def _compilebench(document: Document) -> dict[str, Any]:
    found = _COMPILEBENCH.search(document.text)
    said: dict[str, Any] = {}
    if found is not None:
        for option, name in (("-i", "initial_dirs"), ("-r", "runs")):
            if value := re.search(rf"{option}\s*(\d{{1,6}})\b", found["arguments"]):
                said[name] = int(value[1])
    return said


def _job_of_command(document: Document) -> str | None:
    """Return the job file that says the same as fio's command line."""
    for arguments in _command_lines(document):
        options = [(found["name"], found["value"]) for found in _ARGUMENT.finditer(arguments)]
        names = {name for name, _ in options}
        if "name" in names and names & {"rw", "readwrite", "size", "filename", "directory", "ioengine", "bs"}:
            return _as_job(options)
    return None


def _command_lines(document: Document) -> Iterator[str]:
    """Yield fio's command lines, put together where they were continued or broken by a mailer."""
    for index, line in enumerate(document.lines):
        found = _COMMAND.search(line.text) if "fio" in line.text else None
        if found is None:
            continue
        parts = [found["arguments"]]
        for following in document.lines[index + 1 : index + COMMAND_MAX_LINES]:
            continued = parts[-1].endswith("\\")
            if not continued and not following.text.lstrip().startswith("-"):
                break
            parts[-1] = parts[-1].rstrip("\\")
            parts.append(following.text.strip())
        yield " ".join(parts)


def _as_job(options: list[tuple[str, str | None]]) -> str:
    """Options before the first --name hold for all jobs."""
    sections: list[tuple[str, list[str]]] = [("global", [])]
    first = next(at for at, (name, _) in enumerate(options) if name == "name")
    single = sum(name == "name" for name, _ in options) == 1
    for at, (name, value) in enumerate(options):
        bare = value.strip("\"'") if value is not None else None
        if name == "name":
            sections.append((bare or "job", []))
        elif name not in _NOT_OF_THE_JOB:
            into = 0 if at < first and not single else -1
            sections[into][1].append(name if bare is None else f"{name}={bare}")
    if single:
        sections = [(sections[-1][0], [*sections[0][1], *sections[-1][1]])]
    return "\n".join("\n".join([f"[{name}]", *lines]) for name, lines in sections if lines or name != "global") + "\n"
