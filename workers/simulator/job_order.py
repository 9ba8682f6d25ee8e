"""When a job may start: fio's stonewall and wait_for, and how long that makes a run."""

from collections.abc import Sequence

from workers.simulator.job import JobParameters
from workers.simulator.kinds import FOREVER


def predecessors(jobs: Sequence[JobParameters]) -> list[list[int]]:
    """Return, for each job, the positions of the jobs that have to end before it starts.

    A job with `stonewall`, and all behind it, wait for everything before it: of that, the jobs since the stone wall
    before are enough. `wait_for` waits for all clones of the job of that name that stand before it.
    """
    found: list[list[int]] = []
    stage: list[int] = []
    before: list[int] = []
    for position, job in enumerate(jobs):
        if job.stonewall and stage:
            before, stage = stage, []
        waited = [at for at in range(position) if jobs[at].name == job.wait_for] if job.wait_for is not None else []
        found.append(sorted({*before, *waited}))
        stage.append(position)
    return found


def latest_ns(jobs: Sequence[JobParameters]) -> int | None:
    """Return when the last job stops issuing at the latest, or None when a job is bounded by its size only."""
    ends: list[int] = []
    for job, before in zip(jobs, predecessors(jobs), strict=True):
        start_ns = max([job.start_delay_ns, *(ends[at] for at in before)])
        ends.append(min(FOREVER, start_ns + job.duration_ns()))
    latest = max(ends)
    return None if latest >= FOREVER else latest
