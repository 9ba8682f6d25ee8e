cimport cython

@cython.final
cdef class Requests:
    cdef public long long capacity
    cdef public long long largest_sectors
    cdef public long long total_sectors
    cdef public long long ctxs
    cdef public long long hctxs
    cdef public long long[::1] task_priority
    cdef public long long[::1] task_weight
    cdef long long[::1] state
    cdef long long[::1] direction
    cdef long long[::1] sector
    cdef long long[::1] sectors
    cdef long long[::1] priority
    cdef long long[::1] flags
    cdef long long[::1] segments
    cdef long long[::1] mergeable
    cdef long long[::1] ctx
    cdef long long[::1] hctx
    cdef long long[::1] first_bio
    cdef long long[::1] last_bio
    cdef long long[::1] got_ns
    cdef long long[::1] inserted_ns
    cdef long long[::1] dispatched_ns
    cdef long long[::1] next
    cdef long long[::1] previous
