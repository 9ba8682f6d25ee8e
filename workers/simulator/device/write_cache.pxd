cimport cython

cdef long long NONE


@cython.final
cdef class WriteCache:
    cdef long long first_slot
    cdef long long entries
    cdef long long limit_sectors
    cdef long long[::1] sector
    cdef long long[::1] sectors
    cdef long long[::1] number
    cdef long long[::1] order
    cdef long long[::1] free
    cdef public long long dirty
    cdef public long long dirty_sectors
    cdef public long long writes
    cdef public long long overwrites

    cdef bint has_room(self, long long sectors) noexcept nogil
    cdef long long find(self, long long sector, long long sectors) noexcept nogil
    cdef bint holds(self, long long sector, long long end) noexcept nogil
    cdef long long put(self, long long sector, long long sectors) noexcept nogil
    cdef long long oldest(self) noexcept nogil
    cdef long long remove(self, long long place) noexcept nogil
