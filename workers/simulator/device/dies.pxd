cimport cython

from workers.simulator.engine cimport Engine
from workers.simulator.stream cimport Streams

cdef long long NONE, EVENT_DEVICE, DIE_DONE, CHANNEL_DONE, PROGRAM_DONE, KIND_BITS
cdef unsigned long long MASK_32


@cython.final
cdef class Dies:
    cdef Engine engine
    cdef Streams cells
    cdef long long channels
    cdef long long dies
    cdef long long page_types
    cdef long long[::1] read_ns
    cdef long long retry_per_million
    cdef long long retry_ns
    cdef long long program_ns
    cdef long long program_sectors
    cdef bint suspends
    cdef long long suspend_ns
    cdef long long channel_sector_ps
    cdef long long[::1] piece_request
    cdef long long[::1] piece_sectors
    cdef long long[::1] piece_die
    cdef long long[::1] piece_ready_ns
    cdef long long[::1] piece_next
    cdef long long free_piece
    cdef long long[::1] channel_free_ns
    cdef long long[::1] reading
    cdef long long[::1] reads_head
    cdef long long[::1] reads_tail
    cdef long long[::1] suspended_ns
    cdef long long[::1] program_lost_ns
    cdef long long[::1] armed
    cdef long long[::1] program_end_ns
    cdef long long[::1] programming
    cdef long long[::1] idle_dies
    cdef long long idle_head
    cdef long long idle_count
    cdef public long long page_reads
    cdef public long long read_retries
    cdef public long long programs
    cdef public long long suspensions
    cdef public long long busy_ns
    cdef public long long channel_busy_ns

    cdef void read(self, long long request, long long die, long long sectors, long long ready_ns) noexcept nogil
    cdef bint yields(self, long long die, long long ready_ns) noexcept nogil
    cdef void start_read(self, long long die, long long piece) noexcept nogil
    cdef long long cell_time_ns(self) noexcept nogil
    cdef void die_done(self, long long piece) noexcept nogil
    cdef long long channel_done(self, long long piece) noexcept nogil
    cdef void next_of_die(self, long long die) noexcept nogil
    cdef long long take_idle(self) noexcept nogil
    cdef long long program(self, long long frees, long long more_ns) noexcept nogil
    cdef void arm(self, long long die) noexcept nogil
    cdef long long program_done(self, long long die) noexcept nogil
