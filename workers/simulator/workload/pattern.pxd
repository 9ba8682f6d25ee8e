cimport cython

from workers.simulator.stream cimport Streams
from workers.simulator.workload.places cimport Places

cdef long long READ, WRITE, TRIM, WAYS, SECTOR_SHIFT, MIXED, TRIM_THEN_WRITE
cdef unsigned long long MASK_64


@cython.final
cdef class Pattern:
    cdef Streams mix
    cdef Streams place
    cdef Streams draws
    cdef long long[::1] priorities
    cdef long long[::1] cmdprio
    cdef long long[::1] cmdprio_percent
    cdef unsigned long long[::1] key
    cdef long long[::1] only
    cdef long long[::1] read_percent
    cdef long long[::1] way
    cdef long long[::1] issues
    cdef long long[::1] turn_issues
    cdef long long[::1] random
    cdef long long[::1] mapped
    cdef long long[::1] shared_map
    cdef long long[::1] rich
    cdef long long[::1] replays
    cdef long long[::1] cursor
    cdef long long[::1] due_ns
    cdef long long[::1] recorded_direction
    cdef long long[::1] recorded_sector
    cdef long long[::1] recorded_sectors
    cdef Places places
    cdef long long[::1] offset
    cdef long long[::1] block
    cdef long long[::1] blocks
    cdef long long[::1] position
    cdef long long[::1] turn
    cdef public long long direction
    cdef public long long sector
    cdef public long long sectors

    cpdef void choose(self, long long thread) noexcept nogil
    cpdef long long next_direction(self, long long thread) noexcept nogil
    cdef long long other_percent(self, long long thread, long long direction) noexcept nogil
    cdef long long priority(self, long long thread) noexcept nogil
    cdef void place_next(self, long long thread, long long direction) noexcept nogil
    cdef void replay(self, long long thread, long long direction) noexcept nogil
    cdef long long random_block(self, long long thread, long long direction) noexcept nogil
