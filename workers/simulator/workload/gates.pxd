cimport cython

cdef long long NONE


@cython.final
cdef class Gates:
    cdef long long[::1] waits_for
    cdef long long[::1] dependents
    cdef long long[::1] first
    cdef long long[::1] following
    cdef long long freed

    cdef void ended(self, long long thread) noexcept nogil
