"""From the text of a job file to its jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from app.catalog import fio_options
from app.catalog.fio_options import FioOptionSpec
from app.domain.diagnostic import Diagnostic
from app.domain.fio import FioJob, FioJobFile, FioOption
from app.ingest.fio_job.checks import Earlier, check
from app.ingest.fio_job.forms import examine, splits
from app.ingest.fio_job.lines import Findings, Line, Reader, Section
from app.ingest.fio_job.machine import filled_in, has_word
from app.ingest.fio_job.paths import command_line_option, is_device, judge, split_names
from app.ingest.fio_job.value import Understood, understand

MAX_TEXT_CHARS = 4_000_000  # the largest real job files have some thousand lines
MAX_SETTINGS = 200_000  # options of all jobs together, inherited ones counted in each: bounds memory and the answer
MAX_SUGGESTIONS = 20  # looking for the closest name takes milliseconds, and a wrong file has thousands

_SHELL_WORD = re.compile(r"\$(\w+)", re.ASCII)
_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_NUMBERS: Mapping[str, int] = MappingProxyType({})
_ORDER = {"error": 0, "warning": 1, "info": 2}


def parse(
    text: str,
    *,
    files: Mapping[str, str] = _NOTHING,
    environment: Mapping[str, str] = _NOTHING,
    machine: Mapping[str, int] = _NO_NUMBERS,
) -> FioJobFile:
    """Read a job file as fio 3.33 does.

    `files` holds what `include` and the other options that read a file may name, `environment` what `${NAME}` means,
    `machine` the numbers for `$ncpus`, `$mb_memory` and `$pagesize` (without them such a value stays text).
    Never raises: what is not understood is a diagnostic with line and column, and the rest is read all the same.
    """
    findings = Findings()
    if len(text) > MAX_TEXT_CHARS:
        findings.add("error", 1, 1, f"a job file of more than {MAX_TEXT_CHARS} characters")
        return FioJobFile((), tuple(findings.items))
    sections = Reader(files, environment, findings).sections(text)
    jobs = _Jobs(files, machine, findings).of(sections)
    if not jobs and not any(d.severity == "error" for d in findings.items):
        findings.add("error", 1, 1, "no section but [global], so there is no job" if sections else "no [section]")
    return FioJobFile(tuple(jobs), tuple(sorted(findings.items, key=_place)))


def _place(diagnostic: Diagnostic) -> tuple[int, int, int]:
    return diagnostic.line, diagnostic.column, _ORDER[diagnostic.severity]


class _Jobs:
    """Puts the jobs of one file together, section by section."""

    def __init__(self, files: Mapping[str, str], machine: Mapping[str, int], findings: Findings) -> None:
        self.files, self.machine, self.findings = files, machine, findings
        self.devices: set[str] = set()
        self.suggested = 0

    def of(self, sections: list[Section]) -> list[FioJob]:
        inherited: dict[str, FioOption] = {}
        jobs: list[FioJob] = []
        earlier = Earlier()
        count = 0
        for section in sections:
            settings = dict(inherited)
            if not section.is_global:
                settings.pop("name", None)  # fio gives each job the name of its section first
            self.apply(section, settings)
            if section.is_global:
                inherited = settings
                continue
            count += len(settings)
            if count > MAX_SETTINGS:
                self.findings.add("error", section.line, section.column, f"more than {MAX_SETTINGS} options in all")
                break
            name = str(settings["name"].value) if "name" in settings else section.name
            jobs.append(FioJob(name, section.name, section.line, _in_bytes(settings)))
            for finding in check(jobs[-1], earlier):
                option = settings.get(finding.option)
                line, column = (option.line, option.column) if option else (section.line, section.column)
                self.findings.add(finding.severity, line, column, finding.message)
            earlier.add(jobs[-1])
        return jobs

    def apply(self, section: Section, settings: dict[str, FioOption]) -> None:
        """Add the section's options to what it inherits: those of all jobs first, then the engine's, as fio does."""
        before = _engine(settings)
        engine_lines: list[Line] = []
        for line in sorted(section.options, key=_priority):
            spec = fio_options.find(line.name, "")
            if spec is None:
                engine_lines.append(line)
            else:
                self.set(spec, line, settings)
        engine = _engine(settings)
        if engine != before:
            for name in [name for name in settings if fio_options.find(name, "") is None]:
                del settings[name]  # the options of an engine end with it
        for line in engine_lines:
            spec = fio_options.find(line.name, engine)
            if spec is None:
                self.findings.add("error", line.line, line.column, self.unknown(line.name, engine))
            else:
                self.set(spec, line, settings)

    def set(self, spec: FioOptionSpec, line: Line, settings: dict[str, FioOption]) -> None:
        column = line.value_column if line.text is not None else line.column
        base = settings.get("kb_base")
        # a keyword such as $ncpus stays text where nothing is known of the machine
        kb_base = base.value if base and not spec.engine and isinstance(base.value, int) else 1024
        understood = self.understood(spec, line, kb_base)
        value = understood.value
        target = None
        if value is not None:
            target, remarks = judge(spec.name, value, self.files)
            understood.remarks += remarks
            self.tell_shared_device(spec, line, settings, understood)
        if spec.name in fio_options.PROFILE_OPTIONS:
            profile = fio_options.PROFILE_OPTIONS[spec.name]
            hint = "; for threads instead of processes write thread" if spec.name == "threads" else ""
            understood.say("warning", f"{spec.name} belongs to the profile {profile} and does nothing in a job{hint}")
        for severity, message in dict.fromkeys(understood.remarks):
            self.findings.add(severity, line.line, column, message)
        if value is None:
            return
        before = settings.pop(spec.name, None)
        parts = understood.parts
        if before and None in parts and len(before.parts) == len(parts):
            parts = tuple(old if new is None else new for new, old in zip(parts, before.parts, strict=True))
        mixes = splits(spec.name, line.text, kb_base) if line.text else ()
        settings[spec.name] = FioOption(spec.name, value, line.text or "", line.line, line.column, parts, mixes, target)
        self.undo_inverse(spec.name, settings)

    def understood(self, spec: FioOptionSpec, line: Line, kb_base: int) -> Understood:
        text = line.text
        if line.open and text is not None:
            return Understood(value=text.strip())
        if text is not None and has_word(text):
            calculated = filled_in(text, self.machine)
            if calculated is None:
                out = Understood(value=text.strip())
                problem = "depends on the machine" if not self.machine else "cannot be calculated"
                out.say("info" if not self.machine else "error", f"'{text.strip()}' {problem}")
                return out
            text = calculated
        out = understand(spec, text, kb_base)
        if out.value is None and text and (word := _SHELL_WORD.search(text)):
            out = Understood(value=text.strip())
            out.say("error", f"fio knows no {word[0]}; a variable is written ${{{word[1]}}} and set under environment")
            return out
        if text and out.value is not None:
            out.remarks += examine(spec.name, text, kb_base)
        return out

    def tell_shared_device(
        self, spec: FioOptionSpec, line: Line, settings: Mapping[str, FioOption], out: Understood
    ) -> None:
        if spec.name != "filename" or not line.text:
            return
        before = settings.get("filename")
        if before and before.value != out.value:
            out.say("warning", f"fio adds this to filename={before.value} of line {before.line}: the job uses both")
        devices = {path for path in split_names(line.text) if is_device(path)}
        self.devices |= devices
        if devices and len(self.devices) > 1:
            out.say("warning", f"{len(self.devices)} devices are mapped to the experiment's one device")

    def undo_inverse(self, name: str, settings: dict[str, FioOption]) -> None:
        """Drop the setting that this one contradicts: buffered=1 undoes direct=1, rwmixwrite=70 undoes rwmixread=50."""
        other = settings.get(fio_options.INVERSES.get(name, ""))
        if other is None:
            return
        mine = settings[name]
        if isinstance(mine.value, bool):
            agree = mine.value != other.value
        else:
            agree = isinstance(mine.value, int) and isinstance(other.value, int) and mine.value + other.value == 100
        if not agree:
            del settings[other.name]
            message = f"{name} undoes {other.name} of line {other.line}"
            self.findings.add("warning", mine.line, mine.column, message)

    def unknown(self, name: str, engine: str) -> str:
        if reason := command_line_option(name):
            return reason
        if version := fio_options.NEWER_OPTIONS.get(name):
            return f"{name} came with fio {version}; jobs here run with 3.33"
        if owners := fio_options.engines_with(name):
            return f"{name} is an option of {', '.join(owners)}; the engine here is {engine}"
        message = f"unknown option '{name[:60]}'"
        self.suggested += 1
        close = fio_options.closest(name, engine) if self.suggested <= MAX_SUGGESTIONS else ()
        return f"{message}; did you mean {', '.join(close)}?" if close else message


def _priority(line: Line) -> bool:
    return line.name not in fio_options.READ_FIRST


def _engine(settings: Mapping[str, FioOption]) -> str:
    return str(settings["ioengine"].value) if "ioengine" in settings else fio_options.DEFAULT_ENGINE


def _in_bytes(settings: dict[str, FioOption]) -> dict[str, FioOption]:
    """Turn numbers of zones (`offset=4z`) into bytes where the job says how large a zone is."""
    size = settings.get("zonesize")
    if size is None or not isinstance(size.value, int):
        return settings
    return {
        name: replace(option, value=int(option.value[:-1]) * size.value)
        if isinstance(option.value, str) and option.value[:-1].isdecimal() and option.value.endswith("z")
        else option
        for name, option in settings.items()
    }
