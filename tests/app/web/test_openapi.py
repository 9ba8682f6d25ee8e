"""The committed OpenAPI document, from which the page's types are generated, is the server's."""

from __future__ import annotations

import json
from pathlib import Path

from fastapi.testclient import TestClient

COMMITTED = Path(__file__).resolve().parents[3] / "frontend/src/api/openapi.generated.json"


def test_the_committed_document_is_the_server_s(client: TestClient) -> None:
    stale = "stale: run `make generate` and commit what it writes"
    assert json.loads(COMMITTED.read_text()) == client.get("/api/openapi.json").json(), stale


def test_every_call_says_what_it_answers(client: TestClient) -> None:
    for path, calls in client.get("/api/openapi.json").json()["paths"].items():
        for method, call in calls.items():
            assert call.get("description"), (method, path)
            assert any(status.startswith("2") for status in call["responses"]), (method, path)


def test_the_definition_is_described_key_by_key(client: TestClient) -> None:
    schemas = client.get("/api/openapi.json").json()["components"]["schemas"]
    assert {"runner", "device", "workload", "variants", "matrix"} <= set(schemas["Definition"]["properties"])
