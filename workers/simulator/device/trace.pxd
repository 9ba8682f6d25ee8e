cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.device.base cimport Device
from workers.simulator.engine cimport Engine

cdef long long DISPATCHED, EVENT_SUBMIT, EVENT_DEVICE, EVENT_COMPLETE


@cython.final
cdef class DeviceTrace:
    cdef Engine engine
    cdef Requests requests
    cdef Device device
    cdef long long[::1] completed_ns

    cdef void run(self) noexcept nogil
