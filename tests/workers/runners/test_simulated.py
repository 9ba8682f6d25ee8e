"""The simulator's runner says what fio would say of the same machine."""

from __future__ import annotations

import pytest

from app.domain.latency_histogram import LatencyHistogram, bin_of, bin_value_ns
from app.domain.outcome import Outcome
from app.domain.plan import setup_of
from app.errors import PreparationFailed
from app.ingest.definition import definition_from
from tests.support.definitions import simulated
from tests.workers.runners.test_contract import Watched
from workers.runners.base import Task
from workers.runners.simulated import SimulatedRunner
from workers.simulator.observation import histogram

MIXED = """\
[global]
ioengine=libaio
direct=1
rw=randrw
filename=/dev/sdX
iodepth=8
runtime=1
time_based
[small]
bs=4k
numjobs=2
[large]
bs=16k
"""


def outcome(job: str, seed: int = 1, **parts: object) -> Outcome:
    definition = definition_from(simulated(workload={"fio": job}, **parts))
    task = Task(setup_of(definition, runner="simulator", variant="before", cell={}, seed=seed), {})
    runner = SimulatedRunner()
    return runner.parse(task, runner.run(task, Watched()))


def value(found: Outcome, job: str, metric: str) -> float:
    (sample,) = [sample for sample in found.samples if sample.group.job == job and sample.metric == metric]
    return sample.value


def test_clones_of_a_section_are_one_job_and_sections_stay_apart() -> None:
    found = outcome(MIXED)
    assert {sample.group.job for sample in found.samples} == {"small", "large"}


def test_group_reporting_makes_one_job_of_all() -> None:
    found = outcome(MIXED.replace("[small]", "group_reporting\n[small]"))
    assert {sample.group.job for sample in found.samples} == {"small"}


def test_bandwidth_is_iops_times_block_size() -> None:
    found = outcome(MIXED)
    assert value(found, "large", "read.bw") == pytest.approx(16384 * value(found, "large", "read.iops"))


def test_totals_are_the_sum_of_both_directions() -> None:
    found = outcome(MIXED)
    both = value(found, "small", "read.iops") + value(found, "small", "write.iops")
    assert value(found, "small", "total.iops") == pytest.approx(both)


def test_mean_latency_and_rate_obey_little() -> None:
    found = outcome(MIXED)
    outstanding = sum(
        value(found, "small", f"{way}.iops") * value(found, "small", f"{way}.lat_mean") for way in ("read", "write")
    )
    assert outstanding / 1e9 == pytest.approx(16, rel=0.005)


def test_percentiles_are_those_of_the_histogram() -> None:
    found = outcome(MIXED)
    (kept,) = [item for item in found.histograms if item.name == "read.clat" and item.group == {"job": "large"}]
    assert value(found, "large", "read.clat_p99") == LatencyHistogram(kept.bins).percentile_ns(99)


def test_the_simulators_bins_are_the_domains_bins() -> None:
    values = [0, 1, 127, 128, 129, 255, 256, 1000, 99_999, 10**6, 10**9, 10**12, 10**15]
    assert [histogram.bin_of(value) for value in values] == [bin_of(value) for value in values]
    assert [histogram.bin_value_ns(at) for at in range(1856)] == [bin_value_ns(at) for at in range(1856)]


def test_a_job_that_does_not_fit_fails_in_preparation() -> None:
    with pytest.raises(PreparationFailed, match="line 3 of the job"):
        outcome("[a]\ndirect=1\nsize=100t\n")


SYNCING = """\
[a]
ioengine=psync
direct=1
rw=randwrite
filename=/dev/sdX
fsync=4
runtime=20
time_based
"""


def test_syncs_have_a_rate_and_one_latency_and_no_bandwidth_as_in_fio() -> None:
    found = outcome(SYNCING, device={"profile": "hdd-cons"})
    names = {sample.metric for sample in found.samples}
    assert {name for name in names if name.startswith("sync.")} == {
        *("sync.iops", "sync.lat_mean", "sync.lat_max", "sync.lat_stdev"),
        *(f"sync.lat_p{percent}" for percent in ("50", "90", "95")),
    }
    assert not any(name.startswith("total.") for name in names)
    assert value(found, "a", "sync.iops") == pytest.approx(value(found, "a", "write.iops") / 4, rel=0.02)
    assert "sync.lat" in {item.name for item in found.histograms}


def test_a_disk_with_its_cache_off_syncs_in_no_time() -> None:
    cached, uncached = (
        value(outcome(SYNCING, device={"profile": "hdd-cons", "write_cache": flag}), "a", "sync.lat_mean")
        for flag in (1, 0)
    )
    assert cached > 20e6
    assert uncached < 10e3


