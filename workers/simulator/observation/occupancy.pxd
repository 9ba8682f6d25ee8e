cimport cython

cdef long long FOREVER


@cython.final
cdef class Occupancy:
    cdef public long long interval_ns
    cdef public long long points
    cdef public long long next_ns
    cdef public long long passed
    cdef long long[::1] depth_ns
    cdef long long[::1] busy_ns

    cpdef void pass_to(self, long long now_ns, long long since_ns, long long depth, long long depth_ns, long long busy_ns) noexcept nogil
    cdef void halve(self) noexcept nogil
