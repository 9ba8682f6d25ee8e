cimport cython

from workers.simulator.stream cimport Streams

cdef unsigned long long MASK_64
cdef long long FRACTION_BITS, CELL_BITS, CELLS, LN_2, LARGE_MEAN, LARGE_SHIFT


@cython.final
cdef class Exponential:
    cdef Streams streams
    cdef long long[::1] logarithms

    cpdef long long draw(self, long long index, long long mean) noexcept nogil
