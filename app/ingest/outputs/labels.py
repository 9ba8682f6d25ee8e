"""Finds what people call the side that a block of results is of, and whether it is the one before or the one after.

A label stands on the results' own line, or is the nearest line above that is a heading: underlined, numbered, in
`==`, ending in a colon, or short and alone. Commands, job files, rules and the tool's own first lines in between
do not count; a sentence does, and means that there is no label.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from app.ingest.outputs.document import Document

LABEL_MAX_CHARS = 90
LABEL_MAX_WORDS = 12
HEADING_MAX_CHARS = 300
"""A longer line, decoration included, is no heading."""
LOOK_BACK_MAX_LINES = 80
"""A job file and a script may stand between a heading and the results."""


class Side(StrEnum):
    """Which side of a change a label speaks of."""

    BEFORE = "before"
    AFTER = "after"


class Label(NamedTuple):
    """A side's name as it was written, without decoration; `weak` where only its place makes it one."""

    text: str
    line: int
    weak: bool


_CHANGE = r"(?:patch(?:e?s|set)?|series|changes?|commits?|fix(?:es)?|optimi[sz]ations?|merge|merging|reverts?|rework)"
_BEFORE = re.compile(
    r"(?<![\w/])(?:before|without|w/o|un-?patched|baseline|base|vanilla|stock|old|orig|original|unmodified|upstream"
    r"|mainline|normal|prior|pre-?patch|parent|pristine|reference|default|control|no\s+patch(?:es)?)(?![\w/-])",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?<![\w/])(?:after|with|w/|patched|patch|patches|patchset|new|modified|optimi[sz]ed|fixed|fix|revert|reverted"
    r"|improved|post-?patch|tuned|series)(?![\w])",
    re.IGNORECASE,
)
_STRONG = re.compile(
    rf"(?<![\w/])(?:before|after|without|with|w/o?)\s+(?:(?:this|the|my|these|that|all|our|your)\s+)*{_CHANGE}\b"
    r"|\b(?:baseline|vanilla|un-?patched|patched)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"^(?:this|the|my|these|that|all|our|your|of|on|for|is|are|as|result|results|numbers?|kernel|{_CHANGE})$", re.I
)
_GENERIC = re.compile(
    r"^(?:(?:the|some|my|our|here|these|raw|full|fio|test|tests|testing|bench\w*|performance|perf|unixbench|fs_?mark|dbench"
    r"|compilebench|xfstests|job|config|script|final|run|numbers|are|is|output)\s+)*"
    r"(?:cmd|command|commands|command ?line|script|results?|numbers?|figures?|details?|outputs?|log|logs|file|fio"
    r"|config|configuration|setup|environment|hardware|machine|test|tests|benchmark|benchmarks|unixbench|dbench|fs_?mark"
    r"|compilebench|summary|example|note|notes|hi|hello|thanks|run complete|workload|tests? cases?|data|report|it says"
    r"|jobs?|job ?file|steps?|says|below|follows?|following|tests? scripts?|measurements?)$",
    re.IGNORECASE,
)
_RULE = re.compile(r"^[\s\-=*_~#+|.]{3,}$")
_COMMAND = re.compile(
    r"^(?:[$%]\s?\S|[#>]\s+(?:\./|/|\w+=\S+\s|sudo|fio|dbench|fs_?mark|mount|umount|mkfs\S*|echo|cat|perf|cd|for|while|do"
    r"|time|numactl|taskset|sh|bash|python3?|modprobe|nvme|blkdiscard|dd|\S+\.sh)\b"
    r"|\.{1,2}/\S|(?:sudo\s+)?(?:fio|dbench|fs_?mark|\S+\.sh|\S*compilebench|numactl|taskset|mount|mkfs\.\w+)\s+[-./\w]"
    r"|--?[a-zA-Z][\w-]*(?:[=\s]|$)|[\w.-]+@[\w.-]+[:$#~]|\S+\s+\\$)"
)
_NOISE = re.compile(
    r"^(?:\(?\.{3,}\)?|…|\[\.{3}\]|<snip>|```.*|~~~.*|\{code.*|fio-\d.*|Starting\s+\d+.*|Jobs:.*|.*: \(g=\d+\): rw=.*"
    r"|.*Laying out IO file.*|[\w.-]+\s*=\s*\S*|Run status group.*|dbench version.*|Running for .*|releasing clients"
    r"|\d+ of \d+ processes.*|\d+ CPUs? in system.*|Benchmark Run:.*|<[^<>]*>|Throughput Results:|[A-Z]+(?::\d+)+)$"
)
_PROGRESS = re.compile(
    r"(?:using working directory\s.*"
    r"|(?:native|create|compile|patch|clean|delete|stat|read)\b.{1,120}\sin\s[\d.]+\sseconds\b.*"
    r"|\d+\s+\d+\s+[\d.]+\s+MB/sec\s+(?:warmup|execute|cleanup)\b.*|\d+\s+cleanup\s.*)$"
)
"""What compilebench and dbench print while they run: one line an operation or a second."""
_REPETITION = re.compile(
    r"[\s=*#_-]*(?:the\s+)?(?:(?:run|iteration|iter|round|pass|attempt|repetition|repeat|trial|loop)\s*(?:no\.?\s*|#\s*)?\d{1,4}"
    r"|(?:first|second|third|fourth|fifth)\s+(?:run|iteration|round|pass|attempt))(?:\s*(?:/|of)\s*\d{1,4})?[\s=*#_:-]*$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"^(?:\(?(?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[.)]\)?\s*|#\d+\s+)")
_DECORATION = re.compile(r"^[\s=*#•·~_|+>-]*(?P<bare>.*?)[\s=*#~_|:-]*$")
_NAME_LIKE = re.compile(
    r"\d\.\d|\bv\d|\brc\d|\b(?:ext[234]|xfs|btrfs|f2fs|jfs|nilfs2?|zfs|bcachefs|erofs|tmpfs)\b", re.I
)


def label_above(document: Document, start: int, floor: int) -> Label | None:
    """Return the label of results that begin at index `start`, looking up to index `floor`; None when there is none."""
    index = start - 1
    stop = max(floor, start - LOOK_BACK_MAX_LINES)
    while index >= stop:
        text = document.lines[index].text.strip()
        if len(text) > HEADING_MAX_CHARS:
            return _at_the_end_of_prose(text[-HEADING_MAX_CHARS:], document.number_at(index))
        if _PROGRESS.match(text):
            stop, index = max(floor, stop - 1), index - 1
            continue
        if document.taken[index] or not text or _skipped(document, index, text):
            index -= 1
            continue
        if _is_generic(text):
            index -= 1
            continue
        return _label(document, index, floor)
    return None


def label_in(prefix: str, line: int) -> Label | None:
    """Return the label in what stands before the results on their own line: its last clause, up to a colon."""
    text = prefix.strip()
    if not text:
        return None
    if len(text) > LABEL_MAX_CHARS or len(text.split()) > LABEL_MAX_WORDS:
        found = list(_CLAUSE.finditer(text))
        if not found:
            return None
        text = found[-1][0]
    bare = bare_label(text)
    if not bare or _is_generic(bare) or is_repetition(bare) or len(bare) > LABEL_MAX_CHARS:
        return None
    return Label(bare, line, weak=not side_of(bare)) if text.endswith(":") or side_of(bare) else None


_CLAUSE = re.compile(
    rf"(?<![\w/])(?:(?:(?:[Tt]he\s+)?[Rr]esults?\s+)?(?:[Bb]efore|[Aa]fter|[Ww]ithout|[Ww]ith|w/o?)\s(?:[\w/'-]+\s){{0,3}}?"
    rf"{_CHANGE}(?:\s+set)?|[Bb]aseline|[Vv]anilla|[Uu]npatched|[Pp]atched|[Bb]efore|[Aa]fter)\s*:\s*$"
)


def is_repetition(text: str) -> bool:
    """Return whether a heading only counts the runs of one side: `Run 2:`, `iteration #3`."""
    return len(text) <= LABEL_MAX_CHARS and bool(_REPETITION.match(text))


def _skipped(document: Document, index: int, text: str) -> bool:
    if _RULE.match(text) or _NOISE.match(text) or _COMMAND.match(text) or is_repetition(text):
        return True
    above = document.lines[index - 1].text.rstrip() if index else ""
    return above.endswith("\\") and not _RULE.match(above)


def _is_generic(text: str) -> bool:
    bare = bare_label(text)
    if not any(sign.isalpha() for sign in bare):
        return not _NAME_LIKE.search(bare)
    return bool(_GENERIC.match(bare.rstrip(" .")))


def _label(document: Document, index: int, floor: int) -> Label | None:
    line = document.lines[index]
    text = line.text.strip()
    above = document.lines[index - 1].text.strip() if index > floor else ""
    below = document.lines[index + 1].text.strip() if index + 1 < len(document) else ""
    bare = bare_label(text)
    if not bare or len(bare) > LABEL_MAX_CHARS or len(bare.split()) > LABEL_MAX_WORDS:
        return _at_the_end_of_prose(text, line.number)
    ruled = bool(_RULE.match(below)) and len(below) > 2
    marked = bool(_ORDINAL.match(text)) or text[0] in "=*#[-+" or (text[:1] == text[-1:] and text[:1] in "=*_")
    if ruled or (marked and not text.endswith((".", ",", ";"))):
        return Label(bare, line.number, weak=False)
    alone = not above or bool(_RULE.match(above)) or document.taken[index - 1] == 1
    side = side_of(bare)
    if text.endswith(":"):
        if alone or len(bare.split()) <= 4 or _STRONG.search(bare):
            return Label(bare, line.number, weak=side is None)
        return None
    if text.endswith((".", ",", ";", "!", "?")) or not alone:
        return Label(bare, line.number, weak=True) if _heads_a_list(bare, text) else None
    words = len(bare.split())
    if _STRONG.search(bare) or (side and words <= 6) or (_NAME_LIKE.search(bare) and words <= 8) or words <= 2:
        return Label(bare, line.number, weak=words <= 2 and side is None and not _NAME_LIKE.search(bare))
    return None


def _heads_a_list(bare: str, text: str) -> bool:
    """A name or side directly under other text, as `patched` under a line of a command."""
    return len(bare.split()) <= 3 and not text.endswith((".", ",", ";", "!", "?")) and side_of(bare) is not None


def _at_the_end_of_prose(text: str, line: int) -> Label | None:
    found = list(_CLAUSE.finditer(text))
    return Label(bare_label(found[-1][0]), line, weak=False) if found else None


@lru_cache(maxsize=4096)
def bare_label(text: str) -> str:
    """Return a heading without rules, bullets, numbers, emphasis and its colon."""
    bare = text.strip()
    if len(bare) > HEADING_MAX_CHARS:
        return bare
    for _ in range(3):
        found = _DECORATION.match(bare)
        stripped = found["bare"] if found else bare
        stripped = _ORDINAL.sub("", stripped, count=1) if not _NAME_LIKE.match(stripped) else stripped
        if stripped.startswith("[") and stripped.endswith("]") and stripped.count("[") == 1:
            stripped = stripped[1:-1]
        if len(stripped) > 1 and stripped[0] == stripped[-1] and stripped[0] in "\"'`":
            stripped = stripped[1:-1]
        if stripped == bare:
            break
        bare = stripped
    # a plus that belongs to the name (`xfs+`) was kept; one of a rule was not
    return " ".join(bare.split())


@lru_cache(maxsize=4096)
def side_of(label: str) -> Side | None:
    """Return which side of a change a label names, None when it does not say."""
    if _BEFORE.search(label):
        return Side.BEFORE
    return Side.AFTER if _AFTER.search(label) else None


@lru_cache(maxsize=4096)
def context_of(label: str) -> str:
    """Return what a label says besides its side: `nvme` of `nvme before this patch`."""
    rest = _AFTER.sub(" ", _BEFORE.sub(" ", label))
    words = [word.strip(" :,;()") for word in rest.split()]
    return " ".join(word for word in words if word and not _FILLER.match(word) and any(c.isalnum() for c in word))


def without_context(label: str) -> str:
    """Return a label's side alone: `before this patch` of `nvme before this patch`."""
    context = context_of(label).split()
    kept = [word for word in label.split() if word.strip(" :,;()") not in context]
    return " ".join(kept).strip(" :,;") or label
