"""Concludes experiments as they end and keeps the way of the runs clear: the server's one background thread."""

from __future__ import annotations

import logging
import queue
import threading
import time

from app.db import leases
from app.experiments import repository, service
from app.runs import repository as runs_repository
from app.web.context import Context

log = logging.getLogger("lodestone.sweeper")

BATCH = 100


class Sweeper:
    """Offers expired leases again, wakes workers that should have been woken, and stores comparisons.

    Every step is a compare-and-set, so several servers may sweep at once.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._news: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._sweep_until_ended, name="sweeper", daemon=True)
        context.news.subscribe(self._news.put)

    def start(self) -> None:
        """Begin sweeping."""
        self._thread.start()

    def stop(self) -> None:
        """End after the current step."""
        self._ending.set()
        self._news.put(None)
        self._thread.join()

    def _sweep_until_ended(self) -> None:
        next_sweep = time.monotonic()
        while not self._ending.is_set():
            try:
                self._conclude(self._named_by_news(max(0.0, next_sweep - time.monotonic())))
                if time.monotonic() >= next_sweep:
                    next_sweep = time.monotonic() + self._context.settings.sweep_s
                    sweep(self._context)
            except Exception as error:
                # the edge of a thread: a database that is away now is there at a later sweep
                log.warning("sweep failed: %s", error)
                self._ending.wait(self._context.settings.sweep_s)

    def _named_by_news(self, timeout_s: float) -> set[str]:
        names: set[str] = set()
        try:
            name = self._news.get(timeout=timeout_s)
            while True:
                if name is not None:
                    names.add(name)
                name = self._news.get_nowait()
        except queue.Empty:
            return names

    def _conclude(self, names: set[str]) -> None:
        for experiment_id in names:
            conclude(self._context, experiment_id)


def sweep(context: Context) -> None:
    """Do once what has to be done again and again."""
    with context.database.read() as session:
        expired = runs_repository.has_expired(session)
    if expired:
        with context.database.write() as session:
            count = leases.expire(session, context.settings.attempts_max)
        if count:
            log.warning("%d runs lost their worker", count)
    with context.database.read() as session:
        waiting = runs_repository.waiting_kinds(session)
        unconcluded = repository.unconcluded(session, BATCH)
    for kind, count in waiting.items():
        context.messages.wake_again(kind, count)
    for experiment_id in unconcluded:
        conclude(context, experiment_id)


def conclude(context: Context, experiment_id: str) -> None:
    """Store the comparison of an experiment if it has just ended.

    It is computed outside the transaction that stores it: statistics may take longer than a writer may wait.
    """
    with context.database.read() as session:
        if not repository.over_without_comparison(session, experiment_id):
            return
        try:
            comparison = service.to_conclude(session, experiment_id)
        except Exception as error:
            # the edge of the statistics: whatever their fault is, the experiment's readers are told
            log.exception("experiment %s cannot be compared", experiment_id)
            comparison = service.failed_comparison(session, experiment_id, f"{type(error).__name__}: {error}")
    if comparison is not None:
        with context.database.write() as session:
            if not service.extend(session, context, experiment_id, comparison):
                service.conclude(session, context, experiment_id, comparison)
