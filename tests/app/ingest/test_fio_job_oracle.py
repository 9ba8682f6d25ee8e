"""Holds the reader to the real fio 3.33: to its parser's own trace, its refusals, and what small runs do."""

from __future__ import annotations

import json
import random
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.catalog import fio_options
from app.catalog.fio_options import FioOptionSpec
from app.catalog.fio_options_generate import FIO_VERSION, installed_version
from app.ingest.fio_job import parse
from app.ingest.fio_job.forms import examine
from app.ingest.fio_job.number import UINT64, read_bytes, read_time
from app.ingest.fio_job.value import understand

pytestmark = pytest.mark.skipif(
    installed_version() != FIO_VERSION, reason=f"the oracle is {FIO_VERSION}, here is {installed_version()}"
)

SIZES = [
    "0",
    "1",
    "8k",
    "8K",
    "8kb",
    "8ki",
    "8kiB",
    "8KiB",
    "8m",
    "8Mi",
    "8MiB",
    "2g",
    "2GiB",
    "1t",
    "1TiB",
    "1p",
    "1PiB",
]
SIZES += ["0x10", "0x10k", "1.5g", "4 k", " 4k", "-1", "4kfoo", "10b", "1e3", "16/2", "007", "5000000000", "1mb/s"]
TIMES = [
    "0",
    "1",
    "30",
    "30s",
    "30S",
    "30sec",
    "500ms",
    "500msec",
    "5us",
    "5usec",
    "2m",
    "2M",
    "2min",
    "1h",
    "1d",
    "1D",
]
TIMES += ["1m30s", "1.5", "1.5s", "30 s", "0x10", "10k", "-5", "+5s", "50%"]


