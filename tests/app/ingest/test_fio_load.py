"""A job becomes the loads that fio itself would put on a device."""

from __future__ import annotations

import pytest

from app.catalog.runners import SIMULATOR_FIO
from app.domain.load import Load
from app.ingest.fio_job import parse
from app.ingest.fio_load import Loads, loads_of

DEVICE = {"capacity_bytes": 100 << 30, "discard": 0}
SEED = """\
[global]
ioengine=libaio
direct=1
bs=4k
thread
group_reporting
directory=/mnt/sda1/
filename=testfile
filesize=10g
size=10g
runtime=120
iodepth=16

[fio]
rw=randrw
numjobs=4
"""


def made(job: str) -> Loads:
    return loads_of(parse(job), honoured=SIMULATOR_FIO.honoured, ignored=SIMULATOR_FIO.ignored, device=DEVICE)


def loads(job: str) -> list[Load]:
    found = made(job)
    assert found.ok, found.diagnostics
    return found.loads


def test_four_clones_share_the_file_they_name() -> None:
    found = loads(SEED)
    assert len(found) == 4
    assert {(load.region_offset_bytes, load.region_bytes) for load in found} == {(0, 10 << 30)}
    assert {(load.iodepth, load.pattern, load.runtime_ns) for load in found} == {(16, "randrw", 120 * 10**9)}


def test_clones_without_a_file_name_have_a_file_each() -> None:
    found = loads("[a]\ndirect=1\nsize=1g\nnumjobs=3\n")
    assert [load.region_offset_bytes for load in found] == [0, 1 << 30, 2 << 30]


def test_a_raw_device_without_size_is_used_whole() -> None:
    (load,) = loads("[a]\ndirect=1\nfilename=/dev/sdX\n")
    assert load.region_bytes == 100 << 30


def test_percentages_are_of_the_device() -> None:
    (load,) = loads("[a]\ndirect=1\nfilename=/dev/sdX\noffset=25%\nsize=50%\n")
    assert (load.region_offset_bytes, load.region_bytes) == (25 << 30, 50 << 30)


def test_a_sync_engine_has_one_outstanding_whatever_iodepth_says() -> None:
    found = made("[a]\ndirect=1\nsize=1g\nioengine=psync\niodepth=8\n")
    assert found.loads[0].iodepth == 1
    assert any(entry.severity == "warning" and entry.line == 5 for entry in found.diagnostics)


def test_block_sizes_by_direction() -> None:
    (load,) = loads("[a]\ndirect=1\nsize=1g\nrw=randrw\nbs=4k,16k\n")
    assert load.block_bytes[:2] == (4096, 16384)


def test_io_size_and_loops_bound_what_is_transferred() -> None:
    assert loads("[a]\ndirect=1\nsize=1g\nio_size=2m\nloops=3\n")[0].io_bytes == 6 << 20
    assert loads("[a]\ndirect=1\nsize=1m\nloops=2\n")[0].io_bytes == 2 << 20


def test_the_mix_is_given_either_way() -> None:
    assert loads("[a]\ndirect=1\nsize=1g\nrw=rw\nrwmixread=70\n")[0].read_percent == 70
    assert loads("[a]\ndirect=1\nsize=1g\nrw=rw\nrwmixwrite=70\n")[0].read_percent == 30


def test_new_group_begins_a_report_of_its_own() -> None:
    found = loads("[global]\ndirect=1\nsize=1m\n[a]\n[b]\nnew_group\n[c]\n")
    assert [load.group for load in found] == [0, 1, 1]


@pytest.mark.parametrize(
    ("job", "line", "words"),
    [
        ("[a]\nsize=1m\n", 1, "buffered"),
        ("[a]\ndirect=1\nsize=1m\nbs=1000\n", 4, "sectors"),
        ("[a]\ndirect=1\nsize=1m\nbs=2m\n", 4, "does not fit"),
        ("[a]\ndirect=1\nsize=1t\n", 3, "do not fit the device"),
        ("[a]\ndirect=1\nsize=1m\nrw=trim\n", 4, "no discard"),
        ("[a]\ndirect=1\nsize=1m\noffset=100\n", 4, "sectors"),
        ("[a]\ndirect=1\nsize=1m\nruntime=9d\n", 4, "longer than"),
        ("[a]\ndirect=1\nsize=1m\nnumjobs=2000\n", 4, "more than 1024"),
        ("[a]\ndirect=1\nsize=1m\nlatency_target=5ms\n", 4, "does not model latency_target"),
        ("[a]\ndirect=1\nsize=1m\nioengine=mmap\n", 4, "ioengine=mmap"),
        ("[a]\ndirect=1\nfilename=/dev/sda:/dev/sdb\nsize=1m\n", 3, "one device"),
        ("[a]\ndirect=1\nsize=1m\nnrfiles=5000\n", 4, "1 to 4096 files"),
        ("[a]\ndirect=1\nsize=1m\nbsrange=1k-1300\n", 4, "sectors"),
        ("[a]\ndirect=1\nsize=1m\nrw=read:100\n", 4, "sectors"),
        ("[a]\ndirect=1\nsize=1m\nfile_service_type=normal:3\n", 4, "does not model 'normal'"),
        ("[a]\ndirect=1\nsize=1m\ntime_based\n", 4, "needs a runtime"),
    ],
)
def test_what_cannot_be_modelled_is_an_error_at_its_line(job: str, line: int, words: str) -> None:
    errors = [entry for entry in made(job).diagnostics if entry.severity == "error"]
    assert [(entry.line, words in entry.message) for entry in errors] == [(line, True)], errors


