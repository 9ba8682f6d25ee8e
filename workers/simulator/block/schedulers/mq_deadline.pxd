cimport cython

from workers.simulator.block.schedulers.base cimport Scheduler

cdef long long NONE, READ, FOREVER, FAULT_ELEVATOR, LISTS, WAYS, CLASSES, BACK_MERGE, FRONT_MERGE, NO_MERGE
cdef long long IOPRIO_CLASS_BE, IOPRIO_CLASS_SHIFT


@cython.final
cdef class MqDeadline(Scheduler):
    cdef long long read_expire_ns
    cdef long long write_expire_ns
    cdef long long fifo_batch
    cdef long long writes_starved
    cdef long long prio_aging_expire_ns
    cdef long long front_merges
    cdef long long async_depth
    cdef long long capacity
    cdef long long[::1] sorted
    cdef long long[::1] count
    cdef long long[::1] fifo_head
    cdef long long[::1] fifo_tail
    cdef long long[::1] latest_sector
    cdef long long[::1] held
    cdef long long[::1] expires_ns
    cdef long long last_way
    cdef long long batching
    cdef long long starved
    cdef public long long batches
    cdef public long long expired

    cdef long long dispatch_class(self, long long priority, long long latest_start_ns) noexcept nogil
    cdef long long choose_way(self, long long priority) noexcept nogil
    cdef long long next_request(self, long long row) noexcept nogil
    cdef long long position_of(self, long long row, long long sector) noexcept nogil
    cdef void merge_into(self, long long request, long long bio, long long where) noexcept nogil
    cdef void merge_requests(self, long long row, long long request, long long behind) noexcept nogil
    cdef long long place_of(self, long long row, long long request) noexcept nogil
    cdef void sort_in(self, long long row, long long request) noexcept nogil
    cdef void sort_out(self, long long row, long long request) noexcept nogil
    cdef void put_behind(self, long long row, long long request, long long before) noexcept nogil
    cdef void take_out(self, long long row, long long request) noexcept nogil
    cdef long long row(self, long long ioprio, long long direction) noexcept nogil
    cdef void remove(self, long long row, long long request) noexcept nogil
    cdef long long row_of(self, long long request) noexcept nogil
    cdef long long expire_ns(self, long long row) noexcept nogil
