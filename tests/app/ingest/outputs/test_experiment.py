"""What a text says was run."""

from __future__ import annotations

import pytest

from app.domain.workload import Workload


def workload(read):
    return None if read.report.experiment is None else read.report.experiment["workload"]


def test_a_job_file_is_taken_verbatim(reading):
    read = reading("I ran\n\n[global]\nbs=4k\nsize=1g\n\n[a]\nrw=randread\n\nand it was fine.\n")
    assert workload(read) == {"fio": "[global]\nbs=4k\nsize=1g\n\n[a]\nrw=randread"}


def test_a_job_file_with_gaps_is_told(reading):
    assert reading("[a]\nrw=randread\nsize=1g\n...\n[z]\nrw=randread\nsize=1g\n").warned("leaves out") == [4]


def test_a_command_line_becomes_the_job_that_says_the_same(reading):
    read = reading("$ fio --name=temp --size=5G --time_based \\\n      --rw=randread --bs=4k --output=x.json\n")
    assert workload(read) == {"fio": "[temp]\nsize=5G\ntime_based\nrw=randread\nbs=4k\n"}


def test_options_before_the_first_of_several_jobs_are_global(reading):
    read = reading("fio --bs=4k --size=1g --name=a --rw=read --name=b --rw=write\n")
    assert workload(read) == {"fio": "[global]\nbs=4k\nsize=1g\n[a]\nrw=read\n[b]\nrw=write\n"}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "./Run -c 56 -i 3 fstime fsbuffer fsdisk",
            {"tests": ["fstime", "fsbuffer", "fsdisk"], "modes": ["copy"], "copies": 56, "iterations": 3},
        ),
        ("./Run -c1 fstime-w", {"tests": ["fstime"], "modes": ["write"], "copies": 1}),
        ("numactl -C 3-18 ./Run -c 16 syscall", {"tests": ["syscall"], "copies": 16}),
    ],
)
def test_a_run_line_of_unixbench(reading, command, expected):
    assert workload(reading(f"{command}\n")) == {"unixbench": expected}


def test_the_group_fs_is_three_tests_in_three_modes(reading):
    found = workload(reading("./Run fs -c 8\n"))["unixbench"]
    assert found["tests"] == ["fstime", "fsbuffer", "fsdisk"]
    assert set(found["modes"]) == {"read", "write", "copy"}


def test_what_file_tests_propose_is_a_workload(reading):
    assert Workload.model_validate(workload(reading("./Run -c 4 -i 3 fstime\n"))).kind == "unixbench"


def test_a_text_that_says_nothing_proposes_nothing(reading):
    assert reading("The [PATCH 1/2] is fine, run it.\n").report.experiment is None