def test_what_changes_nothing_is_named_with_its_reason() -> None:
    found = made(SEED)
    assert any(entry.severity == "info" and "thread is not used" in entry.message for entry in found.diagnostics)


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        ("fsync=32", {"fsync_writes": 32}),
        ("fdatasync=1", {"fdatasync_writes": 1}),
        ("sync=1", {"sync": "sync"}),
        ("sync=dsync", {"sync": "dsync"}),
        ("sync=0", {"sync": "none"}),
        ("end_fsync=1", {"end_fsync": True}),
        ("fsync_on_close=1", {"end_fsync": True}),
        ("ioengine=io_uring", {"engine": "io_uring", "asynchronous": True}),
    ],
)
def test_what_makes_writes_durable_reaches_the_load(lines: str, fields: dict[str, object]) -> None:
    (load,) = loads(f"[a]\ndirect=1\nsize=1g\nrw=write\n{lines}\n")
    assert {name: getattr(load, name) for name in fields} == fields


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        ("rate=8m,4m", {"rate_bytes": (8 << 20, 4 << 20, 4 << 20)}),
        ("rate_iops=500", {"rate_iops": (500, 500, 500)}),
        ("rate_iops=500,,", {"rate_iops": (500, 0, 0)}),
        ("rate_iops=9\nrate_process=poisson", {"rate_process": "poisson"}),
        ("rate=1m\nrate_ignore_thinktime=1", {"rate_ignore_thinktime": True}),
        ("io_submit_mode=offload", {"io_submit_mode": "offload"}),
        ("thinktime=50", {"thinktime_ns": 50_000}),
        ("thinktime=2ms\nthinktime_spin=500us", {"thinktime_ns": 2_000_000, "thinktime_spin_ns": 500_000}),
        ("thinktime=1\nthinktime_blocks=4", {"thinktime_blocks": 4}),
        ("thinktime=1\nthinktime_blocks_type=issue", {"thinktime_blocks_type": "issue"}),
        ("thinktime=1\nthinktime_iotime=1s", {"thinktime_iotime_ns": 1_000_000_000}),
        ("iodepth_batch=4", {"iodepth_batch": 4}),
        ("iodepth_batch_complete=3", {"iodepth_batch_complete_min": 3}),
        ("iodepth_batch_complete_max=8", {"iodepth_batch_complete_max": 8}),
        ("iodepth_low=2", {"iodepth_low": 2}),
        ("number_ios=100", {"number_ios": 100}),
    ],
)
def test_the_pace_of_a_job_reaches_the_load(lines: str, fields: dict[str, object]) -> None:
    (load,) = loads(f"[a]\ndirect=1\nioengine=libaio\niodepth=16\nsize=1g\n{lines}\n")
    assert {name: getattr(load.pace, name) for name in fields} == fields


def test_a_stone_wall_stands_before_the_first_clone_and_begins_a_report_of_its_own() -> None:
    found = loads("[global]\ndirect=1\nsize=1m\n[a]\n[b]\nstonewall\nnumjobs=2\n[c]\nwait_for=a\n")
    assert [load.stonewall for load in found] == [False, True, False, False]
    assert [load.group for load in found] == [0, 1, 1, 1]
    assert [load.wait_for for load in found] == [None, None, None, "a"]


def test_a_start_delay_may_be_a_range() -> None:
    (fixed,) = loads("[a]\ndirect=1\nsize=1m\nstartdelay=2\n")
    (drawn,) = loads("[a]\ndirect=1\nsize=1m\nstartdelay=1-3\n")
    assert (fixed.start_delay_ns, drawn.start_delay_ns) == ((2 * 10**9,) * 2, (10**9, 3 * 10**9))