def trace(tmp_path: Path, lines: list[str]) -> str:
    job = tmp_path / "probe.fio"
    job.write_text("\n".join(["[probe]", *lines]) + "\n")
    done = subprocess.run(
        ["fio", "--debug=parse", "--parse-only", str(job)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr


def understood_numbers(tmp_path: Path, option: str, texts: list[str]) -> dict[str, int]:
    """Return fio's first number for each text it accepts."""
    output = trace(tmp_path, [f"{option}={text}" for text in texts])
    pattern = rf"__handle_option={option}, type=\w+, ptr=(.*)\n(?:parse +\d+ +ret=0, out=(\d+))"
    return {found[1]: int(found[2]) for found in re.finditer(pattern, output) if found[1] in texts}


def run(tmp_path: Path, job: str, *options: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "job.fio"
    path.write_text(job)
    return subprocess.run(
        ["fio", *options, str(path)], capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path
    )


@pytest.mark.parametrize("kb_base", [1024, 1000])
def test_every_size_is_the_number_that_fio_reads(tmp_path: Path, kb_base: int) -> None:
    output = trace(tmp_path, [f"kb_base={kb_base}", *(f"filesize={text}" for text in SIZES)])
    assert f"handle_option=kb_base, ptr={kb_base}" in output
    pattern = r"__handle_option=filesize, type=OPT_STR_VAL, ptr=(.*)\n(?:parse +\d+ +ret=0, out=(\d+))"
    theirs = {found[1]: int(found[2]) for found in re.finditer(pattern, output)}
    ours = {text: reading.value for text in SIZES if (reading := read_bytes(text, kb_base))}
    assert {text: theirs[text] for text in SIZES if text in theirs} == {
        text: ours[text] for text in ours if text in theirs
    }
    assert theirs.keys() >= ours.keys() - {"16/2"}


@pytest.mark.parametrize(("option", "seconds"), [("runtime", True), ("latency_target", False), ("thinktime", False)])
def test_every_time_is_the_number_of_microseconds_that_fio_reads(tmp_path: Path, option: str, seconds: bool) -> None:
    theirs = understood_numbers(tmp_path, option, TIMES)
    ours = {text: reading.value for text in TIMES if (reading := read_time(text, seconds=seconds))}
    assert {text: ours[text] % UINT64 for text in theirs} == theirs
    assert len(theirs) > len(TIMES) / 2


NUMBERS = [
    "0",
    "1",
    "4",
    "16",
    "100",
    "101",
    "4096",
    "4294967295",
    "4294967296",
    "+3",
    "0x10",
    "1.5",
    "",
    "abc",
]
SUFFIXES = ["", "k", "kib", "m", "mib", "g", "t", "b", "s", "ms", "us", "h", "d", "%", "z", "x", " ", "min", "kk"]
PROBED = [
    "INT",
    "ULL",
    "STR_VAL",
    "STR_VAL_TIME",
    "STR_VAL_ZONE",
    "BOOL",
    "STR_SET",
    "RANGE",
    "FLOAT_LIST",
    "STR_MULTI",
]
# Their callbacks look at this machine, or are skipped by --parse-only.
UNPROBED = {"cpumask", "gtod_cpu", "kb_base", "clocksource", "rw", "ignore_error", "replay_skip", "cpus_allowed"}
UNPROBED |= {"numa_cpu_nodes", "numa_mem_policy", "verify_async_cpus", "log_compression_cpus"}
UNPROBED |= {"random_distribution"}  # fio 3.33 frees memory twice when zones do not add up
UNPROBED |= {"buffer_pattern", "verify_pattern"}  # fio 3.33 stops with a failed assertion on an empty pattern


def random_cases(seed: int) -> list[tuple[FioOptionSpec, str]]:
    chance = random.Random(seed)
    specs = [s for s in fio_options.all_options() if not s.engine and s.name not in UNPROBED]
    specs = [s for s in specs if s.kind in PROBED or (s.kind == "STR" and s.values)]
    cases = []
    for _ in range(900):
        spec = chance.choice(specs)
        if spec.values and chance.random() < 0.7:
            text = chance.choice(spec.values) + chance.choice(["", ":1", ",x", "x", ":0.5"])
        else:
            text = chance.choice(NUMBERS) + chance.choice(SUFFIXES)
        cases.append((spec, text.rstrip()))
    return cases


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_values_of_random_options_are_taken_and_refused_as_by_fio(tmp_path: Path, seed: int) -> None:
    cases = random_cases(seed)
    output = trace(tmp_path, [f"{spec.name}={text}" for spec, text in cases])
    refused = set(re.findall(r"^fio: failed parsing (.*)$", output, re.M))
    assert refused
    wrong = []
    for spec, text in cases:
        out = understand(spec, text, 1024)
        if out.value is not None:
            out.remarks += examine(spec.name, text, 1024)
        ours = any(severity == "error" for severity, _ in out.remarks)
        # Here we are stricter: fio takes these, and the run is nonsense.
        stricter = re.search("is above 100 %|is negative, or was too large", str(out.remarks))
        if ours != (f"{spec.name}={text}" in refused) and not stricter:
            wrong.append((spec.name, text, out.value, out.remarks))
    assert wrong == []


ACCEPTED = [
    "bs=4k,8k,16k",
    "bs=,8k",
    "bs=4k-16k",
    "bs=1k:2k:4k",
    "bs=16kb",
    "bs=2k\nbs=,8k",
    "bs=2k\nbs=8k,",
    "bsrange=1k-4k,8k-16k",
    "bsrange=16k-4k",
    "bs=4k\nbsrange=8k-16k",
    "bssplit=4k/10:8k/90,16k/50:32k/50",
    "bs=1k\nbssplit=2k:8k",
    "kb_base=1000\nbs=4k",
    "bs=4k\nkb_base=1000",
]


@pytest.mark.parametrize("options", ACCEPTED)
def test_block_sizes_a_direction_are_those_that_fio_prints(tmp_path: Path, options: str) -> None:
    job = f"[j]\nioengine=null\nsize=1m\nrw=trim\n{options}\n"
    printed = re.search(r"\(R\) (\S+)-(\S+), \(W\) (\S+)-(\S+), \(T\) (\S+)-(\S+),", run(tmp_path, job).stdout)
    assert printed
    theirs = [_bytes(printed[number]) for number in range(1, 7)]
    settings = parse(job).jobs[0].settings
    ours: list[float] = [4096] * 6
    for name in ("bs", "bsrange", "bssplit"):
        if name == "bs" and "bs" in settings:
            ours = [part or 4096 for part in settings["bs"].parts for _ in range(2)]
        elif name == "bsrange" and name in settings:
            ours = [part or old for part, old in zip(settings[name].parts, ours, strict=True)]
        elif name in settings:
            ours = [end for split in settings[name].splits for end in (min(split)[0], max(split)[0])]
    assert ours == theirs


def _bytes(text: str) -> int:
    number, unit = re.fullmatch(r"([\d.]+)(B|KiB|MiB|GiB)", text).groups()  # type: ignore[union-attr]
    return int(float(number) * {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[unit])


@pytest.mark.parametrize("size", ["8k", "8kiB", "1MiB", "3000", "0x2000"])
def test_a_real_run_moves_as_many_bytes_as_we_read(tmp_path: Path, size: str) -> None:
    job = f"[j]\nioengine=null\nbs=1\nsize={size}\n"
    report = json.loads(run(tmp_path, job, "--output-format=json").stdout)
    assert parse(job).jobs[0].options["size"] == report["jobs"][0]["read"]["io_bytes"]


JOB_FILE = """; a comment
[global]
name=of no job
ioengine = null
size=64k
readwrite=randrw ; and a remark
norandommap
[one]
bs=8k
[one]
description=the second of that name
name=two
[global]
size=32k
[three]x
time_based=0
"""


def test_names_and_canonical_options_are_those_in_fio_s_json(tmp_path: Path) -> None:
    text = JOB_FILE.replace("ioengine = null", "ioengine=null")
    report = json.loads(run(tmp_path, text, "--output-format=json").stdout)
    ours = parse(text)
    assert [job.name for job in ours.jobs] == [job["jobname"] for job in report["jobs"]]
    for job, theirs in zip(ours.jobs, report["jobs"], strict=True):
        assert theirs["job options"].keys() <= job.options.keys()
        assert {name for name, option in job.settings.items() if option.line > job.line} - {"size"} <= (
            theirs["job options"].keys()
        )
        assert job.options["rw"] == "randrw"


def test_a_later_global_holds_for_the_sections_after_it_as_in_fio(tmp_path: Path) -> None:
    text = JOB_FILE.replace("ioengine = null", "ioengine=null")
    report = json.loads(run(tmp_path, text, "--output-format=json").stdout)
    for job, theirs in zip(parse(text).jobs, report["jobs"], strict=True):
        assert job.options["size"] == theirs["read"]["io_bytes"] + theirs["write"]["io_bytes"]


def test_a_filename_in_global_and_one_in_the_job_are_both_used_as_we_warn(tmp_path: Path) -> None:
    job = "[global]\nfilename=a\nsize=64k\nrw=write\n[j]\nfilename=b\n"
    run(tmp_path, job)
    assert {path.name for path in tmp_path.iterdir()} >= {"a", "b"}
    assert any("uses both" in d.message for d in parse(job).diagnostics)


NULL = "[j]\nioengine=null\n"
JUDGED = [
    NULL + "size=64k",
    NULL + "size=1k",
    NULL + "filesize=64k",
    NULL + "size=64k\nzonesize=4k",
    NULL + "size=64k\nzonesize=4k\nzonemode=strided",
    NULL + "size=64k\nzonemode=strided",
    NULL + "size=64k\nrate=1m\nrate_iops=10",
    NULL + "size=64k\nrate=1k\nrate_min=1m",
    NULL + "size=64k\ntime_based",
    NULL + "size=64k\nwait_for=nobody",
    NULL + "size=64k\nwait_for=j",
    NULL + "size=64k\nblock_error_percentiles=1\nnrfiles=2",
    NULL + "size=64k\nrw=write:foo",
    NULL + "size=64k\nrw=write:4k",
    NULL + "size=64k\nrw=randwrite:8",
    NULL + "size=64k\nrw = write",
    NULL + "size=64k\nignore_error=EFOO",
    NULL + "size=64k\nignore_error=EIO:ENOSPC,5",
    NULL + "size=64k\nreplay_skip=foo",
    NULL + "size=64k\nreplay_skip=read,write",
    NULL + "size=64k\nnuma_mem_policy=foo",
    NULL + "size=64k\nsteadystate=iops",
    NULL + "size=64k\nss=bw_slope:1%",
    NULL + "size=64k\nverify_pattern=zz",
    NULL + 'size=64k\nbuffer_pattern=0xdeadbeef"abc"-12',
    NULL + "size=64k\nbssplit=4k/60:8k/60:1k:2k",
    NULL + "size=64k\nbssplit=4k/60:8k/60",
    NULL + "size=64k\nrandom_distribution=zoned:60/10:40/90",
    NULL + "size=64k\nrandom_distribution=zoned:60/10:30/90",
    NULL + "size=64k\nrandom_distribution=zoned:60/10:40/90,50/50:50/50",
    NULL + "size=64k\nrandom_distribution=pareto:2",
    NULL + "size=64k\nrandom_distribution=zipf:1",
    NULL + "size=64k\nhipri",
    NULL + "size=64k\nfoo=1",
    NULL + "size=64k\nnumjobs",
    NULL + "size=64k\ndirect",
    NULL + "size=64k\ndirect=2",
    NULL + "size=64k\niodepth=5%",
    NULL + "size=64k\nio_size=150%",
    NULL + "size=64k\nrwmixcycle=5",
    NULL + "size=64k\nverifysort=1",
    NULL + "size=64k\nthreads=4",
    NULL + "size=64k\nname=",
    "bs=4k\n" + NULL + "size=64k",
    "[j\nioengine=nullx\nsize=64k",
    "[j]\nioengine=nosuch\nsize=64k",
    "[j]\nioengine= null\nsize=64k",
    "[j]\nioengine=mmap\nsize=64k\nfile_append=1",
    "[j]\nsize=64k\nfilename=made\n[k]\nfilename=made",
    NULL + "size=64k\ndedupe_percentage=90\ndedupe_mode=working_set\ndedupe_working_set_percentage=50",
    NULL + "size=64k\ndedupe_percentage=40\ndedupe_mode=working_set\ndedupe_working_set_percentage=50",
    "[j]\nioengine=cpuio",
    "[j]\nioengine=libaio\nsize=64k\ncmdprio_percentage=10\ncmdprio_bssplit=4k/10",
    "[j]\nioengine=libaio\nsize=64k\ncmdprio_bssplit=4k/10/3",
    "[j]\nioengine=libaio\nsize=64k\ncmdprio_bssplit=4k/10/3/1/2",
    "[j]\nioengine=filecreate\nnrfiles=3",
    "[global]\nioengine=libaio\nuserspace_reap\n[j]\nsize=64k",
    "[global]\nuserspace_reap\n[j]\nioengine=libaio\nsize=64k",
]


@pytest.fixture(scope="module")
def judgements(tmp_path_factory: pytest.TempPathFactory) -> dict[str, subprocess.CompletedProcess[str]]:
    """fio's word on each job; two at a time, because it waits more than it works."""

    def judge(job: str) -> subprocess.CompletedProcess[str]:
        return run(tmp_path_factory.mktemp("job"), job + "\n", "--output-format=json")

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(JUDGED, pool.map(judge, JUDGED), strict=True))


@pytest.mark.parametrize("job", JUDGED, ids=lambda job: repr(job.removeprefix(NULL))[:60])
def test_a_job_file_is_refused_when_fio_refuses_it(
    judgements: dict[str, subprocess.CompletedProcess[str]], job: str
) -> None:
    assert parse(job).ok == (judgements[job].returncode == 0), judgements[job].stderr


def test_a_job_that_lays_out_no_file_is_refused_as_by_fio(tmp_path: Path) -> None:
    job = "[j]\nioengine=psync\n"
    assert "you need to specify size" in run(tmp_path, job).stdout + run(tmp_path, job).stderr
    assert "needs size= or filesize=" in parse(job).diagnostics[0].message
