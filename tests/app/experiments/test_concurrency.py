"""Calls that arrive at once, on both databases: a key makes one experiment, a file is kept once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fastapi.testclient import TestClient

from app.config import Settings
from app.main import create_app
from tests.support.definitions import noop

CALLS = 12


def test_twelve_submissions_with_one_key_make_one_experiment(database_url: str, redis_url: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", database_url=database_url, broker_url=redis_url)
    settings.data_dir.mkdir()
    with (
        TestClient(create_app(settings), base_url="http://127.0.0.1", raise_server_exceptions=False) as client,
        ThreadPoolExecutor(CALLS) as pool,
    ):
        headers = {"Idempotency-Key": "one"}
        post = lambda _: client.post("/api/v1/experiments", json=noop(), headers=headers)  # noqa: E731
        answers = list(pool.map(post, range(CALLS)))
        assert [answer.status_code for answer in answers] == [202] * CALLS, answers[0].text
        assert len({answer.json()["id"] for answer in answers}) == 1
        keep = lambda _: client.post("/api/v1/uploads", content=b"the same")  # noqa: E731
        assert {answer.status_code for answer in pool.map(keep, range(CALLS))} == {201}
