"""No input makes the patch reader fail, hang, or take long for its size."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.patch import PatchSet
from app.ingest.patches import read_patches
from app.ingest.patches.range_diff import compare, in_order
from tests.app.ingest.patches.repositories import sample_series

DAMAGES = 4000
CPU_S_PER_MB = 2.0
TEST_CPU_S = 60.0
"""Of one mutation test in all; what has not been tried by then is reported by the count below."""

TRIED_MIN = 2000

PIECES = [
    b"diff --git a/x b/x\n", b"--- a/x\n+++ b/x\n", b"@@ -1,3 +1,3 @@\n", b"@@ -1,999999999 +1,999999999 @@\n", b"---\n",
    b"-- \n", b"From: a@b.example\n", b"Subject: [PATCH v2 3/4] x\n", b"> ", b">", b"\r\n", b"\0", b"\xff\xfe", b"=?y?q?=41?=",
    b"=\n", b"=3D", b"[PATCH 1/1] ", b"GIT binary patch\nliteral 5\n", b"diff --cc x\n", b"@@@ -1 -1 +1 @@@\n",
    b"From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n", b"\n\n", b"commit 0123456789\nAuthor: x\n",
    b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n", b"Content-Transfer-Encoding: base64\n",
    b"Content-Type: text/plain; charset*=utf-7''y; format=flowed; delsp=yes\n", b"rename from x\n", b"*** a\n--- b\n****\n",
    b"-----BEGIN PGP SIGNED MESSAGE-----\n", b"---- >8 ----\n", b"Commit Message\n", b"Message ID <a@b.example>\n", b"\xe2\x80\xa8",
]  # fmt: skip


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    made = sample_series(tmp_path_factory.mktemp("git") / "slate")
    plain = made.mails("--cover-letter", "--thread", "--base=base")
    attached = made.mails("--attach", "-v2")
    shown = made.git("log", "-p", "base..").encode("utf-8", "surrogateescape")
    body = base64.encodebytes(made.git("diff", "base", "main~3").encode())
    encoded = b"From: a@b.example\nSubject: [PATCH] x\nContent-Transfer-Encoding: base64\n\n" + body
    quoted = b"From: a@b.example\nSubject: Re: [PATCH] x\n\n" + b"".join(
        b"> " + line + b"\n" for line in plain.split(b"\n")[40:300]
    )
    return [plain, attached, shown, encoded, quoted]


def damaged(document: bytes, chance: random.Random) -> bytes:
    content = bytearray(document)
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(content) + 1)
        until = min(len(content), at + int(chance.paretovariate(0.5)))
        kind = chance.randrange(6)
        if kind == 0:
            del content[at:until]
        elif kind == 1:
            content[at:at] = chance.choice(PIECES)
        elif kind == 2:
            content[at:at] = content[at:until]
        elif kind == 3:
            content[at : at + 8] = chance.randbytes(8)
        elif kind == 4:
            del content[at:]
        else:
            lines = bytes(content).split(b"\n")
            first = chance.randrange(len(lines))
            moved = lines[first : first + 9]
            chance.shuffle(moved)
            lines[first : first + 9] = moved
            content = bytearray(b"\n".join(lines))
        if not content:
            content = bytearray(chance.choice(PIECES))
    return bytes(content)


def test_thousands_of_damaged_mails_are_read_or_left_alone(documents: list[bytes]) -> None:
    chance = random.Random(20240305)
    began = time.process_time()
    tried = 0
    for number in range(DAMAGES):
        if time.process_time() - began > TEST_CPU_S:
            break
        content = damaged(documents[number % len(documents)], chance)
        found = read_patches(content if number % 3 else content.decode("utf-8", "replace"))
        check(found, content)
        tried += 1
    assert tried >= TRIED_MIN


def check(found: PatchSet, content: bytes) -> None:
    last = content.count(b"\n") + 1
    assert PatchSet.model_validate_json(found.model_dump_json()).series == found.series
    assert all(1 <= warning.line <= last for warning in found.warnings)
    assert all(1 <= begin <= end <= last for begin, end in found.spans)
    assert all(0 <= index < len(found.patches) for index in found.series.order)
    for patch in found.patches:
        assert all(file.path for file in patch.files)
        assert all((file.added is None) == (file.deleted is None) for file in patch.files)


def large() -> Iterator[tuple[str, bytes]]:
    size = 400_000
    hunk = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,999999999 +1,999999999 @@\n"
    yield "open hunks", hunk * (size // len(hunk))
    yield "one hunk", hunk + b" a\n" * (size // 3)
    yield "unsigned lines", hunk + b"word\n" * (size // 5)
    yield "one line", b"x" * size
    yield "blanks", b"= " * (size // 2)
    yield "quotation", b"> " * (size // 2)
    yield "quoted diffs", b"> diff --git a/x b/x\n> @@ -1 +1 @@\n" * (size // 37)
    yield "mails", b"From a@b Mon Sep 17 00:00:00 2001\nFrom: a@b\nSubject: [PATCH] x\n\n" * (size // 70)
    yield "headers", b"From: a@b.example\nSubject: " + b"=?utf-8?q?a?= " * (size // 14) + b"\n\n"
    yield "brackets", b"From: a@b.example\nSubject: " + b"[" * size + b"\n\nx"
    yield "addresses", b"Subject: x\nFrom: " + b"a@" * (size // 2) + b"\n\nx"
    parts = b"From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=x\n\n"
    yield "parts", parts + b"--x\n\na\n" * (size // 7)
    yield "nested parts", b"Content-Type: multipart/mixed; boundary=x\nFrom: a@b\n\n--x\n" * (size // 58)
    yield "trailers", b"From: a@b.example\nSubject: [PATCH] x\n\n" + b"Acked-by: a <a@b.example>\n\n" * (size // 27)
    yield "binary", b"diff --git a/x b/x\nGIT binary patch\nliteral 9\n" + b"zcmV;s1VsDozlcU(1Fh\n" * (size // 21)
    yield "combined", b"diff --cc x\n@@@ -1 -1 +1 @@@\n" * (size // 29)
    yield "context", b"*** a\n--- b\n***************\n" * (size // 28)
    yield "logs", b"commit 0123456789\nAuthor: a\n\n    x\n" * (size // 36)
    yield "scissors", b"- - >8 - -\n" * (size // 11)
    yield "statements", b"a/b.c +1 -1\n@@ -1,1 +1,1 @@ x\n" * (size // 32)
    yield "base64", b"From: a@b\nSubject: x\nContent-Transfer-Encoding: base64\n\n" + b"QUFB\n" * (size // 5)
    yield "punycode", b"From: a@b\nSubject: x\nContent-Type: text/plain; charset=punycode\n\n" + b"-" * size
    yield "short logs", b"Subject: [PATCH 0/9] x\nFrom: a@b\n\n" + b"A B (9):\n  x\n" * (size // 13)
    yield "flat short log", b"A B C D " * (size // 8) + b"(9): x 1 file changed"
    yield "rename", b"diff --git " + b"a " * (size // 2) + b"\nrename from a\nrename to b\n"
    yield (
        "blank names",
        (b"--- " + b" " * 4000 + b"x\n+++ " + b" " * 4000 + b"x\n@@ -1 +1 @@\n-a\n+b\n") * (size // 8040),
    )
    yield "quotes", (b"diff --git " + b'"\\' * 4000 + b"\n") * (size // 8000)
    yield "long scissors", b"From: a@b\nSubject: x\n\n>8" + b"-" * size + b"x"
    yield "paths", b"From: a@b\nSubject: x\n\n" + (b"a/." * 1000 + b" +1\n") * (size // 3000)
    yield "binary files", (b"Binary files" + b" and" * 1000 + b" differs\n") * (size // 4020)
    yield "long from", b"From a@b Mon Sep 17 00:00:00 2001\nFrom: a@b\nSubject: x\n\nFrom " + b"x" * size
    page = b"[1/2] x\nMessage ID a@b.example\nCommit Message\nx\nComments\n"
    yield "comments", page + (b"a" + b" " * 3000 + b"|\n") * (size // 3000)
    yield "lore", b"From: a @ 2024-03-05  9:20 UTC (permalink / raw)\n" * (size // 50)
    yield "shown headers", (b"Subject: [PATCH] x\nFrom: " + b"a@" * 100 + b"\n") * (size // 220)
    yield "attributions", b"On x, " * (size // 12) + b"wrote:\n> diff --git a/x b/x\n" + b"On a wrote:\n" * (size // 24)
    yield "indented", b"    diff --git a/x b/x\n    @@ -1 +1 @@\n" * (size // 39)
    yield "markup", b"-----BEGIN PGP SIGNED MESSAGE-----\n" * (size // 35)
    yield (
        "flowed",
        b"From: a@b\nSubject: x\nContent-Type: text/plain; format=flowed\n\n@@ -1 +1 @@\n" + b"a \n" * (size // 3),
    )
    yield "stat", b" 1 file changed, 1 insertion(+)" * (size // 31)


@pytest.mark.parametrize(("name", "content"), list(large()), ids=lambda value: value if isinstance(value, str) else "")
def test_processor_time_is_bounded_by_the_size(name: str, content: bytes) -> None:
    taken = []
    for _ in range(3):
        began = time.process_time()
        read_patches(content)
        taken.append(time.process_time() - began)
        if taken[-1] <= CPU_S_PER_MB * len(content) / 1e6:
            return
    assert min(taken) <= CPU_S_PER_MB * len(content) / 1e6


def test_a_range_diff_of_unlike_series_takes_bounded_time() -> None:
    chance = random.Random(7)

    def series() -> PatchSet:
        mails = []
        for number in range(1, 101):
            lines = "".join(f"+{chance.randrange(50)}\n" for _ in range(60))
            mails.append(
                f"From a@b Mon Sep 17 00:00:00 2001\nFrom: a@b.example\nSubject: [PATCH {number}/100] n{chance.random()}\n\n"
                f"---\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,60 @@\n{lines}\n"
            )
        return read_patches("".join(mails))

    older, newer = series(), series()
    began = time.process_time()
    found = compare(in_order(older), in_order(newer))
    assert time.process_time() - began < 30
    assert len(found.pairs) >= 100


def test_an_empty_text_holds_nothing(tmp_path: Path) -> None:
    assert read_patches(b"").patches == read_patches("").patches == read_patches(b"\n\n").patches == ()


TWO_HUNKS = """diff --git a/fs/x.c b/fs/x.c
--- a/fs/x.c
+++ b/fs/x.c
@@ -47,3 +47,3 @@
 47
-48
+forty-eight
 49
@@ -147,3 +147,3 @@
 147
-148
+x
 149
"""


def test_a_header_that_a_mailer_broke_is_joined_and_told() -> None:
    whole = read_patches(TWO_HUNKS.encode())
    broken = read_patches(TWO_HUNKS.replace("+47,3 @@", "+47,3\n@@").encode())
    (expected,), (found,) = whole.patches[0].files, broken.patches[0].files
    assert (found.added, found.deleted, found.whole) == (expected.added, expected.deleted, True) == (2, 2, True)
    assert [warning.line for warning in broken.warnings if "broke its header" in warning.message] == [4]


def test_a_header_that_cannot_be_read_leaves_a_file_that_is_not_whole() -> None:
    broken = read_patches(TWO_HUNKS.replace("@@ -147,3 +147,3 @@", "@@ -147,x +147,3 @@").encode())
    (found,) = broken.patches[0].files
    assert not found.whole
    assert any("cannot be read" in warning.message for warning in broken.warnings)
