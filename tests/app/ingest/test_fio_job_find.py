"""Finding job files by their content inside the documents that people have them in."""

from __future__ import annotations

import base64

import pytest

from app.ingest.fio_job import find_jobs, parse, read
from app.ingest.fio_job.find import MAX_BLOCKS

JOB = "[global]\nioengine=libaio\nsize=1g\nbs=4k\n\n[job]\nrw=randread\niodepth=16\n"
OPTIONS = {"ioengine": "libaio", "size": 1 << 30, "bs": 4096, "rw": "randread", "iodepth": 16}


def prefixed(prefix: str, text: str = JOB) -> str:
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


DOCUMENTS = {
    "plain mail": f"From: a@b.c\nSubject: [PATCH] x\n\nHi,\n\nthe job:\n\n{JOB}\nBoth are slow = bad.\n",
    "indented": f"The job:\n\n{prefixed('    ')}\nand a word on x = y.\n",
    "quoted once": f"On Monday X wrote:\n{prefixed('> ')}> \n> It is slow.\n\nYes.\n",
    "quoted twice": f"{prefixed('> > ')}> no\nrw=write is what I use\n",
    "fence": f"# Title\n\n```ini\n{JOB}```\nbs=1m\n",
    "tilde fence in a list": f"- item\n\n  ~~~\n{prefixed('  ')}  ~~~\n",
    "here-document": f"cat > job.fio <<-'EOF'\n{JOB}EOF\nbs=8k\nfio job.fio\n",
    "yaml": f"jobs:\n  - |\n{prefixed('    ')}args: --output\nsize=2\n",
    "go": f"package x\n\nvar job = `{JOB}`\n\nfunc main() {{ size=1 }}\n",
    "python": f'JOB = """{JOB}"""\nbs=1\n',
    "shell string": f'echo "{JOB}" > job.fio\nbs=1\n',
    "c string": "".join(f'\t"{line}\\n"\n' for line in JOB.splitlines() if line) + ";\nint x;\n",
    "json": '{"fio": "' + JOB.replace("\n", "\\n") + '", "x": 1}\n',
    "printf": "printf '" + JOB.replace("\n", "\\n") + "' | fio -\n",
    "echoes": "".join(f"echo '{line}' >> job.fio\n" for line in JOB.splitlines() if line) + "fio job.fio\n",
    "added by a patch": f"--- /dev/null\n+++ b/j\n@@ -0,0 +1,8 @@\n{prefixed('+')}-- \n2.1\n",
    "comment in C": f"/*\n * Run:\n *\n{prefixed(' * ')} * and see.\n */\nint x = 1;\n",
    "commit message": f"commit abc\n\n    xfs: faster\n\n    With\n\n{prefixed('    ')}\n    1000 -> 2000 IOPS\n",
    "before its results": f"{JOB.rstrip()}\n\n[result]\n== w/o patches ==\nread : io=1g, bw=2k\n",
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_job_is_read_from_the_document_as_from_its_own_file(kind: str) -> None:
    file = read(DOCUMENTS[kind])
    assert [(job.name, job.options) for job in file.jobs] == [("job", OPTIONS)]
    assert file.ok


LINE_KINDS = [kind for kind in DOCUMENTS if kind not in ("json", "printf")]


@pytest.mark.parametrize("kind", LINE_KINDS)
def test_lines_and_columns_are_those_of_the_document(kind: str) -> None:
    document = DOCUMENTS[kind]
    (job,) = read(document).jobs
    for name, written in {"bs": "bs=4k", "iodepth": "iodepth=16"}.items():
        line = document.split("\n")[job.line_of(name) - 1]
        assert line[job.settings[name].column - 1 :].startswith(written)


def test_an_error_in_a_quoted_job_is_told_at_its_place_in_the_mail() -> None:
    (error,) = [d for d in read("Hi\n\n" + prefixed("> ", JOB + "iodpeth=1\n")).diagnostics if d.severity == "error"]
    assert (error.line, error.column) == (11, 3)


def test_a_quoted_printable_mail_is_decoded_with_its_lines_kept() -> None:
    body = JOB.replace("=", "=3D").replace("randread", "rand=\nread")
    mail = f"Subject: x\nContent-Transfer-Encoding: quoted-printable\n\nHi\n\n{body}\nbye\n"
    (job,) = read(mail).jobs
    assert job.options == OPTIONS
    assert mail.split("\n")[job.line_of("iodepth") - 1] == "iodepth=3D16"


def test_a_mail_that_was_decoded_before_is_not_decoded_again() -> None:
    mail = f"Subject: x\nContent-Transfer-Encoding: quoted-printable\n\nHi\n\n{JOB}\nbye\n"
    assert [job.options for job in read(mail).jobs] == [OPTIONS]


def test_a_base64_mail_is_decoded() -> None:
    body = base64.encodebytes(f"Hello all,\n\n{JOB}\nregards\n".encode()).decode()
    mail = f"Subject: x\nContent-Transfer-Encoding: base64\n\n{body}\n--\nx\n"
    assert [job.options for job in read(mail).jobs] == [OPTIONS]


def test_every_job_file_of_a_document_is_found_with_its_first_line() -> None:
    document = f"one:\n\n{JOB}\nand this is two:\n\n{JOB}\nend\n"
    assert [line for line, _ in find_jobs(document)] == [3, 14]
    assert len(read(document).jobs) == 2


def test_what_is_found_is_a_job_file_by_itself() -> None:
    ((_, text),) = find_jobs(DOCUMENTS["quoted once"])
    assert [job.options for job in parse(text).jobs] == [OPTIONS]


def test_sections_without_options_of_their_own_belong_to_the_job_file() -> None:
    document = f"Hi\n\n{JOB}[second]\n[third]\n\nbye\n"
    assert [job.name for job in read(document).jobs] == ["job", "second", "third"]


def test_a_broken_line_inside_a_job_is_an_error_and_not_its_end() -> None:
    file = read("Hi\n\n[global]\nioengine=libaio\niodepth 32\nsize=1g\n[job]\nrw=read\n\nbye\n")
    assert [job.options["rw"] for job in file.jobs] == ["read"]
    assert [d.line for d in file.diagnostics if d.severity == "error"] == [5]


@pytest.mark.parametrize(
    "text",
    [
        "[package]\nname = 'x'\nversion = '1'\nedition = '2021'\n",
        "[Unit]\nDescription=x\n[Service]\nExecStart=/bin/x\n",
        "[user]\n\tname = A\n\temail = a@b.c\n",
        "Jobs: 4 (f=4): [rrrr] [100.0% done]\nread: bw=1\n",
        "[1] https://example.org\nsize=1\n",
        "[RFC][PATCH 0/9] ext4\n\nHi all\n",
        "nothing at all",
    ],
)
def test_other_texts_with_brackets_hold_no_job_file(text: str) -> None:
    assert find_jobs("See:\n\n" + text) == []
    assert not read("See:\n\n" + text).ok


def test_a_job_file_alone_is_read_strictly_to_its_end() -> None:
    file = read(JOB + "\nthis is no option\n")
    assert [d.line for d in file.diagnostics if d.severity == "error"] == [10]


def test_what_follows_a_pasted_job_is_left_out_with_a_warning() -> None:
    file = read(DOCUMENTS["before its results"])
    assert [(d.severity, d.line) for d in file.diagnostics] == [("warning", 10)]


def test_a_slip_after_a_blank_line_is_an_error_and_not_prose() -> None:
    file = read(JOB + "\niodepth 32\nbs 4k\n")
    assert [d.line for d in file.diagnostics if d.severity == "error"] == [10, 11]


def test_more_job_files_than_the_limit_are_an_error() -> None:
    assert not read(f"x\n\n{JOB}\nprose between\n\n" * (MAX_BLOCKS + 1)).ok
