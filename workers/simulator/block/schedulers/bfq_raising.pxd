cimport cython

from workers.simulator.block.schedulers.bfq_queue cimport BfqQueues
from workers.simulator.block.schedulers.bfq_rate cimport PeakRate
from workers.simulator.engine cimport Engine

cdef long long COEFFICIENT, SOFT_RT_COEFFICIENT, SOFT_RT_NS, SOFT_RT_SECTORS_PER_S, IDLE_MIN_NS, DURATION_LEAST_NS, DURATION_MOST_NS
cdef long long SERVICE_MOST, BURST_INTERVAL_NS, LARGE_BURST, NORMAL_WEIGHT, FOUR_JIFFIES_NS, TOTALLY_SEEKY


@cython.final
cdef class WeightRaising:
    cdef Engine engine
    cdef BfqQueues queues
    cdef PeakRate rate
    cdef long long slice_idle_ns
    cdef bint enabled
    cdef long long rate_times_us
    cdef long long burst_size
    cdef long long burst_last_ns
    cdef bint large_burst
    cdef bint interactive
    cdef bint soft_rt
    cdef long long periods

    cdef long long duration_ns(self) noexcept nogil
    cdef void created(self, long long queue) noexcept nogil
    cdef bint judge(self, long long queue) noexcept nogil
    cdef void arrived(self, long long queue, bint deserves, long long least_budget) noexcept nogil
    cdef void raise_interactive(self, long long queue) noexcept nogil
    cdef void raise_soft_rt(self, long long queue) noexcept nogil
    cdef bint served(self, long long queue, long long sectors) noexcept nogil
    cdef void batch_ended(self, long long queue) noexcept nogil
