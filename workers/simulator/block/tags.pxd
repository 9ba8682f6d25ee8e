cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.engine cimport Engine

cdef long long NONE, FAULT_TAGS


@cython.final
cdef class RequestTags:
    cdef Engine engine
    cdef Bios bios
    cdef Scheduler scheduler
    cdef long long hctxs
    cdef public long long depth
    cdef bint has_elevator
    cdef long long[::1] free
    cdef long long[::1] waiting_head
    cdef long long[::1] waiting_tail
    cdef public long long waits

    cdef bint has_one_for(self, long long bio, long long hctx) noexcept nogil
    cdef void wait(self, long long bio, long long hctx) noexcept nogil
    cdef long long next_waiter(self, long long hctx) noexcept nogil
    cdef void put(self, long long hctx) noexcept nogil
    cdef long long in_use(self) noexcept nogil
