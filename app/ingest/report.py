"""Reads whatever text a filesystem developer has at hand into a report: the entry to everything in `outputs`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Protocol

from app.domain.comparison import Comparison, MeasuredRun, Order
from app.domain.patch import PatchSet
from app.domain.report import Kind, Pairing, Remark, Report, Result, Status, TestOutcome
from app.ingest.outputs import (
    claims,
    compilebench,
    dbench,
    fio_flat,
    fio_json,
    fio_terse,
    fio_text,
    fs_mark,
    lists,
    robot,
    tables,
    unixbench,
    xfstests,
    xunit,
)
from app.ingest.outputs.block import Block, Reader
from app.ingest.outputs.document import Document
from app.ingest.outputs.experiment import experiment_from
from app.ingest.outputs.hunks import take_patches
from app.ingest.outputs.labels import Label, is_repetition, label_above, label_in, side_of
from app.ingest.outputs.nesting import with_outer_sides
from app.ingest.outputs.pairing import merge_repetitions, number_tests, pair
from app.ingest.outputs.repetition import distinct, without_renderings
from app.ingest.outputs.snapshots import without_snapshots
from app.ingest.outputs.unwrap import unwrap
from app.ingest.patches import read_patches

WARNINGS_MAX = 1000

READERS: tuple[Reader, ...] = (
    xunit.read,
    xfstests.read,
    fio_terse.read,
    fio_text.read,
    fio_flat.read,
    unixbench.read,
    compilebench.read,
    fs_mark.read,
    dbench.read,
    robot.read,
)
GENERAL_READERS: tuple[Reader, ...] = (tables.read, lists.read)
"""Each takes the lines it understands; what is left goes on to the next, from the strictest to the most general."""

TABLE_FIGURES_MIN = 4
"""Fewer figures in a row are hardly a table."""

PATCH_SEARCH_MAX_CHARS = 16_000_000
"""A thread of a thousand mails; longer texts are logs."""

HEADINGS_MAX = 500
"""Runs whose tests are named by headings; more are numbered."""

MAIL_MAX_LINES = 20_000
"""Lines nobody understood, beyond which a text is a log and not a mail: no table of somebody's own stands there."""


class Compare(Protocol):
    """What turns sides into a comparison: `app.analysis.compare.compare`, which parsers may not import."""

    def __call__(self, runs: Sequence[MeasuredRun], *, baseline: str, order: Order) -> Comparison: ...


def read_report(text: str, compare: Compare | None = None, pairing: Pairing | None = None) -> Report:
    """Read results, tests and claims out of a text of any kind; what cannot be read is passed over, never an error.

    `compare` makes the comparison of the sides found (`app.analysis.compare.compare`); without it the report has the
    sides (`runs`, `baseline`) and no comparison. `pairing` says which label is of which side, instead of the rule.
    """
    patches = read_patches(text) if _may_hold_patches(text) else PatchSet()
    document, blocks = _read(text, patches)
    _leave_out_infinities(blocks)
    blocks.sort(key=lambda block: (block.start, block.end))
    blocks = without_renderings(blocks)
    labels = _labels(document, blocks)
    blocks = without_snapshots(distinct(document, blocks, labels), labels)
    _name(blocks, labels)
    blocks = _sided(document, blocks)
    tools = _versions(blocks)
    number_tests(blocks)
    merge_repetitions(blocks)
    paired = pair(blocks, pairing)
    comparison = None
    if compare is not None and paired.baseline is not None:
        comparison = compare(paired.runs, baseline=paired.baseline, order="unknown")
    results = tuple(result for block in blocks for result in block.results)
    outcomes = tuple(outcome for block in blocks for outcome in block.outcomes)
    kind = _kind(blocks)
    said = claims.with_figures(claims.read(document), paired.changes)
    remarks = [*(remark for block in blocks for remark in block.remarks), *paired.remarks, *tools]
    remarks += claims.check(said, paired.changes, anything=bool(results or outcomes))
    remarks += claims.summaries(document, results)
    proposal = experiment_from(document, text, kind)
    remarks += proposal.remarks
    if patches.patches:
        remarks += (Remark(warning.line, warning.message) for warning in patches.warnings)
    return Report(
        kind=kind,
        results=results,
        tests=outcomes,
        totals=_totals(outcomes),
        distributions=tuple(d for block in blocks for d in block.distributions),
        claims=tuple(said),
        experiment=proposal.definition,
        runs=paired.runs,
        baseline=paired.baseline,
        comparison=comparison,
        pairing=paired.pairing,
        patches=tuple(patch.model_dump(mode="json") for patch in patches.patches),
        warnings=_warnings(remarks),
    )


