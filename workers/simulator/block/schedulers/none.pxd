cimport cython

from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.block.software_queues cimport SoftwareQueues


@cython.final
cdef class NoScheduler(Scheduler):
    cdef SoftwareQueues software
