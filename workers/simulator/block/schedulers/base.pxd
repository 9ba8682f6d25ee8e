from workers.simulator.block.request cimport Requests
from workers.simulator.engine cimport Engine


cdef long long NONE


cdef class Scheduler:
    cdef Engine engine
    cdef Requests requests
    cdef public long long queued

    cdef void insert(self, long long request) noexcept nogil
    cdef long long dispatch(self) noexcept nogil
    cdef void completed(self, long long request) noexcept nogil
