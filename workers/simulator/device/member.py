"""A member of a volume: a device of its own, with the queue of commands in front of it and its own pending events."""

from collections.abc import Callable, Mapping

from workers.simulator.arrays import longs
from workers.simulator.block.request import Requests
from workers.simulator.device.base import Device
from workers.simulator.engine import Engine
from workers.simulator.kinds import EVENT_DEVICE, FLUSH, FOREVER, NONE

Build = Callable[[Engine, Requests, Mapping[str, int], int], Device]


class Member:
    """One device of a volume; members are a chain, and a call goes on to the one whose number has come down to 0.

    (A list of objects cannot be looked into without the interpreter's lock.) The device schedules into an engine of
    its own, so it needs not know that it is a member, and `arm` says when the volume has to wake it, at most `wakes`
    times ahead. It has as many commands as it has tags, the others wait in order of arrival; where a flush is not a
    queued command it waits until nothing is in the device, and everything else for its end (libata's ata_std_qc_defer).
    """

    def __init__(
        self,
        commands: Requests,
        values: Mapping[str, int],
        seed: int,
        build: Build,
        following: "Member | None",
    ) -> None:
        self.commands = commands
        self.following = following
        self.engine = Engine(commands.capacity)
        self.device = build(self.engine, commands, values, seed)
        self.tags = values["queue_depth"] * values["hw_queues"]
        self.flush_queued = values["flush_queued"] == 1
        self.in_device = 0
        self.flushing = False
        self.head = NONE
        self.tail = NONE
        # When the volume will be woken for this member: each time earlier than the one before, so the last is next.
        self.wakes = self.engine.capacity + 1
        self.armed_ns = longs(self.wakes, FOREVER)
        self.armed = 0

    def take(self, number: int, command: int, now_ns: int) -> None:
        """Queue a command."""
        if number > 0:
            self.following.take(number - 1, command, now_ns)  # type: ignore[union-attr]
            return
        self.commands.next[command] = NONE
        if self.head == NONE:
            self.head = command
        else:
            self.commands.next[self.tail] = command
        self.tail = command
        self.issue(now_ns)

    def issue(self, now_ns: int) -> None:
        """Give the device what it can take."""
        self.engine.now_ns = now_ns
        while self.head != NONE and self.in_device < self.tags and not self.flushing:
            command = self.head
            if self.commands.direction[command] == FLUSH and not self.flush_queued:
                if self.in_device > 0:
                    return
                self.flushing = True
            self.head = self.commands.next[command]
            self.in_device += 1
            self.device.submit(command)

    def step(self, number: int, now_ns: int) -> int:
        """Process what is due until a command ends, and return that; NONE when nothing more is due."""
        if number > 0:
            return self.following.step(number - 1, now_ns)  # type: ignore[union-attr]
        while self.engine.size > 0 and self.engine.time_ns[0] <= now_ns:
            self.engine.advance()
            if self.engine.kind == EVENT_DEVICE:
                self.device.wake(self.engine.argument)
                continue
            command = self.engine.argument
            self.device.completed(command)
            self.in_device -= 1
            self.flushing = False
            self.issue(now_ns)
            return command
        return NONE

    def woken(self, number: int) -> None:
        """Forget the time that has come."""
        if number > 0:
            self.following.woken(number - 1)  # type: ignore[union-attr]
            return
        self.armed -= 1

    def arm(self, number: int) -> int:
        """Return when the volume has to be woken, NONE when it will be early enough as it is."""
        if number > 0:
            return self.following.arm(number - 1)  # type: ignore[union-attr]
        if self.engine.size == 0:
            return NONE
        due_ns = self.engine.time_ns[0]
        if self.armed > 0 and self.armed_ns[self.armed - 1] <= due_ns:
            return NONE
        self.armed_ns[self.armed] = due_ns
        self.armed += 1
        return due_ns

    def fault(self, number: int) -> int:
        """Return what broke in the member's own events."""
        if number > 0:
            return self.following.fault(number - 1)  # type: ignore[union-attr]
        return self.engine.fault
