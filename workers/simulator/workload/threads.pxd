cimport cython

from workers.simulator.block.bio cimport Bios
from workers.simulator.block.queue cimport BlockQueue
from workers.simulator.engine cimport Engine
from workers.simulator.workload.accounts cimport Accounts
from workers.simulator.workload.gates cimport Gates
from workers.simulator.workload.pacing cimport Pacing
from workers.simulator.workload.pattern cimport Pattern

cdef long long NONE, SECTOR_SHIFT, FOREVER
cdef long long IDLE, ISSUED, DONE, FAULT_BIO_STATE, WRITE, SYNC, PREFLUSH
cdef long long EVENT_SUBMIT, EVENT_THREAD
cdef long long RUNNING, SLEEPING_FOR_REQUEST, WAITING, FINISHED, BLOCKED, ASLEEP, UNBORN, PLUG_THRESHOLD
cdef long long ACTION_ISSUE, ACTION_SUBMIT, ACTION_REAP, ACTION_WAIT, ACTION_SLEEP


@cython.final
cdef class Threads:
    cdef Engine engine
    cdef Bios bios
    cdef BlockQueue queue
    cdef Pattern pattern
    cdef Pacing pacing
    cdef public Accounts accounts
    cdef Gates gates
    cdef public long long count
    cdef long long submit_ns
    cdef long long complete_ns
    cdef long long[::1] state
    cdef long long[::1] special
    cdef long long[::1] offload
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
    cdef long long[::1] delay_ns
    cdef long long[::1] ramp_ns
    cdef long long[::1] duration_ns
    cdef long long[::1] stop_ns
    cdef long long[::1] batch_first
    cdef long long[::1] batch_last
    cdef long long[::1] link
    cdef public long long unfinished

    cdef void begin(self, long long thread) noexcept nogil
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
    cdef void account(self, long long bio, long long time_ns) noexcept nogil
    cdef void end(self, long long thread, long long time_ns) noexcept nogil
    cdef void advance(self, long long thread) noexcept nogil
    cdef void make(self, long long thread, long long now_ns) noexcept nogil
    cdef void fill(self, long long thread, long long bio, long long direction, long long time_ns) noexcept nogil
    cdef void go_on_submitting(self, long long thread, long long bio) noexcept nogil
    cdef void leave_call(self, long long thread, long long done_ns) noexcept nogil
    cdef void retire(self, long long thread, long long bio) noexcept nogil
    cdef void take(self, long long thread, long long bio) noexcept nogil
