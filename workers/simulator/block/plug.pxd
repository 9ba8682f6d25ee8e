cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.merge cimport Merger
from workers.simulator.block.request cimport Requests

cdef long long NONE, NO_MERGE, BLK_MAX_REQUEST_COUNT, BLK_PLUG_FLUSH_SECTORS


@cython.final
cdef class Plugs:
    cdef Bios bios
    cdef Requests requests
    cdef Merger merger
    cdef long long[::1] active
    cdef long long[::1] head
    cdef long long[::1] tail
    cdef long long[::1] count
    cdef public long long merges
    cdef public long long flushed
    cdef public long long held

    cdef bint merge(self, long long thread, long long bio) noexcept nogil
    cdef bint is_full(self, long long thread) noexcept nogil
    cdef void add(self, long long thread, long long request) noexcept nogil
    cdef long long take(self, long long thread) noexcept nogil
