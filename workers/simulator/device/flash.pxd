cimport cython

from workers.simulator.device.base cimport Device
from workers.simulator.device.dies cimport Dies
from workers.simulator.device.ftl cimport Ftl
from workers.simulator.stream cimport Streams

cdef long long NONE, READ, TRIM, FLUSH, FUA, EVENT_COMPLETE, EVENT_DEVICE, PAGE_SECTORS, RATIO_BITS, KIND_BITS
cdef long long DIE_DONE, CHANNEL_DONE, PROGRAM_DONE, ADMITTED, FLUSH_READY, WRITE_STREAMS
cdef unsigned long long MASK_64, SPLITMIX_GAMMA


@cython.final
cdef class Flash(Device):
    cdef Dies dies
    cdef public Ftl ftl
    cdef Streams draws
    cdef long long die_count
    cdef long long stripe_sectors
    cdef long long program_sectors
    cdef long long link_sector_ps
    cdef long long controller_ns
    cdef long long controller_busy_ns
    cdef long long buffer_write_ns
    cdef long long buffer_sectors
    cdef bint collects
    cdef long long group_pages
    cdef long long capacity_bytes
    cdef long long precondition
    cdef long long collection_read_ns
    cdef long long erase_ns
    cdef long long block_units
    cdef long long units_until_erase
    cdef long long[::1] remaining
    cdef long long controller_free_ns
    cdef long long link_in_free_ns
    cdef long long link_out_free_ns
    cdef long long buffered
    cdef long long unprogrammed
    cdef long long collected
    cdef long long[::1] stream_end
    cdef long long stream_turn
    cdef long long sequential
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
    cdef long long collection_programs
    cdef long long erases
    cdef long long buffer_waits

    cdef void read(self, long long request, long long ready_ns) noexcept nogil
    cdef void piece_done(self, long long request) noexcept nogil
    cdef void admit(self, long long request, long long ready_ns) noexcept nogil
    cdef void admitted(self, long long request) noexcept nogil
    cdef void map(self, long long request, bint trims) noexcept nogil
    cdef long long place_in(self, long long group) noexcept nogil
    cdef bint continues_stream(self, long long sector, long long end) noexcept nogil
    cdef void start_programs(self) noexcept nogil
    cdef long long erase_time_ns(self) noexcept nogil
    cdef void program_done(self, long long die) noexcept nogil
    cdef void flush(self, long long request) noexcept nogil
    cdef void await_durable(self, long long request) noexcept nogil
    cdef long long durable(self) noexcept nogil
    cdef void end_durable(self) noexcept nogil
