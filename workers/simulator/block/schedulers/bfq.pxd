cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.block.schedulers.bfq_order cimport RequestOrder
from workers.simulator.block.schedulers.bfq_queue cimport BfqQueues
from workers.simulator.block.schedulers.bfq_raising cimport WeightRaising
from workers.simulator.block.schedulers.bfq_slice cimport Slices

cdef long long NONE, FOREVER, READ, WRITE, WAITED, WRITEBACK, BACK_MERGE, FRONT_MERGE, NO_MERGE, IOPRIO_CLASS_BE, IOPRIO_CLASS_SHIFT
cdef long long BUDGET_EXHAUSTED, BUDGET_TIMEOUT, NO_MORE_REQUESTS, PREEMPTED, TOO_IDLE, LEVELS, LEVEL_MASK, IDLE_CLASS, HISTORY_MASK


@cython.final
cdef class Bfq(Scheduler):
    cdef Bios bios
    cdef long long depth
    cdef bint strict
    cdef long long expire_sync_ns
    cdef long long expire_async_ns
    cdef BfqQueues queues
    cdef RequestOrder order
    cdef Slices slices
    cdef WeightRaising raising

    cdef long long queue_of(self, long long bio) noexcept nogil
    cdef bint is_sync(self, long long bio) noexcept nogil
    cdef long long class_of(self, long long ioprio) noexcept nogil
    cdef void take_priority(self, long long queue, long long ctx) noexcept nogil
    cdef void observe(self, long long queue, long long request) noexcept nogil
    cdef void become_busy(self, long long queue) noexcept nogil
    cdef void leave(self, long long queue, long long request) noexcept nogil
    cdef void merge_into(self, long long request, long long bio, long long where) noexcept nogil
    cdef void merge_requests(self, long long request, long long behind) noexcept nogil
