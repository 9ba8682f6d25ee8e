cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.queue cimport BlockQueue
from workers.simulator.engine cimport Engine
from workers.simulator.observation.recorder cimport Recorder
from workers.simulator.workload.pattern cimport Pattern

cdef long long NONE, DIRECTIONS, LATENCIES, SLAT, CLAT, LAT, STAGES, SECTOR_SHIFT, TRACE_COLUMNS, FOREVER
cdef long long IDLE, ISSUED, DONE, FAULT_BIO_STATE, WRITE, SYNC, PREFLUSH
cdef long long EVENT_SUBMIT, EVENT_THREAD
cdef long long RUNNING, SLEEPING_FOR_REQUEST, WAITING, FINISHED, BLOCKED


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
    cdef long long[::1] write_flags
    cdef long long[::1] fsync_writes
    cdef long long[::1] fdatasync_writes
    cdef long long[::1] sync_blocks
    cdef long long[::1] end_fsync
    cdef long long[::1] writes_issued
    cdef long long[::1] last_was_sync
    cdef long long[::1] ending
    cdef long long[::1] blocked_on
    cdef long long[::1] flush_bio
    cdef long long[::1] flushing_write
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
    cdef void flush_write(self, long long thread, long long write) noexcept nogil
    cdef void unblock(self, long long thread) noexcept nogil
    cdef bint sync_is_due(self, long long thread) noexcept nogil
    cdef void finish(self, long long thread, long long bio) noexcept nogil
    cdef bint may_issue(self, long long thread, long long time_ns) noexcept nogil
    cdef void issue(self, long long thread, long long time_ns) noexcept nogil
    cdef void proceed(self, long long thread, long long time_ns) noexcept nogil
    cdef void reap(self, long long thread) noexcept nogil
    cdef long long outstanding_total(self) noexcept nogil
    cdef void trace(self, long long bio, long long time_ns) noexcept nogil
    cdef void account(self, long long bio, long long time_ns) noexcept nogil
