"""Compares measured runs as their definition asks: one way for the server and for the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.analysis.compare import compare
from app.analysis.stopping import settled
from app.catalog import runners
from app.domain.comparison import Comparison, MeasuredRun, StageTime
from app.domain.experiment import Definition, RunnerChoice, Variant
from app.domain.plan import AUTO_LOOKS, next_look


def compared_as_defined(definition: Definition, measured: Sequence[MeasuredRun]) -> Comparison:
    """Return the comparison against the first variant, by the definition's primary metrics, threshold and order."""
    compared = compare(
        measured,
        baseline=definition.variants[0].name,
        primary=definition.primary,
        threshold_percent=definition.threshold_percent,
        deterministic=runners.deterministic([choice.runner for choice in definition.runners]),
        order=definition.order,
        declared=declared_keys(definition),
        looks=len(AUTO_LOOKS) if definition.repeat == "auto" else 1,
    )
    return compared.model_copy(update={"placebo": _is_placebo(definition)})


def _is_placebo(definition: Definition) -> bool:
    declared = {variant.model_dump_json(exclude={"name"}) for variant in definition.variants}
    return len(definition.variants) > 1 and len(declared) == 1


def repeat_wanted(definition: Definition, repeat: int, comparison: Comparison) -> int | None:
    """Return how many replicates an experiment should have next, None where it is over."""
    if definition.repeat != "auto" or settled(comparison):
        return None
    return next_look(repeat)


def stage_times(stages: Iterable[Mapping[str, Any]]) -> tuple[StageTime, ...]:
    """Return what a comparison needs of a run's stages, as they are stored."""
    return tuple(StageTime(**{name: stage[name] for name in StageTime.model_fields}) for stage in stages)


def declared_keys(definition: Definition) -> frozenset[str]:
    """Return the parts of a run's environment in which the definition lets its runs differ.

    A variant, a runner or the matrix that changes anything of a device changes the device; what is built for a patch is
    another kernel.
    """
    changed = {key.partition(".")[0] for key in definition.matrix}
    parts: list[Variant | RunnerChoice] = [*definition.variants, *definition.runners]
    for part in parts:
        changed |= {name for name in ("machine", "device", "filesystem", "sysctl") if getattr(part, name)}
        changed |= {"kernel"} if part.kernel is not None else set()
    for variant in definition.variants:
        changed |= {"mechanisms"} if variant.mechanisms else set()
        changed |= {"kernel"} if variant.patches else set()
    return frozenset(changed | ({"scheduler", "queue"} if "device" in changed else set()))
