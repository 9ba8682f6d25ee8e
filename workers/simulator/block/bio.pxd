cimport cython

@cython.final
cdef class Bios:
    cdef public long long capacity
    cdef public long long rows
    cdef long long[::1] state
    cdef long long[::1] parent
    cdef long long[::1] unended
    cdef long long[::1] cut_sector
    cdef long long[::1] thread
    cdef long long[::1] direction
    cdef long long[::1] sector
    cdef long long[::1] sectors
    cdef long long[::1] priority
    cdef long long[::1] flags
    cdef long long[::1] start_ns
    cdef long long[::1] granted_ns
    cdef long long[::1] queued_ns
    cdef long long[::1] got_ns
    cdef long long[::1] inserted_ns
    cdef long long[::1] dispatched_ns
    cdef long long[::1] completed_ns
    cdef long long[::1] next

    cdef long long count_not(self, long long state) noexcept nogil
