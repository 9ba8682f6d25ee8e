"""The experiment calls: what goes in comes out, and what is wrong is refused with its key, never with a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.domain.outcome import Outcome
from app.domain.plan import AUTO_LOOKS
from tests.support.definitions import JOB, noop, simulated
from tests.support.servers import wait_until
from workers.execution import Pace
from workers.runners.base import Task
from workers.runners.null import NullRunner
from workers.store import SqlStore
from workers.tasks import work

API = "/api/v1/experiments"


def create(client: TestClient, **changes: Any) -> dict[str, Any]:
    response = client.post(API, json=noop(**changes))
    assert response.status_code == 202, response.text
    made: dict[str, Any] = response.json()
    return made


def finish(client: TestClient, store: SqlStore, experiment_id: str) -> dict[str, Any]:
    work(store, "test-worker", ["noop", "simulator"], Pace(0.05, 5))
    found: dict[str, Any] = client.get(f"{API}/{experiment_id}").json()
    return found


def test_a_definition_is_queued_and_found(client: TestClient) -> None:
    response = client.post(API, json=noop())
    made = response.json()
    assert response.status_code == 202
    assert response.headers["location"] == f"{API}/{made['id']}"
    found = client.get(response.headers["location"]).json()
    assert (found["state"], found["runs_total"], len(found["runs"])) == ("queued", 12, 12)
    assert found["definition"]["title"] == "nothing against nothing"


def test_yaml_is_taken_like_json(client: TestClient) -> None:
    text = (
        f"runner: noop\ndevice: {{profile: constant}}\nworkload: {{fio: {json.dumps(JOB)}}}\nvariants: [{{name: a}}]\n"
    )
    response = client.post(API, content=text, headers={"content-type": "application/yaml"})
    assert response.status_code == 202, response.text


def test_runs_end_in_a_comparison(client: TestClient, store: SqlStore) -> None:
    made = create(client)
    assert client.get(f"{API}/{made['id']}/comparison").status_code == 409
    found = finish(client, store, made["id"])
    assert (found["state"], found["runs_ended"]) == ("done", 12)
    comparison = client.get(f"{API}/{made['id']}/comparison").json()
    (candidate,) = comparison["candidates"]
    (metric,) = candidate["metrics"]
    assert metric["ratio"] == pytest.approx(1.1)
    assert metric["verdict"] == comparison["verdict"] == "improved"


def test_the_comparison_has_three_written_forms(client: TestClient, store: SqlStore) -> None:
    made = create(client)
    finish(client, store, made["id"])
    text, csv, svg = (client.get(f"{API}/{made['id']}/comparison.{suffix}") for suffix in ("txt", "csv", "svg"))
    assert max(len(line) for line in text.text.splitlines()) <= 72
    assert "total.iops" in csv.text
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert svg.text.startswith("<svg")
    assert client.get(f"{API}/{made['id']}/comparison.pdf").status_code == 422


def test_a_run_shows_what_it_brought_back(client: TestClient, store: SqlStore) -> None:
    made = create(client)
    found = finish(client, store, made["id"])
    run = client.get(f"/api/v1/runs/{found['runs'][0]['id']}").json()
    assert run["samples"][0]["metric"] == "total.iops"
    artifact = client.get(f"/api/v1/runs/{run['id']}/artifacts/run.log")
    assert artifact.text == "waited 0 s\n"
    assert client.get(f"/api/v1/runs/{run['id']}/artifacts/..%2f..%2flodestone.db").status_code == 404


def test_a_simulated_experiment_has_its_evidence(client: TestClient, store: SqlStore) -> None:
    made = client.post(API, json=simulated()).json()
    finish(client, store, made["id"])
    evidence = client.get(f"{API}/{made['id']}/evidence").json()
    curve = next(curve for curve in evidence["latencies"] if curve["name"] == "read.clat")
    shares = [share for _, share in curve["curve"]]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert {band["name"] for band in evidence["series"]} >= {"read.iops", "read.lat_mean"}
    assert {stage["variant"] for stage in evidence["stages"]} == {"before", "after"}


def test_cancel_stops_what_waits(client: TestClient) -> None:
    made = create(client)
    cancelled = client.post(f"{API}/{made['id']}/cancel")
    assert cancelled.status_code == 202
    assert cancelled.json()["state"] == "cancelled"
    assert client.post(f"{API}/{made['id']}/cancel").status_code == 409


def test_a_cancelled_experiment_has_no_verdict_and_no_figures(client: TestClient) -> None:
    made = create(client)
    client.post(f"{API}/{made['id']}/cancel")
    comparison = client.get(f"{API}/{made['id']}/comparison").json()
    assert comparison["candidates"] == []
    assert comparison["notes"] == ["cancelled when 0 of 12 runs were done"]
    found = wait_until(
        lambda: (item := client.get(f"{API}/{made['id']}").json())["headline"] and item, 10, "it is concluded"
    )
    assert (found["verdict"], found["headline"]) == (None, "cancelled when 0 of 12 runs were done")


def test_rerun_queues_the_same_definition_again(client: TestClient) -> None:
    made = create(client)
    again = client.post(f"{API}/{made['id']}/rerun").json()
    assert again["id"] != made["id"]
    assert (again["digest"], again["rerun_of"]) == (made["digest"], made["id"])


def test_an_idempotency_key_makes_one_experiment(client: TestClient) -> None:
    headers = {"Idempotency-Key": "press-1"}
    first = client.post(API, json=noop(), headers=headers)
    second = client.post(API, json=noop(), headers=headers)
    assert first.json()["id"] == second.json()["id"]
    other = client.post(API, json=noop(seed=2), headers=headers)
    assert (other.status_code, other.json()["error"]) == (409, "idempotency_key_reused")
    assert len(client.get(API).json()["items"]) == 1


def test_lists_are_paged_newest_first(client: TestClient) -> None:
    made = [create(client, title=f"number {number}")["id"] for number in range(5)]
    first = client.get(API, params={"limit": 2}).json()
    second = client.get(API, params={"limit": 2, "cursor": first["next"]}).json()
    third = client.get(API, params={"limit": 2, "cursor": second["next"]}).json()
    listed = [item["id"] for page in (first, second, third) for item in page["items"]]
    assert listed == made[::-1]
    assert third["next"] is None


def test_lists_are_filtered(client: TestClient) -> None:
    create(client, title="ext4 50% faster")
    made = create(client, title="xfs")
    client.post(f"{API}/{made['id']}/cancel")
    assert [item["title"] for item in client.get(API, params={"state": "cancelled"}).json()["items"]] == ["xfs"]
    assert [item["title"] for item in client.get(API, params={"q": "50% F"}).json()["items"]] == ["ext4 50% faster"]
    assert client.get(API, params={"q": "0%x"}).json()["items"] == []


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"repat": 3}, "repat"),
        ({"repeat": 0}, "repeat"),
        ({"repeat": "auto", "variants": [{"name": "a"}]}, "repeat"),
        ({"runner": "hardware:lab"}, "runner"),
        ({"device": {"profile": "constant", "noop_msec": 3}}, "device.noop_msec"),
        ({"primary": ["read.iop"]}, "primary"),
        ({"matrix": {"workload.fio": ["x"]}}, "variant before (workload.fio=x)"),
        ({"workload": {"fio": "[a]\nsize=1m\nexec_prerun=touch /tmp/x\n"}}, "workload.fio"),
        ({"workload": {"fio": "[a]\nsize=1m\nfilename=../../etc/passwd\n"}}, "workload.fio"),
        ({"workload": {"fio": "[a]\nsize=1m\nnosuch=1\n"}}, "workload.fio"),
        ({"files": {"../x.fio": "sha256:" + "0" * 64}}, "files.../x.fio"),
        ({"threshold_percent": 1e400}, None),
    ],
)
def test_what_cannot_run_is_refused_by_key_and_nothing_is_queued(
    client: TestClient, changes: dict[str, Any], key: str | None
) -> None:
    response = client.post(API, content=json.dumps(noop(**changes)))
    assert response.status_code == 422, response.text
    body = response.json()
    assert body["error"] == "invalid_definition"
    if key is not None:
        assert any(key in (problem["key"] or "") for problem in body["problems"]), body
    assert client.get(API).json()["items"] == []


@pytest.mark.parametrize(
    ("job", "line", "words"),
    [
        ("[a]\ndirect=1\nsize=1m\nverify=crc32c\n", 4, "does not model verify"),
        ("[a]\nsize=1m\n", 1, "buffered I/O is not modelled"),
        ("[a]\ndirect=1\n", 1, "size"),
        ("[a]\ndirect=1\nioengine=mmap\nsize=1m\n", 3, "ioengine=mmap"),
        ("[a]\ndirect=1\nsize=100t\n", 3, "do not fit the device"),
    ],
)
def test_a_job_that_the_simulator_cannot_run_names_its_line(
    client: TestClient, job: str, line: int, words: str
) -> None:
    response = client.post(API, json=simulated(workload={"fio": job}))
    assert response.status_code == 422, response.text
    message = response.json()["problems"][0]["message"]
    assert message.startswith(f"line {line}:")
    assert words in message


@pytest.mark.parametrize(
    ("key", "value"),
    [("filesystem", {"type": "ext4"}), ("sysctl", {"vm.dirty_ratio": 1}), ("kernel", "6.12"), ("machine", {"cpus": 2})],
)
def test_what_a_runner_does_not_use_is_refused_rather_than_ignored(client: TestClient, key: str, value: Any) -> None:
    response = client.post(API, json=simulated(**{key: value}))
    assert response.status_code == 422
    assert key in response.json()["problems"][0]["key"]


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[1]", b"null", b"{", b"a: [", b"\x00"])
def test_a_body_that_is_no_definition_is_refused(client: TestClient, body: bytes) -> None:
    response = client.post(API, content=body)
    assert response.status_code in (400, 422)
    assert set(response.json()) >= {"error", "detail"}


def test_a_body_over_the_limit_is_refused(client: TestClient) -> None:
    response = client.post(API, content=b"x" * 50_000_000)
    assert (response.status_code, response.json()["error"]) == (413, "too_large")


def test_an_unannounced_body_over_the_limit_is_refused(client: TestClient) -> None:
    response = client.post(API, content=(b"x" * 1_000_000 for _ in range(20)))
    assert response.status_code == 413


@pytest.mark.parametrize("path", ["nope", "0" * 26, "%00", "a" * 200, "..%2f.."])
def test_an_unknown_experiment_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(f"{API}/{path}").status_code in (404, 422)


def test_the_event_stream_tells_the_whole_story_and_ends(client: TestClient, store: SqlStore) -> None:
    made = create(client, repeat=1)
    finish(client, store, made["id"])
    assert client.get(f"{API}/{made['id']}/comparison").status_code == 200
    kinds, numbers = [], []
    with client.stream("GET", f"{API}/{made['id']}/events") as response:
        for line in response.iter_lines():
            if line.startswith("event:"):
                kinds.append(line.split(": ")[1])
            if line.startswith("id:"):
                numbers.append(int(line.split(": ")[1]))
    assert (kinds[0], kinds[-1]) == ("experiment", "comparison")
    assert numbers == sorted(numbers)
    resumed = client.get(f"{API}/{made['id']}/events", headers={"Last-Event-ID": str(numbers[-1])})
    assert resumed.status_code == 204


@pytest.mark.parametrize(
    "kind", ["image/png", "application/xml", "multipart/form-data", "application/json; charset=utf-16"]
)
def test_what_says_that_it_is_no_definition_is_refused(client: TestClient, kind: str) -> None:
    response = client.post(API, content=json.dumps(noop()), headers={"content-type": kind})
    assert (response.status_code, response.json()["error"]) == (415, "unsupported_type")


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain; charset=UTF-8", "application/yaml"])
def test_what_curl_says_by_itself_is_taken(client: TestClient, kind: str) -> None:
    assert client.post(API, content=json.dumps(noop()), headers={"content-type": kind}).status_code == 202


def test_a_cursor_that_is_none_is_refused(client: TestClient) -> None:
    assert client.get(API, params={"cursor": "zzz"}).status_code == 422


def test_a_cancelled_experiment_has_no_verdict_in_any_form(client: TestClient) -> None:
    made = create(client, device={"profile": "constant", "noop_ms": 60_000})
    client.post(f"{API}/{made['id']}/cancel")
    text = client.get(f"{API}/{made['id']}/comparison.txt").text
    assert "INCONCLUSIVE" not in text
    assert "nothing was compared" in text
    assert "cancelled when 0 of" in text


def wavering(monkeypatch: pytest.MonkeyPatch, clear_from: int) -> None:
    """Let the noop runner's figures waver around no change until some replicate, and be clear from there on."""
    parse = NullRunner.parse

    def parsed(self: NullRunner, task: Task, raw: Any) -> Outcome:
        outcome = parse(self, task, raw)
        replicate = task.setup.seed - 1
        factor = (
            1.0 if task.setup.variant == "before" else 1.5 if replicate >= clear_from else 0.98 + 0.04 * (replicate % 2)
        )
        samples = [sample.model_copy(update={"value": 1000.0 * factor}) for sample in outcome.samples]
        return outcome.model_copy(update={"samples": tuple(samples)})

    monkeypatch.setattr(NullRunner, "parse", parsed)


