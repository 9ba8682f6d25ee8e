cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.engine cimport Engine

cdef long long NONE, FREE, FLUSH, FLUSHING, FUA, PREFLUSH, FAULT_FLUSH
cdef long long STEP_PREFLUSH, STEP_DATA, STEP_POSTFLUSH, STEPS, FLUSH_PENDING_TIMEOUT_NS


@cython.final
cdef class FlushQueues:
    cdef Engine engine
    cdef Requests requests
    cdef long long hctxs
    cdef long long first_row
    cdef bint has_fua
    cdef long long[::1] steps_done
    cdef long long[::1] list_head
    cdef long long[::1] list_tail
    cdef long long[::1] pending
    cdef long long[::1] running
    cdef long long[::1] pending_since_ns
    cdef long long[::1] data_in_flight
    cdef long long ready_head
    cdef long long ready_tail
    cdef long long ended_head
    cdef long long ended_tail
    cdef public long long waiting
    cdef public long long flushes
    cdef public long long answered

    cdef long long policy(self, long long request) noexcept nogil
    cdef bint is_sequenced(self, long long request) noexcept nogil
    cdef void begin(self, long long request, long long steps) noexcept nogil
    cdef void begin_with_data(self, long long request) noexcept nogil
    cdef void data_ended(self, long long request) noexcept nogil
    cdef void flush_ended(self, long long flush) noexcept nogil
    cdef void advance(self, long long request) noexcept nogil
    cdef void wait_for_flush(self, long long request, long long row) noexcept nogil
    cdef void kick(self, long long hctx) noexcept nogil
    cdef void make_ready(self, long long request) noexcept nogil
    cdef long long take_ready(self) noexcept nogil
    cdef long long take_ended(self) noexcept nogil
    cdef void verify(self) noexcept nogil
