cimport cython

from workers.simulator.block.merge cimport Merger
from workers.simulator.block.request cimport Requests

cdef long long NONE, NO_MERGE, NEWEST_TRIED


@cython.final
cdef class SoftwareQueues:
    cdef Requests requests
    cdef Merger merger
    cdef long long kinds
    cdef long long ctxs
    cdef long long hctxs
    cdef long long[::1] head
    cdef long long[::1] tail
    cdef long long[::1] count
    cdef long long[::1] turn

    cdef bint merge(self, long long ctx, long long kind, long long bio) noexcept nogil
    cdef void add(self, long long request, long long kind) noexcept nogil
    cdef long long take(self, long long hctx, long long kind) noexcept nogil
    cdef long long following(self, long long ctx, long long hctx) noexcept nogil
