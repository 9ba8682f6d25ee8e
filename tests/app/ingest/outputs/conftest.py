"""What the tests of the readers share: a real run of fio in all its formats, and a short way to read a text."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.analysis.compare import compare
from app.catalog.fio_options_generate import FIO_VERSION, installed_version
from app.domain.report import Report, Result
from app.ingest.report import read_report

JOB = """
[global]
ioengine=null
bs=4k
size=32m
[mixed]
rw=randrw
iodepth=4
[syncing]
stonewall
rw=randwrite
ioengine=psync
filename={file}
size=1m
fsync=8
numjobs=2
group_reporting
[trimming]
stonewall
rw=randtrim
"""


@dataclass(frozen=True)
class FioRun:
    """One run of the real fio: all that it printed, the parts by format, and its JSON as Python's json reads it."""

    output: str
    json_text: str
    terse: str
    normal: str
    jobs: dict[str, dict[str, Any]]


def run_fio(folder: Path, *options: str) -> FioRun:
    """Run JOB on the null engine and a small file, and take its output apart."""
    job = folder / "job.fio"
    job.write_text(JOB.format(file=folder / "data"))
    command = ["fio", "--output-format=json+,terse,normal", *options, str(job)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=folder).stdout
    start = output.index("{")
    document, length = json.JSONDecoder().raw_decode(output[start:])
    before, after = output[:start], output[start + length :]
    terse = [line for line in output.split("\n") if line[:1] in "2345" and line.count(";") > 40]
    rest = after if "groupid" in after else before
    normal = "\n".join(line for line in rest.split("\n") if line not in terse)
    return FioRun(
        output=output,
        json_text=output[start : start + length],
        terse="\n".join(terse),
        normal=normal,
        jobs={job["jobname"]: job for job in document["jobs"]},
    )


@pytest.fixture(scope="session")
def fio(tmp_path_factory: pytest.TempPathFactory) -> FioRun:
    """A run of the installed fio; tests that need it say so when there is none."""
    if installed_version() != FIO_VERSION:
        pytest.skip(f"these tests read the output of {FIO_VERSION}; here is {installed_version()}")
    return run_fio(tmp_path_factory.mktemp("fio"))


@pytest.fixture(scope="session", params=["2", "3", "4", "5"])
def fio_terse(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> FioRun:
    """A run for each version of the terse format."""
    if installed_version() != FIO_VERSION:
        pytest.skip(f"these tests read the output of {FIO_VERSION}; here is {installed_version()}")
    return run_fio(tmp_path_factory.mktemp("terse"), f"--terse-version={request.param}")


@dataclass(frozen=True)
class Reading:
    """A report with short ways to its parts."""

    report: Report

    def one(self, metric: str, **having: Any) -> Result:
        """Return the one result of a metric with these fields; fails when there are none or several."""
        found = [
            result
            for result in self.report.results
            if result.metric == metric and all(getattr(result, name) == value for name, value in having.items())
        ]
        assert len(found) == 1, f"{metric} {having}: {found}"
        return found[0]

    def value(self, metric: str, **having: Any) -> float:
        """Return the value of the one such result."""
        value = self.one(metric, **having).value
        assert value is not None
        return value

    @property
    def metrics(self) -> set[str]:
        """Every metric that has a result."""
        return {result.metric for result in self.report.results}

    def ratio(self, metric: str, **group: Any) -> float | None:
        """Return candidate over baseline of the one comparison of a metric, without the noise of the logarithms."""
        assert self.report.comparison is not None
        found = [
            None if row.ratio is None else round(row.ratio, 9)
            for candidate in self.report.comparison.candidates
            for row in candidate.metrics
            if row.name == metric and all(getattr(candidate.group, name) == value for name, value in group.items())
        ]
        assert len(found) == 1, f"{metric} {group}: {found}"
        return found[0]

    def warned(self, part: str) -> list[int]:
        """Return the lines of the warnings that contain a text."""
        return [remark.line for remark in self.report.warnings if part in remark.message]


@pytest.fixture(scope="session")
def reading() -> Callable[[str], Reading]:
    """Read a text, and compare its sides with the real statistics."""
    return lambda text: Reading(read_report(text, compare))