def test_a_run_that_is_too_short_for_its_device_carries_a_warning() -> None:
    job = "[a]\nioengine=libaio\niodepth=32\ndirect=1\nrw=randwrite\nfilename=/dev/sdX\nruntime=100ms\ntime_based\n"
    found = outcome(job, device={"profile": "sata-ssd", "precondition": "empty"})
    assert [notice for notice in found.notices if "warm-up" in notice.message and notice.severity == "warning"]
    assert not [
        notice for notice in outcome(job, device={"profile": "sata-ssd"}).notices if notice.severity == "warning"
    ]


def test_a_percentile_beyond_which_hardly_an_io_lies_is_left_out_and_named() -> None:
    job = "[a]\ndirect=1\nrw=randread\nbs=4k\nfilename=/dev/sdX\nruntime=2\ntime_based\n"
    found = outcome(job, device={"profile": "hdd-ent"})
    names = {sample.metric for sample in found.samples}
    assert {name for name in names if "clat_p" in name} == {"read.clat_p50", "read.clat_p90"}
    assert any("p95, p99, p99.9, p99.99 left out" in notice.message for notice in found.notices)


def test_no_percentile_exceeds_the_largest_latency() -> None:
    job = "[a]\ndirect=1\nrw=randread\nioengine=libaio\niodepth=16\nfilename=/dev/sdX\nruntime=3\ntime_based\n"
    found = outcome(job, device={"profile": "stalling"})
    largest = value(found, "a", "read.clat_max")
    assert all(sample.value <= largest for sample in found.samples if sample.metric.startswith("read.clat_p"))


def test_an_interval_of_a_series_holds_enough_ios_to_be_a_rate() -> None:
    job = "[a]\ndirect=1\nrw=randread\nbs=4k\nfilename=/dev/sdX\nruntime=20\ntime_based\n"
    found = outcome(job, device={"profile": "hdd-ent"})
    (series,) = [one for one in found.series if one.name == "read.iops"]
    assert 20 <= series.interval_ns / 1e9 * 86 <= 100
    rates = [rate for rate in series.values if rate is not None]
    assert min(rates) > 40
    assert sum(rates) * series.interval_ns / 1e9 == pytest.approx(86 * 20, rel=0.05)


def test_the_mean_depth_and_the_utilisation_follow_from_the_integrals() -> None:
    job = "[a]\nioengine=libaio\niodepth=8\ndirect=1\nrw=randread\nfilename=/dev/sdX\nruntime=100ms\ntime_based\n"
    counters = outcome(job, device={"profile": "constant"}).counters
    assert counters["device_depth_mean"] == pytest.approx(8, rel=0.05)
    assert counters["device_utilisation"] == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize(
    ("lines", "iops"),
    [
        ("rate_iops=500", 500),
        ("rate=1m", 256),
        ("rate_iops=700\nio_submit_mode=offload", 700),
        ("thinktime=900", 1020.4),
    ],
)
def test_a_job_has_the_rate_it_asks_for(lines: str, iops: float) -> None:
    job = f"[a]\nioengine=psync\ndirect=1\nrw=randread\nfilename=/dev/sdX\nruntime=4\ntime_based\n{lines}\n"
    found = outcome(job, device={"profile": "constant", "service_ns": 78_000})
    assert value(found, "a", "read.iops") == pytest.approx(iops, rel=1e-3)


def test_jobs_behind_a_stone_wall_report_their_own_time() -> None:
    job = "[global]\ndirect=1\nfilename=/dev/sdX\nruntime=1\ntime_based\n[a]\n[b]\nstonewall\n[c]\nwait_for=b\n"
    found = outcome(job, device={"profile": "constant"})
    rates = {value(found, name, "read.iops") for name in ("a", "b", "c")}
    assert max(rates) == pytest.approx(min(rates), rel=1e-3)
    assert found.log.startswith("simulated 3.0")


def test_a_start_delay_range_is_drawn_from_the_seed() -> None:
    job = "[a]\ndirect=1\nfilename=/dev/sdX\nnumber_ios=1\nstartdelay=1-3\n"
    ends = [float(outcome(job, seed=seed, device={"profile": "constant"}).log.split()[1]) for seed in (1, 2, 3, 1)]
    assert ends[0] == ends[3]
    assert len(set(ends)) == 3
    assert all(1 <= end <= 3.001 for end in ends)


PRIORITIES = """\
[global]
ioengine=libaio
direct=1
rw=randread
filename=/dev/sdX
iodepth=16
runtime=20
time_based
[first]
{first}
[second]
"""
# Of the two tags that such a device gives the elevator by itself there is nothing to choose.
DISK = {"profile": "hdd-ent", "ncq": 1, "nr_requests": 128, "scheduler": "mq-deadline", "prio_aging_expire": 100_000}


