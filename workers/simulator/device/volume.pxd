cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.device.base cimport Device
from workers.simulator.device.member cimport Member
from workers.simulator.device.raid cimport Layout

cdef long long EVENT_COMPLETE, EVENT_DEVICE, FAULT_NONE, FLUSH, FOREVER, NONE, READ, PAGE_SECTORS
cdef long long COPIES, LINEAR, RAID1, RAID5, RAID10


@cython.final
cdef class Volume(Device):
    cdef long long volume
    cdef long long members
    cdef long long chunk
    cdef Layout layout
    cdef bint rotational
    cdef Requests commands
    cdef object own
    cdef public object everyone
    cdef Member first
    cdef long long[::1] request_of
    cdef long long[::1] part_of
    cdef long long[::1] member_of
    cdef long long free
    cdef long long[::1] pending
    cdef long long[::1] queued
    cdef long long[::1] position
    cdef long long[::1] continues
    cdef long long[::1] part_stripe
    cdef long long[::1] part_begin
    cdef long long[::1] part_end
    cdef long long[::1] part_first
    cdef long long[::1] part_last
    cdef long long[::1] part_left
    cdef long long[::1] part_next
    cdef long long free_part
    cdef long long reads
    cdef long long writes
    cdef long long flushes

    cdef void arm(self, long long member) noexcept nogil
    cdef void command(self, long long request, long long member, long long sector, long long sectors, long long direction, long long part) noexcept nogil
    cdef void ended(self, long long command) noexcept nogil
    cdef void release(self, long long request) noexcept nogil
    cdef void pieces(self, long long request, long long direction) noexcept nogil
    cdef long long balanced(self, long long first, long long count, long long sector, long long sectors) noexcept nogil
    cdef void write_stripes(self, long long request) noexcept nogil
    cdef void part(self, long long request, long long stripe, long long begin, long long end, long long first, long long last) noexcept nogil
    cdef void write_part(self, long long request, long long part) noexcept nogil
