"""Whether two sides may be compared at all: what differs between them beyond the change that was declared.

An environment is what a run says of where it ran, nested mappings of plain values. A difference that the definition
declares is the experiment. Any other is told, and one that is known to change figures bars the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.domain.comparison import MeasuredRun

BARRING: Mapping[str, str] = {
    "host": "two hosts are two experiments",
    "simulator": "two versions of the simulator may give other figures for the same definition",
    "qemu": "two versions of QEMU may execute the same instructions in other times",
    "kernel": "the kernels differ in more than what is declared",
    "fio": "two versions of fio measure differently",
    "clocksource": "the clock decides what a latency is",
    "mitigations": "mitigations change the cost of every system call",
    "governor": "the processors did not run alike",
    "cpu": "the processors differ",
    "memory_bytes": "the memory differs",
}
"""The first part of a key that bars a verdict when it differs undeclared, and why."""

DEBUG_KEY = "kernel.debug"
DEBUG_WHY = "debug options make some paths many times slower than others, so a ratio says nothing about real kernels"
"""A list of such options (CONFIG_PROVE_LOCKING, CONFIG_KASAN, …) in the environment of any run bars the verdict."""

VALUES_SHOWN = 3
NOTES_MAX = 20


class Guard(NamedTuple):
    """What stands against a verdict, and what a reader has to know besides."""

    bars: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def guard(runs: Sequence[MeasuredRun], declared: frozenset[str] = frozenset()) -> Guard:
    """Return what differs between the runs of one runner beyond `declared` (keys, or their beginnings up to a dot)."""
    found = [_of_one_runner([run for run in runs if run.runner == name], declared) for name in _runners(runs)]
    bars = dict.fromkeys(bar for one in found for bar in one.bars)
    notes = dict.fromkeys(note for one in found for note in one.notes)
    return Guard(tuple(bars)[:NOTES_MAX], tuple(notes)[:NOTES_MAX])


def _runners(runs: Sequence[MeasuredRun]) -> Iterable[str | None]:
    return dict.fromkeys(run.runner for run in runs)


def _of_one_runner(runs: Sequence[MeasuredRun], declared: frozenset[str]) -> Guard:
    environments = [(run.variant, dict(_flat(run.environment))) for run in runs if run.failed is None]
    bars: list[str] = []
    notes: list[str] = []
    debugging = sorted({str(value) for _, entries in environments for value in _debug_options(entries)})
    if debugging:
        bars.append(f"the kernel was built with {', '.join(debugging)}: {DEBUG_WHY}")
    for key in dict.fromkeys(key for _, entries in environments for key in entries):
        if key.startswith(DEBUG_KEY) or _is_declared(key, declared):
            continue
        values: dict[str, set[str]] = {}
        for variant, entries in environments:
            values.setdefault(str(entries.get(key, "nothing")), set()).add(variant)
        if len(values) < 2:
            continue
        why = BARRING.get(key.partition(".")[0])
        said = f"{key} differs: {_shown(values)}"
        if why is None:
            notes.append(said)
        else:
            bars.append(f"{said}; {why}")
    return Guard(tuple(bars), tuple(notes))


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _flat(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", inner


def _debug_options(entries: Mapping[str, Any]) -> Iterable[Any]:
    found = entries.get(DEBUG_KEY, ())
    return found if isinstance(found, list | tuple) else (found,)


def _is_declared(key: str, declared: frozenset[str]) -> bool:
    parts = key.split(".")
    return any(".".join(parts[: count + 1]) in declared for count in range(len(parts)))


def _shown(values: Mapping[str, set[str]]) -> str:
    said = [f"{value[:60]} ({', '.join(sorted(variants)[:VALUES_SHOWN])})" for value, variants in values.items()]
    more = f" and {len(said) - VALUES_SHOWN} more" if len(said) > VALUES_SHOWN else ""
    return ", ".join(said[:VALUES_SHOWN]) + more
