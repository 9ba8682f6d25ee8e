"""dbench: the last line, the table of operations, fragments, live logs."""

from __future__ import annotations

import pytest

RUN = """
dbench version 4.00 - Copyright Andrew Tridgell 1999-2004

Running for 60 seconds with load 'client.txt' and minimum warmup 12 secs
8 of 8 processes prepared for launch   0 sec
releasing clients
   8     18384   444.44 MB/sec  warmup   1 sec  latency 45.920 ms
   8    140637   333.33 MB/sec  execute  59 sec  latency 11.331 ms
   8  cleanup  60 sec

 Operation      Count    AvgLat    MaxLat
 ----------------------------------------
 NTCreateX     200100     0.250    80.500
 Flush          14000     9.125    99.250
 FIND_FIRST      9083     0.018    11.938

Throughput 321.5 MB/sec  8 clients  8 procs  max_latency=99.300 ms
"""


def test_the_last_line_is_the_result(reading):
    read = reading(RUN)
    assert read.value("throughput") == 321.5
    assert read.one("throughput").clients == 8
    assert (read.value("max_latency"), read.one("max_latency").better) == (99.3, "lower")


def test_operations_have_three_figures_each(reading):
    read = reading(RUN)
    assert [read.value(f"Flush.{what}") for what in ("count", "avg_latency", "max_latency")] == [14000, 9.125, 99.25]
    assert read.value("FIND_FIRST.count") == 9083


def test_what_it_prints_every_second_is_no_result(reading):
    assert len([r for r in reading(RUN).report.results if r.metric == "throughput"]) == 1


def test_a_log_without_its_last_line_has_no_result_and_says_so(reading):
    read = reading(RUN[: RUN.index(" Operation")])
    assert read.report.results == ()
    assert read.warned("last line is missing") == [7]


def test_a_maximum_below_that_of_an_operation_is_told(reading):
    assert reading(RUN.replace("max_latency=99.300", "max_latency=50.0")).warned("max latency of Flush") == [14]


@pytest.mark.parametrize(
    ("command", "clients"), [("dbench -s -t 60 -D /mnt 32", 32), ("dbench 4", 4), ("dbench -D $MNT -t300 64", 64)]
)
def test_clients_come_from_the_command_where_the_line_lacks_them(reading, command, clients):
    assert reading(f"$ {command}\n# Throughput 884.4 MB/sec (sync open)\n").one("throughput").clients == clients


def test_the_old_line_with_processes_is_read(reading):
    result = reading("Throughput 37.25 MB/sec (NB=46.5 MB/sec  372 MBit/sec)  16 procs\n").one("throughput")
    assert (result.value, result.clients) == (37.25, 16)


def test_numbers_of_clients_are_compared_each_with_itself(reading):
    def side(rate):
        return "".join(f"Throughput {rate * n} MB/sec  {n} clients  {n} procs  max_latency={n}.5 ms\n" for n in (1, 16))

    read = reading(f"Without the patch:\n{side(10)}\nWith the patch:\n{side(11)}")
    assert read.ratio("throughput", cell={"clients": 1}) == pytest.approx(1.1)
    assert read.ratio("throughput", cell={"clients": 16}) == pytest.approx(1.1)


def test_what_is_printed_while_it_runs_hides_no_label(reading):
    running = "".join(
        f"   4     {9000 + n}   900.10 MB/sec  execute {n:3} sec  latency 9.000 ms\n" for n in range(1, 120)
    )
    running += "   4  cleanup 120 sec\n   0  cleanup 120 sec\n\n"
    end = "Throughput {0} MB/sec  4 clients  4 procs  max_latency=9.100 ms\n\n"
    assert (
        reading(f"vanilla:\n{running}{end.format(800)}patched:\n{running}{end.format(1000)}").ratio("throughput")
        == 1.25
    )
