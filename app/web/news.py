"""Wakes whoever watches an experiment; news only wake, the events themselves are read from the truth."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable

import redis.asyncio
from redis.exceptions import RedisError

from app.jobs import CHANNEL, CONNECT_TIMEOUT_S

log = logging.getLogger("lodestone.news")

RECONNECT_S = 0.5
LISTEN_S = 1.0


class News:
    """Listens to the broker's channel and wakes the tasks that wait for an experiment.

    Watchers also look by themselves every second or so, hence a lost message only delays.
    """

    def __init__(self, broker_url: str) -> None:
        self._url = broker_url.replace("redis+socket://", "unix://", 1)
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._listeners: list[Callable[[str], None]] = []

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the id of every experiment that has news; it must not block."""
        self._listeners.append(listener)

    async def wait(self, experiment_id: str, timeout_s: float) -> None:
        """Return at the next news of an experiment, or after `timeout_s`."""
        event = asyncio.Event()
        self._waiting[experiment_id].add(event)
        try:
            await asyncio.wait_for(event.wait(), timeout_s)
        except TimeoutError:
            pass
        finally:
            self._waiting[experiment_id].discard(event)
            if not self._waiting[experiment_id]:
                del self._waiting[experiment_id]

    async def listen(self) -> None:
        """Listen until cancelled; a broker that is away is tried again."""
        while True:
            try:
                await self._listen_once()
            except (RedisError, OSError) as error:
                log.debug("the broker is away (%s)", error)
                await asyncio.sleep(RECONNECT_S)

    async def _listen_once(self) -> None:
        client = redis.asyncio.Redis.from_url(self._url, socket_connect_timeout=CONNECT_TIMEOUT_S)
        try:
            async with client.pubsub() as channel:
                await channel.subscribe(CHANNEL)
                while True:
                    message = await channel.get_message(ignore_subscribe_messages=True, timeout=LISTEN_S)
                    if message is not None:
                        self._tell(bytes(message["data"]).decode(errors="replace"))
        finally:
            await client.aclose()

    def _tell(self, experiment_id: str) -> None:
        for event in self._waiting.get(experiment_id, ()):
            event.set()
        for listener in self._listeners:
            listener(experiment_id)
