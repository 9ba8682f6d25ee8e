"""Sizes, distributions and files: against scipy's distributions, and against the I/O log of the real fio."""

import collections
import itertools
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.workers.simulator.machines import GIB, job, machine
from workers.simulator import JobParameters, simulate
from workers.simulator.kinds import TRIM, WRITE
from workers.simulator.workload.cells import WEIGHT_BITS, Cells, pareto, zipf
from workers.simulator.workload.pattern import Pattern

BLOCK = 4096
Row = tuple[int, int, int]


def draws(parameters: JobParameters, count: int, seed: int = 1) -> list[Row]:
    """Return (direction, offset, size) of a job's first I/Os, in bytes."""
    pattern = Pattern([parameters], seed)
    found = []
    for _ in range(count):
        pattern.choose(0)
        found.append((pattern.direction, pattern.sector * 512, pattern.sectors * 512))
    return found


def masses(cells: Cells) -> list[float]:
    return [float(part) / (1 << WEIGHT_BITS) for part in np.diff([0, *cells.until])]


@pytest.mark.parametrize("theta", [0.5, 0.99, 1.0, 1.2, 2.0])
@pytest.mark.parametrize("count", [10, 5000, 300_000])
def test_zipf_s_cells_have_the_masses_of_scipy_s_zipfian(theta: float, count: int) -> None:
    cells = zipf(count, theta)
    assert sum(cells.length) == count
    weights = np.arange(1, count + 1, dtype=float) ** -theta
    if count <= 5000:
        assert stats.zipfian.pmf([1, count], theta, count) == pytest.approx(weights[[0, -1]] / weights.sum())
    exact = [weights[low : low + n].sum() / weights.sum() for low, n in zip(cells.first, cells.length, strict=True)]
    assert masses(cells) == pytest.approx(exact, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize("part", [0.1, 0.2, 0.5, 0.9])
def test_pareto_s_cells_give_the_first_part_all_but_its_share(part: float) -> None:
    cells = pareto(1_000_001, part)
    until = np.cumsum(masses(cells))
    ends = np.array(cells.first) + np.array(cells.length)
    power = np.log(1 - part) / np.log(part)
    assert until == pytest.approx(stats.powerlaw.cdf(ends / 1_000_000, power), rel=1e-6)
    assert np.interp(part * 1_000_000, ends, until) == pytest.approx(1 - part, rel=1e-3)


@pytest.mark.parametrize(("kind", "parameter"), [("zipf", 1.2), ("zipf", 0.8), ("pareto", 0.3)])
def test_skewed_draws_hit_blocks_as_often_as_the_distribution_says(kind: str, parameter: float) -> None:
    count, blocks = 60_000, 2000
    found = draws(job(random_distribution=kind, distribution_parameter=parameter, size_bytes=blocks * BLOCK), count)
    hits = sorted(collections.Counter(offset for _, offset, _ in found).values(), reverse=True)
    if kind == "zipf":
        expected = stats.zipfian.pmf(np.arange(1, blocks + 1), parameter, blocks)
    else:
        power = np.log(1 - parameter) / np.log(parameter)
        expected = np.diff(stats.powerlaw.cdf(np.linspace(0, 1, blocks), power))
    assert hits[:3] == pytest.approx(expected[:3] * count, rel=0.05)
    assert sum(hits[:200]) == pytest.approx(expected[:200].sum() * count, rel=0.03)


def test_the_places_of_ranks_are_scattered_and_the_centre_is_the_hottest() -> None:
    fields: dict[str, Any] = {"random_distribution": "zipf", "distribution_parameter": 1.5, "size_bytes": 1000 * BLOCK}
    spread = [offset // BLOCK for _, offset, _ in draws(job(**fields), 5000)]
    centred = [offset // BLOCK for _, offset, _ in draws(job(distribution_center=0.25, **fields), 5000)]
    hottest = [block for block, _ in collections.Counter(spread).most_common(20)]
    assert max(hottest) - min(hottest) > 500
    assert collections.Counter(centred).most_common(1)[0][0] == 250


def test_normal_is_fio_s_mean_of_twelve_draws() -> None:
    blocks = 1200
    counts = collections.Counter(
        offset
        for _, offset, _ in draws(
            job(random_distribution="normal", distribution_parameter=1.0, size_bytes=blocks * BLOCK), 40_000
        )
    )
    # A mean of twelve draws over the blocks has a twelfth of their number as its deviation; ranks are scattered.
    expected = stats.norm.pdf(0, scale=blocks / 12) * 40_000
    assert max(counts.values()) == pytest.approx(expected, rel=0.25)
    within = sum(sorted(counts.values(), reverse=True)[: round(2 * blocks / 12)])
    assert within / 40_000 == pytest.approx(0.683, abs=0.02)


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_normal_draws_end_on_the_smallest_files(blocks: int) -> None:
    fields: dict[str, Any] = {"random_distribution": "normal", "distribution_parameter": 20.0}
    found = draws(job(size_bytes=blocks * BLOCK, **fields), 2000)
    assert {offset // BLOCK for _, offset, _ in found} <= set(range(blocks))


def test_zones_get_their_share_and_each_visits_its_blocks_once_a_pass() -> None:
    zones = ((60, 10), (30, 20), (10, 70))
    found = [
        offset // BLOCK
        for _, offset, _ in draws(job(random_distribution="zoned", zones=(zones,) * 3, size_bytes=10_000 * BLOCK), 1500)
    ]
    first = [block for block in found if block < 1000]
    assert stats.binomtest(len(first), 1500, 0.6).pvalue > 1e-4
    assert len(set(first)) == len(first)


def test_absolute_zones_are_in_bytes() -> None:
    zones = ((95, 1 << 20), (5, GIB))
    found = draws(job(random_distribution="zoned_abs", zones=(zones,) * 3, norandommap=True), 4000)
    inside = sum(offset < 1 << 20 for _, offset, _ in found)
    assert stats.binomtest(inside, 4000, 0.95).pvalue > 1e-4


def test_a_range_is_even_over_multiples_of_its_least() -> None:
    found = draws(job(block_range_bytes=((4096, 65_536),) * 3), 16_000)
    counts = collections.Counter(size for _, _, size in found)
    assert set(counts) == {BLOCK * n for n in range(1, 17)}
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_unaligned_sizes_are_whole_sectors() -> None:
    sizes = {size for _, _, size in draws(job(block_range_bytes=((4096, 8192),) * 3, bs_unaligned=True), 2000)}
    assert sizes == set(range(4096, 8193, 512))


def test_a_mix_of_sizes_has_its_shares() -> None:
    mix = ((4096, 60), (65_536, 40))
    counts = collections.Counter(size for _, _, size in draws(job(bssplit=(mix,) * 3), 10_000))
    assert set(counts) == {4096, 65_536}
    assert stats.binomtest(counts[4096], 10_000, 0.6).pvalue > 1e-4


def test_no_io_reaches_beyond_its_region() -> None:
    for fields in ({"block_range_bytes": ((4096, 65_536),) * 3}, {"bssplit": (((4096, 10), (65_536, 90)),) * 3}):
        found = draws(job(size_bytes=17 * BLOCK, offset_bytes=GIB, **fields), 2000)
        assert all(offset >= GIB and offset + size <= GIB + 17 * BLOCK for _, offset, size in found)


def test_offsets_are_multiples_of_the_alignment_asked_for() -> None:
    offsets = {offset for _, offset, _ in draws(job(blockalign_bytes=(65_536,) * 3, size_bytes=1 << 20), 16)}
    assert offsets == {65_536 * n for n in range(16)}


def test_a_share_of_a_random_job_is_sequential() -> None:
    found = draws(job(percentage_random=(30, 100, 100)), 10_000)
    follows = sum(before[1] + before[2] == after[1] for before, after in itertools.pairwise(found))
    assert stats.binomtest(follows, 9999, 0.7).pvalue > 1e-4


@pytest.mark.parametrize(
    ("service", "order"),
    [("roundrobin", [0, 1, 2, 0, 1, 2, 0, 1]), ("sequential", [0, 0, 0, 0, 1, 1, 1, 1])],
)
def test_files_are_served_in_their_order(service: str, order: list[int]) -> None:
    files = tuple((index << 20, 4 * BLOCK) for index in range(3))
    found = draws(job(rw="read", files=files, file_service_type=service, size_bytes=12 * BLOCK), 8)
    assert [offset >> 20 for _, offset, _ in found] == order


def test_a_file_is_served_so_many_times_in_a_row() -> None:
    files = tuple((index << 20, 1 << 20) for index in range(2))
    found = draws(job(rw="read", files=files, file_service_ios=3, size_bytes=2 << 20), 9)
    assert [offset >> 20 for _, offset, _ in found] == [0, 0, 0, 1, 1, 1, 0, 0, 0]


def test_all_files_are_read_once_however_few_are_open() -> None:
    files = tuple((index << 20, 8 * BLOCK) for index in range(5))
    for fields in ({"openfiles": 2}, {"file_service_type": "random"}, {"file_service_type": "zipf:1.2"}):
        found = draws(job(rw="read", files=files, size_bytes=40 * BLOCK, **fields), 40)
        assert len(set(found)) == 40
    assert {offset >> 20 for _, offset, _ in draws(job(rw="read", files=files, openfiles=2), 16)} == {0, 1}


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"random_distribution": "cauchy"}, "random_distribution"),
        ({"random_distribution": "pareto", "distribution_parameter": 1.0}, "distribution_parameter"),
        ({"random_distribution": "zoned"}, "zones"),
        ({"block_range_bytes": ((4096, 5000),) * 3}, "block_size_bytes"),
        ({"bssplit": (((4096, 0),),) * 3}, "bssplit"),
        ({"file_service_type": "normal:1"}, "file_service_type"),
        ({"rw": "read", "sequential_add_bytes": 100}, "sequential_add_bytes"),
        ({"files": ((0, GIB), (1 << 40, GIB))}, "size_bytes"),
    ],
)
def test_what_cannot_be_chosen_is_refused_with_the_field_s_name(fields: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=rf"jobs\[0\]\.{name}"):
        simulate(machine("constant", job(**fields)), seed=1)


