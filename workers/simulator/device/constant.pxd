from workers.simulator.device.base cimport Device

cdef long long EVENT_COMPLETE


cdef class Constant(Device):
    cdef long long service_ns
