"""The command line's promises: exit status, one line on stderr, JSON that scripts rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.definitions import noop, simulated
from tests.support.servers import free_port
from tests.support.service import Service


def lodestone(*arguments: str | Path, text: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli.main", *map(str, arguments)],
        env={**os.environ, **environment},
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
    )


def write(tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "definition.json"
    path.write_text(json.dumps(noop(**changes)))
    return path


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service for the commands that need one."""
    with Service(tmp_path_factory.mktemp("cli") / "data", LODESTONE_WORKERS="1") as made:
        yield made


def test_run_prints_the_comparison_in_72_columns(tmp_path: Path) -> None:
    done = lodestone("run", write(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "IMPROVED" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 72


def test_run_gives_the_structure_that_the_api_gives(tmp_path: Path) -> None:
    comparison = json.loads(lodestone("run", write(tmp_path), "--json").stdout)
    assert comparison["schema"] == 1
    assert comparison["candidates"][0]["metrics"][0]["ratio"] == pytest.approx(1.1)


def test_run_reads_standard_input() -> None:
    assert lodestone("run", "-", text=json.dumps(noop())).returncode == 0


def test_run_twice_prints_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "definition.json"
    path.write_text(json.dumps(simulated(repeat=3)))
    first, second = (lodestone("run", path, "--json") for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout


@pytest.mark.parametrize(
    ("iops", "gate", "status"),
    [(900, "regressed", 1), (1100, "regressed", 0), (1100, "changed", 1), (1000, "changed", 0)],
)
def test_the_gate_decides_the_exit_status(tmp_path: Path, iops: int, gate: str, status: int) -> None:
    variants = [{"name": "a"}, {"name": "b", "device": {"noop_iops": iops}}]
    assert lodestone("run", write(tmp_path, variants=variants), "--fail-on", gate).returncode == status


def test_a_failed_run_is_exit_3_with_its_reason(tmp_path: Path) -> None:
    done = lodestone("run", write(tmp_path, device={"profile": "constant", "noop_fail": "no image"}))
    assert done.returncode == 3
    assert "no image" in done.stderr


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"repat": 1}, "repat: unknown key"),
        ({"workload": {"fio": "[a]\nsize=1m\nexec_prerun=x\n"}}, "workload.fio: line 3"),
        ({"runner": "qemu"}, "no runner 'qemu'"),
    ],
)
def test_bad_input_is_exit_2_in_one_line(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    done = lodestone("run", write(tmp_path, **changes))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr


@pytest.mark.parametrize("command", ["run", "submit", "lint"])
def test_a_file_that_cannot_be_read_is_exit_2(command: str, tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        done = lodestone(command, path)
        assert done.returncode == 2
        assert str(path) in done.stderr


def test_text_that_is_not_utf8_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.fio"
    path.write_bytes(b"[a]\nsize=1m\nbs=\xff\n")
    done = lodestone("lint", path)
    assert (done.returncode, "line 3" in done.stderr) == (2, True)


def test_lint_names_file_line_and_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.fio"
    path.write_text("[a]\nsize=1m\nnosuch=1\n")
    done = lodestone("lint", path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"lodestone: {path}:3:")
    document = json.loads(lodestone("lint", path, "--json").stdout)
    assert (document["schema"], document["ok"]) == (1, False)


def test_lint_takes_includes_and_variables(tmp_path: Path) -> None:
    (tmp_path / "common.fio").write_text("bs=8k\n")
    path = tmp_path / "x.fio"
    path.write_text("[global]\ninclude common.fio\n[a]\nsize=${SIZE}\n")
    done = lodestone("lint", path, "--json", "--include", tmp_path / "common.fio", "--set", "SIZE=1m")
    assert json.loads(done.stdout)["jobs"] == [{"name": "a", "options": {"bs": 8192, "size": 1 << 20}}]


def test_submit_waits_shares_and_gates(service: Service, tmp_path: Path) -> None:
    variants = [{"name": "a"}, {"name": "b", "device": {"noop_iops": 900}}]
    path = write(tmp_path, variants=variants)
    done = lodestone("submit", path, "--wait", "--share", "--fail-on", "regressed", LODESTONE_SERVER=service.address)
    assert done.returncode == 1, done.stderr
    assert "REGRESSED" in done.stdout
    assert f"{service.address}/s/" in done.stdout.splitlines()[-1]


def test_submit_without_waiting_prints_where_to_look(service: Service, tmp_path: Path) -> None:
    done = lodestone("submit", write(tmp_path), "--server", service.address)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{service.address}/experiments/")


def test_submit_brings_the_files_that_a_job_includes(service: Service, tmp_path: Path) -> None:
    (tmp_path / "common.fio").write_text("direct=1\nfilename=/dev/sdX\nruntime=1\ntime_based\n")
    path = tmp_path / "d.json"
    job = "[global]\ninclude common.fio\n[a]\nrw=randread\n"
    path.write_text(json.dumps(simulated(workload={"fio": job}, files={"common.fio": "common.fio"}, repeat=1)))
    done = lodestone("submit", path, "--wait", "--server", service.address)
    assert done.returncode == 0, done.stderr
    assert lodestone("run", path).returncode == 0


def test_a_server_that_is_away_is_exit_4(tmp_path: Path) -> None:
    done = lodestone("submit", write(tmp_path), "--server", f"http://127.0.0.1:{free_port()}")
    assert (done.returncode, len(done.stderr.splitlines())) == (4, 1)


def test_what_the_server_refuses_is_exit_2(service: Service, tmp_path: Path) -> None:
    done = lodestone("submit", write(tmp_path, runner="qemu"), "--server", service.address)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_device_show_prints_every_default() -> None:
    done = lodestone("device", "show", "hdd-ent")
    assert done.returncode == 0
    assert "queue_depth" in done.stdout
    assert lodestone("device", "show", "floppy").returncode == 2
    assert "hdd-ent" in lodestone("device", "list").stdout


def test_doctor_says_what_this_machine_can_run() -> None:
    done = lodestone("doctor", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert {entry["runner"]: entry["ready"] for entry in report["runners"]} == {"noop": True, "simulator": True}


def test_settings_prints_every_setting() -> None:
    done = lodestone("settings", LODESTONE_TOKEN="hidden")
    assert "LODESTONE_LEASE_S=15.0" in done.stdout
    assert "hidden" not in done.stdout


@pytest.mark.parametrize("command", ["run", "lint", "submit"])
@pytest.mark.parametrize("value", ["/etc/passwd", "../secret.fio", "link.fio"])
def test_a_definition_names_only_files_beside_it(command: str, value: str, tmp_path: Path) -> None:
    (tmp_path / "secret.fio").write_text("iodepth=1\n")
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "link.fio").symlink_to(tmp_path / "secret.fio")
    file = write(folder, files={"x.fio": value}, workload={"fio": "[a]\ninclude x.fio\nsize=1m\n"})
    done = lodestone(command, file)
    assert done.returncode == 2
    assert "files.x.fio" in done.stderr
    assert "does not lie beside the definition" in done.stderr


def test_a_run_ends_at_its_time_limit(tmp_path: Path) -> None:
    file = write(tmp_path, device={"profile": "constant", "noop_ms": 60_000}, timeout="200ms", repeat=1)
    done = lodestone("run", file)
    assert done.returncode == 3
    assert "not finished within its time limit of 0.2 s" in done.stderr


@pytest.mark.parametrize("processes", ["0", "-3", "many", "100000"])
def test_an_impossible_number_of_processes_is_exit_2(processes: str, tmp_path: Path) -> None:
    done = lodestone("run", "--processes", processes, write(tmp_path))
    assert done.returncode == 2
    assert "--processes" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_said_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app.cli.main", "run", str(write(tmp_path))]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_run_keeps_the_artifacts_of_each_run_where_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "definition.json"
    path.write_text(json.dumps(simulated()))
    done = lodestone("run", path, "--artifacts", tmp_path / "kept")
    assert done.returncode == 0, done.stderr
    folders = sorted(folder.name for folder in (tmp_path / "kept").iterdir())
    assert len(folders) == 12
    assert {name.split("-", 1)[1] for name in folders} == {"before", "after"}
    names = {file.name for file in (tmp_path / "kept" / folders[0]).iterdir()}
    assert {"fio.json", "fio-plus.json", "run.blktrace.0", "run.log", "series.json"} <= names


def test_a_folder_that_cannot_be_made_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = lodestone("run", write(tmp_path), "--artifacts", tmp_path / "file" / "kept")
    assert done.returncode == 2
    assert "cannot keep artifacts there" in done.stderr
