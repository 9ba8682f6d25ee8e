cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.device.base cimport Device
from workers.simulator.engine cimport Engine

cdef long long EVENT_DEVICE, FLUSH, FOREVER, NONE


@cython.final
cdef class Member:
    cdef Requests commands
    cdef public Member following
    cdef public Engine engine
    cdef public Device device
    cdef long long tags
    cdef bint flush_queued
    cdef long long in_device
    cdef bint flushing
    cdef long long head
    cdef long long tail
    cdef public long long wakes
    cdef long long[::1] armed_ns
    cdef long long armed

    cdef void take(self, long long number, long long command, long long now_ns) noexcept nogil
    cdef void issue(self, long long now_ns) noexcept nogil
    cdef long long step(self, long long number, long long now_ns) noexcept nogil
    cdef void woken(self, long long number) noexcept nogil
    cdef long long arm(self, long long number) noexcept nogil
    cdef long long fault(self, long long number) noexcept nogil
