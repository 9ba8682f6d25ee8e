cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.queue cimport BlockQueue
from workers.simulator.engine cimport Engine
from workers.simulator.observation.recorder cimport Recorder
from workers.simulator.workload.pattern cimport Pattern

cdef long long NONE, DIRECTIONS, LATENCIES, SLAT, CLAT, LAT, STAGES, SECTOR_SHIFT, TRACE_COLUMNS, FOREVER
cdef long long IDLE, ISSUED, DONE, FAULT_BIO_STATE
cdef long long EVENT_SUBMIT, EVENT_THREAD
cdef long long RUNNING, SLEEPING_FOR_REQUEST, WAITING, FINISHED


@cython.final
cdef class Threads:
    cdef Engine engine
    cdef Bios bios
    cdef BlockQueue queue
    cdef Pattern pattern
    cdef Recorder recorder
    cdef public long long count
    cdef long long submit_ns
    cdef long long complete_ns
    cdef long long[::1] state
    cdef long long[::1] asynchronous
    cdef long long[::1] priority
    cdef long long[::1] free_bio
    cdef long long[::1] done_head
    cdef long long[::1] done_tail
    cdef long long[::1] outstanding
    cdef long long[::1] issued_bytes
    cdef long long[::1] limit_bytes
    cdef long long[::1] ramped
    cdef long long[::1] start_ns
    cdef long long[::1] ramp_end_ns
    cdef long long[::1] stop_ns
    cdef long long[::1] end_ns
    cdef long long[::1] first_histogram
    cdef long long[::1] ios
    cdef long long[::1] bytes
    cdef public long long unfinished
    cdef public long long total_ios
    cdef public long long total_bytes

    cdef void submit(self, long long bio) noexcept nogil
    cdef void granted(self, long long bio) noexcept nogil
    cdef void wake(self, long long thread) noexcept nogil
    cdef void completed(self, long long bio) noexcept nogil
    cdef bint may_issue(self, long long thread, long long time_ns) noexcept nogil
    cdef void issue(self, long long thread, long long time_ns) noexcept nogil
    cdef void proceed(self, long long thread, long long time_ns) noexcept nogil
    cdef void reap(self, long long thread) noexcept nogil
    cdef long long outstanding_total(self) noexcept nogil
    cdef void trace(self, long long bio, long long time_ns) noexcept nogil
    cdef void account(self, long long bio, long long time_ns) noexcept nogil
