cimport cython

from workers.simulator.device.base cimport Device
from workers.simulator.exponential cimport Exponential

cdef long long EVENT_COMPLETE, FLUSH


@cython.final
cdef class Constant(Device):
    cdef Exponential service
    cdef long long service_ns
    cdef long long flush_ns
    cdef long long servers
    cdef bint exponential
    cdef long long[::1] free_ns
    cdef long long busy_ns
