"""Reads a trace of any of the formats, and puts it against a device."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.domain.trace import TRIM, Trace, TraceFormat, TraceProblem
from app.ingest.traces.blktrace import is_blktrace, read_blktrace
from app.ingest.traces.iolog import is_iolog, read_iolog
from app.ingest.traces.table import is_table, read_table

IOS_MAX = 2_000_000
"""Each takes some 200 bytes while it is read; more than an hour of a busy disk."""

SECTOR_BYTES = 512
SIZE_MAX_BYTES = 64 << 20
TIME_MAX_NS = 7 * 86_400 * 10**9

DETECT: Mapping[TraceFormat, Callable[[bytes], bool]] = {"blktrace": is_blktrace, "iolog": is_iolog, "csv": is_table}
READ: Mapping[TraceFormat, Callable[[bytes, int], Trace]] = {
    "blktrace": read_blktrace,
    "iolog": read_iolog,
    "csv": read_table,
}


def format_of(content: bytes) -> TraceFormat | None:
    """Return the format that a file's content has, None when it has none of them."""
    return next((name for name, detect in DETECT.items() if detect(content)), None)


def read_trace(content: bytes, declared: TraceFormat | None = None) -> Trace:
    """Return the I/Os of a trace. Raises TraceProblem naming the record that stands against it."""
    found = format_of(content)
    if found is None:
        raise TraceProblem("record 1: neither blktrace, nor fio's iolog (version 2 or 3), nor CSV with a head")
    if declared is not None and declared != found:
        raise TraceProblem(f"record 1: this is {found}, not {declared}")
    return READ[found](content, IOS_MAX)


def check_against(trace: Trace, device: Mapping[str, int | str]) -> None:
    """Raise TraceProblem naming the first record that a device with these values cannot serve."""
    capacity = int(device["capacity_bytes"])
    rows = zip(trace.record, trace.time_ns, trace.direction, trace.offset_bytes, trace.size_bytes, strict=True)
    for record, time_ns, way, offset, size in rows:
        if offset % SECTOR_BYTES or size % SECTOR_BYTES or not size:
            raise TraceProblem(f"record {record}: {size} bytes at {offset} are no whole sectors of {SECTOR_BYTES}")
        if offset + size > capacity:
            raise TraceProblem(f"record {record}: ends at byte {offset + size}, the device at {capacity}")
        if size > SIZE_MAX_BYTES:
            raise TraceProblem(f"record {record}: {size} bytes; one I/O has at most {SIZE_MAX_BYTES}")
        if time_ns > TIME_MAX_NS:
            raise TraceProblem(f"record {record}: more than {TIME_MAX_NS // 10**9} s after the first")
        if way == TRIM and not device["discard"]:
            raise TraceProblem(f"record {record}: a trim; the device has no discard")
