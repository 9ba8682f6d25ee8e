"""The traced I/Os of a run as blktrace's binary stream, for blkparse and btt.

The layout is that of struct blk_io_trace in Linux' include/uapi/linux/blktrace_api.h, little-endian: what blktrace
writes on the machines that it is mostly used on. Q, G or M, I, D and C of each I/O; bios that went to the device
together are one request, whose first bio has G and I.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workers.simulator import TRACE_NAMES

MAGIC = 0x65617407  # BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION
RECORD = struct.Struct("<IIQQIIIIIHH")
DEVICE = 8 << 20  # major 8, minor 0, as the kernel packs them
COMMAND_BYTES = 16  # TASK_COMM_LEN

# enum blktrace_act and enum blktrace_cat.
QUEUE, BACK_MERGE, FRONT_MERGE, GET_REQUEST, ISSUE, COMPLETE, INSERT = 1, 2, 3, 4, 7, 8, 12
CATEGORY = {QUEUE: 1 << 4, BACK_MERGE: 1 << 4, FRONT_MERGE: 1 << 4, GET_REQUEST: 1 << 4, INSERT: 1 << 4}
CATEGORY |= {ISSUE: 1 << 6, COMPLETE: 1 << 7}
READ, WRITE, FLUSH, SYNC, NOTIFY, DISCARD = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 10, 1 << 13
PROCESS = 0  # BLK_TN_PROCESS
KINDS = (READ | SYNC, WRITE | SYNC, WRITE | DISCARD, WRITE | FLUSH | SYNC)  # by the direction of a bio

COLUMN = {name: position for position, name in enumerate(TRACE_NAMES)}

# Time, order among events of one time, thread, sector, sectors, action, direction.
Event = tuple[int, int, int, int, int, int, int]


def blktrace(trace: NDArray[np.int64], names: Sequence[str]) -> bytes:
    """Return the stream of one CPU; `trace` has rows as TRACE_NAMES, `names` the name of each thread's job."""
    records = [_process(thread, name) for thread, name in enumerate(names)]
    events = sorted(event for request in requests_of(trace) for event in _events(request))
    for sequence, (time_ns, _, thread, sector, sectors, action, direction) in enumerate(events, start=len(names) + 1):
        word = (CATEGORY[action] | KINDS[direction]) << 16 | action
        pid = 0 if action == COMPLETE else thread + 1
        records.append(RECORD.pack(MAGIC, sequence, time_ns, sector, sectors << 9, word, pid, DEVICE, 0, 0, 0))
    return b"".join(records)


def requests_of(trace: NDArray[np.int64]) -> list[list[list[int]]]:
    """Return the traced bios as requests: those that touch, of one direction, given to the device and done together."""
    keys = ("dispatched_ns", "completed_ns", "direction", "sector")
    found: list[list[list[int]]] = []
    end: tuple[int, ...] | None = None
    for row in sorted(trace.tolist(), key=lambda row: [row[COLUMN[key]] for key in keys]):
        place = tuple(row[COLUMN[key]] for key in keys)
        if place == end and row[COLUMN["sectors"]] > 0:
            found[-1].append(row)
        else:
            found.append([row])
        end = (*place[:3], place[3] + row[COLUMN["sectors"]])
    return found


def _events(request: list[list[int]]) -> list[Event]:
    bios = sorted(request, key=lambda row: (row[COLUMN["queued_ns"]], row[COLUMN["sector"]]))
    first = bios[0]
    events: list[Event] = []
    for bio in bios:
        thread, direction, sector, sectors = (bio[COLUMN[name]] for name in TRACE_NAMES[:4])
        events.append((bio[COLUMN["queued_ns"]], 0, thread, sector, sectors, QUEUE, direction))
        if bio is first:
            events.append((bio[COLUMN["got_ns"]], 1, thread, sector, sectors, GET_REQUEST, direction))
            events.append((bio[COLUMN["inserted_ns"]], 2, thread, sector, sectors, INSERT, direction))
        else:
            merge = FRONT_MERGE if sector < first[COLUMN["sector"]] else BACK_MERGE
            events.append((bio[COLUMN["queued_ns"]], 1, thread, sector, sectors, merge, direction))
    thread, direction = first[COLUMN["thread"]], first[COLUMN["direction"]]
    sector = min(bio[COLUMN["sector"]] for bio in bios)
    sectors = sum(bio[COLUMN["sectors"]] for bio in bios)
    events.append((first[COLUMN["dispatched_ns"]], 3, thread, sector, sectors, ISSUE, direction))
    events.append((first[COLUMN["completed_ns"]], 4, thread, sector, sectors, COMPLETE, direction))
    return events


def _process(thread: int, name: str) -> bytes:
    command = name.encode()[: COMMAND_BYTES - 1].ljust(COMMAND_BYTES, b"\0")
    head = RECORD.pack(MAGIC, thread + 1, 0, 0, 0, NOTIFY << 16 | PROCESS, thread + 1, DEVICE, 0, 0, COMMAND_BYTES)
    return head + command
