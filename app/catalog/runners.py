"""What each kind of runner declares that it can do, so that what cannot run is refused before it is queued."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.plan import kind_of


@dataclass(frozen=True)
class FioAbility:
    """How a runner treats the options of a fio job; what stands in neither list it refuses."""

    honoured: frozenset[str]
    ignored: Mapping[str, str]
    """Options that change nothing on this runner, each with the reason that is listed with the result."""


@dataclass(frozen=True)
class RunnerAbility:
    """One kind of runner."""

    kind: str
    title: str
    meaning: str
    caveat: str
    """What has to stand beside every figure of its."""
    deterministic: bool
    """The same set-up and seed give the same bytes."""
    exclusive: bool
    """It measures real time, so one host runs one of its runs at a time."""
    workloads: tuple[str, ...]
    filesystems: tuple[str, ...]
    uses: frozenset[str]
    """The parts of a definition besides device and workload that make a difference: patches, sysctl, kernel, …"""
    fio: FioAbility | None
    """None: any job file that fio itself would accept."""


_REPORTING = "it changes what fio prints, and results are kept whole here"
_NO_HOST = "the simulated host has no such thing to set"

SIMULATOR_FIO = FioAbility(
    honoured=frozenset(
        {
            *("name", "description", "ioengine", "direct", "rw", "rwmixread", "rwmixwrite", "bs", "blocksize"),
            *("iodepth", "numjobs", "size", "filesize", "io_size", "offset", "runtime", "time_based", "ramp_time"),
            *("fsync", "fdatasync", "sync", "end_fsync", "fsync_on_close"),
            *("rate", "rate_iops", "rate_process", "rate_ignore_thinktime", "io_submit_mode", "number_ios"),
            *("thinktime", "thinktime_spin", "thinktime_blocks", "thinktime_blocks_type", "thinktime_iotime"),
            *("iodepth_batch", "iodepth_batch_complete_min", "iodepth_batch_complete_max", "iodepth_low"),
            *("startdelay", "stonewall", "wait_for"),
            *("prio", "prioclass", "cmdprio_percentage", "cmdprio_class", "cmdprio"),
            *("bsrange", "bssplit", "bs_unaligned", "ba", "random_distribution", "random_generator"),
            *("percentage_random", "rw_sequencer", "offset_increment", "offset_align"),
            *("file_service_type", "openfiles"),
            *("cgroup", "cgroup_weight"),
            *("loops", "norandommap", "group_reporting", "new_group", "filename", "directory", "nrfiles"),
        }
    ),
    ignored={
        "thread": "processes and threads are one thing in the simulated host",
        "randrepeat": "the definition's seed decides every random stream",
        "randseed": "the definition's seed decides every random stream",
        "allrandrepeat": "the definition's seed decides every random stream",
        "invalidate": "there is no page cache under direct I/O",
        "overwrite": "the file is laid out beforehand in any case",
        "fallocate": "the file is laid out beforehand in any case",
        "create_on_open": "the file is laid out beforehand in any case",
        "create_serialize": "the file is laid out beforehand in any case",
        "unlink": "every run begins with a fresh device",
        "allow_file_create": "every run begins with a fresh device",
        "kb_base": "it has been applied to the sizes of the job",
        "unit_base": _REPORTING,
        "disable_lat": _REPORTING,
        "disable_clat": _REPORTING,
        "disable_slat": _REPORTING,
        "disable_bw_measurement": _REPORTING,
        "gtod_reduce": _REPORTING,
        "lat_percentiles": _REPORTING,
        "clat_percentiles": _REPORTING,
        "slat_percentiles": _REPORTING,
        "percentile_list": _REPORTING,
        "significant_figures": _REPORTING,
        "write_bw_log": _REPORTING,
        "write_lat_log": _REPORTING,
        "write_iops_log": _REPORTING,
        "write_hist_log": _REPORTING,
        "log_avg_msec": _REPORTING,
        "log_max_value": _REPORTING,
        "log_unix_epoch": _REPORTING,
        "per_job_logs": _REPORTING,
        "bwavgtime": _REPORTING,
        "iopsavgtime": _REPORTING,
        "stats": _REPORTING,
        "status-interval": _REPORTING,
        "eta": _REPORTING,
        "eta_newline": _REPORTING,
        "output-format": _REPORTING,
        "minimal": _REPORTING,
        "cpus_allowed": _NO_HOST,
        "cpus_allowed_policy": _NO_HOST,
        "numa_cpu_nodes": _NO_HOST,
        "numa_mem_policy": _NO_HOST,
        "nice": _NO_HOST,
        "mem": _NO_HOST,
        "iomem": _NO_HOST,
        "hugepage-size": _NO_HOST,
        "lockmem": _NO_HOST,
        "gtod_cpu": _NO_HOST,
        "clocksource": _NO_HOST,
        "exitall_on_error": "simulated I/Os do not fail",
        "refill_buffers": "data has no content here",
        "buffer_compress_percentage": "data has no content here",
        "scramble_buffers": "data has no content here",
        "zero_buffers": "data has no content here",
        "hipri": "completions are delivered without interrupts already",
        "registerfiles": "the host's cost of an I/O is one parameter",
        "fixedbufs": "the host's cost of an I/O is one parameter",
        "sqthread_poll": "the host's cost of an I/O is one parameter",
        "userspace_reap": "the host's cost of an I/O is one parameter",
    },
)

SIMULATOR = RunnerAbility(
    kind="simulator",
    title="Simulator",
    meaning="A model of the block layer and of a device in virtual time; exact for a seed, says nothing about bugs",
    caveat="modelled, not measured",
    deterministic=True,
    exclusive=False,
    workloads=("fio", "replay"),
    filesystems=("raw",),
    uses=frozenset({"seed"}),
    fio=SIMULATOR_FIO,
)

NOOP = RunnerAbility(
    kind="noop",
    title="No operation",
    meaning="Does nothing and gives a known answer: for trying the way of a run, never for a result",
    caveat="made up, not measured",
    deterministic=True,
    exclusive=False,
    workloads=("fio", "unixbench", "compilebench", "fstests", "replay"),
    filesystems=("raw", "ext4", "xfs", "btrfs", "f2fs"),
    uses=frozenset({"seed", "kernel", "machine", "sysctl"}),
    fio=None,
)

ABILITIES = {ability.kind: ability for ability in (SIMULATOR, NOOP)}


def deterministic(runners: Sequence[str]) -> frozenset[str] | bool:
    """Return which of a definition's runners give the same bytes again; a plain truth value for all or none."""
    exact = frozenset(runner for runner in runners if ability(kind_of(runner)).deterministic)
    return exact if exact and len(exact) < len(runners) else bool(exact)


def label(runner: str) -> str:
    """Return runners as results name them: `simulator (modelled, not measured)`."""
    return ", ".join(f"{name} ({ability(kind_of(name)).caveat})" for name in runner.split(", "))


def ability(kind: str) -> RunnerAbility:
    """Return what a kind of runner can do. Raises KeyError for a kind that this server does not have."""
    return ABILITIES[kind]
