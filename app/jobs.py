"""The messages between the service and its workers: they only wake, so each may be lost, repeated or late.

The Celery application stands here so that the service can send without importing a worker.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable
from typing import Any

import redis
from celery import Celery
from kombu.exceptions import KombuError

log = logging.getLogger("lodestone.jobs")

WAKE = "lodestone.wake"
"""Name of the task that makes a worker look for runs."""

CHANNEL = "lodestone:experiments"
"""Redis channel on which the ids of experiments with news are published."""

KEY_PREFIX = "lodestone:"
"""Before every key of Celery's, so that a broker may be shared."""

WAKES_MAX = 8
"""A woken worker goes on until nothing waits, and the sweeper wakes more while runs wait."""

CONNECT_TIMEOUT_S = 1.0


def queue_of(runner_kind: str) -> str:
    """Return the name of the queue that wakes the workers of a kind of runner."""
    return f"lodestone.{runner_kind}"


def celery_app(broker_url: str) -> Celery:
    """Return a Celery application on a broker; nothing is kept in a result backend."""
    celery = Celery("lodestone", broker=broker_url, set_as_current=False)
    celery.conf.update(
        accept_content=["json"],
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        task_acks_late=False,
        worker_prefetch_multiplier=1,
        task_create_missing_queues=True,
        broker_connection_timeout=CONNECT_TIMEOUT_S,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_connect_timeout": CONNECT_TIMEOUT_S,
            "global_keyprefix": KEY_PREFIX,
        },
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
    )
    return celery


class Messages:
    """Sends wake-ups and announcements; a broker that is away costs nothing but the delay until the next sweep."""

    def __init__(self, broker_url: str) -> None:
        self.broker_url = broker_url
        self._celery = celery_app(broker_url)
        self._redis = redis_client(broker_url)
        self._sending = threading.Lock()

    def wake(self, runner_kinds: Iterable[str], count: int = 1) -> None:
        """Wake up to `count` workers for each kind of runner."""
        try:
            with self._sending:
                for kind in runner_kinds:
                    for _ in range(min(count, WAKES_MAX)):
                        self._celery.send_task(WAKE, queue=queue_of(kind), retry=False, ignore_result=True)
        except (KombuError, redis.RedisError, OSError) as error:
            log.warning("the broker did not take a wake-up (%s); the sweeper will send it again", error)

    def wake_again(self, runner_kind: str, count: int) -> None:
        """Wake workers for runs that still wait, unless earlier wake-ups have not been received yet."""
        try:
            if self._redis.llen(f"{KEY_PREFIX}{queue_of(runner_kind)}") == 0:
                self.wake([runner_kind], count)
        except (redis.RedisError, OSError) as error:
            log.debug("the broker is away: %s", error)

    def announce(self, experiment_id: str) -> None:
        """Tell whoever watches an experiment that it has news."""
        try:
            self._redis.publish(CHANNEL, experiment_id)
        except (redis.RedisError, OSError) as error:
            log.debug("the broker did not take an announcement: %s", error)

    def ping(self) -> bool:
        """Whether the broker answers."""
        try:
            return bool(self._redis.ping())
        except (redis.RedisError, OSError):
            return False


def redis_client(broker_url: str) -> Any:
    """Return a Redis client for the broker's URL (`redis+socket://` is Celery's spelling of `unix://`)."""
    url = broker_url.replace("redis+socket://", "unix://", 1)
    return redis.Redis.from_url(url, socket_connect_timeout=CONNECT_TIMEOUT_S, socket_timeout=CONNECT_TIMEOUT_S)


def worker_name() -> str:
    """Return a name for this process that no other process has."""
    return f"{os.uname().nodename}:{os.getpid()}:{os.urandom(3).hex()}"
