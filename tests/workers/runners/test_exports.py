"""The real programs read what a run leaves behind: blkparse and btt, fio's converters, fio-plot, our own reader."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.domain.outcome import Outcome
from app.ingest.report import read_report
from tests.workers.runners.test_simulated import outcome, value

ROOT = Path(__file__).parents[3]
JOB = """\
[global]
ioengine=libaio
direct=1
filename=/dev/sdX
runtime=200ms
time_based
[reads]
rw=randread
iodepth=8
[writes]
stonewall
rw=write
iodepth=16
iodepth_batch=8
iodepth_batch_complete=8
"""


@pytest.fixture(scope="module")
def run() -> Outcome:
    return outcome(JOB, device={"profile": "nvme-flash", "scheduler": "mq-deadline"})


@pytest.fixture(scope="module")
def kept(run: Outcome, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("artifacts")
    for artifact in run.artifacts:
        (directory / artifact.name).write_bytes(artifact.content)
    return directory


def program(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (package: {package})")
    return found


def output(directory: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def parsed(kept: Path) -> list[list[str]]:
    text = output(kept, program("blkparse", "blktrace"), "-i", "run", "-d", "run.bin", "-f", "%T.%9t %a %d %S %n %C\n")
    assert "bad trace" not in text
    rows = [line.split() for line in text.splitlines() if re.match(r"\d+\.\d{9} [QGMFIDC] ", line)]
    assert rows
    return rows


def test_blkparse_finds_every_traced_io(parsed: Sequence[Sequence[str]]) -> None:
    counts = {action: sum(row[1] == action for row in parsed) for action in "QGMFIDC"}
    assert counts["Q"] == 5000
    assert counts["D"] == counts["C"] == counts["G"] == counts["I"]
    assert counts["G"] + counts["M"] + counts["F"] == counts["Q"]


def test_blkparse_sees_the_jobs_by_name_and_their_directions(kept: Path, parsed: Sequence[Sequence[str]]) -> None:
    queued = {(row[5], row[2]) for row in parsed if row[1] == "Q"}
    assert queued <= {("reads", "RS"), ("writes", "WS")}
    assert ("reads", "RS") in queued


def test_plugged_writes_are_merges_in_the_stream() -> None:
    found = outcome(JOB.replace("rw=randread", "rw=write\niodepth_batch=8\niodepth_batch_complete=8"))
    (stream,) = [artifact.content for artifact in found.artifacts if artifact.name == "run.blktrace.0"]
    actions = [int.from_bytes(stream[at + 28 : at + 30], "little") for at in range(2 * 64, len(stream), 48)]
    # Eight writes in a call become one request: one G and seven back merges.
    assert actions.count(2) == 7 * actions.count(4) > 0
    assert actions.count(7) == actions.count(8) == actions.count(4)


def test_btt_s_device_times_are_ours(kept: Path, parsed: Sequence[Sequence[str]]) -> None:
    text = output(kept, program("btt", "blktrace"), "-i", "run.bin")
    found = re.search(r"D2C\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(\d+)", text)
    assert found, text
    begun: dict[str, float] = {}
    times = []
    for row in parsed:
        if row[1] == "D":
            begun[row[3]] = float(row[0])
        elif row[1] == "C":
            times.append(float(row[0]) - begun[row[3]])
    assert float(found[2]) == pytest.approx(sum(times) / len(times), rel=1e-3)
    assert int(found[4]) == len(times)


@pytest.mark.parametrize("name", ["fio.json", "fio-plus.json"])
def test_our_own_reader_finds_the_run_s_figures(kept: Path, run: Outcome, name: str) -> None:
    document = json.loads((kept / name).read_text())
    (job,) = [job for job in document["jobs"] if job["jobname"] == "reads"]
    assert job["read"]["iops"] == pytest.approx(value(run, "reads", "read.iops"), abs=1e-5)
    assert job["read"]["clat_ns"]["percentile"]["99.000000"] == value(run, "reads", "read.clat_p99")
    assert job["read"]["lat_ns"]["mean"] == pytest.approx(value(run, "reads", "read.lat_mean"))
    assert sum(sum(job[f"latency_{unit}"].values()) for unit in ("ns", "us", "ms")) == pytest.approx(100)
    assert ("bins" in job["read"]["clat_ns"]) == (name == "fio-plus.json")
    read = {
        result.metric: result.value
        for result in read_report((kept / name).read_text()).results
        if result.job == "reads"
    }
    assert read["read.iops"] == pytest.approx(value(run, "reads", "read.iops"), abs=1e-5)


def test_the_json_has_every_key_that_the_real_fio_has(kept: Path, tmp_path: Path) -> None:
    command = [
        program("fio", "fio"),
        "--ioengine=null",
        "--name=a",
        "--rw=randrw",
        "--size=1m",
        "--output-format=json+",
    ]
    theirs = json.loads(output(tmp_path, *command))["jobs"][0]
    ours = json.loads((kept / "fio-plus.json").read_text())["jobs"][0]
    shares = {key for key in theirs if key.startswith("iodepth_")}
    assert set(theirs) - shares <= set(ours)
    assert set(theirs["read"]) == set(ours["read"])
    assert set(theirs["read"]["clat_ns"]) == set(ours["read"]["clat_ns"])
    assert all(list(theirs[f"latency_{unit}"]) == list(ours[f"latency_{unit}"]) for unit in ("ns", "us", "ms"))


def test_fio_s_converter_reads_the_bins(kept: Path, run: Outcome) -> None:
    output(kept, program("fio_jsonplus_clat2csv", "fio"), "fio-plus.json", "bins.csv")
    with (kept / "bins_job0.csv").open() as file:
        rows = list(csv.DictReader(file))
    (column,) = [name for name in rows[0] if name.strip() == "read_clat_ns_count"]
    counted = sum(int(row[column]) for row in rows if row[column].strip())
    (histogram,) = [item for item in run.histograms if item.name == "read.clat"]
    assert counted == histogram.count


def test_fio_plot_draws_the_run(kept: Path, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    document: dict[str, Any] = json.loads((kept / "fio.json").read_text())
    document["jobs"] = document["jobs"][:1]
    (source / "randread-8-1.json").write_text(json.dumps(document))
    plot = ROOT / ".venv/fio-plot/bin/fio-plot"
    if not plot.exists():
        pytest.skip("fio-plot is not installed (scripts/setup.sh --tests)")
    command = [str(plot), "-i", str(source), "-T", "reads", "-l"]
    output(tmp_path, *command, "-r", "randread", "-d", "8", "-n", "1", "-o", "chart.png")
    assert (tmp_path / "chart.png").stat().st_size > 1000


def test_the_same_run_gives_the_same_files() -> None:
    first, again = (outcome(JOB).artifacts for _ in range(2))
    assert first == again
