"""Patches are kept by content, listed newest first, compared by version; what is no patch is refused with a reason."""

from __future__ import annotations

import gzip
import hashlib
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.config import Settings
from app.patches import routes, service
from app.patches.fetch import Fetched, Fetcher

API = "/api/v1/patches"
MAIL = """\
From: Maud Erling <maud@erling.example>
Subject: [PATCH v{version} {number}/2] slate: step {number}
Message-Id: <{version}.{number}@erling.example>

This makes random writes 30% faster.

Before:
  write: IOPS=1000, BW=4000KiB/s (4096kB/s)(39.1MiB/10001msec)
After:
  write: IOPS=1300, BW=5200KiB/s (5325kB/s)(50.8MiB/10001msec)

Signed-off-by: Maud Erling <maud@erling.example>
---
diff --git a/fs/slate{number}.c b/fs/slate{number}.c
--- a/fs/slate{number}.c
+++ b/fs/slate{number}.c
@@ -1,6 +1,8 @@
 one
 two
 three
+step {number}
+version {version}
 four
 five
 six
"""


def mbox(version: int, numbers: tuple[int, ...] = (1, 2)) -> bytes:
    mails = (MAIL.format(version=version, number=number) for number in numbers)
    return "".join(f"From m@x Tue Mar  5 10:20:30 2024\n{mail}\n" for mail in mails).encode()


def bring(client: TestClient, content: bytes) -> Any:
    response = client.post(API, content=content, headers={"content-type": "text/plain"})
    assert response.status_code == 201, response.text
    return response.json()


def test_a_series_is_named_by_its_text(client: TestClient) -> None:
    made = bring(client, mbox(2))
    assert made["id"] == hashlib.sha256(mbox(2)).hexdigest()
    assert bring(client, mbox(2)) == made
    assert client.get(f"{API}/{made['id']}").json() == made
    assert client.get(f"{API}/{made['id']}/text").content == mbox(2)
    assert len(client.get(API).json()["items"]) == 1


def test_a_series_is_answered_with_patches_figures_and_warnings(client: TestClient) -> None:
    made = bring(client, mbox(2, (2,)))
    assert (made["series"]["version"], made["series"]["total"], made["series"]["missing"]) == (2, 2, [1])
    assert made["patches"][0]["files"][0]["path"] == "fs/slate2.c"
    assert made["patches"][0]["trailers"][0]["key"] == "Signed-off-by"
    assert made["figures"]["kind"] == "fio"
    assert any(claim["value"] == 30 for claim in made["figures"]["claims"])
    assert made["warnings"] == [{"line": 1, "message": "of 2 patches, 1 is not here"}]


def test_each_diff_is_given_in_git_s_form(client: TestClient) -> None:
    made = bring(client, mbox(2))
    diff = client.get(f"{API}/{made['id']}/diffs/1").text
    assert diff.startswith("diff --git a/fs/slate2.c b/fs/slate2.c\n")
    assert "+step 2\n" in diff
    missing = client.get(f"{API}/{made['id']}/diffs/2")
    assert (missing.status_code, missing.json()["error"]) == (404, "not_found")


def test_the_list_has_pages_and_words(client: TestClient) -> None:
    ids = [bring(client, mbox(version, (1,)))["id"] for version in range(1, 6)]
    first = client.get(API, params={"limit": 2}).json()
    second = client.get(API, params={"limit": 2, "cursor": first["next"]}).json()
    third = client.get(API, params={"limit": 2, "cursor": second["next"]}).json()
    shown = [item["id"] for page in (first, second, third) for item in page["items"]]
    assert shown == ids[::-1]
    assert third["next"] is None
    assert (first["items"][0]["files"], first["items"][0]["added"], first["items"][0]["version"]) == (1, 2, 5)
    assert client.get(API, params={"q": "STEP"}).json()["items"] != []
    assert client.get(API, params={"q": "%"}).json()["items"] == []


def test_two_series_and_two_versions_in_one_text_are_compared(client: TestClient) -> None:
    older, newer, both = bring(client, mbox(1)), bring(client, mbox(2)), bring(client, mbox(1) + mbox(2))
    compared = client.get(f"{API}/{newer['id']}/range-diff", params={"older": older["id"]}).json()
    assert [pair["sign"] for pair in compared["pairs"]] == ["!", "!"]
    assert "-+version 1" in compared["text"]
    assert client.get(f"{API}/{both['id']}/range-diff").json() == compared
    alone = client.get(f"{API}/{newer['id']}/range-diff")
    assert (alone.status_code, alone.json()["error"]) == (422, "one_version")


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "no_patch"), (b"hello\n", "no_patch"), (b"\0\xff" * 50, "no_patch")]
)
def test_what_holds_no_patch_is_refused(client: TestClient, content: bytes, code: str) -> None:
    response = client.post(API, content=content)
    assert (response.status_code, response.json()["error"]) == (422, code)


def test_a_text_over_the_limit_is_refused(client: TestClient, settings: Settings) -> None:
    response = client.post(API, content=b"x" * (settings.body_max_bytes + 1))
    assert (response.status_code, response.json()["error"]) == (413, "too_large")


@pytest.mark.parametrize(
    "body", [b"{}", b"nonsense", b'{"url": 1}', b'{"url": "https://evil.example/x"}', b'{"url": ""}']
)
def test_a_locator_that_cannot_be_followed_is_refused(client: TestClient, body: bytes) -> None:
    response = client.post(API, content=body, headers={"content-type": "application/json"})
    assert response.status_code == 422
    assert response.json()["detail"]


def test_a_series_that_was_brought_names_its_source(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://lore.kernel.org/all/2.1@erling.example/t.mbox.gz"

    class Brought(Fetcher):
        def fetch(self, locator: str) -> Fetched:
            assert locator == "2.1@erling.example"
            return Fetched(mbox(2), url)

    monkeypatch.setattr(routes, "Fetcher", Brought)
    made = client.post(API, json={"url": "2.1@erling.example"}).json()
    assert (made["source"], made["title"]) == (url, "slate: step 1")


@pytest.mark.parametrize("path", ["0" * 64, "0" * 64 + "/text", "0" * 64 + "/diffs/0", "0" * 64 + "/range-diff"])
def test_what_is_not_there_is_404(client: TestClient, path: str) -> None:
    assert client.get(f"{API}/{path}").status_code == 404


def test_a_subject_with_odd_characters_is_kept_on_one_line(client: TestClient) -> None:
    made = bring(client, mbox(2, (1,)).replace(b"slate: step 1", b"slate:\x00 \x1b[31mstep\xe2\x80\xae 1"))
    assert made["title"].isprintable()


def test_a_text_too_large_for_figures_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "FIGURES_MAX_BYTES", 100)
    made = bring(client, mbox(2))
    assert made["figures"]["results"] == 0
    assert made["warnings"][0]["message"].startswith("no figures are looked for")


def test_a_compressed_mbox_is_the_series_in_it(client: TestClient, settings: Settings) -> None:
    assert bring(client, gzip.compress(mbox(2)))["id"] == bring(client, mbox(2))["id"]
    cut = client.post(API, content=gzip.compress(mbox(2))[:-20])
    assert (cut.status_code, cut.json()["error"]) == (422, "no_patch")
    for body in (gzip.compress(bytes(settings.body_max_bytes + 1)), gzip.compress(b"") * 300_000):
        response = client.post(API, content=body)
        assert (response.status_code, response.json()["error"]) == (413, "too_large")
