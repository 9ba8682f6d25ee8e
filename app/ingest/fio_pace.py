"""When a job's I/Os are issued: rates, think time, batches, and what a job waits for before it starts."""

from __future__ import annotations

from app.domain.fio import FioJob
from app.domain.load import Pace
from app.ingest.fio_refusal import Loads, flag, refuse, say, three, time_ns, whole, word

RATE_MAX = 1 << 44
"""Bytes or I/Os a second: above what any memory can move."""

SUBMIT_MODES = ("inline", "offload")


def pace_of(job: FioJob, made: Loads) -> Pace:
    """Return a job's pace as fio 3.33 keeps it; times in nanoseconds, rates a second."""
    rate_bytes, rate_iops = three(job, "rate", 0), three(job, "rate_iops", 0)
    for name, rates in (("rate", rate_bytes), ("rate_iops", rate_iops)):
        if any(rate > RATE_MAX for rate in rates):
            refuse(made, job, name, f"a {name} of {max(rates)} a second is more than the {RATE_MAX} of this runner")
    mode = word(job, "io_submit_mode", "inline")
    if mode == "inline" and any(rate_bytes + rate_iops) and whole(job, "iodepth", 1) > 1:
        option = job.settings["rate" if any(rate_bytes) else "rate_iops"]
        say(
            made,
            "info",
            option,
            "before it sleeps for its rate fio waits for everything outstanding;"
            " io_submit_mode=offload lets I/Os arrive whether earlier ones are done or not",
        )
    think_blocks = whole(job, "thinktime_blocks", 0)
    if think_blocks < 0:
        refuse(made, job, "thinktime_blocks", "a number of blocks is not negative")
    return Pace(
        rate_bytes=rate_bytes,
        rate_iops=rate_iops,
        rate_process=word(job, "rate_process", "linear"),
        rate_ignore_thinktime=flag(job, "rate_ignore_thinktime"),
        io_submit_mode=mode,
        thinktime_ns=time_ns(job, "thinktime", made),
        thinktime_spin_ns=time_ns(job, "thinktime_spin", made),
        thinktime_iotime_ns=time_ns(job, "thinktime_iotime", made),
        thinktime_blocks=think_blocks,
        thinktime_blocks_type=_blocks_type(job),
        iodepth_batch=whole(job, "iodepth_batch", 1),
        iodepth_batch_complete_min=whole(job, "iodepth_batch_complete_min", 1),
        iodepth_batch_complete_max=whole(job, "iodepth_batch_complete_max", 0),
        iodepth_low=whole(job, "iodepth_low", 0),
        number_ios=whole(job, "number_ios", 0),
    )


def _blocks_type(job: FioJob) -> str:
    return "issue" if word(job, "thinktime_blocks_type", "complete").startswith("issue") else "complete"
