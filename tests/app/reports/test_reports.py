"""A report is a text with what was read out of it: kept, paired as its reader wants, compared and shared."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.analysis.compare import compare
from app.ingest.report import read_report

API = "/api/v1/reports"

MAIL = """From: A Tester <tester@example.org>
To: linux-block@example.org
Subject: [RFC] =?utf-8?q?queue=3A?= fewer wake-ups per request

Throughput improves by 20% with this patch.

Before this patch set:
  read: IOPS=50.0k, BW=195MiB/s (205MB/s)(1953MiB/10001msec)

After this patch set:
  read: IOPS=60.0k, BW=234MiB/s (246MB/s)(2344MiB/10001msec)

With a bigger batch:
  read: IOPS=45.0k, BW=176MiB/s (184MB/s)(1758MiB/10001msec)

The job:

[global]
ioengine=libaio
direct=1
bs=4k
filename=/dev/nvme0n1
runtime=10
time_based

[readers]
rw=randread
iodepth=32
"""


def kept(client: TestClient, text: str | bytes = MAIL, **query: Any) -> dict[str, Any]:
    response = client.post(API, content=text.encode() if isinstance(text, str) else text, params=query)
    assert response.status_code == 201, response.text
    assert response.headers["Location"] == f"{API}/{response.json()['id']}"
    made: dict[str, Any] = response.json()
    return made


def rows_of(report: dict[str, Any], metric: str) -> dict[str, float]:
    """The ratio of a metric by candidate."""
    return {
        candidate["variant"]: row["ratio"]
        for candidate in report["comparison"]["candidates"]
        for row in candidate["metrics"]
        if row["name"] == metric
    }


def test_a_mail_is_kept_with_its_figures_sides_and_subject(client: TestClient) -> None:
    report = kept(client)
    assert report["pasted"] == "results"
    assert report["title"] == "[RFC] queue: fewer wake-ups per request"
    assert rows_of(report, "read.iops") == pytest.approx({"After this patch set": 1.2, "With a bigger batch": 0.9})
    assert report["comparison"]["baseline"] == "Before this patch set"
    assert "Before this patch set" in report["pairing"]["rule"]
    assert client.get(f"{API}/{report['id']}").json() == report


def test_one_run_a_side_gives_no_verdict(client: TestClient) -> None:
    report = kept(client)
    assert report["verdict"] == "inconclusive"
    rows = [row for candidate in report["comparison"]["candidates"] for row in candidate["metrics"]]
    assert {row["verdict"] for row in rows} == {"inconclusive"}
    assert all(row["ci95"] is None and row["reason"] for row in rows)


def test_the_document_is_what_the_command_line_prints(client: TestClient) -> None:
    report = kept(client)
    document = client.get(f"{API}/{report['id']}/document").json()
    assert document == json.loads(json.dumps(read_report(MAIL, compare).to_json()))
    assert [row["metric"] for row in report["results"]] == [row["metric"] for row in document["results"]]


def test_the_text_comes_back_byte_for_byte(client: TestClient) -> None:
    content = MAIL.replace("Tester", "Tést").encode("latin-1")
    report = kept(client, content)
    assert client.get(f"{API}/{report['id']}/text").content == content


def test_a_preview_says_the_same_and_keeps_nothing(client: TestClient) -> None:
    preview = client.post(f"{API}/preview", content=MAIL).json()
    assert client.get(API).json()["items"] == []
    report = kept(client)
    assert {name: report[name] for name in preview} == preview


@pytest.mark.parametrize(
    ("text", "pasted"),
    [
        (MAIL, "results"),
        (MAIL[MAIL.index("[global]") :], "job"),
        ("runner: simulator\nworkload: {fio: ''}\nvariants: []\n", "definition"),
        ("Dear all,\nthe meeting is on Monday.\n", "nothing"),
        ("", "nothing"),
    ],
)
def test_what_was_pasted_is_recognised(client: TestClient, text: str, pasted: str) -> None:
    assert client.post(f"{API}/preview", content=text).json()["pasted"] == pasted


def test_what_holds_no_results_is_not_kept_and_is_named(client: TestClient) -> None:
    response = client.post(API, content=MAIL[MAIL.index("[global]") :])
    assert response.status_code == 422
    assert "it is a job file" in response.json()["detail"]
    assert client.get(API).json()["items"] == []


def test_the_reader_says_which_label_is_which_side(client: TestClient) -> None:
    report = kept(client)
    pairing = {
        "baseline": "old",
        "sides": [
            {"label": "With a bigger batch", "variant": "old"},
            {"label": "After this patch set", "variant": "new"},
        ],
    }
    changed = client.patch(f"{API}/{report['id']}", json={"pairing": pairing})
    assert changed.status_code == 200, changed.text
    assert rows_of(changed.json(), "read.iops") == pytest.approx({"new": 60.0 / 45.0})
    assert changed.json()["pairing"]["rule"] == "chosen by hand"
    left_out = [side for side in changed.json()["pairing"]["sides"] if side["variant"] is None]
    assert [side["label"] for side in left_out] == ["Before this patch set"]
    assert client.get(f"{API}/{report['id']}").json() == changed.json()
    back = client.patch(f"{API}/{report['id']}", json={"pairing": None}).json()
    assert back == report


def test_two_labels_of_one_variant_are_two_runs_of_it(client: TestClient) -> None:
    report = kept(client)
    sides = [
        {"label": "Before this patch set", "variant": "old"},
        {"label": "After this patch set", "variant": "old"},
        {"label": "With a bigger batch", "variant": "new"},
    ]
    changed = client.patch(f"{API}/{report['id']}", json={"pairing": {"baseline": "old", "sides": sides}}).json()
    row = next(row for row in changed["comparison"]["candidates"][0]["metrics"] if row["name"] == "read.iops")
    assert row["baseline"]["n"] == 2
    assert row["baseline"]["median"] == 55_000


@pytest.mark.parametrize(
    ("pairing", "named"),
    [
        ({"baseline": "nobody", "sides": [{"label": "a", "variant": "b"}]}, "pairing.baseline"),
        ({"baseline": "b", "sides": [{"label": "a", "variant": "b"}, {"label": "a", "variant": "c"}]}, "'a'"),
        ({"baseline": "b", "sides": [{"label": "a", "variant": "b", "colour": "red"}]}, "colour"),
    ],
)
def test_a_pairing_that_cannot_be_is_refused_by_name(client: TestClient, pairing: dict[str, Any], named: str) -> None:
    report = kept(client)
    response = client.patch(f"{API}/{report['id']}", json={"pairing": pairing})
    assert response.status_code == 422
    assert named in response.json()["detail"]
    assert client.get(f"{API}/{report['id']}").json() == report


def test_a_title_is_changed_alone(client: TestClient) -> None:
    report = kept(client, title="first")
    changed = client.patch(f"{API}/{report['id']}", json={"title": "second"}).json()
    assert changed == {**report, "title": "second"}


def test_a_claim_stands_beside_what_the_figures_say(client: TestClient) -> None:
    # one candidate: of two it would not be known which is meant
    head, _, rest = MAIL.partition("After this patch set:")
    text = head.replace("Throughput improves by 20%", "Nothing") + "With a bigger" + rest.partition("With a bigger")[2]
    text = text.replace("The job:", "So bandwidth drops by 20%.\n\nThe job:")
    claims = [claim for claim in kept(client, text)["claims"] if claim["metric"] is not None]
    assert [(claim["metric"], round(claim["computed_percent"]), claim["agrees"]) for claim in claims] == [
        ("read.bw", -10, False)
    ]


def test_the_definition_runs_the_job_with_the_sides_of_the_text(client: TestClient) -> None:
    definition = kept(client)["definition"]
    answer = client.post("/api/v1/lint", json={"text": definition}).json()
    assert answer["ok"], answer
    assert answer["kind"] == "definition"
    assert "rw=randread\n" in definition
    assert definition.index("Before this patch set") < definition.index("After this patch set")


def test_lists_page_and_search(client: TestClient) -> None:
    made = [kept(client, title=title)["id"] for title in ("alpha", "beta", "alpha two")]
    assert [item["id"] for item in client.get(API).json()["items"]] == made[::-1]
    first = client.get(API, params={"limit": 2}).json()
    assert [item["id"] for item in first["items"]] == made[:0:-1]
    rest = client.get(API, params={"limit": 2, "cursor": first["next"]}).json()
    assert [item["id"] for item in rest["items"]] == made[:1]
    assert [item["title"] for item in client.get(API, params={"q": "alpha"}).json()["items"]] == ["alpha two", "alpha"]


@pytest.mark.parametrize("suffix", ["txt", "csv", "svg"])
def test_a_comparison_has_its_written_forms(client: TestClient, suffix: str) -> None:
    report = kept(client)
    response = client.get(f"{API}/{report['id']}/comparison.{suffix}")
    assert response.status_code == 200
    assert "read.iops" in response.text
    if suffix == "txt":
        assert "measured elsewhere" in response.text
        assert max(map(len, response.text.splitlines())) <= 72


def test_what_cannot_be_paired_has_no_comparison(client: TestClient) -> None:
    report = kept(client, "  read: IOPS=50.0k, BW=195MiB/s (205MB/s)(1953MiB/10001msec)\n")
    assert report["comparison"] is None
    response = client.get(f"{API}/{report['id']}/comparison")
    assert response.status_code == 409
    assert "which label is which side" in response.json()["detail"]


def test_a_share_shows_the_report_and_outlives_a_change(client: TestClient) -> None:
    report = kept(client, MAIL.replace("A Tester", "<script>alert(1)</script>"), title="<b>shared</b>")
    share = client.post(f"{API}/{report['id']}/shares")
    assert share.status_code == 201, share.text
    client.patch(f"{API}/{report['id']}", json={"title": "changed"})
    page = client.get(share.json()["path"])
    assert page.status_code == 200
    assert "<script" not in page.text
    assert "&lt;b&gt;shared" in page.text
    assert "read.iops" in page.text
    for suffix in ("json", "txt", "csv", "svg"):
        assert client.get(f"{share.json()['path']}.{suffix}").status_code == 200
    assert [entry["slug"] for entry in client.get(f"{API}/{report['id']}/shares").json()] == [share.json()["slug"]]
    assert client.delete(f"/api/v1/shares/{share.json()['slug']}").status_code == 204
    assert client.get(share.json()["path"]).status_code == 404


def test_a_share_of_figures_without_sides_has_a_page_and_no_written_comparison(client: TestClient) -> None:
    report = kept(client, "  read: IOPS=50.0k, BW=195MiB/s (205MB/s)(1953MiB/10001msec)\n")
    path = client.post(f"{API}/{report['id']}/shares").json()["path"]
    assert client.get(path).status_code == 200
    assert client.get(f"{path}.csv").status_code == 404


def fio_json(name: str, iops: float) -> str:
    """A minimal document of fio's JSON, as an escape sequence in it leaves the name."""
    job = {"jobname": "NAME", "groupid": 0, "error": 0, "read": {"iops": iops, "bw_bytes": 409600, "io_bytes": 4096}}
    return json.dumps({"fio version": "fio-3.33", "jobs": [job]}).replace("NAME", name)


