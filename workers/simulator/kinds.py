"""The numbers that compiled modules share: what an event, a direction, a request state or a stage is.

Plain Python on purpose: a compiled module imports them by name and declares their C type in its .pxd.
"""

EVENT_SUBMIT = 0  # argument: bio; the job's thread has spent its submission time and calls the block layer
EVENT_GRANTED = 1  # argument: bio; a thread that slept for a request has got one
EVENT_THREAD = 2  # argument: thread; the thread is free again
EVENT_DEVICE = 3  # argument: the device's own (a timer, a die, a decision of the drive's firmware)
EVENT_COMPLETE = 4  # argument: request; the device has finished it
EVENT_INSERT = 5  # argument: request; its thread has been through the elevator's lock
EVENT_QUEUE = 6  # argument: one of the timers of the request queue
EVENT_BITS = 4

TIMER_ELEVATOR = 0
TIMER_WBT = 1

READ = 0
WRITE = 1
TRIM = 2
SYNC = 3  # of a job: fsync or fdatasync
FLUSH = SYNC  # of a device: write the volatile cache out (REQ_OP_FLUSH)
DIRECTIONS = 4
WAYS = 3  # directions that have a place: read, write, trim
DIRECTION_NAMES = ("read", "write", "trim", "sync")

# The steps of a flush sequence, in order (the kernel's REQ_FSEQ_*).
STEP_PREFLUSH = 1
STEP_DATA = 2
STEP_POSTFLUSH = 4
STEPS = 7

# Flags of a bio or request, the kernel's REQ_PREFLUSH and REQ_FUA.
PREFLUSH = 1  # what was completed before shall be on the medium before this begins
FUA = 2  # this shall be on the medium before it completes
FLUSH_FLAGS = PREFLUSH | FUA
# Flags of a bio that comes from the page cache: a write that has not both REQ_SYNC and REQ_IDLE, as direct I/O has;
# written back in the background (REQ_BACKGROUND); waited for (REQ_SYNC).
WRITEBACK = 4
BACKGROUND = 8
WAITED = 16

# Priorities are the kernel's ioprio values: the class, and below it a level from 0, the highest, to 7.
IOPRIO_CLASS_SHIFT = 13
IOPRIO_CLASS_BE = 2
IOPRIO_CLASSES = 3  # realtime, best effort, idle
IOPRIO_NORM = 4  # the level of who has asked for none

NONE = -1  # no such bio, request, thread

SECTOR_BYTES = 512
SECTOR_SHIFT = 9
PAGE_SECTOR_SHIFT = 3  # sectors in a page of 4 KiB

# An I/O is in exactly one of these states.
IDLE = 0
ISSUED = 1  # its thread has begun to submit it
DONE = 2  # completed, not yet reaped

# What a job's thread does next, when it does more than keep its depth.
ACTION_ISSUE = 0  # make an I/O; it is queued until it is submitted
ACTION_SUBMIT = 1  # hand what is queued to the kernel, in one call
ACTION_REAP = 2  # take one completion
ACTION_WAIT = 3  # for a completion
ACTION_SLEEP = 4
ACTION_END = 5

# How the places of random I/Os are distributed: evenly; by rank (zipf, pareto); around a centre; zone by zone.
PLACES_UNIFORM = 0
PLACES_SKEWED = 1
PLACES_NORMAL = 2
PLACES_ZONED = 3
# In which order the files of a job are served.
SERVE_ROUND_ROBIN = 0
SERVE_RANDOM = 1
SERVE_SEQUENTIAL = 2
SERVE_NONUNIFORM = 3

# A request is in exactly one of these states; every change is checked.
FREE = 0
TAGGED = 1  # has a request (tag), is not yet in the elevator
INSERTED = 2  # in the elevator or on a hardware queue's dispatch list
DISPATCHED = 3  # the device has it
FLUSHING = 4  # waits for a flush, before its data or after

# How a bio can join a request.
NO_MERGE = 0
BACK_MERGE = 1
FRONT_MERGE = 2

# What writeback throttling counts a bio or request as, 0 nothing; less one, the row of its count.
WBT_BUFFERED = 1
WBT_DISCARD = 2
WBT_READ = 3

# How a slice of bfq ends (the kernel's BFQQE_*).
PREEMPTED = 0
TOO_IDLE = 1
BUDGET_TIMEOUT = 2
BUDGET_EXHAUSTED = 3
NO_MORE_REQUESTS = 4
SLICE_ENDS = 5

# Stages of one I/O, blktrace's letters: Q queued, G got a request, I inserted, D dispatched, C completed.
STAGE_NAMES = ("submit", "q2g", "g2i", "i2d", "d2c", "reap")
STAGES = 6

# Three latencies of a direction of a job, fio's words.
SLAT = 0
CLAT = 1
LAT = 2
LATENCIES = 3

# A row of the trace: what the I/O asks for, then when it passed each point.
TRACE_NAMES = (
    "thread",
    "direction",
    "sector",
    "sectors",
    "start_ns",
    "queued_ns",
    "got_ns",
    "inserted_ns",
    "dispatched_ns",
    "completed_ns",
    "reaped_ns",
)
TRACE_COLUMNS = 11

# fio 3.33's histogram (FIO_IO_U_PLAT_BITS 6, 29 groups of 64 bins).
PLAT_BITS = 6
PLAT_VALUES = 64
PLAT_GROUPS = 29
PLAT_BINS = PLAT_VALUES * PLAT_GROUPS

MASK_64 = 0xFFFFFFFFFFFFFFFF
SPLITMIX_GAMMA = 0x9E3779B97F4A7C15  # SplitMix64's increment

FOREVER = 1 << 62  # later than any simulated time

# Why a run stopped by itself although work was left: always a fault of the simulator.
FAULT_NONE = 0
FAULT_TIME_WENT_BACK = 1
FAULT_TOO_MANY_EVENTS = 2
FAULT_REQUEST_STATE = 3
FAULT_TAGS = 4
FAULT_UNKNOWN_EVENT = 5
FAULT_STALLED = 6
FAULT_ELEVATOR = 7
FAULT_BIO_STATE = 8
FAULT_HEAP = 9
FAULT_FLUSH = 10
FAULT_NAMES = (
    "none",
    "an event lies in the past",
    "more events pending than the machine can have",
    "a request changed state out of order",
    "tags were lost or invented",
    "an event of unknown kind",
    "I/O is outstanding but nothing will happen any more",
    "the elevator lost or duplicated a request",
    "an I/O completed twice, or was never issued",
    "the event queue is out of order",
    "the flush machinery lost a request",
)
