cimport cython

from workers.simulator.block.request cimport Requests
from workers.simulator.block.schedulers.bfq_order cimport RequestOrder
from workers.simulator.block.schedulers.bfq_queue cimport BfqQueues
from workers.simulator.block.schedulers.bfq_raising cimport WeightRaising
from workers.simulator.block.schedulers.bfq_rate cimport PeakRate
from workers.simulator.block.schedulers.bfq_wf2q cimport ServiceTrees
from workers.simulator.block.timer cimport Timer
from workers.simulator.engine cimport Engine

cdef long long NONE, BUDGET_EXHAUSTED, BUDGET_TIMEOUT, NO_MORE_REQUESTS, TOO_IDLE
cdef long long DEFAULT_MAX_BUDGET, ASYNC_CHARGE, SEEKY_IDLE_NS, RAISED_IDLE_NS, SLICE_SHORT_NS, SLICE_LONG_NS, STATS_MIN_BUDGETS
cdef long long QUEUEING_THRESHOLD, QUEUEING_SAMPLES, THINK_SAMPLES_MIN, IDLE_CLASS, SOFT_RT_NS


@cython.final
cdef class Slices:
    cdef Engine engine
    cdef Requests requests
    cdef BfqQueues queues
    cdef RequestOrder order
    cdef long long timeout_ns
    cdef long long idle_ns
    cdef bint strict
    cdef bint low_latency
    cdef bint rotational
    cdef public PeakRate rate
    cdef public WeightRaising raising
    cdef ServiceTrees trees
    cdef Timer timer
    cdef long long in_driver
    cdef long long idling
    cdef long long idling_since_ns
    cdef long long began_ns
    cdef long long assigned
    cdef long long queueing
    cdef long long queueing_samples
    cdef long long most_in_driver
    cdef long long idlings
    cdef long long[::1] ends

    cdef long long in_service(self) noexcept nogil
    cdef void create(self, long long queue) noexcept nogil
    cdef long long select(self) noexcept nogil
    cdef long long begin(self) noexcept nogil
    cdef void serve(self, long long queue, long long request) noexcept nogil
    cdef long long charge(self, long long queue, long long request) noexcept nogil
    cdef void expire(self, long long queue, long long reason) noexcept nogil
    cdef void expire_after_idling(self, long long queue, long long reason) noexcept nogil
    cdef void end(self, long long queue, long long reason, long long took_ns) noexcept nogil
    cdef bint is_slow(self, long long queue, long long took_ns) noexcept nogil
    cdef void charge_time(self, long long queue, long long took_ns) noexcept nogil
    cdef void recalculate_budget(self, long long queue, long long reason) noexcept nogil
    cdef bint budget_for_activation(self, long long queue, bint deserves) noexcept nogil
    cdef void activate(self, long long queue) noexcept nogil
    cdef void update_budget(self, long long queue) noexcept nogil
    cdef bint outranks(self, long long queue, long long other) noexcept nogil
    cdef bint is_over(self, long long queue) noexcept nogil
    cdef bint timed_out(self, long long queue) noexcept nogil
    cdef bint better_to_idle(self, long long queue) noexcept nogil
    cdef bint idling_boosts_throughput(self, long long queue) noexcept nogil
    cdef void begin_idling(self, long long queue) noexcept nogil
    cdef void stop_idling(self) noexcept nogil
    cdef void update_queueing(self, long long queue) noexcept nogil
    cdef void note_think_time(self, long long queue) noexcept nogil
    cdef long long max_budget(self) noexcept nogil
    cdef long long min_budget(self) noexcept nogil
