"""How large a job's I/Os are and where they go: block sizes, distributions, the order of files, priorities."""

from __future__ import annotations

import re

from app.domain.fio import FioJob
from app.domain.load import Access
from app.ingest.fio_refusal import SECTOR_BYTES, Loads, flag, refuse, three, whole, word

BLOCK_DEFAULT_BYTES = 4096
BLOCK_MAX_BYTES = 64 << 20
"""A limit far above what a kernel takes in one I/O."""

SERVICES = ("roundrobin", "random", "sequential", "zipf", "pareto")


def access_of(job: FioJob, smallest_bytes: int, made: Loads) -> Access:
    """Return where and how a job accesses its files, the smallest of which has `smallest_bytes`."""
    _check_blocks(job, smallest_bytes, made)
    ranges = job.settings.get("bsrange")
    parts = [int(part or BLOCK_DEFAULT_BYTES) for part in ranges.parts] if ranges else []
    kind, parameter, center = _distribution(job, made)
    every, add = _sequencing(job, made)
    service, service_ios = _service(job, made)
    return Access(
        block_range_bytes=tuple(zip(parts[::2], parts[1::2], strict=True)),
        bssplit=job.settings["bssplit"].splits if "bssplit" in job.settings else (),
        bs_unaligned=flag(job, "bs_unaligned"),
        blockalign_bytes=three(job, "ba", 0),
        random_distribution=kind,
        distribution_parameter=parameter,
        distribution_center=center,
        zones=job.settings["random_distribution"].splits if kind.startswith("zoned") else (),
        percentage_random=three(job, "percentage_random", 100),
        random_every=every,
        rw_sequencer=word(job, "rw_sequencer", "sequential"),
        sequential_add_bytes=add,
        file_service_type=service,
        file_service_ios=service_ios,
        openfiles=whole(job, "openfiles", 0),
    )


def random_map_of(job: FioJob) -> bool:
    """Return whether each block comes once a pass: not with norandommap, but always with an LFSR."""
    return not flag(job, "norandommap") or word(job, "random_generator", "") == "lfsr"


def _check_blocks(job: FioJob, smallest_bytes: int, made: Loads) -> None:
    if "bssplit" in job.settings:
        name = "bssplit"
        sizes = [size for split in job.settings[name].splits for size, percent in split if percent]
        fitting = [min(size for size, percent in split if percent) for split in job.settings[name].splits]
    elif "bsrange" in job.settings:
        name = "bsrange"
        sizes = [int(part or BLOCK_DEFAULT_BYTES) for part in job.settings[name].parts]
        fitting = sizes[::2]
    else:
        name = "bs"
        sizes = fitting = list(three(job, "bs", BLOCK_DEFAULT_BYTES))
    for align in three(job, "ba", SECTOR_BYTES):
        if align % SECTOR_BYTES:
            refuse(made, job, "ba", f"direct I/O needs whole sectors of {SECTOR_BYTES} bytes; {align} is none")
    for block in sizes:
        if block % SECTOR_BYTES or not block:
            refuse(made, job, name, f"direct I/O needs whole sectors of {SECTOR_BYTES} bytes; {block} is none")
        if block > BLOCK_MAX_BYTES:
            most = f"more than the {BLOCK_MAX_BYTES} that one I/O can have"
            refuse(made, job, name, f"a block of {block} bytes is {most}")
    for block in fitting:
        if block > smallest_bytes:
            refuse(made, job, name, f"a block of {block} bytes does not fit the {smallest_bytes} bytes of the job")


def _distribution(job: FioJob, made: Loads) -> tuple[str, float, float | None]:
    """Return the name, its parameter, and the centre as a part of the file, from zipf:1.2:0.5 and its like."""
    text = word(job, "random_distribution", "random")
    kind, _, rest = text.partition(":")
    if kind.startswith("zoned") or not rest:
        return kind, 0.0 if kind.startswith("zoned") or kind == "random" else _DEFAULTS.get(kind, 0.0), None
    numbers = rest.split(":")
    try:
        parameter = float(numbers[0])
        center = float(numbers[1]) if len(numbers) > 1 else None
    except ValueError:
        refuse(made, job, "random_distribution", f"{text!r} has no number after the colon")
    if center is not None and not 0 <= center <= 1:
        refuse(made, job, "random_distribution", f"the centre {center} is no part of the file, from 0 to 1")
    least, most = _RANGES.get(kind, (0.0, 100.0))
    if not least <= parameter <= most:
        refuse(made, job, "random_distribution", f"{kind} takes {least} to {most}; {parameter} is outside")
    return kind, parameter, center


# fio's own, where the number is left out (options.c, str_random_distribution_cb).
_DEFAULTS = {"zipf": 1.1, "pareto": 0.2, "normal": 0.0}
_RANGES = {"zipf": (1e-4, 100.0), "pareto": (1e-4, 0.9999), "normal": (0.0, 100.0)}


def _sequencing(job: FioJob, made: Loads) -> tuple[int, int]:
    """Return after how many I/Os a random one comes (rw=randread:8), and what rw=read:8k adds to each offset."""
    rw, _, number = word(job, "rw", "read").partition(":")
    if not number:
        return 1, 0
    found = re.fullmatch(r"(-?)(\d+)([kmg]?)(?:i?b)?", number.strip().lower())
    if found is None:
        refuse(made, job, "rw", f"{number!r} after rw={rw} is no number")
    amount = int(found[2]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[3]]
    if rw.startswith("rand"):
        if found[1] or not amount:
            refuse(made, job, "rw", f"rw={rw} takes a number of I/Os, at least 1")
        return amount, 0
    if amount % SECTOR_BYTES:
        refuse(made, job, "rw", f"direct I/O needs whole sectors of {SECTOR_BYTES} bytes; {amount} is none")
    return 1, -amount if found[1] else amount


def _service(job: FioJob, made: Loads) -> tuple[str, int]:
    kind, _, rest = word(job, "file_service_type", "roundrobin").partition(":")
    if kind not in SERVICES:
        known = ", ".join(SERVICES)
        refuse(made, job, "file_service_type", f"this runner does not model {kind!r}; it models {known}")
    try:
        if kind in ("zipf", "pareto"):
            parameter = float(rest) if rest else _DEFAULTS[kind]
            least, most = _RANGES[kind]
            if not least <= parameter <= most:
                refuse(made, job, "file_service_type", f"{kind} takes {least} to {most}; {parameter} is outside")
            return f"{kind}:{parameter}", 1
        return kind, max(1, int(rest)) if rest else 1
    except ValueError:
        refuse(made, job, "file_service_type", f"{rest!r} is no number")
