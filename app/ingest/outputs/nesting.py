"""Reads headings on two levels: `Before` and `After` above are the sides, what stands below them names the jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.ingest.outputs.block import Block
from app.ingest.outputs.labels import Label, Side, side_of


def with_outer_sides(
    blocks: Sequence[Block], labels: Mapping[int, Label | None], headings: Mapping[int, Label]
) -> tuple[dict[int, Label | None], dict[int, str]]:
    """Return the labels with the sides that stand a level above them, and the jobs that the inner ones name then.

    All are by `id` of the block. Nothing changes unless a before and an after stand above labels that name no side.
    """
    outer: dict[int, Label] = {}
    current: Label | None = None
    nested: list[Label] = []
    for block in blocks:
        label = labels.get(id(block))
        if label is None:
            continue
        heading = headings.get(id(block))
        if side_of(label.text) is not None:
            current = None
        elif heading is not None and side_of(heading.text) is not None:
            current = heading
            nested.append(heading)
        if current is not None:
            outer[id(block)] = current
    sides = {side_of(label.text) for label in nested}
    sides |= {side_of(label.text) for label in labels.values() if label is not None and nested}
    if not nested or not {Side.BEFORE, Side.AFTER} <= sides:
        return dict(labels), {}
    jobs = {key: label.text for key in outer if (label := labels[key]) is not None}
    return {**labels, **outer}, jobs
