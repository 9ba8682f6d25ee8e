cimport cython

cdef long long PLAT_BINS, PLAT_BITS, PLAT_VALUES, DIRECTIONS, TRACE_COLUMNS
cdef unsigned long long MASK_64, LOW


@cython.final
cdef class Recorder:
    cdef public long long histograms
    cdef long long[::1] bins
    cdef long long[::1] count
    cdef long long[::1] total
    cdef long long[::1] least
    cdef long long[::1] most
    cdef unsigned long long[::1] squares_low
    cdef unsigned long long[::1] squares_high
    cdef public long long interval_ns
    cdef long long points
    cdef long long[::1] ios
    cdef long long[::1] bytes
    cdef long long[::1] latency_ns
    cdef long long[::1] latency_most_ns

    cdef long long trace_rows
    cdef long long traced
    cdef long long[::1] trace_values

    cpdef void record(self, long long histogram, long long value) noexcept nogil
    cdef long long bin_of(self, long long value) noexcept nogil
    cdef void add_square(self, long long histogram, unsigned long long value) noexcept nogil
    cdef void add_low(self, long long histogram, unsigned long long part) noexcept nogil
    cpdef void add_point(self, long long direction, long long time_ns, long long size, long long latency) noexcept nogil
    cdef void halve(self) noexcept nogil
    cdef void fold(self, long long target, long long first, long long end) noexcept nogil
