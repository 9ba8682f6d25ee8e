cimport cython

cdef long long FOREVER, READ, SEEK_COARSE, SEEK_ENTRIES, RATE_BITS


@cython.final
cdef class Platter:
    cdef public long long capacity
    cdef public long long revolution_ns
    cdef long long zones
    cdef long long zone_sectors
    cdef long long[::1] zone_sector_ns
    cdef long long[::1] zone_angle_ns
    cdef long long near_sectors
    cdef long long least_seek_ns
    cdef long long least_span_ns
    cdef long long[::1] seek_shift
    cdef long long[::1] read_seek_ns
    cdef long long[::1] write_seek_ns

    cdef long long zone_of(self, long long sector) noexcept nogil
    cdef long long sector_time(self, long long sector) noexcept nogil
    cdef long long angle_of(self, long long sector) noexcept nogil
    cdef long long seek_ns(self, long long head, long long head_sector_ns, long long sector, long long direction) noexcept nogil
    cdef long long reach(self, long long time_ns) noexcept nogil
