cimport cython

from workers.simulator.block.schedulers.bfq_queue cimport BfqQueues
from workers.simulator.engine cimport Engine

cdef long long NONE, IOPRIO_CLASSES, SERVICE_SHIFT, IDLE_CLASS, IDLE_CLASS_TIMEOUT_NS


@cython.final
cdef class ServiceTrees:
    cdef Engine engine
    cdef BfqQueues queues
    cdef long long[::1] vtime
    cdef long long[::1] weights
    cdef long long idle_served_ns
    cdef long long in_service

    cdef long long delta(self, long long service, long long weight) noexcept nogil
    cdef void served(self, long long queue, long long sectors) noexcept nogil
    cdef void activate(self, long long queue, bint goes_on) noexcept nogil
    cdef void requeue(self, long long queue, bint was_in_service) noexcept nogil
    cdef void deactivate(self, long long queue) noexcept nogil
    cdef long long choose(self) noexcept nogil
    cdef void place(self, long long queue, bint goes_on) noexcept nogil
    cdef void update_weight(self, long long queue) noexcept nogil
    cdef void forget_finished(self) noexcept nogil
    cdef bint any_active(self, long long tree) noexcept nogil
    cdef long long first_to_finish(self, long long tree) noexcept nogil