def test_prioclass_reaches_the_elevator() -> None:
    found = outcome(PRIORITIES.format(first="prioclass=1\nprio=2"), device=DISK)
    assert value(found, "first", "read.iops") > 50 * value(found, "second", "read.iops")


def test_a_level_without_a_class_is_best_effort() -> None:
    found = outcome(PRIORITIES.format(first="prio=2"), device=DISK)
    assert value(found, "first", "read.iops") == pytest.approx(value(found, "second", "read.iops"), rel=0.1)


def test_cmdprio_percentage_gives_some_of_the_ios_another_class() -> None:
    job = PRIORITIES.format(first="cmdprio_percentage=50\ncmdprio_class=1")
    found = outcome(job, device=DISK)
    # A closed loop: its ordinary I/Os wait like those of the other job, the others hardly at all, so it gets about twice.
    assert 1.5 < value(found, "first", "read.iops") / value(found, "second", "read.iops") < 2.5


GROUPED = """\
[global]
ioengine=psync
direct=1
rw=read
bs=64k
filename=/dev/sdX
size=100g
runtime=40
time_based
[first]
cgroup=a
cgroup_weight=400
[second]
offset=1t
cgroup={second}
"""


def test_a_control_groups_weight_reaches_bfq() -> None:
    disk = {"profile": "hdd-ent", "scheduler": "bfq", "low_latency": 0}
    found = outcome(GROUPED.format(second="b"), device=disk)
    ratio = value(found, "first", "read.iops") / value(found, "second", "read.iops")
    assert ratio == pytest.approx(4, rel=0.15)  # in sectors; the second lies where the disk is a little slower


def test_a_control_group_of_two_is_refused() -> None:
    with pytest.raises(PreparationFailed, match="control groups of one process"):
        outcome(GROUPED.format(second="a"), device={"profile": "hdd-ent", "scheduler": "bfq"})


def test_settings_of_the_scheduler_reach_it_and_stand_in_the_environment() -> None:
    disk = {"profile": "hdd-ent", "scheduler": "bfq", "slice_idle": 0, "nomerges": 2, "nr_requests": 40}
    found = outcome(PRIORITIES.format(first=""), device=disk)
    assert found.counters["bfq_idlings"] == 0
    shown = found.environment["queue"]
    assert isinstance(shown, dict)
    assert (shown["slice_idle"], shown["nomerges"], shown["nr_requests"], shown["low_latency"]) == (0, 2, 40, 1)


@pytest.mark.parametrize(
    ("device", "message"),
    [
        (
            {"profile": "hdd-ent", "scheduler": "none", "slice_idle": 0},
            "slice_idle: none has no such setting; bfq has it",
        ),
        ({"profile": "hdd-ent", "scheduler": "bfq", "slice_idle": -1}, "slice_idle: -1 is out of range"),
    ],
)
def test_a_setting_that_does_not_fit_fails_the_run_by_name(device: dict[str, object], message: str) -> None:
    with pytest.raises(PreparationFailed, match=message):
        outcome(PRIORITIES.format(first=""), device=device)


ACCESSES = """\
[global]
ioengine=libaio
direct=1
rw=randrw
size=64m
runtime=1
time_based
[ranges]
bsrange=4k-64k
[mix]
bssplit=4k/60:32k/40
percentage_random=50
[skew]
random_distribution=zipf:1.2
[zones]
random_distribution=zoned:60/10:40/90
[files]
nrfiles=8
file_service_type=random:3
openfiles=4
[urgent]
cmdprio_percentage=20
"""


def test_every_kind_of_access_runs_from_a_definition() -> None:
    found = outcome(ACCESSES, device={"profile": "nvme-flash", "scheduler": "mq-deadline"})
    assert {sample.group.job for sample in found.samples} == {"ranges", "mix", "skew", "zones", "files", "urgent"}
    mean = value(found, "ranges", "read.bw") / value(found, "ranges", "read.iops")
    assert mean == pytest.approx(34_816, rel=0.02)
    assert value(found, "mix", "read.bw") / value(found, "mix", "read.iops") == pytest.approx(15_565, rel=0.03)


def test_two_sections_of_one_name_are_reported_apart() -> None:
    job = "[global]\nioengine=libaio\ndirect=1\nrw=randread\nfilename=/dev/sdX\nruntime=100ms\ntime_based\n"
    found = outcome(job + "[a]\niodepth=1\nnumjobs=2\n[a]\niodepth=8\n", device={"profile": "constant"})
    assert value(found, "a", "read.iops") == pytest.approx(2 / 82e-6, rel=0.02)
    assert value(found, "a (2)", "read.iops") == pytest.approx(8 / 82e-6, rel=0.1)
