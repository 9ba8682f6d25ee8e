"""A run as fio 3.33 would have printed it: its JSON, and json+ with the bins of the latency histograms.

What fio measures of its host and the simulator has not (processor use, context switches, shares of depths) is 0, and a
run has no date, so that the same run gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version

from workers.simulator import DirectionResult, JobResult
from workers.simulator.observation.histogram import DEFAULT_PERCENTILES, LatencyHistogram, bin_value_ns

FIO_VERSION = "fio-3.33"
"""Whose format it is; readers look at it."""

# fio's coarse table of lat: upper ends, in nanoseconds, of the rows of each unit (stat.h, io_u_lat_n, _u, _m).
UPPER_NS = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
UPPER_MS = (*UPPER_NS, 2000)


def fio_json(jobs: Iterable[tuple[JobResult, Mapping[str, str]]], *, plus: bool = False) -> dict[str, object]:
    """Return fio's JSON of reported jobs, each with its options as text; `plus` adds the bins."""
    return {
        "fio version": FIO_VERSION,
        "timestamp": 0,
        "timestamp_ms": 0,
        "time": "Thu Jan  1 00:00:00 1970",
        "lodestone": {"version": version("lodestone"), "runner": "simulator", "caveat": "modelled, not measured"},
        "jobs": [_job(job, options, plus) for job, options in jobs],
    }


def _job(job: JobResult, options: Mapping[str, str], plus: bool) -> dict[str, object]:
    empty = DirectionResult(0, 0, 0, LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
    directions = {name: job.directions.get(name, empty) for name in ("read", "write", "trim")}
    sync = job.directions.get("sync", empty)
    runtime_ns = max((found.runtime_ns for found in job.directions.values()), default=0)
    return {
        "jobname": job.name,
        "groupid": job.group_id,
        "error": 0,
        "eta": 0,
        "elapsed": runtime_ns // 1_000_000_000 + 1,
        "job options": dict(options),
        **{name: _direction(found, plus) for name, found in directions.items()},
        "sync": {"total_ios": sync.ios, "lat_ns": _latency(sync.lat, percentiles=True, plus=plus)},
        "job_runtime": runtime_ns // 1_000_000,
        "usr_cpu": 0.0,
        "sys_cpu": 0.0,
        "ctx": 0,
        "majf": 0,
        "minf": 0,
        **_coarse([found.lat for found in directions.values()]),
        "latency_depth": int(options.get("iodepth", "1")) if options.get("iodepth", "1").isdigit() else 1,
        "latency_target": 0,
        "latency_percentile": 100.0,
        "latency_window": 0,
    }


def _direction(found: DirectionResult, plus: bool) -> dict[str, object]:
    rate = found.bytes_per_second
    return {
        "io_bytes": found.bytes,
        "io_kbytes": found.bytes >> 10,
        "bw_bytes": round(rate),
        "bw": round(rate) >> 10,
        "iops": round(found.iops, 6),
        "runtime": found.runtime_ns // 1_000_000,
        "total_ios": found.ios,
        "short_ios": 0,
        "drop_ios": 0,
        "slat_ns": _latency(found.slat, percentiles=False, plus=False),
        "clat_ns": _latency(found.clat, percentiles=True, plus=plus),
        "lat_ns": _latency(found.lat, percentiles=False, plus=False),
        # one sample: the run as a whole
        "bw_min": round(rate) >> 10,
        "bw_max": round(rate) >> 10,
        "bw_agg": 100.0 if found.ios else 0.0,
        "bw_mean": round(rate / 1024, 6),
        "bw_dev": 0.0,
        "bw_samples": 1 if found.ios else 0,
        "iops_min": round(found.iops),
        "iops_max": round(found.iops),
        "iops_mean": round(found.iops, 6),
        "iops_stddev": 0.0,
        "iops_samples": 1 if found.ios else 0,
    }


def _latency(histogram: LatencyHistogram, *, percentiles: bool, plus: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "min": histogram.min_ns,
        "max": histogram.max_ns,
        "mean": round(histogram.mean_ns, 6),
        "stddev": round(histogram.stdev_ns, 6),
        "N": histogram.n,
    }
    if percentiles and histogram.n:
        values = histogram.percentiles_ns(DEFAULT_PERCENTILES)
        found["percentile"] = {f"{percent:.6f}": value for percent, value in values.items()}
        if plus:
            found["bins"] = {
                str(bin_value_ns(at)): int(histogram.bins[at]) for at in histogram.bins.nonzero()[0].tolist()
            }
    return found


def _coarse(histograms: list[LatencyHistogram]) -> dict[str, dict[str, float]]:
    """Return fio's latency_ns, _us and _ms: the share of all I/Os, in percent, up to each end."""
    total = sum(histogram.n for histogram in histograms)
    tables: dict[str, dict[str, float]] = {
        "latency_ns": dict.fromkeys(map(str, UPPER_NS), 0.0),
        "latency_us": dict.fromkeys(map(str, UPPER_NS), 0.0),
        "latency_ms": dict.fromkeys([*map(str, UPPER_MS), ">=2000"], 0.0),
    }
    for histogram in histograms:
        for at in histogram.bins.nonzero()[0].tolist():
            table, row = _row_of(bin_value_ns(at))
            tables[table][row] += 100.0 * int(histogram.bins[at]) / total
    return tables


def _row_of(value_ns: int) -> tuple[str, str]:
    for table, unit_ns, ends in (("latency_ns", 1, UPPER_NS), ("latency_us", 1000, UPPER_NS)):
        if value_ns < 1000 * unit_ns:
            return table, str(next(end for end in ends if value_ns < end * unit_ns))
    end = next((end for end in UPPER_MS if value_ns < end * 1_000_000), None)
    return "latency_ms", ">=2000" if end is None else str(end)
