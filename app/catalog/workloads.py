"""Every kind of workload that a definition may name, and what it is."""

from __future__ import annotations

WORKLOADS = {
    "fio": "A fio job file, as fio 3.33 reads it",
    "unixbench": "UnixBench's file write, read and copy",
    "compilebench": "compilebench's trees: create, patch, compile, clean, read, delete, stat",
    "fstests": "Tests of xfstests, each repeated",
    "replay": "A recorded block trace",
}
