cimport cython

from workers.simulator.device.base cimport Device
from workers.simulator.stream cimport Streams

cdef long long NONE, READ, WRITE, FLUSH, FUA, EVENT_COMPLETE, EVENT_DEVICE
cdef long long DIE_DONE, CHANNEL_DONE, PROGRAM_DONE, ADMITTED, FLUSH_READY, WRITE_STREAMS
cdef unsigned long long MASK_32


@cython.final
cdef class Flash(Device):
    cdef Streams cells
    cdef long long channels
    cdef long long dies
    cdef long long stripe_sectors
    cdef long long page_types
    cdef long long[::1] read_ns
    cdef long long retry_per_million
    cdef long long retry_ns
    cdef long long program_ns
    cdef long long program_sectors
    cdef bint suspends
    cdef long long suspend_ns
    cdef long long channel_sector_ps
    cdef long long link_sector_ps
    cdef long long controller_ns
    cdef long long controller_busy_ns
    cdef long long buffer_write_ns
    cdef long long buffer_sectors
    cdef long long waf_percent
    cdef long long[::1] piece_request
    cdef long long[::1] piece_sectors
    cdef long long[::1] piece_die
    cdef long long[::1] piece_next
    cdef long long free_piece
    cdef long long[::1] remaining
    cdef long long controller_free_ns
    cdef long long link_in_free_ns
    cdef long long link_out_free_ns
    cdef long long[::1] channel_free_ns
    cdef long long[::1] reading
    cdef long long[::1] reads_head
    cdef long long[::1] reads_tail
    cdef long long[::1] suspended_ns
    cdef long long[::1] program_lost_ns
    cdef long long[::1] armed
    cdef long long[::1] piece_ready_ns
    cdef long long[::1] program_end_ns
    cdef long long[::1] programming
    cdef long long[::1] idle_dies
    cdef long long idle_head
    cdef long long idle_count
    cdef long long buffered
    cdef long long unprogrammed
    cdef long long collected
    cdef bint protected
    cdef long long flush_ns
    cdef long long accepted
    cdef long long hurry_to
    cdef long long[::1] unit_begin
    cdef long long[::1] durable_at
    cdef long long durable_head
    cdef long long durable_tail
    cdef long long flushes
    cdef long long waiting_head
    cdef long long waiting_tail
    cdef long long[::1] stream_end
    cdef long long stream_turn
    cdef long long page_reads
    cdef long long read_retries
    cdef long long programs
    cdef long long collection_programs
    cdef long long suspensions
    cdef long long buffer_waits
    cdef long long die_busy_ns
    cdef long long channel_busy_total_ns

    cdef void read(self, long long request, long long ready_ns) noexcept nogil
    cdef void read_piece(self, long long request, long long sector, long long sectors, long long ready_ns) noexcept nogil
    cdef bint yields(self, long long die, long long ready_ns) noexcept nogil
    cdef void start_read(self, long long die, long long piece) noexcept nogil
    cdef void next_of_die(self, long long die) noexcept nogil
    cdef void arm(self, long long die) noexcept nogil
    cdef long long cell_time_ns(self) noexcept nogil
    cdef void die_done(self, long long piece) noexcept nogil
    cdef void channel_done(self, long long piece) noexcept nogil
    cdef void admit(self, long long request, long long ready_ns) noexcept nogil
    cdef void admitted(self, long long request) noexcept nogil
    cdef void flush(self, long long request) noexcept nogil
    cdef void await_durable(self, long long request) noexcept nogil
    cdef long long durable(self) noexcept nogil
    cdef void end_durable(self) noexcept nogil
    cdef void start_programs(self) noexcept nogil
    cdef long long take_idle_die(self) noexcept nogil
    cdef void program(self, long long die, long long frees) noexcept nogil
    cdef void program_done(self, long long die) noexcept nogil
    cdef bint continues_stream(self, long long sector, long long end) noexcept nogil
