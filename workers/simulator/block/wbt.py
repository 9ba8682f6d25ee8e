"""Writeback throttling: buffered writes are held back while reads suffer (the kernel's block/blk-wbt.c)."""

from workers.simulator.arrays import longs
from workers.simulator.block.bio import Bios
from workers.simulator.block.request import Requests
from workers.simulator.block.timer import Timer
from workers.simulator.engine import Engine
from workers.simulator.kinds import (
    BACKGROUND,
    FOREVER,
    NONE,
    READ,
    TIMER_WBT,
    TRIM,
    WAITED,
    WBT_BUFFERED,
    WBT_DISCARD,
    WBT_READ,
    WRITE,
    WRITEBACK,
)

RWB_DEF_DEPTH = 16
RWB_WINDOW_NS = 100_000_000
RWB_MIN_WRITE_SAMPLES = 3
RWB_UNKNOWN_BUMP = 5
CLOSE_IO_NS = 100_000_000  # HZ / 10
# The window shrinks with the square root of the step; a hop is shorter than any window.
LEAST_WINDOW_NS = 5_000_000


class WritebackThrottle:
    """Limits how many buffered writes, and how many discards, are in flight; direct writes and reads pass.

    The limits follow from a depth of 16 that is halved for each `step` up and doubled for each below 0. A window of
    100 ms / sqrt(step + 1) runs while such writes are in flight; after it the step goes up when even the quickest read
    took longer than `target_ns`, or one has been out for longer than the window; it goes down when reads were in time
    or there were only writes; and returns to 0 when for five windows nothing was known.
    """

    def __init__(
        self, engine: Engine, bios: Bios, requests: Requests, target_ns: int, depth: int, write_cache: bool
    ) -> None:
        self.engine = engine
        self.bios = bios
        self.requests = requests
        self.target_ns = target_ns
        self.queue_depth = depth
        self.write_cache = write_cache
        self.timer = Timer(engine, TIMER_WBT, LEAST_WINDOW_NS)
        self.counted_as = longs(self.requests.capacity)
        self.inflight = longs(2)
        self.waiting_head = longs(2, NONE)
        self.waiting_tail = longs(2, NONE)
        self.step = 0
        self.scaled_max = False
        self.max_depth = 0
        self.normal = 0
        self.background = 0
        self.unknown = 0
        self.window_ns = RWB_WINDOW_NS
        self.last_read_issue_ns = -CLOSE_IO_NS
        self.last_read_end_ns = -CLOSE_IO_NS
        self.oldest_read = NONE
        self.oldest_read_ns = 0
        self.read_samples = 0
        self.write_samples = 0
        self.least_read_ns = FOREVER
        self.waits = 0
        self.scale_ups = 0
        self.scale_downs = 0
        if self.target_ns > 0:
            self.calculate_depth()
            self.calculate_limits()

    def kind_of(self, bio: int) -> int:
        """Return what a bio is counted as, 0 for nothing."""
        direction = self.bios.direction[bio]
        if direction == READ:
            return WBT_READ
        if direction == TRIM:
            return WBT_DISCARD
        if direction == WRITE and self.bios.flags[bio] & WRITEBACK:
            return WBT_BUFFERED
        return 0

    def admit(self, bio: int) -> bool:
        """Count a bio that may go on; False when it has to wait, and stands on a list now."""
        kind = self.kind_of(bio)
        if kind == WBT_READ:
            self.last_read_issue_ns = self.engine.now_ns
        if kind in (0, WBT_READ):
            return True
        row = kind - 1
        if not self.timer.is_armed():
            self.arm()
        if self.waiting_head[row] == NONE and self.inflight[row] < self.limit(bio):
            self.inflight[row] += 1
            return True
        self.waits += 1
        self.bios.next[bio] = NONE
        if self.waiting_head[row] == NONE:
            self.waiting_head[row] = bio
        else:
            self.bios.next[self.waiting_tail[row]] = bio
        self.waiting_tail[row] = bio
        return False

    def limit(self, bio: int) -> int:
        if self.bios.direction[bio] == TRIM:
            return self.background
        if self.bios.flags[bio] & WAITED:
            return self.max_depth
        now_ns = self.engine.now_ns
        if (
            self.bios.flags[bio] & BACKGROUND
            or now_ns < self.last_read_issue_ns + CLOSE_IO_NS
            or now_ns < self.last_read_end_ns + CLOSE_IO_NS
        ):
            return self.background
        return self.normal

    def next_admitted(self, kind: int) -> int:
        """Take the next waiting bio of a kind that the limits let pass, or NONE."""
        row = kind - 1
        bio = self.waiting_head[row]
        if bio == NONE or self.inflight[row] >= self.limit(bio):
            return NONE
        self.inflight[row] += 1
        self.waiting_head[row] = self.bios.next[bio]
        return bio

    def issued(self, request: int) -> None:
        if self.counted_as[request] == WBT_READ and self.oldest_read == NONE:
            self.oldest_read = request
            self.oldest_read_ns = self.engine.now_ns

    def sample(self, request: int) -> None:
        """The device is done with a request: note what it took."""
        direction = self.requests.direction[request]
        if direction == READ:
            self.read_samples += 1
            self.least_read_ns = min(self.least_read_ns, self.engine.now_ns - self.requests.dispatched_ns[request])
        elif direction in (WRITE, TRIM):
            self.write_samples += 1

    def done(self, request: int) -> int:
        """A request is given back; return of which kind those who wait are to be woken, or 0."""
        kind = self.counted_as[request]
        self.counted_as[request] = 0
        if request == self.oldest_read:
            self.oldest_read = NONE
        if kind == WBT_READ:
            self.last_read_end_ns = self.engine.now_ns
        if kind in (0, WBT_READ):
            return 0
        row = kind - 1
        self.inflight[row] -= 1
        inflight = self.inflight[row]
        limit = self.normal
        if kind == WBT_DISCARD:
            limit = self.background
        elif self.write_cache:
            limit = 0
        if inflight > 0 and (inflight >= limit or limit - inflight < self.background // 2):
            return 0
        return kind

    def wake(self) -> bool:
        """A window has ended: judge it, scale, go on while there is a reason to; True when the limits have risen."""
        before = self.scale_ups
        inflight = self.inflight[0] + self.inflight[1]
        out_ns = self.engine.now_ns - self.oldest_read_ns if self.oldest_read != NONE else 0
        if out_ns > self.window_ns or (out_ns > self.target_ns and self.read_samples == 0):
            self.scale_down(True)
        elif self.read_samples == 0 or self.write_samples < RWB_MIN_WRITE_SAMPLES:
            if self.write_samples > 0 or inflight > 0:
                self.scale_up()
            else:
                self.unknown += 1
                if self.unknown >= RWB_UNKNOWN_BUMP:
                    if self.step > 0:
                        self.scale_up()
                    elif self.step < 0:
                        self.scale_down(False)
        elif self.least_read_ns > self.target_ns:
            self.scale_down(True)
        else:
            self.scale_up()
        self.read_samples = 0
        self.write_samples = 0
        self.least_read_ns = FOREVER
        # Linux lets the timer of a depth of 1 below step 0 run for ever, for scale_down leaves that as it is.
        if inflight > 0 or self.step > 0 or (self.step < 0 and self.max_depth > 1):
            self.arm()
        return self.scale_ups > before

    def arm(self) -> None:
        self.window_ns = RWB_WINDOW_NS
        if self.step > 0:
            # 16 / sqrt(256 (step + 1)), in integers as the kernel has it
            root = 16
            while (root + 1) * (root + 1) <= (self.step + 1) << 8:
                root += 1
            self.window_ns = (RWB_WINDOW_NS << 4) // root
        self.timer.arm(self.window_ns)

    def scale_up(self) -> None:
        if self.scaled_max:
            return
        self.step -= 1
        self.calculate_depth()
        self.calculate_limits()
        self.unknown = 0
        self.scale_ups += 1

    def scale_down(self, hard: bool) -> None:
        if self.max_depth == 1:
            return
        if self.step < 0 and hard:
            self.step = 0
        else:
            self.step += 1
        self.calculate_depth()
        self.calculate_limits()
        self.unknown = 0
        self.scale_downs += 1

    def calculate_depth(self) -> None:
        """rq_depth_calc_max_depth (block/blk-rq-qos.c)."""
        self.scaled_max = False
        if self.queue_depth == 1:
            self.max_depth = 1 if self.step > 0 else 2
            if self.step <= 0:
                self.scaled_max = True
            return
        depth = min(RWB_DEF_DEPTH, self.queue_depth)
        if self.step > 0:
            depth = 1 + ((depth - 1) >> min(31, self.step))
        elif self.step < 0:
            most = 3 * self.queue_depth // 4
            depth = 1 + ((depth - 1) << min(31, -self.step))
            if depth > most:
                depth = most
                self.scaled_max = True
        self.max_depth = depth

    def calculate_limits(self) -> None:
        if self.max_depth <= 2:
            self.normal = self.max_depth
            self.background = 1
        else:
            self.normal = (self.max_depth + 1) // 2
            self.background = (self.max_depth + 3) // 4

    def counters(self) -> dict[str, int]:
        """Return how many bios were held back, and how often the depth was scaled."""
        return {"wbt_waits": self.waits, "wbt_scale_ups": self.scale_ups, "wbt_scale_downs": self.scale_downs}
