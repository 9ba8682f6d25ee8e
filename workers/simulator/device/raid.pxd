cimport cython

cdef long long NONE, LINEAR, RAID0, RAID1, RAID10, COPIES


@cython.final
cdef class Layout:
    cdef long long volume
    cdef long long members
    cdef long long chunk
    cdef long long member_sectors
    cdef long long stripe
    cdef public long long member
    cdef public long long at
    cdef public long long left

    cpdef void locate(self, long long sector) noexcept nogil
    cpdef long long parity_member(self, long long stripe) noexcept nogil
    cpdef long long data_member(self, long long stripe, long long index) noexcept nogil