def _may_hold_patches(text: str) -> bool:
    """A log is not searched without a sign of a patch, nor where it is longer than the mbox of any series."""
    signs = ("@@ -", "diff --", "PATCH", "RFC", "base64", " changed")
    return len(text) <= PATCH_SEARCH_MAX_CHARS and any(sign in text for sign in signs)


def _read(text: str, patches: PatchSet) -> tuple[Document, list[Block]]:
    """Read fio's JSON first, off the text as it is, and the lines around it then."""
    found = list(fio_json.find(text)) if '"jobname"' in text else []
    document = unwrap(_around(text, found))
    blocks = [_json_block(document, run) for run in found]
    if not found and '"jobname"' in document.text:
        blocks = _quoted_json(document)
    for first, last in patches.spans:
        if last > first:
            document.take(document.index_at(first), document.index_at(last + 1))
    take_patches(document)
    for read in READERS:
        blocks += read(document)
    left = document.taken.count(0)
    if left <= MAIL_MAX_LINES:
        for read in GENERAL_READERS:
            blocks += read(document)
    elif left:
        message = f"{left} lines are in no format known here; tables of people's own are not looked for in so many"
        first = next(index for index, _ in document.free())
        blocks.append(Block("table", first, first, remarks=[Remark(document.number_at(first), message)]))
    return document, blocks


def _leave_out_infinities(blocks: Sequence[Block]) -> None:
    """A figure of four hundred digits is damage, and no JSON number."""
    for block in blocks:
        if all(map(_finite, block.results)):
            continue
        for result in block.results:
            if not _finite(result):
                block.remarks.append(Remark(result.line, f"{result.metric} is too large to be a figure"))
        block.results = [result for result in block.results if _finite(result)]


def _finite(result: Result) -> bool:
    value = result.value
    if value is not None and not isfinite(value):
        return False
    if result.samples is None and result.stdev is None and result.min is None:
        return True
    others = (*(result.samples or ()), result.stdev or 0.0, result.min or 0.0, result.max or 0.0)
    return all(map(isfinite, others))


def _around(text: str, found: Sequence[fio_json.JsonRun]) -> list[tuple[int, str]]:
    pieces, at, line = [], 0, 1
    for run in found:
        pieces.append((line, text[at : run.start]))
        at, line = run.end, run.last_line
    pieces.append((line, text[at:]))
    return pieces


def _json_block(document: Document, run: fio_json.JsonRun) -> Block:
    at = document.index_at(run.first_line)
    # the piece before the JSON ends on its first line
    while at < len(document) and document.lines[at].number <= run.first_line and document.lines[at].text.strip():
        at += 1
    block = Block("fio", at, at, results=run.results, distributions=run.distributions, remarks=run.remarks)
    block.precision, block.version = 2, run.version
    _tell_process(block, run)
    return block


def _tell_process(block: Block, run: fio_json.JsonRun) -> None:
    """JSON has no process ids: the jobs and the time stand for them."""
    if run.printed_ms is not None:
        block.printed_ms = run.printed_ms
        block.processes = tuple((job.name,) for job in run.jobs)


def _quoted_json(document: Document) -> list[Block]:
    """JSON inside a quotation or an encoded mail: places are those of the unwrapped lines."""
    blocks = []
    for run in fio_json.find(document.text):
        number: Callable[[int], int] = lambda line: document.number_at(line - 1)  # noqa: E731
        results = [result._replace(line=number(result.line)) for result in run.results]
        remarks = [remark._replace(line=number(remark.line)) for remark in run.remarks]
        start, end = run.first_line - 1, run.last_line
        document.take(start, end)
        block = Block("fio", start, end, results=results, distributions=run.distributions, remarks=remarks, precision=2)
        _tell_process(block, run)
        blocks.append(block)
    return blocks


