cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.block.schedulers.bfq_queue cimport BfqQueues
from workers.simulator.engine cimport Engine

cdef long long NONE, FAULT_ELEVATOR


@cython.final
cdef class RequestOrder:
    cdef Engine engine
    cdef Requests requests
    cdef BfqQueues queues
    cdef long long back_max
    cdef long long back_penalty
    cdef long long[::1] sorted
    cdef long long count
    cdef long long[::1] owner
    cdef long long[::1] expires_ns

    cdef void add(self, long long request) noexcept nogil
    cdef void remove(self, long long request) noexcept nogil
    cdef long long choose(self, long long first, long long second, long long last) noexcept nogil
    cdef long long way(self, long long sector, long long last) noexcept nogil
    cdef long long following(self, long long request) noexcept nogil
    cdef long long neighbour(self, long long queue, long long place) noexcept nogil
    cdef long long position_of(self, long long queue, long long sector) noexcept nogil
    cdef long long place_of(self, long long request) noexcept nogil
    cdef void sort_in(self, long long request) noexcept nogil
    cdef void sort_out(self, long long request) noexcept nogil
    cdef void put_behind(self, long long request, long long before) noexcept nogil
    cdef void take_out(self, long long request) noexcept nogil
