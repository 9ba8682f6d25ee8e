cimport cython

from workers.simulator.device.base cimport Device

cdef long long EVENT_COMPLETE


@cython.final
cdef class Constant(Device):
    cdef long long service_ns
