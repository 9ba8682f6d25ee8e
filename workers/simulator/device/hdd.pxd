cimport cython

from workers.simulator.device.base cimport Device
from workers.simulator.device.platter cimport Platter
from workers.simulator.device.read_buffer cimport ReadBuffer
from workers.simulator.device.write_cache cimport WriteCache
from workers.simulator.stream cimport Streams

cdef long long FOREVER, NONE, READ, WRITE, FLUSH, FUA, EVENT_COMPLETE, EVENT_DEVICE, RATE_BITS, DECIDE, DESTAGED
cdef unsigned long long MASK_64, SPLITMIX_GAMMA


@cython.final
cdef class HardDisk(Device):
    cdef Platter platter
    cdef ReadBuffer buffer
    cdef WriteCache cache
    cdef bint caches
    cdef long long overhead_ns
    cdef long long window
    cdef long long age_per_mille
    cdef long long error_ns
    cdef Streams errors
    cdef unsigned long long error_seed
    cdef long long destage_window
    cdef long long link_sector_ns
    cdef long long[::1] sector
    cdef long long[::1] sectors
    cdef long long[::1] direction
    cdef long long[::1] arrived_ns
    cdef long long[::1] angle_ns
    cdef long long[::1] sector_ns
    cdef long long[::1] queue
    cdef long long queued
    cdef long long[::1] flush_target
    cdef long long waiting_head
    cdef long long waiting_tail
    cdef long long flush_head
    cdef long long flush_tail
    cdef bint deciding
    cdef long long active
    cdef long long destaging
    cdef bint destage_turn
    cdef long long free_ns
    cdef long long head
    cdef long long head_sector_ns
    cdef long long seeks
    cdef long long seek_total_ns
    cdef long long rotation_total_ns
    cdef long long transfer_total_ns
    cdef long long buffer_hits
    cdef long long media_commands
    cdef long long destages
    cdef long long cache_waits

    cdef void seek_work(self) noexcept nogil
    cdef void flush(self, long long request) noexcept nogil
    cdef bint fits_cache(self, long long request) noexcept nogil
    cdef void cache_write(self, long long request) noexcept nogil
    cdef void describe(self, long long row, long long sector, long long sectors, long long direction) noexcept nogil
    cdef long long continuing(self, long long[::1] rows, long long count, long long direction) noexcept nogil
    cdef long long choose(self, long long[::1] rows, long long count, long long window, long long age_per_mille, long long error_ns) noexcept nogil
    cdef long long error_of(self, long long row, long long error_ns) noexcept nogil
    cdef long long positioning_ns(self, long long row, long long now_angle_ns) noexcept nogil
    cdef void start_command(self, long long place) noexcept nogil
    cdef void start_destage(self, long long place) noexcept nogil
    cdef void move(self, long long row) noexcept nogil
    cdef bint serve_from_buffer(self, long long request) noexcept nogil
    cdef bint is_idle(self) noexcept nogil
    cdef bint rides(self, long long row) noexcept nogil
