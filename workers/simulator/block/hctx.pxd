cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.block.wbt cimport WritebackThrottle
from workers.simulator.device.base cimport Device
from workers.simulator.engine cimport Engine
from workers.simulator.observation.occupancy cimport Occupancy

cdef long long NONE, INSERTED, DISPATCHED, FLUSH, FAULT_REQUEST_STATE, FAULT_TAGS


@cython.final
cdef class HardwareQueues:
    cdef Engine engine
    cdef Requests requests
    cdef Scheduler scheduler
    cdef Device device
    cdef WritebackThrottle wbt
    cdef bint throttles
    cdef long long hctxs
    cdef long long tags
    cdef long long first_flush_row
    cdef bint flush_queued
    cdef long long[::1] tags_free
    cdef long long[::1] parked_head
    cdef long long[::1] parked_tail
    cdef public long long parked
    cdef long long first
    cdef public long long in_device
    cdef long long flushes_in_device
    cdef long long deferred
    cdef long long changed_ns
    cdef public Occupancy occupancy
    cdef long long busy_ns
    cdef long long depth_ns
    cdef long long dispatches
    cdef long long completions
    cdef long long requeues
    cdef long long most_in_device

    cdef bint takes_directly(self, long long hctx) noexcept nogil
    cdef void park(self, long long request, long long hctx, bint in_front) noexcept nogil
    cdef void run(self) noexcept nogil
    cdef bint run_parked(self) noexcept nogil
    cdef bint defers(self, long long request) noexcept nogil
    cdef void issue(self, long long request) noexcept nogil
    cdef void completed(self, long long request) noexcept nogil
    cdef void account(self) noexcept nogil
    cdef void verify(self, long long in_device) noexcept nogil