def fio_log(directory: Path, *options: str) -> list[Row]:
    """Return (direction, offset, size) of the I/Os that the real fio would do, from its I/O log."""
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed (Debian: apt install fio)")
    log = directory / "log"
    common = ["--name=a", "--ioengine=null", "--filename=f", "--bs=4k", "--size=64k", f"--write_iolog={log}"]
    done = subprocess.run(
        ["fio", "--eta=never", *common, *options],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ways = {"read": 0, "write": 1, "trim": 2}
    words = [line.split() for line in log.read_text().splitlines()]
    return [(ways[row[-3]], int(row[-2]), int(row[-1])) for row in words if len(row) >= 4 and row[-3] in ways]


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (["--rw=read"], {"rw": "read"}),
        (["--rw=read:4k"], {"rw": "read", "sequential_add_bytes": 4096}),
        (["--rw=write:12k"], {"rw": "write", "sequential_add_bytes": 12_288}),
        (["--rw=read:-8k", "--io_size=32k"], {"rw": "read", "sequential_add_bytes": -8192}),
        (["--rw=trimwrite"], {"rw": "trimwrite"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_sequential_jobs_go_where_the_real_fio_goes(tmp_path: Path, options: list[str], fields: dict[str, Any]) -> None:
    expected = fio_log(tmp_path, *options)
    assert len(expected) >= 4
    assert draws(job(size_bytes=65_536, **fields), len(expected)) == expected


@pytest.mark.parametrize("sequencer", ["sequential", "identical"])
def test_every_fourth_io_of_randread_4_is_random_as_in_the_real_fio(tmp_path: Path, sequencer: str) -> None:
    def steps(rows: list[Row]) -> list[bool]:
        length = BLOCK if sequencer == "sequential" else 0
        places = [offset for _, offset, _ in rows]
        return [after == before + length for before, after in itertools.pairwise(places)]

    options = ["--rw=randread:4", f"--rw_sequencer={sequencer}", "--size=64m", "--io_size=128k", "--norandommap"]
    theirs = fio_log(tmp_path, *options)
    ours = draws(job(random_every=4, rw_sequencer=sequencer, size_bytes=64 << 20, norandommap=True), len(theirs))
    assert steps(ours) == steps(theirs)


def test_the_mix_of_the_real_fio_has_our_distribution_of_sizes(tmp_path: Path) -> None:
    options = ["--rw=randwrite", "--bssplit=4k/50:16k/30:64k/20", "--size=256m", "--io_size=64m", "--norandommap"]
    theirs = collections.Counter(size for _, _, size in fio_log(tmp_path, *options))
    mix = ((4096, 50), (16_384, 30), (65_536, 20))
    ours = collections.Counter(
        size for _, _, size in draws(job(rw="randwrite", bssplit=(mix,) * 3), sum(theirs.values()))
    )
    assert set(ours) == set(theirs)
    table = [[counts[size] for size in sorted(counts)] for counts in (theirs, ours)]
    assert stats.chi2_contingency(table).pvalue > 1e-4


def test_trims_and_writes_alternate_on_the_same_block() -> None:
    found = draws(job(rw="trimwrite", size_bytes=4 * BLOCK), 6)
    assert found == [(way, block * BLOCK, BLOCK) for block in range(3) for way in (TRIM, WRITE)]
