"""From a recorded trace to the one job that replays it."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.trace import TraceProblem
from app.errors import PreparationFailed
from app.ingest.traces.read import SECTOR_BYTES, TIME_MAX_NS, check_against, read_trace
from workers.runners.base import Task
from workers.simulator import JobParameters, Recording

TIMED_DEPTH = 4096
"""So many I/Os can wait in a timed replay before arrivals are held back; no queue is deeper by default."""

FULL_SPEED_DEPTH = 32


def replay_job(task: Task, device: Mapping[str, int | str]) -> JobParameters:
    """Return the job of a replay. Raises PreparationFailed naming the record that cannot be replayed."""
    replay = task.setup.workload.replay
    if replay is None:
        raise PreparationFailed(f"the simulator does not run {task.setup.workload.kind}")
    try:
        trace = read_trace(task.files.get(replay.trace, "").encode("latin-1"), replay.format)
        check_against(trace, device)
    except TraceProblem as error:
        raise PreparationFailed(f"trace: {error}") from None
    timed = replay.speed != "max"
    speed = 1.0 if replay.speed == "max" else replay.speed
    if timed and trace.time_ns[-1] / speed > TIME_MAX_NS:
        raise PreparationFailed(f"trace: at speed {speed} it lasts longer than {TIME_MAX_NS // 10**9} s")
    return JobParameters(
        name="replay",
        size_bytes=int(device["capacity_bytes"]),
        iodepth=replay.iodepth or (TIMED_DEPTH if timed else FULL_SPEED_DEPTH),
        # In a timed replay nothing that is late holds up what follows.
        io_submit_mode="offload" if timed else "inline",
        recording=Recording(
            time_ns=trace.time_ns if speed == 1.0 else tuple(round(time_ns / speed) for time_ns in trace.time_ns),
            direction=trace.direction,
            sector=tuple(offset // SECTOR_BYTES for offset in trace.offset_bytes),
            sectors=tuple(size // SECTOR_BYTES for size in trace.size_bytes),
            timed=timed,
        ),
    )
