"""A recorded trace as a workload: from the definition to the outcome, on the command line and over the API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.domain.outcome import Outcome
from app.domain.plan import setup_of
from app.errors import InvalidDefinition, PreparationFailed
from app.experiments.admission import admit
from app.ingest.definition import definition_from
from tests.app.cli.test_commands import lodestone
from tests.support.definitions import simulated
from tests.workers.runners.test_contract import Watched
from tests.workers.runners.test_simulated import outcome, value
from workers.runners.base import Task
from workers.runners.simulated import SimulatedRunner

TABLE = "time_us,op,offset_bytes,size_bytes\n" + "".join(
    f"{1000 * n},{'read' if n % 2 else 'write'},{4096 * n},4096\n" for n in range(200)
)


def replayed(content: bytes, *, device: dict[str, Any] | None = None, **replay: Any) -> Outcome:
    workload = {"replay": {"trace": "t", **replay}}
    definition = definition_from(simulated(workload=workload, device=device or {"profile": "constant"}))
    setup = setup_of(definition, runner="simulator", variant="before", cell={}, seed=1)
    task = Task(setup, {"t": content.decode("latin-1")})
    runner = SimulatedRunner()
    return runner.parse(task, runner.run(task, Watched()))


def test_a_timed_replay_lasts_as_long_as_its_recording() -> None:
    found = replayed(TABLE.encode())
    assert found.log.startswith("simulated 0.1990")
    assert value(found, "replay", "read.iops") == pytest.approx(100 / 0.199, rel=0.01)
    assert value(found, "replay", "write.clat_p50") == pytest.approx(80_500, rel=0.01)


def test_a_replay_may_run_faster_or_at_full_speed() -> None:
    assert replayed(TABLE.encode(), speed=10).log.startswith("simulated 0.0199")
    # At depth 1 each of 200 takes 80 us and the host's 2 us.
    assert replayed(TABLE.encode(), speed="max", iodepth=1).log.startswith("simulated 0.0164")


def test_an_exported_run_replayed_on_the_same_machine_has_the_same_device_times() -> None:
    job = "[a]\nioengine=libaio\ndirect=1\nrw=randread\nfilename=/dev/sdX\niodepth=8\nnumber_ios=2000\n"
    device = {"profile": "constant"}
    (stream,) = [item.content for item in outcome(job, device=device).artifacts if item.name == "run.blktrace.0"]
    again = replayed(stream, device=device, format="blktrace")
    (stage,) = [stage for stage in again.stages if stage.name == "read.d2c"]
    assert (stage.count, stage.total_ns) == (2000, 2000 * 80_000)


def test_the_same_trace_gives_the_same_bytes() -> None:
    assert replayed(TABLE.encode()) == replayed(TABLE.encode())


@pytest.mark.parametrize(
    ("content", "replay", "message"),
    [
        (TABLE + "0,read,0,4096\n", {}, "record 202: at 0 ns, before record 201"),
        (TABLE + "200000,read,1099511627776,4096\n", {}, "record 202: ends at byte"),
        (TABLE[:-20], {}, "record 201: cut off"),
        (TABLE, {"format": "blktrace"}, "this is csv, not blktrace"),
        ("", {}, "record 1: neither"),
    ],
)
def test_a_bad_trace_is_refused_before_anything_is_queued(content: str, replay: dict[str, Any], message: str) -> None:
    definition = definition_from(simulated(workload={"replay": {"trace": "t", **replay}}))
    with pytest.raises(InvalidDefinition) as caught:
        admit(definition, {"t": content})
    assert "workload.replay.trace" in str(caught.value)
    assert message in str(caught.value)
    with pytest.raises(PreparationFailed, match="trace: record"):
        replayed(content.encode(), **replay)


def test_the_command_line_replays_a_file_beside_the_definition(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    path = tmp_path / "definition.json"
    path.write_text(json.dumps(simulated(workload={"replay": {"trace": "t.csv", "speed": "max"}})))
    done = lodestone("run", path, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["candidates"][0]["group"]["job"] == "replay"


def test_a_bad_trace_on_the_command_line_is_one_line_and_status_2(tmp_path: Path) -> None:
    (tmp_path / "t.bin").write_bytes(b"\x07\x74\x61\x65\xff\xfe")
    path = tmp_path / "definition.json"
    path.write_text(json.dumps(simulated(workload={"replay": {"trace": "t.bin"}})))
    done = lodestone("run", path)
    assert done.returncode == 2
    assert "record 1: cut off after 6 of 48 bytes" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_upload_is_replayed_over_the_api(client: TestClient) -> None:
    upload = client.post("/api/v1/uploads", content=TABLE.encode()).json()["id"]
    body = simulated(workload={"replay": {"trace": upload, "format": "csv"}})
    assert client.post("/api/v1/experiments", json=body).status_code == 202
    body["workload"]["replay"]["format"] = "iolog"
    refused = client.post("/api/v1/experiments", json=body)
    assert refused.status_code == 422
    assert "this is csv, not iolog" in refused.text
    body["workload"]["replay"]["trace"] = "sha256:" + "0" * 64
    assert client.post("/api/v1/experiments", json=body).status_code == 422
