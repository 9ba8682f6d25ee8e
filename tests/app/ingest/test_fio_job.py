"""Reading a job file: sections, values, places, and what is said about them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.domain.fio import FioJobFile, FioValue
from app.ingest.fio_job import lint_document, parse
from app.ingest.fio_job.checks import smallest_blocks
from app.ingest.fio_job.forms import block_size_split, zone_split
from app.ingest.fio_job.lines import MAX_INCLUDE_DEPTH, MAX_LINE_CHARS, MAX_OPTIONS, MAX_SECTIONS
from app.ingest.fio_job.parse import MAX_TEXT_CHARS


def option(text: str, name: str, **given: dict[str, int]) -> FioValue | None:
    """Return one option of the one job that has the text as its options."""
    (job,) = parse(f"[j]\nsize=1g\n{text}\n", **given).jobs  # type: ignore[arg-type]
    return job.options.get(name)


def errors(file: FioJobFile) -> list[tuple[int, int]]:
    return [(d.line, d.column) for d in file.diagnostics if d.severity == "error"]


def messages(text: str, severity: str) -> str:
    return " | ".join(d.message for d in parse(text).diagnostics if d.severity == severity)


# Sections


def test_each_section_is_a_job_with_what_the_globals_before_it_say() -> None:
    file = parse("[global]\nsize=1m\nbs=4k\n[a]\nbs=8k\n[global]\nbs=16k\n[b]\n")
    assert [(job.name, job.options["bs"], job.options["size"]) for job in file.jobs] == [
        ("a", 8192, 1 << 20),
        ("b", 16384, 1 << 20),
    ]


def test_two_sections_of_one_name_are_two_jobs() -> None:
    assert [job.name for job in parse("[j]\nsize=1m\n[j]\nsize=2m\n").jobs] == ["j", "j"]


def test_name_wins_over_the_section() -> None:
    (job,) = parse("[j]\nname=other\nsize=1m\n").jobs
    assert (job.name, job.section) == ("other", "j")


def test_comments_begin_at_a_semicolon_or_hash_anywhere_in_a_line() -> None:
    assert option("bs=8k;4k\n; bs=1k\n  # bs=1k\nrw=write # read", "bs") == 8192


def test_a_line_with_carriage_return_is_read_without_it() -> None:
    (job,) = parse("[j]\r\nsize=1m\r\nbs=4k\r\n").jobs
    assert job.options == {"size": 1 << 20, "bs": 4096}


def test_numjobs_stays_an_option_of_one_job() -> None:
    file = parse("[j]\nsize=1m\nnumjobs=4\n")
    assert [job.options["numjobs"] for job in file.jobs] == [4]


def test_an_option_knows_the_line_and_column_that_set_it() -> None:
    (job,) = parse("; first\n[global]\nsize=1m\n\n[j]\n   bs=4k\n").jobs
    assert (job.line_of("size"), job.line_of("bs"), job.settings["bs"].column, job.line_of("rw")) == (3, 6, 4, 5)


def test_an_option_before_the_first_section_is_an_error() -> None:
    assert errors(parse("bs=4k\n[j]\nsize=1m\n")) == [(1, 1)]


def test_a_section_that_is_not_closed_is_an_error() -> None:
    assert errors(parse("[j\nsize=1m\n")) == [(1, 1)]


def test_a_file_of_globals_alone_has_no_job_and_says_so() -> None:
    assert "no job" in messages("[global]\nbs=4k\n", "error")


@pytest.mark.parametrize("text", ["", "\n\n", "; nothing\n", "\x00\x01", "\ufeff", "]["])
def test_a_text_without_sections_is_an_error_and_no_crash(text: str) -> None:
    assert not parse(text).ok


# Values


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("bs=8k", "bs", 8192),
        ("bs=8ki", "bs", 8192),
        ("bs=8kiB", "bs", 8000),
        ("kb_base=1000\nbs=8k", "bs", 8000),
        ("bs=8k\nkb_base=1000", "bs", 8000),
        ("kb_base=1000\nbs=8kiB", "bs", 8192),
        ("kb_base=1000\nbs=8ki", "bs", 8000),
        ("bs=0x1000", "bs", 4096),
        ("blocksize=4k", "bs", 4096),
        ("bs=4k,8k,16k", "bs", "4k,8k,16k"),
        ("bs=4k-16k", "bs", "4k-16k"),
        ("bsrange=4k-16k,1k-2k", "bsrange", "4k-16k,1k-2k"),
        ("bssplit=4k/50:8k/50", "bssplit", "4k/50:8k/50"),
        ("size=50%", "size", "50%"),
        ("offset=4z\nzonesize=1m\nzonemode=strided", "offset", 4 << 20),
        ("offset=4z", "offset", "4z"),
        ("runtime=5m", "runtime", 300),
        ("runtime=500ms", "runtime", 0.5),
        ("timeout=60", "runtime", 60),
        ("latency_target=500000", "latency_target", 0.5),
        ("thinktime=3ms", "thinktime", 0.003),
        ("direct=1", "direct", True),
        ("direct=0", "direct", False),
        ("thread", "thread", True),
        ("norandommap=0", "norandommap", False),
        ("fsync=1", "fsync", 1),
        ("sync=1", "sync", 1),
        ("sync=dsync", "sync", "dsync"),
        ("nice=-5", "nice", -5),
        ("readwrite=randrw", "rw", "randrw"),
        ("rw=write:112k", "rw", "write:112k"),
        ("latency_percentile=99.9", "latency_percentile", 99.9),
        ("percentile_list=50:99.9", "percentile_list", "50:99.9"),
        ("write_bw_log", "write_bw_log", True),
        ("filename_format=$jobname.$filenum", "filename_format", "$jobname.$filenum"),
        ("bs=(2*3k)", "bs", 6144),
        ("runtime=(1m+30s)", "runtime", 90),
    ],
)
def test_a_value_is_what_fio_makes_of_the_text(text: str, name: str, value: FioValue) -> None:
    found = option(text, name)
    assert found == value
    assert isinstance(found, bool) == isinstance(value, bool)


def test_a_blank_after_the_equals_sign_loses_the_suffix_as_in_fio_with_a_warning() -> None:
    assert option("bs = 4k", "bs") == 4
    assert "ignores 'k'" in messages("[j]\nsize=1m\nbs = 4k\n", "warning")


def test_a_decimal_fraction_is_cut_as_in_fio_with_a_warning() -> None:
    assert option("numjobs=1.5", "numjobs") == 1
    assert "ignores '.5'" in messages("[j]\nsize=1m\nnumjobs=1.5\n", "warning")


def test_an_unknown_suffix_of_time_means_microseconds_as_in_fio_with_a_warning() -> None:
    assert option("runtime=30sec", "runtime") == 0.00003
    assert "ignores 'sec'" in messages("[j]\nsize=1m\nruntime=30sec\n", "warning")


def test_a_suffix_of_the_other_base_is_pointed_out() -> None:
    assert "8000" in messages("[j]\nsize=1m\nbs=8kiB\n", "warning")


def test_one_value_a_direction_is_kept_for_the_directions_that_are_left_out() -> None:
    (job,) = parse("[global]\nbs=2k\n[j]\nsize=1m\nbs=,8k\n").jobs
    assert job.settings["bs"].parts == (2048, 8192, 8192)


def test_a_split_gives_what_is_left_to_the_sizes_without_a_percentage() -> None:
    read, write, trim = block_size_split("4k/50:8k:16k,32k/100")
    assert read == ((4096, 50), (8192, 25), (16384, 25))
    assert write == trim == ((32768, 100),)


def test_a_zoned_distribution_keeps_accesses_and_sizes_together() -> None:
    assert zone_split("zoned:60/10:40/90")[0] == ((60, 10), (40, 90))
    assert zone_split("zoned_abs:100/1g")[2] == ((100, 1 << 30),)


def test_the_smallest_blocks_come_from_the_split_then_the_range_then_the_size() -> None:
    (job,) = parse("[j]\nsize=1g\nbs=1k\nbsrange=8k-16k\nbssplit=,2k/50:4k/50\n").jobs
    assert smallest_blocks(job.settings) == (8192, 2048, 2048)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(4096)", 4096),
        ("(1+2*3)", 7),
        ("((1+2)*3)", 9),
        ("(2^10)", 1024),
        ("(2^3^2)", 512),
        ("(7/2)", 3),
        ("(-7/2+10)", 7),
        ("(17%5)", 2),
        ("(2*3k)", 6144),
        ("(2+3k)", 3074),
        ("(1.5k)", 1024),
        ("(1kib)", 1000),
    ],
)
def test_an_expression_follows_fio_s_grammar(expression: str, value: int) -> None:
    assert option(f"number_ios={expression}", "number_ios") == value


@pytest.mark.parametrize(
    "expression", ["(", "()", "(1", "(1+)", "(4/0)", "(4k^)", "(a)", "(4096*1024*1024)", "(9^9^9^9)"]
)
def test_an_expression_that_has_no_value_is_an_error(expression: str) -> None:
    assert not parse(f"[j]\nsize=1g\nbs={expression}\n").ok


def test_words_for_the_machine_stay_text_until_the_machine_is_known() -> None:
    file = parse("[j]\nsize=1g\nverify_async=$ncpus\n")
    assert file.ok
    assert file.jobs[0].options["verify_async"] == "$ncpus"


@pytest.mark.parametrize(
    ("text", "value"), [("$ncpus", 56), ("$ncpus*2", 112), ("($ncpus+4)/8", 7), ("-$ncpus+60", 4), ("2^$ncpus/2^54", 4)]
)
def test_words_for_the_machine_are_calculated_with_its_numbers(text: str, value: int) -> None:
    assert option(f"numjobs={text}", "numjobs", machine={"ncpus": 56}) == value


# Options that contradict or repeat each other


def test_a_later_value_replaces_an_earlier_one() -> None:
    assert option("bs=4k\nbs=8k", "bs") == 8192


def test_buffered_undoes_direct_and_says_so() -> None:
    file = parse("[global]\ndirect=1\n[j]\nsize=1m\nbuffered=1\n")
    assert "direct" not in file.jobs[0].options
    assert [(d.severity, d.line) for d in file.diagnostics] == [("warning", 5)]


def test_shares_of_a_mix_that_agree_are_both_kept() -> None:
    (job,) = parse("[j]\nsize=1m\nrwmixread=40\nrwmixwrite=60\n").jobs
    assert (job.options["rwmixread"], job.options["rwmixwrite"]) == (40, 60)


def test_options_of_an_engine_end_with_it() -> None:
    (job,) = parse("[global]\nioengine=io_uring\nhipri\n[j]\nioengine=libaio\nsize=1m\n").jobs
    assert "hipri" not in job.options


# Errors


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("[j]\nsize=1m\niodpeth=4\n", (3, 1), "did you mean iodepth"),
        ("[j]\nsize=1m\n rw=foo\n", (3, 5), "randread"),
        ("[j]\nsize=1m\nrwmixread=101\n", (3, 11), "above the largest value"),
        ("[j]\nsize=1m\nruntime=-5\n", (3, 9), "negative"),
        ("[j]\nsize=1m\niodepth=0\n", (3, 9), "below the smallest value"),
        ("[j]\nsize=1m\nnumjobs=many\n", (3, 9), "not a number"),
        ("[j]\nsize=1m\niodepth\n", (3, 1), "needs a value"),
        ("[j]\nsize=1m\nioengine=nosuch\n", (3, 10), "unknown ioengine"),
        ("[j]\nsize=1m\nhipri\n", (3, 1), "io_uring"),
        ("[j]\nsize=1m\nthinkcycles=1\n", (3, 1), "3.37"),
        ("[j]\nbs=4k\nsize=1k\n", (3, 1), "smallest block"),
        ("[j]\nsize=1m\nbs=${BS}\n", (3, 4), "${BS}"),
        ("[j]\nsize=1m\nbs=$BS\n", (3, 4), "${BS}"),
        ("[j]\nsize=1m\ninclude other.fio\n", (3, 1), "other.fio"),
        ("[j]\nsize=1m\nwait_for=k\n", (3, 1), "no job of that name"),
    ],
)
def test_an_error_is_told_at_its_line_and_column(text: str, place: tuple[int, int], message: str) -> None:
    (error,) = [d for d in parse(text).diagnostics if d.severity == "error"]
    assert (error.line, error.column) == place
    assert message in error.message


def test_the_rest_of_a_file_is_read_in_spite_of_an_error() -> None:
    file = parse("[a]\nfoo=1\nsize=1m\n[b]\nsize=2m\n")
    assert [job.options["size"] for job in file.jobs] == [1 << 20, 2 << 20]


# Variables and includes


def test_a_variable_comes_from_the_given_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZE", "8m")
    text = "[j]\nsize=${SIZE}\n"
    assert parse(text, environment={"SIZE": "4m"}).jobs[0].options["size"] == 4 << 20
    assert errors(parse(text)) == [(2, 6)]


def test_an_included_file_is_read_where_it_stands() -> None:
    file = parse("[j]\nbs=4k\ninclude more.inc\nrw=write\n", files={"more.inc": "size=1m\nbs=8k\n"})
    assert file.ok
    assert file.jobs[0].options == {"size": 1 << 20, "bs": 8192, "rw": "write"}
    assert file.jobs[0].line_of("bs") == 3


def test_an_include_inside_an_included_file_is_looked_for_beside_it() -> None:
    files = {"dir/a.inc": "include b.inc\n", "dir/b.inc": "size=1m\n"}
    assert parse("[j]\ninclude dir/a.inc\n", files=files).jobs[0].options["size"] == 1 << 20


def test_a_section_in_an_included_file_is_an_error() -> None:
    assert errors(parse("[j]\nsize=1m\ninclude a\n", files={"a": "[k]\n"})) == [(3, 1)]


def test_a_file_that_includes_itself_ends() -> None:
    assert not parse("[j]\nsize=1m\ninclude a\n", files={"a": "include a\n"}).ok


def test_includes_nest_to_a_limit() -> None:
    chain = {f"f{n}": f"include f{n + 1}\n" for n in range(MAX_INCLUDE_DEPTH + 2)}
    assert not parse("[j]\nsize=1m\ninclude f0\n", files=chain).ok


# Limits and speed


@pytest.mark.parametrize(
    "text",
    [
        "[j]\n" + "x" * (MAX_LINE_CHARS + 1),
        "[j]\nsize=1m\n" + "bs=4k\n" * (MAX_OPTIONS + 1),
        "[j]\nsize=1m\n" * (MAX_SECTIONS + 1),
        " " * (MAX_TEXT_CHARS + 1),
    ],
    ids=["line", "options", "sections", "text"],
)
def test_what_is_beyond_a_limit_is_an_error(text: str) -> None:
    assert not parse(text).ok


def test_five_hundred_lines_take_at_most_fifty_milliseconds() -> None:
    lines = ["[global]", "ioengine=libaio", "direct=1", "size=1g", "bs=4k"]
    for number in range(99):
        lines += [f"[job{number}]", "rw=randread", f"iodepth={number + 1}", "bssplit=4k/50:8k/50", "numjobs=4"]
    text = "\n".join(lines)
    parse(text)
    taken = []
    for _ in range(5):
        start = time.process_time()
        lint_document(parse(text))
        taken.append(time.process_time() - start)
    assert min(taken) < 0.05


def test_importing_takes_at_most_a_hundred_milliseconds(tmp_path: Path) -> None:
    """With compiled modules, as an installed program has them; the first run makes them."""
    code = "import time; t = time.process_time(); import app.ingest.fio_job; print(time.process_time() - t)"
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True, env=environment) for _ in range(4)]
    assert min(float(run.stdout) for run in runs[1:]) < 0.1


# The shape that `lint` prints


def test_the_lint_document_has_the_fields_that_scripts_rely_on() -> None:
    document = lint_document(parse("[j]\nsize=1m\nfoo=1\n"))
    assert document["schema"] == 1
    assert document["ok"] is False
    assert document["jobs"] == [{"name": "j", "options": {"size": 1 << 20}}]
    (diagnostic,) = document["diagnostics"]
    assert (diagnostic["severity"], diagnostic["line"], diagnostic["column"]) == ("error", 3, 1)
    assert "foo" in diagnostic["message"]


@pytest.mark.parametrize("value", ["$0", "$ncpus"])
def test_a_base_of_kilobytes_that_is_no_number_yet_leaves_the_default(value: str) -> None:
    (job,) = parse(f"[a]\nkb_base={value}\nsize=8kiB\n").jobs
    assert job.options["size"] == 8000
