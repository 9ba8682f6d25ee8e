"""What can be said of an experiment's verdict before any of its runs."""

from __future__ import annotations

from collections.abc import Iterator

from app.catalog import runners
from app.domain.experiment import Definition
from app.domain.fio import FioJobFile
from app.domain.outcome import Notice
from app.domain.plan import kind_of

PAIRS_MIN = 6
SIGNIFICANCE = 0.05
"""docs/verdicts.md: five pairs cannot reach it; a test holds both to the statistics' own."""

DIRECTIONS = ("read", "write", "trim")
_BOTH = frozenset({"rw", "readwrite", "randrw"})


def foreseen(definition: Definition, job_file: FioJobFile | None) -> Iterator[Notice]:
    """Yield what whoever is about to run this should know: sides that are the same, and too few repetitions."""
    declared: dict[str, str] = {}
    for variant in definition.variants:
        content = variant.model_dump_json(exclude={"name"})
        if content in declared:
            message = f"the variants {declared[content]} and {variant.name} declare the same: they will be equivalent"
            yield Notice(severity="warning", message=message)
        declared.setdefault(content, variant.name)
    repeat = definition.repeat
    if not isinstance(repeat, int) or len(definition.variants) < 2:
        return
    decisions = primary_rows(definition.primary, job_file) * (len(definition.variants) - 1)
    decisions *= len(definition.runners)
    needed = PAIRS_MIN
    while decisions * 2.0 ** (1 - needed) >= SIGNIFICANCE:
        needed += 1
    if repeat < needed:
        exact = all(_is_deterministic(choice.runner) for choice in definition.runners)
        told = "can at most speak of the seeds that ran" if exact else "will be inconclusive"
        many = f"{decisions} primary comparisons need" if decisions > 1 else "a primary comparison needs"
        message = f"{many} {needed} repetitions to be told from chance; with {repeat} the answer {told}"
        yield Notice(severity="warning", message=message)


def _is_deterministic(runner: str) -> bool:
    ability = runners.ABILITIES.get(kind_of(runner))
    return ability is not None and ability.deterministic


def primary_rows(primary: tuple[str, ...], job_file: FioJobFile | None) -> int:
    """Return how many rows of one comparison will decide, 1 at least.

    Jobs that fio reports apart have rows of their own. Without named metrics the total of mixed jobs decides if there
    is one, else each direction's rate (app/analysis/primary.py).
    """
    if job_file is None:
        return max(1, len(primary))
    reported: dict[str, set[str]] = {}
    for job in job_file.jobs:
        name = "" if job.options.get("group_reporting") else job.name
        reported.setdefault(name, set()).update(_directions(str(job.options.get("rw", "read"))))
    totals = [name for name, directions in reported.items() if len(directions) > 1]
    if not primary:
        return max(1, len(totals) or sum(len(directions) for directions in reported.values()))
    rows = 0
    for metric in primary:
        direction = metric.partition(".")[0]
        if direction == "total":
            rows += len(totals)
        elif direction in DIRECTIONS:
            rows += sum(direction in directions for directions in reported.values())
        else:
            rows += 1
    return max(1, rows)


def _directions(rw: str) -> set[str]:
    pattern = rw.partition(":")[0]
    if pattern in _BOTH:
        return {"read", "write"}
    if pattern == "trimwrite":
        return {"trim", "write"}
    return {pattern.removeprefix("rand")}