def _labels(document: Document, blocks: Sequence[Block]) -> dict[int, Label | None]:
    """Find the label above each run; results directly after others keep the label of those."""
    floor = 0
    labels: dict[int, Label | None] = {}
    headings: dict[int, Label] = {}
    previous: Label | None = None
    for block in blocks:
        if not block.results:
            continue
        label = None
        if not block.sided:
            line = block.results[0].line
            label = label_in(block.prefix, line) or label_above(document, block.start, floor)
            if label is None and _nothing_between(document, floor, block.start):
                label = previous
            labels[id(block)] = label
            if label is not None and len(blocks) <= HEADINGS_MAX:
                above = label_above(document, document.index_at(label.line), floor)
                if above is not None:
                    headings[id(block)] = above
                    block.heading = above.text
        previous = label
        floor = max(floor, block.end)
    labels, jobs = with_outer_sides(blocks, labels, headings)
    for block in blocks:
        if (job := jobs.get(id(block))) is not None:
            block.heading = None
            block.results = [_of_job(result, job) for result in block.results]
    return labels


def _of_job(result: Result, job: str) -> Result:
    return result._replace(job=job) if result.job is None else result._replace(cell=job)


def _name(blocks: Sequence[Block], labels: Mapping[int, Label | None]) -> None:
    """Give the results of each run its label as their variant, where it tells sides apart."""
    found = [(block, label) for block in blocks if block.results and (label := labels.get(id(block))) is not None]
    names = {label.text for _, label in found}
    for block, label in found:
        if len(names) < 2 and (label.weak or (block.kind == "table" and not side_of(label.text))):
            continue
        block.results = [result._replace(variant=label.text) for result in block.results]
        block.distributions = [each._replace(variant=label.text) for each in block.distributions]


def _sided(document: Document, blocks: Sequence[Block]) -> list[Block]:
    """Leave out what people's own tables and lists say of no side: most of it is no measurement at all."""
    kept = []
    for block in blocks:
        if block.kind == "table" and block.results and any(result.variant is None for result in block.results):
            remarks = list(block.remarks)
            if len(block.results) >= TABLE_FIGURES_MIN:
                message = "a table that names no sides, and has no label of one above it, is not read"
                remarks.append(Remark(document.number_at(block.start), message))
            kept.append(Block("table", block.start, block.end, remarks=remarks))
        else:
            kept.append(block)
    return kept


def _versions(blocks: Sequence[Block]) -> list[Remark]:
    """Tell when the sides were measured with different versions of the tool."""
    seen: dict[str, int] = {}
    for block in blocks:
        if block.version is not None and any(result.variant is not None for result in block.results):
            seen.setdefault(block.version, block.results[0].line)
    if len(seen) < 2:
        return []
    versions = ", ".join(sorted(seen))
    return [Remark(max(seen.values()), f"the sides are of different versions of the tool: {versions}")]


def _nothing_between(document: Document, start: int, end: int) -> bool:
    return all(not (text := line.text.strip()) or is_repetition(text) for _, line in document.free(start, end))


def _kind(blocks: Sequence[Block]) -> Kind | None:
    """The format that gave most figures; `mail` for several at once."""
    counts: Counter[Kind] = Counter()
    for block in blocks:
        counts[block.kind] += len(block.results) + len(block.outcomes)
    found = [(kind, count) for kind, count in counts.most_common() if count]
    if not found:
        return None
    return "mail" if len(found) > 1 and found[1][1] * 5 >= found[0][1] else found[0][0]


def _totals(outcomes: Sequence[TestOutcome]) -> dict[str, int]:
    """Count unique tests by status; empty when there are none."""
    if not outcomes:
        return {}
    counts = Counter(status for _, _, status in {(o.section, o.name, o.status) for o in outcomes})
    return {status.value: counts.get(status, 0) for status in Status}


def _warnings(remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    distinct_remarks = sorted(dict.fromkeys(remarks))
    if len(distinct_remarks) > WARNINGS_MAX:
        more = len(distinct_remarks) - WARNINGS_MAX
        last = distinct_remarks[WARNINGS_MAX - 1]
        return (*distinct_remarks[:WARNINGS_MAX], Remark(last.line, f"{more} more warnings are not shown"))
    return tuple(distinct_remarks)


__all__ = ["Compare", "Result", "read_report"]
