cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.merge cimport Merger
from workers.simulator.block.queue cimport BlockQueue
from workers.simulator.block.request cimport Requests
from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.device.base cimport Device
from workers.simulator.engine cimport Engine
from workers.simulator.observation.recorder cimport Recorder
from workers.simulator.workload.pattern cimport Pattern
from workers.simulator.workload.threads cimport Threads

cdef long long NONE, EVENT_SUBMIT, EVENT_GRANTED, EVENT_INSERT, EVENT_QUEUE, EVENT_THREAD, EVENT_DEVICE, EVENT_COMPLETE
cdef long long FAULT_NONE, FAULT_STALLED, FAULT_UNKNOWN_EVENT, FAULT_BIO_STATE, IDLE


@cython.final
cdef class Machine:
    cdef public Engine engine
    cdef Bios bios
    cdef Requests requests
    cdef Merger merger
    cdef public Scheduler scheduler
    cdef public Device device
    cdef public BlockQueue queue
    cdef Pattern pattern
    cdef public Threads threads
    cdef public Recorder recorder
    cdef bint checking

    cpdef bint run(self, long long events)
    cdef void verify(self) noexcept nogil
    cdef bint loop(self, long long events) noexcept nogil