@pytest.mark.parametrize("name", ["a\\ud800b", "nul\\u0000", "\\u202eabc"])
def test_names_that_no_database_or_encoding_takes_are_kept_all_the_same(client: TestClient, name: str) -> None:
    report = kept(
        client, f"Before this patch:\n\n{fio_json(name, 100.0)}\n\nAfter this patch:\n\n{fio_json(name, 120.0)}\n"
    )
    assert report["results_total"] > 0
    path = client.post(f"{API}/{report['id']}/shares").json()["path"]
    for address in (
        path,
        f"{path}.txt",
        f"{path}.csv",
        f"{path}.svg",
        f"{path}.json",
        f"{API}/{report['id']}/document",
    ):
        assert client.get(address).status_code == 200


def test_a_body_over_the_limit_is_refused(client: TestClient) -> None:
    response = client.post(API, content=b"x" * 9_000_000)
    assert response.status_code == 413


def test_a_label_that_no_figure_has_cannot_be_paired(client: TestClient) -> None:
    report = kept(client)
    pairing = {"baseline": "b", "sides": [{"label": "Beforehand", "variant": "b"}]}
    response = client.patch(f"{API}/{report['id']}", json={"pairing": pairing})
    assert response.status_code == 422
    assert "'Beforehand'" in response.json()["detail"]
    assert "Before this patch set" in response.json()["detail"]


