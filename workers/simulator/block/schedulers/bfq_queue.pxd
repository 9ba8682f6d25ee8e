cimport cython


cdef long long NONE, IOPRIO_CLASSES, LEVELS, WEIGHT_CONVERSION


@cython.final
cdef class BfqQueues:
    cdef long long threads
    cdef long long count
    cdef long long busy_total
    cdef long long raised_busy
    cdef long long weights
    cdef long long[::1] priority_class
    cdef long long[::1] orig_weight
    cdef long long[::1] grouped
    cdef long long[::1] new_class
    cdef long long[::1] new_weight
    cdef long long[::1] weight
    cdef long long[::1] start
    cdef long long[::1] finish
    cdef long long[::1] budget
    cdef long long[::1] service
    cdef long long[::1] active
    cdef long long[::1] remembered
    cdef long long[::1] max_budget
    cdef long long[::1] queued
    cdef long long[::1] dispatched
    cdef long long[::1] busy
    cdef long long[::1] next_request
    cdef long long[::1] fifo_head
    cdef long long[::1] fifo_tail
    cdef long long[::1] fifo_tried
    cdef long long[::1] timeout_ns
    cdef long long[::1] idle_since_ns
    cdef long long[::1] last_end_ns
    cdef long long[::1] waits_unblocked
    cdef long long[::1] last_position
    cdef long long[::1] seek_history
    cdef long long[::1] io_bound
    cdef long long[::1] think_samples
    cdef long long[::1] think_total_ns
    cdef long long[::1] short_think
    cdef long long[::1] raising
    cdef long long[::1] raised_since_ns
    cdef long long[::1] raised_for_ns
    cdef long long[::1] raised_interactive_ns
    cdef long long[::1] raised_service
    cdef long long[::1] backlogged_since_ns
    cdef long long[::1] backlogged_service
    cdef long long[::1] soft_rt_from_ns
    cdef long long[::1] soft_rt_pending
    cdef long long[::1] created
    cdef long long[::1] in_burst
    cdef long long[::1] in_large_burst
    cdef long long[::1] busy_in_class
    cdef long long[::1] counted_weight
    cdef long long[::1] counted_busy
    cdef long long[::1] counted_class
    cdef long long[::1] counted_raised
    cdef long long[::1] weight_slot
    cdef long long[::1] weight_users

    cdef long long weight_of(self, long long level) noexcept nogil
    cdef bint is_sync(self, long long queue) noexcept nogil
    cdef long long budget_left(self, long long queue) noexcept nogil
    cdef bint is_seeky(self, long long queue) noexcept nogil
    cdef void note(self, long long queue) noexcept nogil
    cdef void count_weight(self, long long weight, long long change) noexcept nogil
    cdef bint is_asymmetric(self, long long queue) noexcept nogil
