from workers.simulator.block.merge cimport Merger
from workers.simulator.block.request cimport Requests
from workers.simulator.engine cimport Engine


cdef long long NONE, FOREVER


cdef class Scheduler:
    cdef Engine engine
    cdef Requests requests
    cdef Merger merger
    cdef public long long queued

    cdef long long depth_limit(self, long long bio) noexcept nogil
    cdef bint merge(self, long long bio) noexcept nogil
    cdef void insert(self, long long request) noexcept nogil
    cdef long long dispatch(self, long long hctx) noexcept nogil
    cdef void completed(self, long long request) noexcept nogil
    cdef void wake(self) noexcept nogil
