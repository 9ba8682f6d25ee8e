"""Traces: read from what the real programs write, and refused with the number of the record that is wrong."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.trace import TraceProblem
from app.ingest.traces.read import check_against, format_of, read_trace
from tests.workers.runners.test_simulated import outcome

DEVICE = {"capacity_bytes": 1 << 30, "discard": 0}
TABLE = b"time_us,op,offset_bytes,size_bytes\n0,read,0,4096\n1.5,W,8192,512\n7,trim,4096,4096\n"
LOG_2 = b"fio version 2 iolog\nf add\nf open\nf read 0 4096\nf wait 250 0\nf write 8192 4096\nf sync 0 0\nf close\n"


def q(time_ns: int, sector: int, size: int, *, write: bool = False, action: int = 1, order: str = "<") -> bytes:
    word = ((2 if write else 1) | 1 << 4) << 16 | action
    return struct.pack(f"{order}IIQQIIIIIHH", 0x65617407, 1, time_ns, sector, size, word, 1, 8 << 20, 0, 0, 0)


def test_a_table_is_read_with_its_units() -> None:
    trace = read_trace(TABLE)
    assert (trace.format, trace.time_ns, trace.direction) == ("csv", (0, 1500, 7000), (0, 1, 2))
    assert (trace.offset_bytes, trace.size_bytes) == ((0, 8192, 4096), (4096, 512, 4096))


def test_a_table_may_count_in_sectors_and_seconds() -> None:
    trace = read_trace(b"time_s,op,sector,sectors,extra\n5,read,8,8,x\n5.25,read,16,8,y\n")
    assert (trace.time_ns, trace.offset_bytes, trace.size_bytes) == ((0, 250_000_000), (4096, 8192), (4096, 4096))


def test_a_log_of_version_2_waits() -> None:
    trace = read_trace(LOG_2)
    assert (trace.format, trace.time_ns, trace.direction) == ("iolog", (0, 250_000), (0, 1))
    assert trace.left_out == (("sync", 1),)


def test_files_of_a_log_lie_one_behind_the_other() -> None:
    trace = read_trace(b"fio version 3 iolog\n0 a read 0 4096\n1 b read 4096 4096\n2 a read 1048576 4096\n")
    assert trace.offset_bytes == (0, (2 << 20) + 4096, 1 << 20)


def test_the_real_fio_s_log_is_read(tmp_path: Path) -> None:
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed (Debian: apt install fio)")
    command = [
        "fio",
        "--name=a",
        "--ioengine=null",
        "--size=256k",
        "--rw=randrw",
        "--rate_iops=1000",
        "--write_iolog=log",
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    trace = read_trace((tmp_path / "log").read_bytes())
    assert sorted(trace.offset_bytes) == [4096 * block for block in range(64)]
    # each direction has a rate of its own: 1000 a second
    assert trace.time_ns[-1] == pytest.approx(32_000_000, rel=0.5)


def test_what_a_run_exports_is_what_was_simulated() -> None:
    job = "[a]\nioengine=libaio\ndirect=1\nrw=randrw\nfilename=/dev/sdX\niodepth=4\nnumber_ios=200\n"
    (stream,) = [item.content for item in outcome(job).artifacts if item.name == "run.blktrace.0"]
    trace = read_trace(stream)
    assert (trace.format, len(trace), set(trace.size_bytes), set(trace.direction)) == ("blktrace", 200, {4096}, {0, 1})


@pytest.mark.parametrize("order", "<>")
def test_both_byte_orders_are_read_and_other_events_passed_over(order: str) -> None:
    trace = read_trace(
        q(5, 8, 4096, order=order) + q(6, 8, 4096, action=7, order=order) + q(9, 0, 512, write=True, order=order)
    )
    assert (trace.time_ns, trace.direction, trace.record) == ((0, 4), (0, 1), (1, 3))


def test_an_empty_flush_is_left_out_and_counted() -> None:
    assert read_trace(q(1, 0, 512) + q(2, 0, 0, write=True)).left_out == (("flush", 1),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (q(1, 0, 512) + q(2, 8, 512)[:20], "record 2: cut off after 20 of 48 bytes"),
        (q(1, 0, 512) + b"x" * 48, "record 2: 0x78787878 at byte 48"),
        (q(9, 0, 512) + q(2, 8, 512), "record 2: at 2 ns, before record 1 at 9 ns"),
        (q(1, 0, 512, action=7), "holds no read, write or trim"),
        (LOG_2 + b"f read 5\n", "record 9: read without an offset and a length"),
        (LOG_2 + b"f write 4096 40", "record 9: cut off"),
        (LOG_2 + b"f fallocate 0 5\n", "record 9: unknown action 'fallocate'"),
        (b"fio version 3 iolog\nx f read 0 4096\n", "record 2: 'x' is no number"),
        (b"fio version 3 iolog\n9 f read 0 4096\n3 f read 0 4096\n", "record 3: at 3000 ns, before record 2"),
        (TABLE + b"9,read,5\n", "record 5: cut off: 3 of 4 columns"),
        (TABLE + b"9,read,-5,512\n", "record 5: '-5' is no number"),
        (TABLE + b"9,copy,5,512\n", "record 5: 'copy' is no operation"),
        (TABLE + b"2,read,5,512\n", "record 5: at 2000 ns, before record 4"),
        (b"time_us,op,size_bytes\n1,read,512\n", "record 1: no column offset_bytes or sector"),
        (b"", "record 1: neither blktrace"),
        (b"hello\n", "record 1: neither blktrace"),
    ],
)
def test_a_damaged_trace_is_refused_with_the_number_of_the_record(content: bytes, message: str) -> None:
    with pytest.raises(TraceProblem) as caught:
        read_trace(content)
    assert message in str(caught.value)


def test_a_trace_that_is_declared_as_something_else_is_refused() -> None:
    with pytest.raises(TraceProblem, match="this is csv, not blktrace"):
        read_trace(TABLE, "blktrace")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"9,read,1073741824,512", "record 5: ends at byte 1073742336, the device at 1073741824"),
        (b"9,read,100,512", "record 5: 512 bytes at 100 are no whole sectors"),
        (b"9,read,0,0", "record 5: 0 bytes at 0 are no whole sectors"),
        (b"9,read,0,134217728", "record 5: 134217728 bytes; one I/O has at most"),
        (b"900000000000000,read,0,512", "record 5: more than 604800 s"),
        (b"9,trim,0,512", "record 4: a trim; the device has no discard"),
    ],
)
def test_what_the_device_cannot_serve_is_named(row: bytes, message: str) -> None:
    table = TABLE if b"trim,0" in row else TABLE.replace(b"trim", b"read")
    with pytest.raises(TraceProblem) as caught:
        check_against(read_trace(table + row + b"\n"), DEVICE)
    assert message in str(caught.value)


@given(st.binary(max_size=300), st.sampled_from([b"", q(1, 0, 512), LOG_2, TABLE, b"fio version 3 iolog\n"]))
def test_anything_is_a_trace_or_a_problem(tail: bytes, head: bytes) -> None:
    try:
        trace = read_trace(head + tail)
    except TraceProblem:
        return
    else:
        assert len(trace) > 0
        assert format_of(head + tail) == trace.format
