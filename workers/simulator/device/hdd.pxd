cimport cython

from workers.simulator.device.base cimport Device

cdef long long FOREVER, NONE, READ, EVENT_COMPLETE, EVENT_DEVICE, SEEK_COARSE, SEEK_ENTRIES, RATE_BITS


@cython.final
cdef class HardDisk(Device):
    cdef long long revolution_ns
    cdef long long overhead_ns
    cdef long long window
    cdef long long age_per_mille
    cdef long long link_sector_ns
    cdef long long readahead_sectors
    cdef long long zones
    cdef long long zone_sectors
    cdef long long[::1] zone_sector_ns
    cdef long long[::1] zone_angle_ns
    cdef long long capacity
    cdef long long near_sectors
    cdef long long least_seek_ns
    cdef long long least_span_ns
    cdef long long[::1] seek_shift
    cdef long long[::1] read_seek_ns
    cdef long long[::1] write_seek_ns
    cdef long long[::1] queue
    cdef long long[::1] arrived_ns
    cdef long long[::1] angle_ns
    cdef long long[::1] sector_ns
    cdef long long queued
    cdef bint deciding
    cdef long long active
    cdef long long free_ns
    cdef long long head
    cdef long long head_sector_ns
    cdef bint reads_ahead
    cdef bint streaming
    cdef long long stream_first
    cdef long long stream_held
    cdef long long stream_base
    cdef long long stream_base_ns
    cdef long long stream_limit
    cdef long long stream_sector_ns
    cdef long long seeks
    cdef long long seek_total_ns
    cdef long long rotation_total_ns
    cdef long long transfer_total_ns
    cdef long long buffer_hits
    cdef long long media_commands

    cdef void decide_at(self, long long time_ns) noexcept nogil
    cdef long long choose(self) noexcept nogil
    cdef long long reach(self, long long time_ns) noexcept nogil
    cdef long long positioning_ns(self, long long request, long long now_angle_ns) noexcept nogil
    cdef long long seek_ns(self, long long request) noexcept nogil
    cdef void start(self, long long position) noexcept nogil
    cdef bint serve_from_buffer(self, long long request) noexcept nogil
    cdef bint in_stream(self, long long request) noexcept nogil
    cdef long long passes_ns(self, long long sector) noexcept nogil
    cdef void stop_stream(self) noexcept nogil
    cdef long long buffered_end(self) noexcept nogil
    cdef void begin_stream(self, long long request, long long done_ns) noexcept nogil
    cdef void ride_stream(self, long long end) noexcept nogil
    cdef long long zone_of(self, long long sector) noexcept nogil
    cdef long long angle_of(self, long long sector) noexcept nogil
    cdef long long sector_time(self, long long sector) noexcept nogil
