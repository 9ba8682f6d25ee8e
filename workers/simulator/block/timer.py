"""A timer that can be armed, armed again and cancelled, over an event queue that forgets nothing."""

from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_QUEUE, FOREVER


class Timer:
    """At most one event is pending, at most `hop_ns` ahead; it is sent on when the timer has moved or lies farther off.

    So the timer never needs a second event, as long as it is not armed for less than `hop_ns`. `number` is the argument
    of its EVENT_QUEUE. Times in nanoseconds.
    """

    def __init__(self, engine: Engine, number: int, hop_ns: int) -> None:
        self.engine = engine
        self.engine.reserve(1)
        self.number = number
        self.hop_ns = max(1, hop_ns)
        self.expires_ns = FOREVER
        self.pending = False

    def arm(self, delay_ns: int) -> None:
        self.expires_ns = self.engine.now_ns + delay_ns
        if not self.pending:
            self.pending = True
            self.engine.schedule(min(self.expires_ns, self.engine.now_ns + self.hop_ns), EVENT_QUEUE, self.number)

    def cancel(self) -> None:
        self.expires_ns = FOREVER

    def is_armed(self) -> bool:
        return self.expires_ns != FOREVER

    def expired(self) -> bool:
        """Take the timer's event; tell whether the timer has expired, and is thereby disarmed."""
        self.pending = False
        if self.expires_ns == FOREVER:
            return False
        if self.expires_ns <= self.engine.now_ns:
            self.expires_ns = FOREVER
            return True
        self.pending = True
        self.engine.schedule(min(self.expires_ns, self.engine.now_ns + self.hop_ns), EVENT_QUEUE, self.number)
        return False
