cimport cython

from workers.simulator.device.base cimport Device
from workers.simulator.stream cimport Streams

cdef long long EVENT_COMPLETE, READ, QUANTILE_BITS, UNIT_BITS
cdef unsigned long long MASK_64, SPLITMIX_GAMMA


@cython.final
cdef class Stalling(Device):
    cdef Streams service
    cdef unsigned long long stall_seed
    cdef long long channels
    cdef long long stripe_sectors
    cdef long long read_service_ns
    cdef long long write_service_ns
    cdef long long on_ns
    cdef long long off_ns
    cdef long long[::1] service_quantiles
    cdef long long[::1] on_quantiles
    cdef long long[::1] off_quantiles
    cdef long long[::1] channel_free_ns
    cdef long long period
    cdef long long period_start_ns
    cdef long long stalls
    cdef long long stalled_ns
    cdef long long channel_busy_ns

    cdef long long on_length(self, long long period) noexcept nogil
    cdef long long off_length(self, long long period) noexcept nogil
    cdef long long quantile(self, long long[::1] table, long long mean_ns, unsigned long long bits) noexcept nogil
    cdef long long finish(self, long long start_ns, long long service_ns) noexcept nogil
