"""Reads the lines of fio's run status groups: `READ: bw=…, io=…, run=…`, the totals of a group of jobs."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.metric import Better
from app.domain.report import Remark, Result
from app.ingest.outputs import fio_lines
from app.ingest.outputs.fio_rates import settle


@dataclass(frozen=True, slots=True)
class Status:
    """One such line, of one direction."""

    group: int
    direction: str
    text: str
    line: int


def total(status: Status, *, grouped: bool) -> tuple[list[Result], list[Remark]]:
    """Return what a line says, without a job's name; its group only where it stood under a group's heading."""
    said = fio_lines.rates(status.text)
    group = status.group if grouped else None
    results: list[Result] = []
    remarks: list[Remark] = []

    def add(name: str, value: float | None, unit: str, better: Better) -> None:
        if value is not None:
            metric = f"{status.direction}.{name}"
            results.append(Result(metric, value, unit, better, status.line, group=group))

    if said.rates:
        rate, why = settle(said.rates, said.io, said.runtime_ns, None)
        if why:
            remarks.append(Remark(status.line, f"{status.direction}: {why}"))
        add("bw", rate, "B/s", Better.HIGHER)
    add("io", said.io, "B", Better.HIGHER)
    if said.runtime_ns is not None and said.runtime_min_ns in (None, said.runtime_ns):
        add("runtime", said.runtime_ns, "ns", Better.LOWER)
    elif said.runtime_ns is not None:
        metric = f"{status.direction}.runtime"
        ends = (said.runtime_min_ns, said.runtime_ns)
        results.append(
            Result(metric, None, "ns", Better.LOWER, status.line, group=group, n=None, min=ends[0], max=ends[1])
        )
    return results, remarks
