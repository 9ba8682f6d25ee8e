"""Reads dbench's results: the table of operations and the line of throughput, versions 2 to 4, and fragments of them.

What it prints every second while it runs is not read: only the last line is over the whole run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.domain.metric import Better
from app.domain.report import Remark, Result
from app.ingest.outputs.block import Block
from app.ingest.outputs.document import Document
from app.ingest.outputs.quantity import number

_THROUGHPUT = re.compile(
    r"(?P<label>.*?)\bThroughput:?\s+(?P<rate>\d[\d.,]*)\s*MB/s(?:ec)?\b(?P<rest>.*)$", re.IGNORECASE
)
_CLIENTS = re.compile(r"\b(\d{1,9})\s+clients?\b")
_PROCS = re.compile(r"\b(\d{1,9})\s+procs?\b")
_MAX = re.compile(r"max_latency\s*=\s*(\d{1,15}(?:\.\d{1,9})?)\s*ms")
_OPERATION = re.compile(
    r"[#\s]*(?P<name>[A-Za-z][A-Za-z_0-9]{2,31})\s+(?P<count>\d{1,18})\s+(?P<avg>\d{1,15}\.\d{1,9})\s+(?P<max>\d{1,15}\.\d{1,9})\s*$"
)
_HEAD = re.compile(r"[#\s]*Operation\s+Count\s+AvgLat\s+MaxLat", re.IGNORECASE)
_COMMAND = re.compile(r"(?:^|[\s/])(?:t?dbench)\s+(?P<arguments>\S.*)$")
_SETTING = re.compile(r"\s-[BcDtRTMW]\s*\S+|\s--\w[\w-]*=\S+|\s--(?:loadfile|directory|timelimit|backend)\s+\S+|\s-\S+")
"""dbench 4.0: of its short options these take a value."""
_LIVE = re.compile(r"\s*\d+\s+\d+\s+[\d.]+ MB/sec\s+(?:warmup|execute|cleanup)|\s*\d+\s+cleanup\s")
_PREAMBLE = re.compile(
    r"dbench version|Running for|releasing clients|\d+ clients started|\d+ of \d+|(?:.*\s)?dbench\s|[-=#\s]*$|\.{3}$"
)
# fmt: off
_KNOWN = frozenset((
    "NTCreateX", "Close", "Rename", "Unlink", "Deltree", "Mkdir", "Rmdir", "Open", "Qpathinfo", "Qfileinfo", "Qfsinfo",
    "Sfileinfo", "Find", "WriteX", "ReadX", "Write", "Read", "LockX", "UnlockX", "Lock", "Unlock", "Flush",
    "FIND_FIRST", "FIND_NEXT", "SET_FILE_INFORMATION", "QUERY_FILE_INFORMATION", "QUERY_PATH_INFORMATION",
    "QUERY_FS_INFORMATION",
))
# fmt: on


@dataclass(slots=True)
class _Part:
    """What has been read of one run."""

    start: int
    end: int
    operations: dict[str, tuple[int, float, float, int]] = field(default_factory=dict)


def read(document: Document) -> Iterator[Block]:
    """Yield one block for each run of dbench."""
    text = document.text
    if not any(sign in text for sign in ("hroughput", "AvgLat", "MB/sec")):
        return
    part: _Part | None = None
    clients: int | None = None
    live: int | None = None
    for index, line in document.free():
        bare = line.text
        if not bare.strip():
            continue
        if _HEAD.match(bare):
            if part is not None:
                yield from _block(document, part, None, clients)
            part = _Part(index, index + 1)
        elif (row := _OPERATION.match(bare)) and (part is not None or row["name"] in _KNOWN):
            if part is not None and row["name"] in part.operations:
                yield from _block(document, part, None, clients)
                part = None
            part = part or _Part(index, index + 1)
            part.operations[row["name"]] = (int(row["count"]), float(row["avg"]), float(row["max"]), line.number)
            part.end = index + 1
        elif found := _THROUGHPUT.match(bare):
            part = part if part is not None and part.operations else None
            yield from _block(document, part or _Part(index, index + 1), (found, index, line.number), clients)
            part, live = None, None
        elif command := _COMMAND.search(bare):
            clients = _clients(command["arguments"]) or clients
        elif _LIVE.match(bare):
            live = live or line.number
        elif part is not None and not _PREAMBLE.match(bare.strip()):
            if part.operations:
                yield from _block(document, part, None, clients)
            part = None
    if part is not None:
        yield from _block(document, part, None, clients)
    elif live is not None:
        message = "dbench's last line is missing; what it prints every second is no result"
        yield Block("dbench", document.index_at(live), document.index_at(live) + 1, remarks=[Remark(live, message)])


def _clients(arguments: str) -> int | None:
    """Return the number of clients of a command line: the word that belongs to no option."""
    words = _SETTING.sub(" ", f" {arguments}").split()
    return int(words[0]) if words and words[0].isdigit() and len(words[0]) < 7 else None


def _block(
    document: Document, part: _Part, throughput: tuple[re.Match[str], int, int] | None, clients: int | None
) -> Iterator[Block]:
    if throughput is None and not part.operations:
        return
    block = Block("dbench", part.start, part.end)
    if throughput is not None:
        found, index, number_of_line = throughput
        block.end = max(block.end, index + 1)
        block.prefix = found["label"].strip(" #*>-|")
        said = _CLIENTS.search(found["rest"]) or _PROCS.search(found["rest"])
        clients = int(said[1]) if said else clients
        value = number(found["rate"])
        if value is not None:
            block.results.append(Result("throughput", value, "MB/s", Better.HIGHER, number_of_line, clients=clients))
        if latency := _MAX.search(found["rest"]):
            block.results.append(
                Result("max_latency", float(latency[1]), "ms", Better.LOWER, number_of_line, clients=clients)
            )
            _check(block, part, float(latency[1]))
    for name, (count, average, longest, number_of_line) in part.operations.items():
        for metric, value, unit, better in (
            (f"{name}.count", float(count), "ops", Better.HIGHER),
            (f"{name}.avg_latency", average, "ms", Better.LOWER),
            (f"{name}.max_latency", longest, "ms", Better.LOWER),
        ):
            block.results.append(Result(metric, value, unit, better, number_of_line, clients=clients))
    document.take(block.start, block.end)
    yield block


def _check(block: Block, part: _Part, latency: float) -> None:
    """The longest of all operations is the longest of one of them."""
    if not part.operations:
        return
    name, (_, _, longest, line) = max(part.operations.items(), key=lambda item: item[1][2])
    if longest > latency * 1.001:
        message = f"max_latency is {latency:g} ms, but the max latency of {name} is {longest:g} ms: not of one run"
        block.remarks.append(Remark(line, message))
