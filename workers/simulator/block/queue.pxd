cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.flush cimport FlushQueues
from workers.simulator.block.hctx cimport HardwareQueues
from workers.simulator.block.merge cimport Merger
from workers.simulator.block.plug cimport Plugs
from workers.simulator.block.request cimport Requests
from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.block.split cimport Splitter
from workers.simulator.block.tags cimport RequestTags
from workers.simulator.block.wbt cimport WritebackThrottle
from workers.simulator.engine cimport Engine

cdef long long NONE, FREE, TAGGED, INSERTED, DISPATCHED, EVENT_GRANTED, EVENT_INSERT
cdef long long FAULT_REQUEST_STATE, FAULT_TAGS, FAULT_ELEVATOR
cdef long long FLUSH_FLAGS, FUA, STEP_PREFLUSH, STEP_POSTFLUSH, WBT_BUFFERED, WBT_DISCARD, TIMER_WBT


@cython.final
cdef class BlockQueue:
    cdef Engine engine
    cdef Bios bios
    cdef Requests requests
    cdef Merger merger
    cdef Scheduler scheduler
    cdef public HardwareQueues hardware
    cdef Plugs plugs
    cdef Splitter splitter
    cdef public WritebackThrottle wbt
    cdef long long hctxs
    cdef bint has_elevator
    cdef public bint write_cache
    cdef bint throttles
    cdef long long device_flags
    cdef long long flush_mask
    cdef public FlushQueues flushes
    cdef long long first_flush_row
    cdef long long[::1] through_elevator
    cdef long long elevator_ns
    cdef long long lock_free_ns
    cdef long long lock_ns
    cdef long long[::1] granting
    cdef RequestTags tags
    cdef long long free_request
    cdef public long long in_use

    cdef bint submit_bio(self, long long bio) noexcept nogil
    cdef bint submit_pieces(self, long long bio) noexcept nogil
    cdef bint submit_piece(self, long long bio) noexcept nogil
    cdef bint take_tag(self, long long bio) noexcept nogil
    cdef bint get_request(self, long long bio, long long hctx) noexcept nogil
    cdef bint place(self, long long request, long long bio) noexcept nogil
    cdef long long lock(self) noexcept nogil
    cdef void insert(self, long long request) noexcept nogil
    cdef long long inserted(self, long long request) noexcept nogil
    cdef long long granted(self, long long bio) noexcept nogil
    cdef void start_plug(self, long long thread) noexcept nogil
    cdef long long finish_plug(self, long long thread) noexcept nogil
    cdef long long flush_plug(self, long long thread) noexcept nogil
    cdef void end_at_once(self, long long bio) noexcept nogil
    cdef long long complete(self, long long request) noexcept nogil
    cdef long long end_request(self, long long request) noexcept nogil
    cdef void park_ready(self) noexcept nogil
    cdef long long end_flushed(self) noexcept nogil
    cdef void put_absorbed(self) noexcept nogil
    cdef void put_request(self, long long request) noexcept nogil
    cdef void release(self, long long kind) noexcept nogil
    cdef void wake(self, long long timer) noexcept nogil
    cdef void verify(self) noexcept nogil
    cdef bint expect(self, long long request, long long state) noexcept nogil
