cimport cython

from workers.simulator.engine cimport Engine

cdef long long EVENT_QUEUE, FOREVER


@cython.final
cdef class Timer:
    cdef Engine engine
    cdef long long number
    cdef long long hop_ns
    cdef long long expires_ns
    cdef bint pending

    cdef void arm(self, long long delay_ns) noexcept nogil
    cdef void cancel(self) noexcept nogil
    cdef bint is_armed(self) noexcept nogil
    cdef bint expired(self) noexcept nogil
