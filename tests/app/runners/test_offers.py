"""What this server offers is complete, and every example runs."""

from __future__ import annotations

from fastapi.testclient import TestClient

from app.catalog.examples import EXAMPLES
from app.domain.digest import digest_of
from app.domain.experiment import Definition
from app.ingest.definition import definition_from, read_definition
from workers.runners import registry


def test_every_registered_runner_is_offered(client: TestClient) -> None:
    assert {offer["kind"] for offer in client.get("/api/v1/runners").json()} == set(registry.KINDS)


def test_every_device_prints_its_defaults_and_sources(client: TestClient) -> None:
    offers = client.get("/api/v1/devices").json()
    assert {"hdd-ent", "nvme-flash", "stalling"} <= {offer["name"] for offer in offers}
    for offer in offers:
        assert offer["parameters"], offer["name"]
        assert offer["sources"], offer["name"]
        assert client.get(f"/api/v1/devices/{offer['name']}").json() == offer


def test_an_unknown_device_is_not_found(client: TestClient) -> None:
    assert client.get("/api/v1/devices/floppy").status_code == 404


def test_every_example_is_accepted(client: TestClient) -> None:
    examples = client.get("/api/v1/examples").json()
    assert {example["name"] for example in examples} == set(EXAMPLES)
    for example in examples:
        response = client.post("/api/v1/experiments", json=example["definition"])
        assert response.status_code == 202, response.text


def test_an_examples_text_and_definition_are_one(client: TestClient) -> None:
    for example in client.get("/api/v1/examples").json():
        assert digest_of(read_definition(example["text"])) == digest_of(definition_from(example["definition"]))
        assert isinstance(read_definition(example["text"]), Definition)
