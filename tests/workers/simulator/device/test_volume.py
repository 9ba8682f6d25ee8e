"""Volumes: places against a naive map, member I/Os counted by hand, and rates that follow from the members'."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from app.catalog import devices
from tests.workers.simulator.interpreted import run as run_form
from workers.simulator import (
    DeviceParameters,
    HostParameters,
    JobParameters,
    QueueParameters,
    SimulationParameters,
    SimulationResult,
    simulate,
)
from workers.simulator.device.raid import Layout
from workers.simulator.device.volume_kinds import VOLUMES, capacity

MIB = 1 << 20
FREE_HOST = HostParameters(submit_ns=0, complete_ns=0)
CHUNK = 64 * 1024


def run(profile: str, overrides: dict[str, int | str], *jobs: JobParameters, seed: int = 1) -> SimulationResult:
    kind, values = devices.resolve(profile, overrides)
    return simulate(
        SimulationParameters(
            jobs=jobs, device=DeviceParameters(kind, values), queue=QueueParameters("none"), host=FREE_HOST,
            check_invariants=True,
        ),
        seed=seed,
    )  # fmt: skip


def of(volume: str, members: int, **more: int | str) -> dict[str, int | str]:
    return {"volume": volume, "members": members, "chunk_kib": CHUNK >> 10, **more}


def naive(volume: str, members: int, chunk: int, rows: int) -> Iterator[tuple[int, ...]]:
    """Yield (member, sector) of each sector of a volume in order, dealt out chunk by chunk as the pictures show it."""
    if volume == "linear":
        yield from itertools.product(range(members), range(rows * chunk))
    elif volume == "raid1":
        yield from ((0, sector) for sector in range(rows * chunk))
    else:
        for row in range(rows):
            if volume == "raid0":
                turn = list(range(members))
            elif volume == "raid10":
                turn = list(range(0, members, 2))
            else:  # left-symmetric: parity moves left from the last, data begins right of it and wraps
                parity = (members - 1 - row) % members
                turn = [*range(parity + 1, members), *range(parity)]
            yield from ((member, row * chunk + at) for member in turn for at in range(chunk))


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("members", [4, 6])
def test_every_sector_has_the_place_of_a_naive_map_and_no_other_has_it(volume: str, members: int) -> None:
    chunk, rows = 8, 13
    layout = Layout(VOLUMES.index(volume), members, chunk, rows * chunk)
    expected = list(naive(volume, members, chunk, rows))
    found = []
    for sector in range(len(expected)):
        layout.locate(sector)
        found.append((layout.member, layout.at))
    assert found == expected
    assert len(set(found)) == len(found)
    assert capacity(VOLUMES.index(volume), members, rows * chunk * 512, chunk * 512) == len(expected) * 512


@pytest.mark.parametrize(
    ("volume", "members", "devices_of_data"),
    [("linear", 3, 3), ("raid0", 4, 4), ("raid1", 3, 1), ("raid5", 5, 4), ("raid10", 6, 3)],
)
def test_the_catalogue_and_the_simulator_agree_on_the_capacity(volume: str, members: int, devices_of_data: int) -> None:
    _, values = devices.resolve("constant", of(volume, members, capacity_bytes=100 * MIB + 4096))
    share = 100 * MIB + (4096 if volume in ("linear", "raid1") else 0)
    assert values["capacity_bytes"] == devices_of_data * share
    job = JobParameters("j", size_bytes=MIB, number_ios=1)
    run("constant", of(volume, members, capacity_bytes=100 * MIB + 4096), job)  # checks it again


# Of one write of so many KiB at such an offset, over members of 64 KiB chunks: reads and writes of members.
COUNTED = [
    ("raid0", 4, 4, 0, 0, 1),
    ("raid0", 4, 128, 32, 0, 3),
    ("raid1", 3, 64, 0, 0, 3),
    ("raid10", 4, 128, 0, 0, 4),
    ("linear", 2, 256, 0, 0, 1),
    ("raid5", 5, 4, 0, 2, 2),  # read data and parity, write both
    ("raid5", 5, 64, 64, 2, 2),
    ("raid5", 5, 128, 0, 2, 3),  # two of four chunks: the other two are fewer than the two and the parity
    ("raid5", 4, 64, 0, 2, 2),  # a tie: reconstruct, the other two
    ("raid5", 3, 4, 0, 1, 2),  # the other chunk instead of old data and parity
    ("raid5", 5, 256, 0, 0, 5),  # a whole stripe: no reads
    ("raid5", 5, 512, 0, 0, 10),
    # the second half of one chunk and the first of the next: two parts, each a small write
    ("raid5", 5, 64, 32, 4, 4),
    # the end of a stripe and the beginning of the next
    ("raid5", 5, 128, 192, 4, 4),
]


@pytest.mark.parametrize(("volume", "members", "kib", "offset_kib", "reads", "writes"), COUNTED)
def test_a_write_costs_as_many_member_ios_as_counted_by_hand(
    volume: str, members: int, kib: int, offset_kib: int, reads: int, writes: int
) -> None:
    job = JobParameters(
        "j", rw="write", block_size_bytes=kib << 10, offset_bytes=offset_kib << 10, size_bytes=kib << 10
    )
    counters = run("constant", of(volume, members), job).counters
    assert (counters["member_reads"], counters["member_writes"]) == (reads, writes)


def test_a_write_of_less_than_a_page_reads_the_page() -> None:
    job = JobParameters("j", rw="write", block_size_bytes=512, offset_bytes=512, size_bytes=512)
    counters = run("constant", of("raid5", 3), job).counters
    assert (counters["member_reads"], counters["member_writes"]) == (2, 2)


def test_a_small_raid5_write_takes_a_read_and_then_a_write() -> None:
    job = JobParameters("j", rw="randwrite", size_bytes=64 * MIB, number_ios=100)
    result = run("constant", of("raid5", 5, service_ns=50_000), job)
    assert result.jobs[0].directions["write"].lat.mean_ns == 100_000


def test_the_middle_rows_of_an_overlapping_write_are_a_stripe_of_their_own() -> None:
    # 288 KiB from 0 over four data chunks is a whole stripe, and 32 KiB of the next: 5 writes, then 2 reads and 2 writes
    job = JobParameters("j", rw="write", block_size_bytes=288 << 10, size_bytes=288 << 10)
    counters = run("constant", of("raid5", 5), job).counters
    assert (counters["member_reads"], counters["member_writes"]) == (2, 7)


@pytest.mark.parametrize(("volume", "members", "factor"), [("raid0", 4, 4), ("raid1", 2, 2), ("raid10", 4, 4)])
def test_random_reads_add_up_over_the_members(volume: str, members: int, factor: int) -> None:
    job = JobParameters("j", rw="randread", iodepth=64, size_bytes=512 * MIB, number_ios=20_000)
    one = {"service_ns": 100_000, "servers": 1}
    rate = run("constant", of(volume, members, **one), job).jobs[0].directions["read"].iops
    # a closed loop of 64 over D servers: between exponential service, N / (N + D - 1) of D / S, and D / S
    assert factor * 10_000 * 64 / (64 + members - 1) < rate < factor * 10_000 * 1.001


def test_mirrors_write_at_the_rate_of_one() -> None:
    job = JobParameters("j", rw="randwrite", iodepth=16, size_bytes=512 * MIB, number_ios=5_000)
    rate = run("constant", of("raid1", 2, service_ns=100_000, servers=1), job).jobs[0].directions["write"].iops
    assert rate == pytest.approx(10_000, rel=0.01)


def test_idle_mirrors_of_disks_share_random_reads() -> None:
    job = JobParameters("j", rw="randread", iodepth=2, size_bytes=1 << 40, number_ios=2_000)
    alone = run("hdd-ent", {"ncq_window": 1}, job).jobs[0].directions["read"].iops
    mirrored = run("hdd-ent", of("raid1", 2, ncq_window=1), job).jobs[0].directions["read"].iops
    assert mirrored > 1.9 * alone


def test_a_stream_stays_on_one_mirror() -> None:
    job = JobParameters("j", rw="read", block_size_bytes=128 << 10, size_bytes=64 * MIB)
    result = run("hdd-ent", of("raid1", 2), job)
    assert result.counters["seeks"] <= 1


def test_a_volume_of_one_is_the_device_itself() -> None:
    job = JobParameters("j", rw="randrw", iodepth=8, size_bytes=1 << 38, number_ios=500)
    plain = run("hdd-ent", {"positioning_error_ns": 0}, job)
    linear = run("hdd-ent", {"volume": "linear", "members": 1, "positioning_error_ns": 0}, job)
    assert [each.to_dict() for each in linear.jobs] == [each.to_dict() for each in plain.jobs]


def test_a_flush_goes_to_all_members_and_ends_with_the_last() -> None:
    # one cached write on one of three disks: its member has to destage, the others have nothing to do
    job = JobParameters("j", rw="randwrite", fsync=1, engine="psync", size_bytes=1 << 38, number_ios=50)
    result = run("hdd-cons", of("raid0", 3), job)
    alone = run("hdd-cons", {}, job)
    assert result.counters["member_flushes"] == 3 * result.counters["flushes"]
    sync = result.jobs[0].directions["sync"].lat
    assert sync.mean_ns == pytest.approx(alone.jobs[0].directions["sync"].lat.mean_ns, rel=0.25)
    assert sync.min_ns > 1_000_000  # an empty cache takes 50 us


def test_members_draw_from_streams_of_their_own() -> None:
    job = JobParameters("j", rw="randwrite", size_bytes=64 * MIB, number_ios=2_000)
    service = {"service_ns": 100_000, "service_distribution": "exponential"}
    result = run("constant", of("raid1", 2, **service), job)
    # the larger of two independent exponential times: 1 + 1/2 of the mean; of the same one it would be 1
    assert result.jobs[0].directions["write"].lat.mean_ns == pytest.approx(150_000, rel=0.06)


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("profile", ["hdd-cons", "sata-ssd", "nvme-flash"])
def test_mixed_load_with_syncs_runs_to_its_end_the_same_each_time(volume: str, profile: str) -> None:
    jobs = [
        JobParameters("a", rw="randrw", iodepth=16, block_range_bytes=((4096, 4 * CHUNK),) * 3, fsync=20,
                      size_bytes=1 << 30, number_ios=400),
        JobParameters("b", thread_number=2, rw="write", block_size_bytes=CHUNK, size_bytes=1 << 30, number_ios=200),
    ]  # fmt: skip
    first, second = (run(profile, of(volume, 4), *jobs) for _ in range(2))
    assert first.to_dict() == second.to_dict()
    assert sum(each.ios for job in first.jobs for name, each in job.directions.items() if name != "sync") == 600


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"members": 4}, "members: it belongs to a volume"),
        ({"volume": "raid6", "members": 4}, "volume: 'raid6' is not one of"),
        ({"volume": "raid0"}, "members: raid0 needs the number"),
        ({"volume": "raid5", "members": 2}, "raid5 needs at least 3"),
        ({"volume": "raid10", "members": 5}, "even number"),
        ({"volume": "raid0", "members": 33}, "members: 33 is out of range"),
        ({"volume": "raid0", "members": 2, "chunk_kib": 48}, "chunk_kib: 48 is no power of two"),
    ],
)
def test_what_is_no_volume_is_refused(given: dict[str, int | str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        devices.resolve("hdd-ent", given)


INTERPRETED = """
import hashlib, json
from app.catalog import devices
from workers.simulator import DeviceParameters, JobParameters, SimulationParameters, simulate
for volume in ("linear", "raid0", "raid1", "raid5", "raid10"):
    kind, values = devices.resolve("hdd-cons", {"volume": volume, "members": 4, "chunk_kib": 64})
    job = JobParameters("j", rw="randrw", iodepth=8, block_range_bytes=((4096, 1 << 18),) * 3, fsync=8,
                        size_bytes=1 << 30, number_ios=60)
    result = simulate(SimulationParameters((job,), DeviceParameters(kind, values)), seed=3, interpreted=True)
    print(volume, hashlib.sha256(json.dumps(result.to_dict()).encode()).hexdigest())
"""


def test_the_interpreted_sources_give_the_same_bytes() -> None:
    assert run_form(INTERPRETED, interpreted=True) == run_form(INTERPRETED, interpreted=False)
