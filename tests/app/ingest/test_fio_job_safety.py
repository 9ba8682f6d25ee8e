"""What a job from strangers may not do, and what its paths stand for in an experiment."""

from __future__ import annotations

import pytest

from app.domain.diagnostic import Diagnostic
from app.ingest.fio_job import parse


def said(text: str, line: int = 3) -> Diagnostic:
    """Return what is said about the third line, the first after the section and its size."""
    (diagnostic,) = [d for d in parse(f"[j]\nsize=1m\n{text}\n").diagnostics if d.line == line]
    return diagnostic


@pytest.mark.parametrize(
    "text",
    [
        "exec_prerun=rm -rf /",
        "exec_postrun=sync",
        "ioengine=exec",
        "ioengine=external:/tmp/engine.so",
        "ioengine=/tmp/engine.so",
        "ioengine=net",
        "ioengine=rbd",
        "client=10.0.0.1",
        "server",
        "filename=../../etc/passwd",
        "filename=ok:/mnt/../etc/passwd",
        "filename=-",
        "directory=/mnt/..",
        "opendir=..",
        "write_bw_log=../log",
        "write_iolog=/x/../y",
        "filename_format=../$jobname",
        "mem=mmap:/dev/../etc/x",
        "include ../x",
        "replay_redirect=/dev/../x",
        "verify_pattern='../secret'",
        "verify_pattern='/etc/shadow'",
        "buffer_pattern='/etc/shadow'",
        "read_iolog=/etc/passwd",
        "read_iolog=../trace",
    ],
)
def test_a_job_that_runs_loads_reaches_or_climbs_is_an_error_at_its_line(text: str) -> None:
    assert said(text).severity == "error"


@pytest.mark.parametrize(
    ("text", "target", "words"),
    [
        ("filename=/dev/nvme0n1", "device", "/dev/nvme0n1 is mapped to the experiment's device"),
        ("filename=/dev/mapper/vg-lv", "device", "device"),
        ("filename=/dev/disk/by-id/x\\:1", "device", "/dev/disk/by-id/x:1"),
        ("filename=\\\\.\\PhysicalDrive1", "device", "device"),
        ("replay_redirect=/dev/sdb", "device", "device"),
        ("filename=/mnt/test/file", "filesystem", "filesystem"),
        ("filename=/dev/shm/file", "filesystem", "filesystem"),
        ("directory=/mnt/a:/mnt/b", "filesystem", "filesystem"),
        ("write_bw_log=run", "artifact", "artifacts"),
        ("write_lat_log", "artifact", "artifacts"),
        ("write_iolog=/tmp/x", "artifact", "artifacts"),
    ],
)
def test_a_path_is_mapped_with_a_notice_and_the_job_stays_valid(text: str, target: str, words: str) -> None:
    file = parse(f"[j]\nsize=1m\n{text}\n")
    assert file.ok
    assert file.jobs[0].settings[text.split("=", maxsplit=1)[0]].target == target
    assert words in " ".join(d.message for d in file.diagnostics if d.line == 3)


def test_the_value_of_a_mapped_path_stays_as_written() -> None:
    assert parse("[j]\nfilename=/dev/sda\n").jobs[0].options["filename"] == "/dev/sda"


def test_a_plain_file_name_needs_no_notice() -> None:
    file = parse("[j]\nsize=1m\nfilename=testfile\n")
    assert (file.diagnostics, file.jobs[0].settings["filename"].target) == ((), "filesystem")


def test_devices_without_data_are_left_as_they_are() -> None:
    file = parse("[j]\nsize=1m\nfilename=/dev/zero\n")
    assert (file.ok, file.jobs[0].settings["filename"].target) == (True, None)


def test_a_second_device_is_said_to_share_the_first_one_s() -> None:
    file = parse("[a]\nfilename=/dev/sda\n[b]\nfilename=/dev/sdb\n")
    assert [(d.severity, d.line) for d in file.diagnostics if "one device" in d.message] == [("warning", 4)]


def test_a_trace_that_was_given_is_taken() -> None:
    file = parse("[j]\nread_iolog=t.iolog\n", files={"t.iolog": "fio version 2 iolog\n"})
    assert (file.ok, file.jobs[0].settings["read_iolog"].target) == (True, "file")


def test_an_error_in_a_global_is_told_once_however_many_jobs_inherit_it() -> None:
    file = parse("[global]\nioengine=exec\nsize=1m\n[a]\n[b]\n[c]\n")
    assert len([d for d in file.diagnostics if d.severity == "error"]) == 1
