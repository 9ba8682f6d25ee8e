cimport cython

cdef long long EVENT_BITS, EVENT_MASK
cdef long long FAULT_NONE, FAULT_TIME_WENT_BACK, FAULT_TOO_MANY_EVENTS, FAULT_HEAP


@cython.final
cdef class Engine:
    cdef public long long now_ns
    cdef public long long kind
    cdef public long long argument
    cdef public long long processed
    cdef public long long fault
    cdef public long long size
    cdef long long capacity
    cdef long long sequence
    cdef long long[::1] time_ns
    cdef long long[::1] order
    cdef long long[::1] event

    cpdef void schedule(self, long long time_ns, long long kind, long long argument) noexcept nogil
    cpdef bint advance(self) noexcept nogil
    cdef void verify(self) noexcept nogil
    cdef void fail(self, long long fault) noexcept nogil
