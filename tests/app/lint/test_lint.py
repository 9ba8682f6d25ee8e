"""Linting says everything about a text and never fails because of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.definitions import noop, simulated

DEFINITION = """\
title: x
runner: simulator
device: {profile: hdd-ent}
workload:
  fio: |
    [a]
    direct=1
    size=1g
    latency_target=5ms
variants:
  - name: a
repeat: 6
"""


def lint(client: TestClient, text: str, **more: Any) -> Any:
    response = client.post("/api/v1/lint", json={"text": text, **more})
    assert response.status_code == 200, response.text
    return response.json()


def test_a_job_is_understood(client: TestClient) -> None:
    found = lint(client, "[a]\nbs=4k\nsize=1m\n")
    assert found["ok"]
    assert found["jobs"] == [{"name": "a", "options": {"bs": 4096, "size": 1 << 20}}]


def test_an_unknown_option_has_its_line(client: TestClient) -> None:
    found = lint(client, "[a]\nsize=1m\niodepht=4\n")
    assert not found["ok"]
    (entry,) = found["diagnostics"]
    assert (entry["line"], "iodepth" in entry["message"]) == (3, True)


def test_a_job_is_checked_against_runner_and_device(client: TestClient) -> None:
    job = "[a]\ndirect=1\nsize=100t\n"
    assert lint(client, job)["ok"]
    found = lint(client, job, runner="simulator", device={"profile": "hdd-ent"})
    assert [entry["line"] for entry in found["diagnostics"]] == [3]


def test_a_definition_has_the_job_s_line_in_its_own_text(client: TestClient) -> None:
    found = lint(client, DEFINITION)
    errors = [entry for entry in found["diagnostics"] if entry["severity"] == "error"]
    assert found["kind"] == "definition"
    assert [entry["line"] for entry in errors] == [DEFINITION.splitlines().index("    latency_target=5ms") + 1]


def test_a_good_definition_says_how_many_runs_it_has(client: TestClient) -> None:
    assert lint(client, json.dumps(simulated()))["runs"] == 12


@pytest.mark.parametrize(
    "text", ["", "\x00", "[", "{", "]]", "[a]\n" * 1000, "a: b", "\ud7ff", "💾", "runner:\nworkload:\n"]
)
def test_no_text_is_an_error_of_the_call(client: TestClient, text: str) -> None:
    lint(client, text)
    lint(client, text, kind="definition")
    lint(client, text, kind="fio", runner="simulator", device={"profile": "nope"})


def test_the_request_itself_is_checked(client: TestClient) -> None:
    assert client.post("/api/v1/lint", json={"text": 1}).status_code == 422
    assert client.post("/api/v1/lint", json={"txt": ""}).status_code == 422


def test_nothing_is_queued(client: TestClient) -> None:
    lint(client, json.dumps(noop()))
    assert client.get("/api/v1/experiments").json()["items"] == []
