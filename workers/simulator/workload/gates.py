"""The threads that wait for others to end before they start."""

from collections.abc import Sequence

from workers.simulator.arrays import longs, longs_of
from workers.simulator.job import JobParameters
from workers.simulator.job_order import predecessors
from workers.simulator.kinds import NONE


class Gates:
    """Counts, for each thread, the threads that it waits for; `ended` frees those that waited for the last of theirs.

    After `ended(thread)`, `freed` holds the first freed thread, and `following` leads to the next.
    """

    def __init__(self, jobs: Sequence[JobParameters]) -> None:
        before = predecessors(jobs)
        self.waits_for = longs_of(len(positions) for positions in before)
        behind: list[list[int]] = [[] for _ in jobs]
        for thread, positions in enumerate(before):
            for position in positions:
                behind[position].append(thread)
        self.dependents = longs_of(thread for threads in behind for thread in threads)
        ends = [0]
        for threads in behind:
            ends.append(ends[len(ends) - 1] + len(threads))
        self.first = longs_of(ends)
        self.following = longs(len(jobs), NONE)
        self.freed = NONE

    def ended(self, thread: int) -> None:
        self.freed = NONE
        # from the last to the first, so that the chain has the order of the jobs
        at = self.first[thread + 1]
        while at > self.first[thread]:
            at -= 1
            dependent = self.dependents[at]
            self.waits_for[dependent] -= 1
            if self.waits_for[dependent] == 0:
                self.following[dependent] = self.freed
                self.freed = dependent
