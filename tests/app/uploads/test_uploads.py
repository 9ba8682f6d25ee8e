"""Uploads are named by their content, and a definition uses them as a job's include files."""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi.testclient import TestClient

from tests.app.experiments.test_api import API, finish
from tests.support.definitions import simulated
from workers.store import SqlStore

COMMON = b"direct=1\nbs=8k\nfilename=/dev/sdX\nruntime=1\ntime_based\n"
JOB = "[global]\ninclude common.fio\n[a]\nrw=randread\n"


def upload(client: TestClient, content: bytes) -> Any:
    return client.post("/api/v1/uploads", content=content).json()["id"]


def test_an_upload_is_named_by_its_content(client: TestClient) -> None:
    assert upload(client, b"x") == upload(client, b"x") == "sha256:" + hashlib.sha256(b"x").hexdigest()


def test_a_job_includes_an_upload(client: TestClient, store: SqlStore) -> None:
    definition = simulated(workload={"fio": JOB}, files={"common.fio": upload(client, COMMON)}, repeat=1)
    response = client.post(API, json=definition)
    assert response.status_code == 202, response.text
    assert finish(client, store, response.json()["id"])["state"] == "done"


def test_an_upload_that_is_not_there_is_named(client: TestClient) -> None:
    definition = simulated(workload={"fio": JOB}, files={"common.fio": "sha256:" + "0" * 64})
    response = client.post(API, json=definition)
    assert response.status_code == 422
    assert response.json()["problems"][0]["key"] == "files.common.fio"


def test_an_include_that_is_not_given_is_an_error_at_its_line(client: TestClient) -> None:
    response = client.post(API, json=simulated(workload={"fio": JOB}))
    assert response.status_code == 422
    assert response.json()["problems"][0]["message"].startswith("line 2:")


def test_an_upload_that_is_no_text_is_refused_as_include(client: TestClient) -> None:
    definition = simulated(workload={"fio": JOB}, files={"common.fio": upload(client, b"\xff")})
    assert client.post(API, json=definition).json()["problems"][0]["key"] == "files.common.fio"
