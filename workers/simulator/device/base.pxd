from workers.simulator.block.request cimport Requests
from workers.simulator.engine cimport Engine


cdef class Device:
    cdef Engine engine
    cdef Requests requests

    cdef void submit(self, long long request) noexcept nogil
    cdef void wake(self, long long argument) noexcept nogil
    cdef void completed(self, long long request) noexcept nogil
