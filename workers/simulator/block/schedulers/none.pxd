cimport cython

from workers.simulator.block.schedulers.base cimport Scheduler

cdef long long NONE


@cython.final
cdef class NoScheduler(Scheduler):
    cdef long long head
    cdef long long tail
