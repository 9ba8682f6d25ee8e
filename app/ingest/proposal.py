"""Writes the definition that a report proposes, as the text that its reader goes on with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from app.catalog import runners
from app.domain.report import Report

NAME_MAX_CHARS = 100
VARIANTS_MAX = 4
"""More sides than these are a sweep, which a matrix says better."""

SIDES_DIFFER_IN = (
    "# the text names these sides; say in each what makes it different here (device, sysctl, mechanisms, …)"
)

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def definition_text(report: Report, title: str) -> str | None:
    """Return the definition (YAML) of the experiment that a text describes, None where it does not say what was run.

    The text knows the workload and the names of its sides; device, runner and what the sides differ in stand as they
    do in a blank definition, for the reader to fill in.
    """
    if report.experiment is None or (runner := _runner_of(report.experiment)) is None:
        return None
    document: dict[str, Any] = {
        "title": title[:400],
        "runner": runner,
        "device": {"profile": "nvme-flash", "scheduler": "none"},
        **_with_block_scalars(report.experiment),
        "variants": [{"name": name} for name in _names(report)],
        "repeat": 10,
    }
    written = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1000)
    return written.replace("\nvariants:\n", f"\n{SIDES_DIFFER_IN}\nvariants:\n", 1)


def _runner_of(experiment: Mapping[str, Any]) -> str | None:
    """The first runner that measures or models such a workload; None where this version has none."""
    workloads = experiment.get("workload")
    kinds = set(workloads) if isinstance(workloads, Mapping) else set()
    able = (ability.kind for ability in runners.ABILITIES.values() if ability.kind != "noop")
    return next((kind for kind in able if kinds & set(runners.ABILITIES[kind].workloads)), None)


def _names(report: Report) -> list[str]:
    names = ["before", "after"]
    if report.pairing is not None:
        variants = [report.pairing.baseline, *(side.variant for side in report.pairing.sides if side.variant)]
        names = [_CONTROL.sub(" ", name)[:NAME_MAX_CHARS] for name in dict.fromkeys(variants)]
    return names[:VARIANTS_MAX] if len(names) > 1 else ["before", "after"]


class _Block(str):
    """Text that stands as a block under its key."""


class _Dumper(yaml.SafeDumper):
    """Writes job files as blocks, so that they look as they did."""


def _as_block(dumper: yaml.SafeDumper, text: _Block) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")


_Dumper.add_representer(_Block, _as_block)


def _with_block_scalars(experiment: Mapping[str, Any]) -> dict[str, Any]:
    workload = experiment.get("workload")
    if not isinstance(workload, Mapping) or not isinstance(workload.get("fio"), str):
        return dict(experiment)
    lines = (line.expandtabs().rstrip() for line in str(workload["fio"]).splitlines())
    return {**experiment, "workload": {**workload, "fio": _Block("\n".join(lines) + "\n")}}
