"""One worker process: `python -m workers.main`. It executes one run at a time; several processes execute several."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
import time
import warnings
from typing import Any

from celery import signals
from celery.platforms import SecurityWarning
from celery.worker import state as celery_state

from app.config import Settings, settings
from app.db.blobs import BlobStore
from app.db.engine import Database
from app.jobs import Messages, celery_app, queue_of, worker_name
from workers import tasks
from workers.execution import Pace
from workers.runners import registry
from workers.store import SqlStore

log = logging.getLogger("lodestone.worker")

STORE_PAUSE_S = 0.2
"""Between two looks whether the service has prepared the database."""


def main(arguments: list[str] | None = None) -> int:
    """Run a worker until it is told to end; the exit status is 0 after a drain."""
    parser = argparse.ArgumentParser(prog="lodestone worker", description=__doc__)
    parser.add_argument("--runners", default=",".join(registry.KINDS), help="kinds of runs to take (%(default)s)")
    options = parser.parse_args(arguments)
    kinds = [kind for kind in options.runners.split(",") if kind]
    unknown = [kind for kind in kinds if kind not in registry.KINDS]
    if unknown or not kinds:
        parser.error(f"no such runner: {', '.join(unknown) or 'none named'}; there are {', '.join(registry.KINDS)}")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # the advice against root is about pickled messages; only JSON is accepted here
    warnings.filterwarnings("ignore", category=SecurityWarning)
    logging.getLogger("celery").setLevel(logging.WARNING)
    logging.getLogger("kombu").setLevel(logging.WARNING)
    serve(settings(), kinds)
    return 0


def serve(options: Settings, kinds: list[str]) -> None:
    """Receive messages until SIGTERM or SIGINT."""
    name = worker_name()
    own_queue = f"lodestone.worker.{name}"
    for kind in kinds:
        # a first run should not wait for the imports of its runner
        registry.runner(kind)
    messages = Messages(options.resolved_broker_url)
    store = SqlStore(Database(options.resolved_database_url), BlobStore(options.blob_dir), messages, options)
    store.await_schema(STORE_PAUSE_S)
    celery = celery_app(options.resolved_broker_url)
    pulse = tasks.Pulse()
    pace = Pace(options.heartbeat_s, options.lease_s, _draining)
    tasks.register(celery, store, name, kinds, pace, pulse)

    def _ready(**_: Any) -> None:
        log.info("worker %s takes %s", name, ", ".join(kinds))
        celery.send_task(tasks.PROBE, queue=own_queue, retry=False)
        messages.wake(kinds)
        watchdog = threading.Thread(
            target=_watch, args=(celery, own_queue, messages, pulse, options.watchdog_s), name="watchdog", daemon=True
        )
        watchdog.start()

    signals.worker_ready.connect(_ready, weak=False)

    queues = [queue_of(kind) for kind in kinds] + [own_queue]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=WARNING"]
    celery.worker_main(["--quiet", "worker", "--pool=solo", "--queues", ",".join(queues), "--hostname", name, *quiet])


def _draining() -> bool:
    # Celery's own signal handlers set these; a solo worker sees them only between messages unless it asks
    # (0 is an exit status there, and means that a shutdown was asked for)
    return any(
        asked is not None and asked is not False for asked in (celery_state.should_stop, celery_state.should_terminate)
    )


def _watch(celery: Any, own_queue: str, messages: Messages, pulse: tasks.Pulse, limit_s: float) -> None:
    """End the process when it is idle, the broker answers, and yet no probe comes through.

    Consumers have been seen to stop for good after a broker restart; whoever supervises this process starts it again.
    """
    while True:
        time.sleep(limit_s / 4)
        if pulse.silent_s() > limit_s and messages.ping():
            log.error("no message came through for %.0f s although the broker answers: restarting", pulse.silent_s())
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            celery.send_task(tasks.PROBE, queue=own_queue, retry=False, expires=limit_s)
        except Exception as error:
            # the edge of a thread: a broker that is away comes back or is restarted by whoever supervises it
            log.warning("the broker did not take a probe: %s", error)


if __name__ == "__main__":
    sys.exit(main())
