cimport cython

from workers.simulator.exponential cimport Exponential
from workers.simulator.workload.pattern cimport Pattern

cdef long long FOREVER, NONE, SYNC, WAYS, MIXED, NS, POISSON_BITS
cdef long long ACTION_ISSUE, ACTION_SUBMIT, ACTION_REAP, ACTION_WAIT, ACTION_SLEEP, ACTION_END
cdef long long NEXT, ISSUED, REAPING, THINKING, DRAINING, ASLEEP
cdef long long THEN_NEXT, THEN_ISSUE, THEN_THINK


@cython.final
cdef class Pacing:
    cdef Pattern pattern
    cdef Exponential arrivals
    cdef long long[::1] special
    cdef long long[::1] offload
    cdef long long[::1] depth
    cdef long long[::1] batch
    cdef long long[::1] complete_min
    cdef long long[::1] complete_max
    cdef long long[::1] polls
    cdef long long[::1] low
    cdef long long[::1] timed
    cdef long long[::1] limit_ios
    cdef long long[::1] issued_ios
    cdef long long[::1] phase
    cdef long long[::1] after
    cdef long long[::1] queued
    cdef long long[::1] need
    cdef long long[::1] room
    cdef long long[::1] full
    cdef long long[::1] direction
    cdef long long[::1] until_ns
    cdef long long[::1] begun_ns
    cdef long long[::1] rated
    cdef long long[::1] poisson
    cdef long long[::1] ignores_think
    cdef long long[::1] rate_shift
    cdef long long[::1] rate
    cdef long long[::1] unit
    cdef long long[::1] interval
    cdef long long[::1] rate_bytes
    cdef long long[::1] arrived
    cdef long long[::1] due_ns
    cdef long long[::1] think_ns
    cdef long long[::1] thinks
    cdef long long[::1] think_blocks
    cdef long long[::1] think_at_issue
    cdef long long[::1] think_iotime_ns
    cdef long long[::1] counted
    cdef long long[::1] last_count
    cdef long long[::1] last_think_ns
    cdef long long[::1] sleep_began_ns

    cdef void begin(self, long long thread, long long now_ns) noexcept nogil
    cdef long long decide(self, long long thread, long long now_ns, bint may_issue, bint sync_due, long long outstanding, bint done) noexcept nogil
    cdef long long next_io(self, long long thread, long long now_ns, bint may_issue, bint sync_due, long long outstanding) noexcept nogil
    cdef long long after_issue(self, long long thread, long long outstanding) noexcept nogil
    cdef long long go_on_reaping(self, long long thread, long long outstanding, bint done) noexcept nogil
    cdef long long sleep_on(self, long long thread, long long now_ns, bint may_issue) noexcept nogil
    cdef long long wakes_ns(self, long long thread, long long stop_ns) noexcept nogil
    cdef void drain(self, long long thread, long long after) noexcept nogil
    cdef void drained(self, long long thread, long long now_ns) noexcept nogil
    cdef void begin_reaping(self, long long thread, long long outstanding) noexcept nogil
    cdef void choose_direction(self, long long thread, long long now_ns) noexcept nogil
    cdef void issued(self, long long thread, long long direction, long long size) noexcept nogil
    cdef void schedule_next(self, long long thread, long long row) noexcept nogil
    cdef void submitted(self, long long thread) noexcept nogil
    cdef void reaped(self, long long thread, long long direction) noexcept nogil
    cdef bint thinks_now(self, long long thread, long long now_ns) noexcept nogil
    cdef void thought(self, long long thread, long long now_ns) noexcept nogil
