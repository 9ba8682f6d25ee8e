cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.observation.recorder cimport Recorder

cdef long long NONE, DIRECTIONS, LATENCIES, SLAT, CLAT, LAT, STAGES, SECTOR_SHIFT, TRACE_COLUMNS, SYNC


@cython.final
cdef class Accounts:
    cdef Bios bios
    cdef Recorder recorder
    cdef long long[::1] asynchronous
    cdef long long[::1] ramped
    cdef long long[::1] ramp_end_ns
    cdef long long[::1] end_ns
    cdef long long[::1] first_histogram
    cdef long long[::1] ios
    cdef long long[::1] bytes
    cdef public long long total_ios
    cdef public long long total_bytes

    cdef void begin(self, long long thread, long long now_ns, long long ramp_ns) noexcept nogil
    cdef bint add(self, long long bio, long long time_ns) noexcept nogil
    cdef void trace(self, long long bio, long long time_ns) noexcept nogil
