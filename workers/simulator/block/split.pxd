cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.engine cimport Engine

cdef long long NONE, READ, WRITE, FAULT_BIO_STATE, PAGE_SECTOR_SHIFT


@cython.final
cdef class Splitter:
    cdef Engine engine
    cdef Bios bios
    cdef long long most_sectors
    cdef long long free
    cdef public long long splits

    cdef bint is_too_large(self, long long bio) noexcept nogil
    cdef void begin(self, long long bio) noexcept nogil
    cdef long long next_piece(self, long long bio) noexcept nogil
    cdef long long ended(self, long long first) noexcept nogil
