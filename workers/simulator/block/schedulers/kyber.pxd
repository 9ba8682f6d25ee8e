cimport cython

from workers.simulator.block.schedulers.base cimport Scheduler
from workers.simulator.block.software_queues cimport SoftwareQueues
from workers.simulator.block.timer cimport Timer

cdef long long NONE, FOREVER, TRIM, WAITED, WRITEBACK
cdef long long DOMAINS, MEASURED, LATENCY_SHIFT, BUCKETS, GOOD_BUCKETS, DEVICE, TOTAL, WINDOW_NS, SAMPLES_MIN, WAIT_NS


@cython.final
cdef class Kyber(Scheduler):
    cdef long long async_depth
    cdef long long[::1] target_ns
    cdef long long[::1] most
    cdef long long[::1] batch
    cdef long long[::1] depth
    cdef long long[::1] taken
    cdef SoftwareQueues software
    cdef long long hctxs
    cdef long long[::1] head
    cdef long long[::1] tail
    cdef long long[::1] domain
    cdef long long[::1] batching
    cdef Timer timer
    cdef long long[::1] buckets
    cdef long long[::1] wait_until_ns
    cdef long long[::1] kept
    cdef long long resizes
    cdef long long congestions
    cdef long long token_waits

    cdef long long dispatch_domain(self, long long hctx) noexcept nogil
    cdef void drain(self, long long hctx, long long domain) noexcept nogil
    cdef void add_sample(self, long long domain, long long kind, long long latency_ns) noexcept nogil
    cdef long long percentile(self, long long domain, long long kind, long long percent) noexcept nogil
