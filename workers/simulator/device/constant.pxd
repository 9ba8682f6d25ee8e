cimport cython

from workers.simulator.device.base cimport Device

cdef long long EVENT_COMPLETE, FLUSH


@cython.final
cdef class Constant(Device):
    cdef long long service_ns
    cdef long long flush_ns
