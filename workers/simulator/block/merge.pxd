cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.request cimport Requests
from workers.simulator.engine cimport Engine

cdef long long NONE, READ, WRITE, FAULT_ELEVATOR
cdef long long HASH_SIZE, HASH_MASK, PAGE_SECTOR_SHIFT, NO_MERGE, BACK_MERGE, FRONT_MERGE


@cython.final
cdef class Merger:
    cdef Engine engine
    cdef public Bios bios
    cdef Requests requests
    cdef long long max_sectors
    cdef long long max_segments
    cdef public long long nomerges
    cdef long long[::1] head
    cdef long long[::1] after
    cdef long long[::1] hashed
    cdef public long long last
    cdef public long long absorbed
    cdef public long long back_merges
    cdef public long long front_merges
    cdef public long long request_merges

    cdef long long match(self, long long request, long long bio) noexcept nogil
    cdef void join(self, long long request, long long bio, long long where) noexcept nogil
    cdef bint touches(self, long long request, long long behind) noexcept nogil
    cdef void absorb(self, long long request, long long behind) noexcept nogil
    cdef long long find_back(self, long long bio) noexcept nogil
    cdef long long find_before(self, long long request) noexcept nogil
    cdef void add(self, long long request) noexcept nogil
    cdef void remove(self, long long request) noexcept nogil
    cdef bint may_merge(self, long long bio) noexcept nogil
    cdef long long segments_of(self, long long sectors) noexcept nogil
