"""Definitions that are ready to run, each with what it shows."""

from __future__ import annotations

_STALLS = """\
title: 64 outstanding 4k random reads and writes on a device that stalls
runner: simulator
device: {profile: stalling, scheduler: none}
workload:
  fio: |
    [global]
    ioengine=libaio
    direct=1
    bs=4k
    group_reporting
    directory=/mnt/test
    filename=testfile
    filesize=10g
    size=10g
    runtime=120
    iodepth=16

    [fio]
    rw=randrw
    numjobs=4
variants:
  - name: none
  - name: mq-deadline
    device: {scheduler: mq-deadline}
repeat: 10
primary: [read.iops, read.clat_p99, write.clat_p99]
"""

_DISK_DEPTH = """\
title: What command queueing buys a hard disk
runner: simulator
device: {profile: hdd-ent, scheduler: none}
workload:
  fio: |
    [randread]
    ioengine=libaio
    direct=1
    filename=/dev/sdX
    rw=randread
    bs=4k
    iodepth=32
    runtime=60
    time_based
variants:
  - name: NCQ off
    device: {ncq: 1}
  - name: NCQ 32
repeat: 8
primary: [read.iops, read.clat_mean]
"""

_DISK_ELEVATOR = """\
title: What mq-deadline buys a hard disk without command queueing
runner: simulator
device: {profile: hdd-ent, ncq: 1}
workload:
  fio: |
    [randread]
    ioengine=libaio
    direct=1
    filename=/dev/sdX
    rw=randread
    bs=4k
    iodepth=32
    runtime=60
    time_based
variants:
  - name: none
    device: {scheduler: none}
  - name: mq-deadline
    device: {scheduler: mq-deadline, nr_requests: 128}
repeat: 8
primary: [read.iops, read.clat_p99]
"""

_FLASH_DEPTH = """\
title: Flash at depth 1 and 16
runner: simulator
device: {profile: nvme-flash, scheduler: none}
workload:
  fio: |
    [randread]
    ioengine=io_uring
    direct=1
    filename=/dev/nvme0n1
    rw=randread
    bs=4k
    iodepth=${DEPTH}
    runtime=5
    time_based
environment: {DEPTH: "1"}
variants:
  - name: none
  - name: mq-deadline
    device: {scheduler: mq-deadline}
matrix: {environment.DEPTH: ["1", "16"]}
repeat: 8
primary: [read.iops, read.clat_mean]
"""

EXAMPLES: dict[str, tuple[str, str]] = {
    "stalls": ("An elevator cannot help when the device itself stops for a quarter of a second at a time.", _STALLS),
    "ncq": ("A disk that may choose among 32 commands travels less and waits less for the platter.", _DISK_DEPTH),
    "elevator": ("Where the disk takes one command at a time, the order is the elevator's to choose.", _DISK_ELEVATOR),
    "flash": ("On flash an elevator changes next to nothing; two depths as a matrix.", _FLASH_DEPTH),
}
