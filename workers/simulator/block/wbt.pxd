cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.request cimport Requests
from workers.simulator.block.timer cimport Timer
from workers.simulator.engine cimport Engine

cdef long long NONE, READ, WRITE, TRIM, FOREVER, BACKGROUND, WAITED, WRITEBACK
cdef long long RWB_DEF_DEPTH, RWB_WINDOW_NS, RWB_MIN_WRITE_SAMPLES, RWB_UNKNOWN_BUMP, CLOSE_IO_NS
cdef long long WBT_BUFFERED, WBT_DISCARD, WBT_READ


@cython.final
cdef class WritebackThrottle:
    cdef Engine engine
    cdef Bios bios
    cdef Requests requests
    cdef long long target_ns
    cdef long long queue_depth
    cdef bint write_cache
    cdef Timer timer
    cdef long long[::1] counted_as
    cdef long long[::1] inflight
    cdef long long[::1] waiting_head
    cdef long long[::1] waiting_tail
    cdef public long long step
    cdef bint scaled_max
    cdef public long long max_depth
    cdef public long long normal
    cdef public long long background
    cdef long long unknown
    cdef public long long window_ns
    cdef long long last_read_issue_ns
    cdef long long last_read_end_ns
    cdef long long oldest_read
    cdef long long oldest_read_ns
    cdef long long read_samples
    cdef long long write_samples
    cdef long long least_read_ns
    cdef long long waits
    cdef long long scale_ups
    cdef long long scale_downs

    cdef long long kind_of(self, long long bio) noexcept nogil
    cdef bint admit(self, long long bio) noexcept nogil
    cdef long long limit(self, long long bio) noexcept nogil
    cdef long long next_admitted(self, long long kind) noexcept nogil
    cdef void issued(self, long long request) noexcept nogil
    cdef void sample(self, long long request) noexcept nogil
    cdef long long done(self, long long request) noexcept nogil
    cdef bint wake(self) noexcept nogil
    cdef void arm(self) noexcept nogil
    cdef void scale_up(self) noexcept nogil
    cdef void scale_down(self, bint hard) noexcept nogil
    cdef void calculate_depth(self) noexcept nogil
    cdef void calculate_limits(self) noexcept nogil
