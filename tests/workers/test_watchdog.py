"""A worker that receives nothing although the broker answers ends itself; one whose broker is away waits."""

from __future__ import annotations

import signal
import subprocess
import sys

SCRIPT = """
import sys, threading, time
from workers.main import _watch
from workers.tasks import Pulse

class Celery:
    def send_task(self, *words, **options):
        if delivers:
            pulse.enter(), pulse.leave()

class Messages:
    def ping(self):
        return answers

delivers, answers, busy = (word == "yes" for word in sys.argv[1:])
pulse = Pulse()
if busy:
    pulse.enter()
threading.Thread(target=_watch, args=(Celery(), "own", Messages(), pulse, 0.2), daemon=True).start()
time.sleep(1.5)
"""


def status(*, delivers: str, answers: str, busy: str) -> int:
    command = [sys.executable, "-c", SCRIPT, delivers, answers, busy]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode


def test_a_deaf_worker_ends_itself() -> None:
    assert status(delivers="no", answers="yes", busy="no") == -signal.SIGKILL


def test_a_worker_that_receives_lives_on() -> None:
    assert status(delivers="yes", answers="yes", busy="no") == 0


def test_a_worker_whose_broker_is_away_waits() -> None:
    assert status(delivers="no", answers="no", busy="no") == 0


def test_a_busy_worker_is_not_taken_for_deaf() -> None:
    assert status(delivers="no", answers="yes", busy="yes") == 0