def conclude(client: TestClient, store: SqlStore, experiment_id: str) -> dict[str, Any]:
    """Work until the experiment has its comparison: further pairs may be added each time all have ended."""

    def concluded() -> bool:
        return finish(client, store, experiment_id)["headline"] is not None

    wait_until(concluded, 30, "the comparison")
    found: dict[str, Any] = client.get(f"{API}/{experiment_id}").json()
    return found


def test_auto_adds_pairs_until_it_is_settled(
    client: TestClient, store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    wavering(monkeypatch, clear_from=8)
    made = create(client, repeat="auto")
    assert made["runs_total"] == 2 * AUTO_LOOKS[0]
    detail = conclude(client, store, made["id"])
    assert detail["state"] == "done"
    assert detail["verdict"] == "improved"
    assert detail["runs_total"] in [2 * look for look in AUTO_LOOKS[1:]]
    assert sorted(run["position"] for run in detail["runs"]) == list(range(detail["runs_total"]))


def test_auto_ends_with_its_last_look(client: TestClient, store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    wavering(monkeypatch, clear_from=1000)
    made = create(client, repeat="auto", threshold_percent=0.5)
    detail = conclude(client, store, made["id"])
    assert detail["state"] == "done"
    assert detail["verdict"] not in ("improved", "regressed")
    assert detail["runs_total"] in [2 * look for look in AUTO_LOOKS[1:]]


def test_auto_stops_at_once_when_it_is_clear(client: TestClient, store: SqlStore) -> None:
    made = create(client, repeat="auto")
    assert conclude(client, store, made["id"])["runs_total"] == 2 * AUTO_LOOKS[0]
    answer = client.post(API, json=noop(repeat="auto", order="blocked"))
    assert answer.status_code == 422
    assert "order" in answer.json()["detail"]


def test_two_sides_that_declare_the_same_are_said_to_test_nothing(client: TestClient, store: SqlStore) -> None:
    made = create(client, variants=[{"name": "before"}, {"name": "after"}])
    assert any("declare the same" in notice["message"] for notice in made["notices"])
    detail = conclude(client, store, made["id"])
    assert detail["headline"].startswith("both sides declare the same, so no change was tested: ")
    assert "no change was tested" in client.get(f"{API}/{made['id']}/comparison.txt").text
    share = client.post(f"{API}/{made['id']}/shares").json()
    assert "no change was tested" in client.get(share["path"]).text


def test_that_two_sides_are_the_same_is_told_before_any_run(client: TestClient) -> None:
    definition = noop(variants=[{"name": "before"}, {"name": "after"}])
    found = client.post("/api/v1/lint", json={"text": json.dumps(definition), "kind": "definition"}).json()
    assert [entry for entry in found["diagnostics"] if "declare the same" in entry["message"] and entry["key"] is None]