def test_a_compressed_mail_and_one_in_utf_16_are_read(client: TestClient) -> None:
    plain = client.post(f"{API}/preview", content=MAIL.encode()).json()
    for content in (gzip.compress(MAIL.encode()), MAIL.encode("utf-16"), b"\xef\xbb\xbf" + MAIL.encode()):
        assert client.post(f"{API}/preview", content=content).json()["results"] == plain["results"]


def test_what_unpacks_to_more_than_is_taken_is_refused(client: TestClient) -> None:
    response = client.post(API, content=gzip.compress(b"x" * 40_000_000))
    assert (response.status_code, response.json()["error"]) == (413, "too_large")
    assert client.post(API, content=gzip.compress(MAIL.encode())[:-40] + b"damage").status_code == 413


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("[RFC,4/4] ext4: drop a handle", "[RFC,4/4] ext4: drop a handle"),
        ("[RFC][PATCH 0/9 v1] ext4: a tree", "[RFC][PATCH 0/9 v1] ext4: a tree"),
        ("PATCH 1/1 xfs: avoid a transaction", "PATCH 1/1 xfs: avoid a transaction"),
    ],
)
def test_a_page_that_begins_with_a_patch_s_name_has_it_as_its_title(client: TestClient, first: str, title: str) -> None:
    text = f"{first}\n\n{MAIL.partition(chr(10) * 2)[2]}\n\nSubject: something attached further down\n"
    assert kept(client, text)["title"] == title


def test_only_what_can_run_here_is_proposed(client: TestClient) -> None:
    text = "./Run -c 8 -i 1 fstime\n\nFile Copy 1024 bufsize 2000 maxblocks    1124181.0 KBps  (30.0 s, 2 samples)\n"
    preview = client.post(f"{API}/preview", content=text).json()
    assert preview["results_total"] > 0
    assert preview["definition"] is None


def test_a_job_with_gaps_is_proposed_without_them(client: TestClient) -> None:
    preview = client.post(
        f"{API}/preview", content="[global]\ndirect=1\n...\n[a]\nrw=randread\nsize=1m\n[...]\n"
    ).json()
    assert "..." not in preview["definition"].replace("…", "")
    assert any("leaves out" in warning["message"] for warning in preview["warnings"])


def test_json_that_is_no_definition_is_not_taken_for_one(client: TestClient) -> None:
    assert client.post(f"{API}/preview", content='{"a": [1, 2]}').json()["pasted"] == "nothing"
