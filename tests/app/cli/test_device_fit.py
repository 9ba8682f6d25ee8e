"""`lodestone device fit`: the table, the block to paste, the JSON, and one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.cli.main import main
from app.domain.experiment import Device


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """A sweep of a device that serves any number of I/Os in 120 us each; 2 us of processor time go with each."""
    jobs = []
    for depth in (1, 2, 4, 8):
        rate = depth / 122e-6
        read = {"io_bytes": 4096, "iops": rate, "runtime": 10_000, "total_ios": round(10 * rate)}
        options = {"iodepth": str(depth), "stonewall": ""}
        jobs.append({"jobname": f"qd{depth}", "groupid": 0, "error": 0, "job options": options, "read": read})
    shared = {"ioengine": "libaio", "direct": "1", "rw": "randread", "filename": "/dev/sdx", "runtime": "10"}
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps({"fio version": "fio-3.33", "global options": shared, "jobs": jobs}))
    return path


def fitted(capsys: pytest.CaptureFixture[str], *arguments: Any) -> str:
    assert main(["device", "fit", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_the_block_is_a_device_of_a_definition(sweep: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = fitted(capsys, sweep, "--from", "constant", "--name", "ours")
    assert out.startswith("ours: the profile constant, fitted to 3 figures")
    assert out.count("left out") == 2  # a row, and the line of errors
    block = yaml.safe_load(out[out.index("# ours") :])
    device = Device.model_validate(block["device"])
    assert device.overrides["service_ns"] == pytest.approx(120_000, rel=0.02)


def test_the_json_has_the_same_block_and_every_point(sweep: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(fitted(capsys, sweep, "--from", "constant", "--json"))
    assert found["device"] == {"profile": "constant", **found["overrides"]}
    assert [point["fitted"] for point in found["points"]] == [True, True, False, True]
    assert max(abs(point["error"]) for point in found["points"]) < 0.02


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the files"),
        (["no-such.json"], "no-such.json: No such file"),
        (["SWEEP", "--from", "nvme"], "--from"),
        (["SWEEP", "--from", "constant", "--set", "rpm=7200"], "rpm"),
        (["SWEEP", "--set", "rpm"], "write NAME=VALUE"),
        (["SWEEP", "--hold-out", "1"], "--hold-out 1"),
        (["SWEEP", "--seed", "-1"], "--seed"),
        (["SWEEP", "--from", "constant", "--hold-out", "2"], "4 points are given, of which 2 would be fitted"),
    ],
)
def test_bad_input_is_one_line(
    sweep: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["device", "fit", *(str(sweep) if word == "SWEEP" else word for word in arguments)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
