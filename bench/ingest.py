"""How quickly published output is read, and how much memory that takes: each measurement in a process of its own.

Usage: bench/ingest.py [--check]
The texts are made up in fio's layout, every figure different. Times are of the processor, so that a busy machine tells
less about itself; the line of plain additions tells how fast this machine is.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

TEXT_BYTES = 10_000_000
JSON_JOBS = 10_000
PERCENTS = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
ADDITIONS = 10_000_000

SECONDS_MAX = 5.0
MEMORY_MAX_MB = 300.0


@dataclass(frozen=True)
class Line:
    """A figure beside its bound."""

    what: str
    figure: float
    unit: str
    bound: float | None

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.bound is None or self.figure <= self.bound

    def __str__(self) -> str:
        bound = f"≤ {self.bound:g} {self.unit}" if self.bound is not None else "(for information)"
        return f"{self.what:58} {self.figure:9.1f} {self.unit:6} {bound:18} {'ok' if self.holds else 'MISSED'}"


def fio_text() -> str:
    """Return so many bytes of fio's normal output, one job after another in one run."""
    parts: list[str] = []
    size = number = 0
    while size < TEXT_BYTES:
        job = _job_text(number)
        parts.append(job)
        size += len(job)
        number += 1
    return "".join(parts)


def _job_text(number: int) -> str:
    lines = [f"job{number}: (groupid={number}, jobs=1): err= 0: pid={number}: Tue Jan  2 03:04:05 2024"]
    for direction in ("read", "write"):
        iops, mib = 10_000 + number, 39.0 + number % 100
        lines += [
            f"  {direction}: IOPS={iops}, BW={mib:.1f}MiB/s ({mib * 1.048576:.1f}MB/s)({mib * 60:.0f}MiB/60000msec)",
            f"    slat (nsec): min={number}, max={number + 9999}, avg={number + 0.25:.2f}, stdev=18.96",
            f"    clat (usec): min={number}, max={number + 9999}, avg={number + 0.5:.2f}, stdev=18.96",
            f"     lat (usec): min={number}, max={number + 9999}, avg={number + 0.75:.2f}, stdev=18.96",
            "    clat percentiles (usec):",
        ]
        rows = [f"{percent:5.2f}th=[{number + at:5d}]" for at, percent in enumerate(PERCENTS)]
        lines += [f"     | {', '.join(rows[at : at + 4])}," for at in range(0, len(rows), 4)]
    lines += [
        "  lat (usec)   : 250=59.55%, 500=39.51%, 750=0.70%, 1000=0.09%",
        f"  cpu          : usr=57.14%, sys=0.00%, ctx={number}, majf=0, minf=10",
        "  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%",
        "     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%",
        f"     issued rwts: total={number},0,0,0 short=0,0,0,0 dropped=0,0,0,0",
    ]
    return "\n".join(lines) + "\n"


def fio_json() -> str:
    """Return one run of so many jobs, as fio's JSON lays it out."""
    jobs = ",\n".join(json.dumps(_job_json(number), indent=2) for number in range(JSON_JOBS))
    return f'{{\n  "fio version" : "fio-3.33",\n  "jobs" : [\n{jobs}\n  ]\n}}\n'


def _job_json(number: int) -> dict[str, object]:
    def latency(base: int) -> dict[str, object]:
        percentiles = {f"{percent:.6f}": base + at for at, percent in enumerate(PERCENTS)}
        return {"min": base, "max": base + 9999, "mean": base + 0.5, "stddev": 18.5, "N": 9, "percentile": percentiles}

    busy = {
        "io_bytes": 4096 + number,
        "io_kbytes": 4,
        "bw_bytes": 4096 + number,
        "iops": 1000.5 + number,
        "runtime": 60000,
    }
    busy |= {"total_ios": 9, "slat_ns": latency(number), "clat_ns": latency(number + 1), "lat_ns": latency(number + 2)}
    idle = {"io_bytes": 0, "bw_bytes": 0, "iops": 0.0, "runtime": 0, "total_ios": 0}
    name = {"jobname": f"job{number}", "groupid": number, "error": 0}
    return {**name, "read": busy, "write": idle, "trim": idle, "sync": {"total_ios": 0}}


def patch_mbox() -> str:
    """Return a thread of so many bytes: one series, every patch with a commit message and two hunks."""
    mails: list[str] = []
    size = 0
    while size < TEXT_BYTES:
        mail = _patch_mail(len(mails) + 1)
        mails.append(mail)
        size += len(mail)
    return "".join(mails)


def _patch_mail(number: int) -> str:
    context = "".join(f" \tcontext_{number}_{line}(inode, folio, pos);\n" for line in range(40))
    added = "".join(f"+\tadded_{number}_{line}(inode, folio);\n" for line in range(20))
    hunks = "".join(f"@@ -{at},40 +{at},60 @@ static int slate_write(void)\n{context}{added}" for at in (10, 400))
    return (
        "From m@x Tue Mar  5 10:20:30 2024\nFrom: A Tester <tester@example.org>\n"
        f"Subject: [PATCH {number}/9999] slate: step {number}\nMessage-Id: <{number}@example.org>\n\n"
        f"Because of {number}.\n\n"
        f"Signed-off-by: A Tester <tester@example.org>\n---\ndiff --git a/f{number}.c b/f{number}.c\n"
        f"--- a/f{number}.c\n+++ b/f{number}.c\n{hunks}-- \n2.44.0\n\n"
    )


TEXTS: dict[str, Callable[[], str]] = {"text": fio_text, "json": fio_json, "patches": patch_mbox}


def child(path: Path) -> None:
    """Read one file and print what it took."""
    from app.ingest.patches import read_patches
    from app.ingest.report import read_report

    text = path.read_text()
    started = time.process_time()
    found = len(read_patches(text).patches) if path.name == "patches" else len(read_report(text).results)
    seconds = time.process_time() - started
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps([seconds, peak_mb, found, len(text) / 1e6]))


def measure() -> Iterator[Line]:
    """Yield every figure."""
    started = time.process_time()
    total = 0
    for number in range(ADDITIONS):
        total += number
    yield Line(f"{ADDITIONS // 1_000_000} million additions on this machine", time.process_time() - started, "s", None)
    with tempfile.TemporaryDirectory() as folder:
        for name, make in TEXTS.items():
            path = Path(folder) / name
            path.write_text(make())
            command = [sys.executable, __file__, "--child", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, peak_mb, found, size = json.loads(done.stdout)
            what = {
                "text": f"{size:.0f} MB of fio's text, {found} results",
                "json": f"{size:.0f} MB of fio's JSON, {JSON_JOBS} jobs, {found} results",
                "patches": f"{size:.0f} MB of patches, {found} mails",
            }[name]
            yield Line(f"{what}: time", seconds, "s", SECONDS_MAX)
            yield Line(f"{what}: memory", peak_mb, "MB", MEMORY_MAX_MB)


def main() -> int:
    """Print the figures and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child)
        return 0
    missed = False
    for line in measure():
        print(line, flush=True)
        missed = missed or not line.holds
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
