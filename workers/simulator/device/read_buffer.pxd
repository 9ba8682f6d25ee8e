cimport cython

from workers.simulator.device.platter cimport Platter
from workers.simulator.engine cimport Engine

cdef long long RATE_BITS


@cython.final
cdef class ReadBuffer:
    cdef Engine engine
    cdef Platter platter
    cdef long long readahead_sectors
    cdef bint reads_ahead
    cdef bint streaming
    cdef long long first
    cdef long long held
    cdef long long base
    cdef long long base_ns
    cdef long long limit
    cdef long long sector_ns

    cdef bint covers(self, long long sector, long long sectors) noexcept nogil
    cdef long long passes_ns(self, long long sector) noexcept nogil
    cdef long long end(self) noexcept nogil
    cdef void begin(self, long long sector, long long end, long long sector_ns, long long done_ns) noexcept nogil
    cdef void ride(self, long long end) noexcept nogil
    cdef void stop(self) noexcept nogil
    cdef void forget(self, long long sector, long long end) noexcept nogil
