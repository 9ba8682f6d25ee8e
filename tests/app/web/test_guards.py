"""Requests from elsewhere change nothing, and pages load nothing from elsewhere."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.support.definitions import noop

API = "/api/v1/experiments"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8000", "", "localhost.evil", "[::2]:8000"])
def test_an_unknown_host_name_is_refused(client: TestClient, host: str) -> None:
    response = client.get(API, headers={"host": host})
    assert (response.status_code, response.json()["error"]) == (400, "unknown_host")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:8000", "LOCALHOST:1"])
def test_loopback_names_are_taken(client: TestClient, host: str) -> None:
    assert client.get(API, headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://[", "https://localhost"]
)
def test_a_foreign_page_cannot_change_anything(client: TestClient, origin: str) -> None:
    response = client.post(API, json=noop(), headers={"origin": origin})
    assert (response.status_code, response.json()["error"]) == (403, "foreign_origin")
    assert client.get(API).json()["items"] == []


def test_the_servers_own_page_may(client: TestClient) -> None:
    assert client.post(API, json=noop(), headers={"origin": "http://127.0.0.1:8000"}).status_code == 202


def test_a_request_that_a_foreign_page_caused_is_refused_without_an_origin_too(client: TestClient) -> None:
    response = client.post(API, json=noop(), headers={"sec-fetch-site": "cross-site"})
    assert (response.status_code, response.json()["error"]) == (403, "foreign_origin")


@pytest.mark.parametrize("path", ["/", "/healthz", API, "/api/docs", "/nowhere"])
def test_every_answer_carries_the_safe_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/nothing", "/s/nothing", "/api/v1/runs/unknown", "/assets/x"])
def test_unknown_addresses_of_the_api_are_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_wrong_method_is_an_error_of_the_one_shape(client: TestClient) -> None:
    response = client.put(API)
    assert response.status_code == 405
    assert set(response.json()) == {"error", "detail"}


def test_health_says_what_can_be_reached(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json() == {"database": True, "broker": True}


def test_metrics_count_runs_by_state(client: TestClient) -> None:
    client.post(API, json=noop())
    assert 'lodestone_runs{state="queued"} 12.0' in client.get("/metrics").text
