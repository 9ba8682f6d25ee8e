"""No body, path or header that the OpenAPI document allows (or forbids) makes the server answer 500."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from app.config import Settings
from app.main import create_app
from tests.support.definitions import noop, simulated

EXAMPLES = 25
"""Requests a call and mode; some twelve hundred in all, within a minute."""

STREAMS = frozenset({"/api/v1/experiments/{experiment_id}/events"})
"""What never ends by itself is tested by hand."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[TestClient]:
    """One server for all generated requests, with something in it."""
    data_dir: Path = tmp_path_factory.mktemp("fuzzed") / "data"
    data_dir.mkdir()
    app = create_app(Settings(data_dir=data_dir, broker_url=redis_url, queued_runs_max=2000))
    with TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False) as client:
        for definition in (noop(), simulated()):
            assert client.post("/api/v1/experiments", json=definition).status_code == 202
        yield client


def operations(client: TestClient) -> list[Any]:
    """Every call of the document that ends by itself."""
    schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    found = [result.ok() for result in schema.get_all_operations()]
    return [operation for operation in found if operation.path not in STREAMS]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_generated_request_is_a_server_error(server: TestClient, mode: GenerationMode) -> None:
    every = operations(server)
    assert len(every) > 20
    seen = 0

    def check(case: Any) -> None:
        nonlocal seen
        seen += 1
        response = server.request(case.method, **_request(case))
        assert response.status_code < 500, f"{case.as_curl_command()}\n{response.text}"
        if response.status_code >= 400 and "json" in response.headers.get("content-type", ""):
            assert set(response.json()) >= {"error", "detail"}, case.as_curl_command()

    quietly = settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for operation in every:
        try:
            quietly(given(operation.as_strategy(generation_mode=mode))(check))()
        except Unsatisfiable:
            # a call without parameters cannot be called wrongly
            assert mode is GenerationMode.NEGATIVE
    assert seen > 5 * len(every)


@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(body=st.binary(max_size=400), path=st.sampled_from(["experiments", "lint", "uploads"]))
def test_no_bytes_are_a_server_error(server: TestClient, body: bytes, path: str) -> None:
    assert server.post(f"/api/v1/{path}", content=body).status_code < 500


def _request(case: Any) -> dict[str, Any]:
    given_parts = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
    wanted = {
        name: given_parts[name] for name in ("url", "params", "headers", "json") if given_parts.get(name) is not None
    }
    if given_parts.get("data") is not None:
        wanted["content"] = given_parts["data"]
    return wanted
