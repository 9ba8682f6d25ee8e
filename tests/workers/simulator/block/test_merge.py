"""Plugging, merging and splitting: what the device gets of bios that touch, counted by hand."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.workers.simulator.machines import device
from workers.simulator.block.schedulers import ELEVATORS
from workers.simulator.block.trace import BioArrival, QueueTrace
from workers.simulator.kinds import FUA, READ, TRIM, WRITE
from workers.simulator.parameters import QueueParameters

US = 1000
SERVICE_NS = 80 * US
BUSY: BioArrival = (0, READ, 0, 8, 0, 0)  # has the only driver tag until 80 us
KIB = 2  # sectors


def run(
    arrivals: Sequence[BioArrival],
    scheduler: str = "mq-deadline",
    *,
    plugged: bool = False,
    priorities: Sequence[int] = (),
    device_values: dict[str, Any] | None = None,
    **settings: Any,
) -> tuple[list[tuple[int, int]], dict[str, int], list[int]]:
    """Return (first sector, sectors) of each command in order, the counters, and when each bio ended."""
    trace = QueueTrace(
        device("constant", **(device_values or {})),
        QueueParameters(scheduler, **settings),
        arrivals,
        plugged=plugged,
        priorities=priorities,
    )
    ended = trace.completions()
    assert -1 not in ended
    return [(sector, sectors) for _, _, _, sector, sectors, _ in trace.commands], trace.queue.counters(), ended


def reads(*sectors: int, time_ns: int = 0, direction: int = READ, flags: int = 0) -> list[BioArrival]:
    return [(time_ns, direction, sector, 8, flags, 0) for sector in sectors]


@pytest.mark.parametrize("scheduler", ["none", "mq-deadline"])
def test_adjacent_bios_of_one_call_become_one_request(scheduler: str) -> None:
    commands, counters, ended = run(reads(0, 8, 16, 24), scheduler, plugged=True)
    assert commands == [(0, 32)]
    assert counters["plug_merges"] == counters["back_merges"] == 3
    assert ended == [SERVICE_NS] * 4


def test_a_plug_merges_at_the_front_too() -> None:
    commands, counters, _ = run(reads(16, 8, 0), "none", plugged=True)
    assert commands == [(0, 24)]
    assert counters["front_merges"] == 2


def test_without_a_plug_what_the_device_takes_at_once_does_not_merge() -> None:
    commands, _, _ = run(reads(0, 8, 16), "none")
    assert commands == [(0, 8), (8, 8), (16, 8)]


def test_a_plug_merges_with_its_newest_request_only() -> None:
    commands, counters, _ = run(reads(0, 800, 8), "none", plugged=True)
    assert commands == [(0, 8), (800, 8), (8, 8)]
    assert counters["plug_merges"] == 0


def test_the_elevator_merges_what_the_plug_could_not() -> None:
    # Into a busy device, so that the requests meet inside the elevator.
    arrivals = [BUSY, *reads(80, 800, 88, time_ns=1)]
    commands, counters, _ = run(arrivals, plugged=True, nr_requests=64, device_values={"queue_depth": 1})
    assert commands[1:] == [(80, 16), (800, 8)]
    assert (counters["plug_merges"], counters["request_merges"]) == (0, 1)


def test_a_plug_is_flushed_by_its_thirty_third_request() -> None:
    _, counters, _ = run(reads(*range(0, 33 * 80, 80)), "none", plugged=True)
    assert counters["plug_flushes"] == 2
    _, counters, _ = run(reads(*range(0, 32 * 80, 80)), "none", plugged=True)
    assert counters["plug_flushes"] == 1


def test_a_plug_is_flushed_behind_a_request_of_128_kib() -> None:
    far = [(0, READ, 0, 128 * KIB, 0, 0), (0, READ, 9000, 8, 0, 0)]
    assert run(far, "none", plugged=True)[1]["plug_flushes"] == 2
    assert run(far, "none", plugged=True, nomerges=2)[1]["plug_flushes"] == 1


def test_no_request_grows_beyond_max_sectors() -> None:
    commands, _, _ = run(reads(*range(0, 256, 8)), "none", plugged=True, max_sectors_kb=64)
    assert commands == [(0, 128), (128, 128)]


def test_no_request_grows_beyond_max_segments() -> None:
    commands, _, _ = run(reads(*range(0, 64, 8)), "none", plugged=True, max_segments=3)
    assert commands == [(0, 24), (24, 24), (48, 16)]


@pytest.mark.parametrize(
    "arrivals",
    [
        [*reads(0), *reads(8, direction=WRITE)],
        [*reads(0, direction=WRITE), *reads(8, direction=WRITE, flags=FUA)],
        [*reads(0, direction=WRITE, flags=FUA), *reads(8, direction=WRITE)],
        reads(0, 8, direction=TRIM),
        reads(0, 9),
    ],
    ids=["directions", "with FUA", "to FUA", "discards", "gap"],
)
def test_what_may_not_merge_does_not(arrivals: list[BioArrival]) -> None:
    values = {"write_cache": 1, "fua": 1}
    commands, _, _ = run(arrivals, "none", plugged=True, device_values=values)
    assert sorted(commands) == sorted((sector, sectors) for _, _, sector, sectors, _, _ in arrivals)


def test_fua_means_nothing_to_merging_over_a_device_without_a_volatile_cache() -> None:
    commands, _, _ = run(reads(0, 8, direction=WRITE, flags=FUA), "none", plugged=True)
    assert commands == [(0, 16)]


def test_different_priorities_do_not_merge() -> None:
    assert len(run(reads(0, 8), "none", plugged=True, priorities=[2 << 13, 2 << 13 | 1])[0]) == 2


def waiting(*sectors: int, **settings: Any) -> tuple[list[tuple[int, int]], dict[str, int], list[int]]:
    """Reads that come one after another while the device is busy."""
    later = [(1 + place, READ, sector, 8, 0, 0) for place, sector in enumerate(sectors)]
    return run([BUSY, *later], nr_requests=64, device_values={"queue_depth": 1}, **settings)


def test_a_bio_joins_the_back_of_a_waiting_request() -> None:
    commands, counters, ended = waiting(400, 80, 88)
    assert commands[1:] == [(80, 16), (400, 8)]
    assert counters["back_merges"] == 1
    assert ended[2] == ended[3] == 2 * SERVICE_NS


def test_a_bio_joins_the_front_of_a_waiting_request_unless_front_merges_is_off() -> None:
    commands, counters, _ = waiting(400, 88, 80)
    assert commands[1:] == [(80, 16), (400, 8)]
    assert counters["front_merges"] == 1
    commands, _, _ = waiting(400, 88, 80, scheduler_options={"front_merges": 0})
    assert commands[1:] == [(80, 8), (88, 8), (400, 8)]


@pytest.mark.parametrize("order", [(400, 80, 96, 88), (400, 96, 80, 88)])
def test_a_bio_that_fills_a_gap_makes_one_request_of_two(order: tuple[int, ...]) -> None:
    commands, counters, _ = waiting(*order)
    assert commands[1:] == [(80, 24), (400, 8)]
    assert counters["request_merges"] == 1


def test_a_request_that_absorbs_an_older_one_takes_its_place_and_deadline() -> None:
    # All are due at once, one a batch: the oldest first. 80 comes last but one, and absorbs 96, which came first.
    options = {"read_expire": 0, "fifo_batch": 1}
    commands, _, _ = waiting(96, 5000, 80, 88, scheduler_options=options)
    assert commands[1:] == [(80, 24), (5000, 8)]
    commands, _, _ = waiting(5000, 96, 80, 88, scheduler_options=options)
    assert commands[1:] == [(5000, 8), (80, 24)]


def test_a_merged_bio_costs_no_tag_and_no_lock() -> None:
    _, counters, _ = waiting(80, 88, 96)
    assert counters["completions"] == 2
    assert counters["tag_waits"] == 0


def test_nomerges_1_leaves_the_last_merged_request_to_try_and_2_nothing() -> None:
    # 400 is the one inserted first; 80 and 88 could only be found by the hash.
    commands, _, _ = waiting(400, 80, 88, 408, nomerges=1)
    assert commands[1:] == [(80, 8), (88, 8), (400, 16)]
    commands, _, _ = waiting(400, 80, 88, 408, nomerges=2)
    assert commands[1:] == [(80, 8), (88, 8), (400, 8), (408, 8)]


@pytest.mark.parametrize(
    ("values", "pieces"),
    [({"flush_queued": 1}, [512, 512]), ({"flush_queued": 0}, [672, 352])],
    ids=["128 pages", "AHCI's 168 pages"],
)
def test_a_bio_of_a_mebibyte_is_split_at_the_page_limit(values: dict[str, Any], pieces: list[int]) -> None:
    commands, counters, ended = run([(0, READ, 0, 1024 * KIB, 0, 0)], "none", device_values=values)
    assert [sectors for _, sectors in commands] == [piece * KIB for piece in pieces]
    assert counters["splits"] == 1
    assert ended == [SERVICE_NS]


def test_a_split_bio_ends_with_its_last_piece_and_its_thread_sleeps_for_each() -> None:
    big = (0, WRITE, 0, 256 * KIB, 0, 0)
    commands, counters, ended = run([big], "none", device_values={"queue_depth": 1}, max_sectors_kb=64)
    assert commands == [(place * 128, 128) for place in range(4)]
    assert counters["tag_waits"] == counters["splits"] == 3
    assert ended == [4 * SERVICE_NS]


def test_requests_share_tags_with_other_queues() -> None:
    _, counters, _ = run(reads(*range(0, 3200, 80)), device_values={"queue_depth": 32}, tag_sharers=3)
    assert counters["device_depth_most"] == 11  # ceil(32 / 3)
    _, counters, _ = run(reads(*range(0, 3200, 80)), device_values={"queue_depth": 8}, tag_sharers=4)
    assert counters["device_depth_most"] == 4  # never fewer than 4


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("scheduler", sorted(ELEVATORS))
def test_every_sector_asked_for_is_moved_once(scheduler: str, seed: int) -> None:
    rng = random.Random(seed)
    time_ns = 0
    arrivals = []
    for _ in range(200):
        time_ns += rng.choice([0, 0, 0, 5 * US])
        sectors = rng.choice([8, 8, 16, 256])
        arrivals.append((time_ns, rng.choice([READ, WRITE]), 8 * rng.randrange(60), sectors, 0, rng.randrange(2)))
    most_kb = rng.choice([16, 64, 1280])
    queue = QueueParameters(
        scheduler,
        nr_requests=None if scheduler == "none" else 64,
        max_sectors_kb=most_kb,
        max_segments=rng.choice([None, 5]),
        nomerges=seed % 3,
    )
    parameters = device("constant", queue_depth=rng.choice([1, 2, 8]))
    trace = QueueTrace(parameters, queue, arrivals, plugged=rng.random() < 0.5)
    assert -1 not in trace.completions()
    asked: Counter[tuple[int, int]] = Counter()
    for _, direction, sector, sectors, _, _ in arrivals:
        asked.update((direction, at) for at in range(sector, sector + sectors))
    moved: Counter[tuple[int, int]] = Counter()
    for _, _, direction, sector, sectors, _ in trace.commands:
        assert sectors <= most_kb * KIB
        moved.update((direction, at) for at in range(sector, sector + sectors))
    assert moved == asked
    counters = trace.queue.counters()
    merged = counters["back_merges"] + counters["front_merges"] + counters["request_merges"]
    assert len(arrivals) + counters["splits"] - merged == counters["completions"]
    if seed % 3 == 2:
        assert merged == 0
    elif scheduler in ("mq-deadline", "bfq") and seed % 3 == 0:
        assert merged > 0
