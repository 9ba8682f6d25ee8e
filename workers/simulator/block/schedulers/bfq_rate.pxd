cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.engine cimport Engine

cdef long long SHIFT, SAMPLES_MIN, INTERVAL_MIN_NS, INTERVAL_NS, THINK_MIN_NS, IDLE_NS, SEEK_SECTORS, SMALL_SECTORS, MOST_RATE


@cython.final
cdef class PeakRate:
    cdef Engine engine
    cdef Requests requests
    cdef public bint rotational
    cdef long long timeout_us
    cdef public long long user_max_budget
    cdef public long long rate
    cdef public long long max_budget
    cdef long long samples
    cdef long long sequential
    cdef long long sectors
    cdef long long largest
    cdef long long first_dispatch_ns
    cdef long long last_dispatch_ns
    cdef long long last_completion_ns
    cdef long long interval_ns
    cdef long long last_position
    cdef long long updates

    cdef bint is_seek(self, long long position, long long request) noexcept nogil
    cdef void dispatched(self, long long request, long long in_driver) noexcept nogil
    cdef void completed(self) noexcept nogil
    cdef void begin(self, long long size) noexcept nogil
    cdef void close(self) noexcept nogil