def test_an_inline_rate_says_what_open_means() -> None:
    job = "[a]\ndirect=1\nsize=1m\nioengine=libaio\niodepth=8\nrate_iops=100\n"
    assert any(entry.line == 6 and "offload" in entry.message for entry in made(job).diagnostics)
    assert not any("offload" in entry.message for entry in made(job + "io_submit_mode=offload\n").diagnostics)


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        ("bsrange=4k-16k", {"block_range_bytes": ((4096, 16_384),) * 3}),
        ("bsrange=4k-16k,8k-32k", {"block_range_bytes": ((4096, 16_384), (8192, 32_768), (8192, 32_768))}),
        ("bssplit=4k/60:64k/", {"bssplit": (((4096, 60), (65_536, 40)),) * 3}),
        ("bsrange=4k-8k\nbs_unaligned=1", {"bs_unaligned": True}),
        ("blockalign=64k", {"blockalign_bytes": (65_536,) * 3}),
        ("random_distribution=zipf:1.2", {"random_distribution": "zipf", "distribution_parameter": 1.2}),
        ("random_distribution=zipf", {"random_distribution": "zipf", "distribution_parameter": 1.1}),
        ("random_distribution=pareto:0.3:0.5", {"distribution_parameter": 0.3, "distribution_center": 0.5}),
        ("random_distribution=normal:20", {"random_distribution": "normal", "distribution_parameter": 20.0}),
        ("random_distribution=zoned:60/10:40/90", {"zones": (((60, 10), (40, 90)),) * 3}),
        ("random_distribution=zoned_abs:60/1m:40/2m", {"zones": (((60, 1 << 20), (40, 2 << 20)),) * 3}),
        ("percentage_random=30,50", {"percentage_random": (30, 50, 50)}),
        ("rw=randread:8", {"random_every": 8, "sequential_add_bytes": 0}),
        ("rw=randread:8\nrw_sequencer=identical", {"rw_sequencer": "identical"}),
        ("rw=read:8k", {"random_every": 1, "sequential_add_bytes": 8192}),
        ("rw=write:-8k", {"sequential_add_bytes": -8192}),
        ("nrfiles=4\nfile_service_type=random:5", {"file_service_type": "random", "file_service_ios": 5}),
        ("nrfiles=4\nfile_service_type=zipf:1.3", {"file_service_type": "zipf:1.3"}),
        ("nrfiles=4\nopenfiles=2", {"openfiles": 2}),
    ],
)
def test_the_access_of_a_job_reaches_the_load(lines: str, fields: dict[str, object]) -> None:
    (load,) = loads(f"[a]\ndirect=1\nioengine=libaio\nsize=1g\nrw=randread\n{lines}\n")
    assert {name: getattr(load.access, name) for name in fields} == fields


def test_several_files_share_the_size_and_clones_have_their_own() -> None:
    first, second = loads("[a]\ndirect=1\nsize=1g\nnrfiles=4\nnumjobs=2\n")
    assert [size for _, size in first.files] == [256 << 20] * 4
    assert {offset for offset, _ in first.files} & {offset for offset, _ in second.files} == set()
    assert (first.io_bytes, first.region_bytes) == (1 << 30, 1 << 30)


def test_named_files_are_shared_and_filesize_is_the_size_of_each() -> None:
    first, second = loads("[a]\ndirect=1\nfilesize=1m\nsize=1m\nfilename=x:y\nnumjobs=2\n")
    assert first.files == second.files
    assert [size for _, size in first.files] == [1 << 20] * 2
    assert first.io_bytes == 1 << 20


def test_clones_begin_an_increment_apart() -> None:
    found = loads("[a]\ndirect=1\nfilename=/dev/sdX\nsize=1g\noffset=1m\noffset_increment=2g\nnumjobs=3\n")
    assert [load.region_offset_bytes for load in found] == [(1 << 20) + clone * (2 << 30) for clone in range(3)]


def test_an_offset_in_percent_is_aligned_upwards() -> None:
    (plain,) = loads("[a]\ndirect=1\nfilename=/dev/sdX\nsize=1g\noffset=33%\n")
    (aligned,) = loads("[a]\ndirect=1\nfilename=/dev/sdX\nsize=1g\noffset=33%\noffset_align=1m\n")
    raw = (100 << 30) * 33 // 100
    assert plain.region_offset_bytes == -(-raw // 4096) * 4096
    assert aligned.region_offset_bytes == -(-raw // (1 << 20)) * (1 << 20)


def test_an_lfsr_never_repeats() -> None:
    (load,) = loads("[a]\ndirect=1\nsize=1g\nrw=randread\nnorandommap\nrandom_generator=lfsr\n")
    assert load.random_map
