"""Takes fio's reports of a run while it runs (`--status-interval`) for one run: each holds what those before held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.domain.report import Remark
from app.ingest.outputs.block import Block
from app.ingest.outputs.labels import Label


def without_snapshots(blocks: Sequence[Block], labels: Mapping[int, Label | None]) -> list[Block]:
    """Return the blocks with only the last report of each run, and a remark where there were others.

    Reports are of one run where the processes are the same, or the later one began before the earlier was printed, and
    no total has shrunk. `labels` are by `id` of the block.
    """
    kept: list[Block] = []
    counts: dict[int, tuple[int, int]] = {}
    place: int | None = None
    for block in blocks:
        earlier = kept[place] if place is not None else None
        if place is not None and earlier is not None and _goes_on(earlier, block, labels):
            first, count = counts.pop(id(earlier), (earlier.results[0].line, 1))
            counts[id(block)] = (first, count + 1)
            block.heading = earlier.heading
            block.remarks = [*earlier.remarks, *block.remarks]
            kept[place] = block
        else:
            if block.results:
                place = len(kept)
            kept.append(block)
    for block in kept:
        if id(block) in counts:
            first, count = counts[id(block)]
            message = f"from here on fio reports one run {count} times while it runs; the last report is read"
            block.remarks.append(Remark(first, message))
    return kept


def _goes_on(earlier: Block, later: Block, labels: Mapping[int, Label | None]) -> bool:
    if not earlier.processes or earlier.processes != later.processes or not later.results:
        return False
    one, other = labels.get(id(earlier)), labels.get(id(later))
    if (one.text if one else None) != (other.text if other else None):
        return False
    if earlier.printed_ms is not None and later.printed_ms is not None:
        # a run that follows begins when the one before is over; half of that one's time is more than any rounding
        started = later.printed_ms - _runtime_ms(later)
        if not started < earlier.printed_ms - _runtime_ms(earlier) / 2.0:
            return False
    totals = _totals(later)
    return all(totals.get(key, -1.0) >= value for key, value in _totals(earlier).items())


def _runtime_ms(block: Block) -> float:
    return max((r.value or 0.0 for r in block.results if r.metric.endswith(".runtime")), default=0.0) / 1e6


def _totals(block: Block) -> dict[tuple[object, ...], float]:
    return {
        (result.metric, result.job, result.group): result.value
        for result in block.results
        if result.metric.endswith((".io", ".runtime")) and result.value is not None
    }
