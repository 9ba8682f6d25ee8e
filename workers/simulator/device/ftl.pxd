cimport cython

from workers.simulator.stream cimport Streams

cdef long long NONE, BLOCK_PAGES, RATIO_BITS


@cython.final
cdef class Ftl:
    cdef public long long pages
    cdef public long long blocks
    cdef int[::1] where
    cdef int[::1] holds
    cdef int[::1] valid
    cdef int[::1] first_of
    cdef int[::1] next
    cdef int[::1] previous
    cdef int[::1] free
    cdef long long least_valid
    cdef public long long free_blocks
    cdef long long host_block
    cdef long long host_used
    cdef long long move_block
    cdef long long move_used
    cdef public long long ratio
    cdef long long moved_for_block
    cdef public long long written
    cdef public long long moved
    cdef public long long erased
    cdef public long long early_written
    cdef public long long early_moved
    cdef long long mark_written
    cdef long long mark_moved
    cdef long long moved_before

    cpdef void write(self, long long page) noexcept nogil
    cdef long long moved_by_now(self) noexcept nogil
    cpdef void trim(self, long long page) noexcept nogil
    cdef void invalidate(self, long long page) noexcept nogil
    cdef void put(self, long long page, long long block, long long used) noexcept nogil
    cdef void open_next(self) noexcept nogil
    cdef long long take_free(self) noexcept nogil
    cdef void collect(self) noexcept nogil
    cdef void enlist(self, long long block) noexcept nogil
    cdef void unlist(self, long long block) noexcept nogil
    cpdef void overwrite(self, Streams draws, long long count) noexcept nogil
    cpdef bint verify(self) noexcept nogil
