cimport cython

cdef unsigned long long MASK_64, SPLITMIX_GAMMA, MIX_A, MIX_B


@cython.final
cdef class Streams:
    cdef unsigned long long[::1] state

    cdef unsigned long long mix(self, unsigned long long value) noexcept nogil
    cpdef unsigned long long draw(self, long long index) noexcept nogil
    cpdef long long below(self, long long index, long long limit) noexcept nogil
    cpdef long long permuted(self, long long position, long long count, unsigned long long key) noexcept nogil
