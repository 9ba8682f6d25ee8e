from workers.simulator.block.bio cimport Bios
from workers.simulator.block.merge cimport Merger
from workers.simulator.block.queue cimport BlockQueue
from workers.simulator.block.request cimport Requests
from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.device.base cimport Device
from workers.simulator.engine cimport Engine

cdef long long EVENT_SUBMIT, EVENT_DEVICE, EVENT_COMPLETE, EVENT_GRANTED, EVENT_INSERT, EVENT_QUEUE, EVENT_THREAD, NONE


cdef class QueueTrace:
    cdef Engine engine
    cdef Bios bios
    cdef Requests requests
    cdef Device device
    cdef Merger merger
    cdef Scheduler scheduler
    cdef public BlockQueue queue
    cdef long long[::1] ended_ns
    cdef public list commands
