"""A share is frozen, unguessable, readable without scripts, and gone when revoked."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.app.experiments.test_api import API, create, finish
from tests.support.definitions import simulated
from workers.store import SqlStore

HOSTILE = '<script>alert(1)</script> & "quotes" ]]> ${x} {{ 7*7 }}'


def shared(client: TestClient, store: SqlStore, **changes: Any) -> dict[str, Any]:
    made = create(client, **changes)
    finish(client, store, made["id"])
    response = client.post(f"{API}/{made['id']}/shares")
    assert response.status_code == 201, response.text
    share: dict[str, Any] = response.json()
    return share


def test_only_what_is_over_can_be_shared(client: TestClient) -> None:
    assert client.post(f"{API}/{create(client)['id']}/shares").status_code == 409


def test_a_link_holds_128_random_bits(client: TestClient, store: SqlStore) -> None:
    slug = shared(client, store)["slug"]
    assert len(base64.urlsafe_b64decode(slug + "==")) == 16


def test_the_page_needs_no_scripts(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store)
    page = client.get(share["path"])
    assert page.status_code == 200
    assert "<script" not in page.text
    assert "improved" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_hostile_titles_and_names_stay_text(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store, title=HOSTILE, variants=[{"name": "<b>a</b>"}, {"name": "b\"'<i>"}])
    for suffix in ("", ".svg"):
        text = client.get(share["path"] + suffix).text
        assert "<script" not in text
        assert "<b>a" not in text
        assert "<i>" not in text
    assert "49" not in re.findall(r"<h1>(.*?)</h1>", client.get(share["path"]).text)[0]


@pytest.mark.parametrize("suffix", ["json", "txt", "csv", "svg"])
def test_a_share_has_its_written_forms(client: TestClient, store: SqlStore, suffix: str) -> None:
    share = shared(client, store)
    response = client.get(f"{share['path']}.{suffix}")
    assert response.status_code == 200
    assert "total.iops" in response.text


def test_the_text_form_names_the_link(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store)
    assert f"http://127.0.0.1:8000{share['path']}\n" in client.get(share["path"] + ".txt").text


def test_a_simulated_share_draws_its_latencies(client: TestClient, store: SqlStore) -> None:
    made = client.post(API, json=simulated()).json()
    finish(client, store, made["id"])
    share = client.post(f"{API}/{made['id']}/shares").json()
    assert "read.lat: share of I/Os" in client.get(share["path"]).text


def test_a_revoked_link_leads_nowhere(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store)
    assert client.delete(f"/api/v1/shares/{share['slug']}").status_code == 204
    assert client.get(share["path"]).status_code == 404
    assert client.get(share["path"] + ".json").status_code == 404
    assert client.get(f"{API}/{share['experiment_id']}/shares").json() == []
    assert client.delete(f"/api/v1/shares/{share['slug']}").status_code == 404


def test_an_experiments_links_are_listed(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store)
    assert client.get(f"{API}/{share['experiment_id']}/shares").json() == [share]


def test_primary_metrics_come_first(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store)
    page = client.get(share["path"]).text
    primary = ["(primary)" in cell for cell in re.findall(r'<td class="name">(.*?)</td>', page)]
    assert primary[0]
    assert primary == sorted(primary, reverse=True)


def test_a_pictures_style_does_not_reach_the_page(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store)
    page = client.get(share["path"]).text
    assert page.count("<style") == 1
    assert f'<img src="{share["path"]}.svg"' in page


def test_a_title_that_turns_the_direction_of_text_turns_only_itself(client: TestClient, store: SqlStore) -> None:
    share = shared(client, store, title="before \u05d0\u05d1 after")
    assert "<h1><bdi>before \u05d0\u05d1 after</bdi></h1>" in client.get(share["path"]).text
