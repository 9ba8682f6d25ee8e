"""What a message makes a worker do: look for runs and execute them until none waits."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

from celery import Celery

from app.jobs import WAKE
from workers.execution import Pace, execute
from workers.store import RunStore

log = logging.getLogger("lodestone.worker")

PROBE = "lodestone.probe"
"""Name of the task that a worker sends to itself to see that it still receives."""


class Pulse:
    """When this worker last showed that it receives messages, and whether it is busy with one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy = False
        self._seen = time.monotonic()

    def enter(self) -> None:
        """Note that a message came and is being worked on."""
        with self._lock:
            self._busy = True

    def leave(self) -> None:
        """Note that the message is dealt with."""
        with self._lock:
            self._busy = False
            self._seen = time.monotonic()

    def silent_s(self) -> float:
        """Return for how many seconds the worker has been idle without receiving anything; 0 while busy."""
        with self._lock:
            return 0.0 if self._busy else time.monotonic() - self._seen


def register(
    celery: Celery, store: RunStore, worker: str, runners: Sequence[str], pace: Pace, pulse: Pulse
) -> Callable[[], None]:
    """Register the worker's tasks on a Celery application; returns the body of the wake task."""

    def wake() -> None:
        pulse.enter()
        try:
            work(store, worker, runners, pace)
        finally:
            pulse.leave()

    def probe() -> None:
        pulse.enter()
        pulse.leave()

    celery.task(name=WAKE, ignore_result=True)(wake)
    celery.task(name=PROBE, ignore_result=True)(probe)
    return wake


def work(store: RunStore, worker: str, runners: Sequence[str], pace: Pace) -> None:
    """Claim and execute runs until none waits or the worker is to end."""
    while not pace.draining():
        claimed = store.claim(worker, runners)
        if claimed is None:
            return
        log.info("run %s attempt %s: %s on %s", claimed.run_id, claimed.attempt, claimed.variant, claimed.runner)
        execute(store, claimed, pace)
