cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.flush cimport FlushQueues
from workers.simulator.block.request cimport Requests
from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.device.base cimport Device
from workers.simulator.engine cimport Engine

cdef long long NONE, FREE, TAGGED, INSERTED, DISPATCHED, EVENT_GRANTED, FAULT_REQUEST_STATE, FAULT_TAGS, FAULT_ELEVATOR
cdef long long FLUSH, FUA, STEP_PREFLUSH, STEP_POSTFLUSH


@cython.final
cdef class BlockQueue:
    cdef Engine engine
    cdef Bios bios
    cdef Requests requests
    cdef Scheduler scheduler
    cdef Device device
    cdef long long hctxs
    cdef bint has_elevator
    cdef public bint write_cache
    cdef bint flush_queued
    cdef long long device_flags
    cdef public FlushQueues flushes
    cdef long long first_flush_row
    cdef long long flushes_in_device
    cdef long long[::1] through_elevator
    cdef long long request_tags
    cdef long long driver_tags
    cdef long long[::1] request_tags_free
    cdef long long[::1] driver_tags_free
    cdef long long driver_tags_free_total
    cdef long long[::1] waiting_head
    cdef long long[::1] waiting_tail
    cdef long long[::1] parked_head
    cdef long long[::1] parked_tail
    cdef long long parked
    cdef long long free_request
    cdef public long long in_use
    cdef public long long in_device
    cdef long long changed_ns
    cdef public long long busy_ns
    cdef public long long depth_ns
    cdef public long long dispatches
    cdef public long long completions
    cdef public long long tag_waits
    cdef public long long most_in_device

    cdef bint submit_bio(self, long long bio) noexcept nogil
    cdef void end_at_once(self, long long bio) noexcept nogil
    cdef long long complete(self, long long request) noexcept nogil
    cdef void get_request(self, long long bio, long long hctx) noexcept nogil
    cdef long long end_request(self, long long request) noexcept nogil
    cdef void park_ready(self) noexcept nogil
    cdef long long end_flushed(self) noexcept nogil
    cdef void park(self, long long request, long long hctx, bint in_front) noexcept nogil
    cdef bint defers(self, long long request) noexcept nogil
    cdef void put_request(self, long long request) noexcept nogil
    cdef void run(self) noexcept nogil
    cdef void issue(self, long long request) noexcept nogil
    cdef void verify(self) noexcept nogil
    cdef void account(self) noexcept nogil
    cdef bint expect(self, long long request, long long state) noexcept nogil
