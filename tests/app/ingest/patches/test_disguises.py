"""One change in every disguise it travels in: mailers' encodings, attachments, quotations, damage."""

from __future__ import annotations

import base64
import quopri

import pytest

from app.ingest.patches import read_patches
from tests.app.ingest.patches.change import BODY, DIFF, HEADERS, MAIL, ONE, counted, only, said

ENCODED = base64.encodebytes(BODY.replace("\n", "\r\n").encode()).decode()
MIME = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "
DISGUISES = {
    "plain": MAIL,
    "CRLF": MAIL.replace("\n", "\r\n"),
    "base64": f"{HEADERS}{MIME}base64\n\n{ENCODED}",
    "quoted-printable": f"{HEADERS}{MIME}quoted-printable\n\n{quopri.encodestring(BODY.encode()).decode()}",
    "mbox": f"From maud@erling.example Tue Mar  5 10:20:30 2024\n{MAIL}",
    "multipart": f'{HEADERS}Content-Type: multipart/mixed; boundary="=_x"\n\n--=_x\nContent-Type: text/plain\n\n{BODY}'
    "\n--=_x\nContent-Type: text/html\n\n<p>x\n--=_x--\n",
    "attached mail": "From: Relay <r@list.example>\nSubject: see the patch\nContent-Type: multipart/mixed; boundary=x\n\n"
    f"--x\nContent-Type: text/plain\n\nHere it is.\n--x\nContent-Type: message/rfc822\n\n{MAIL}\n--x--\n",
    "attached file": "From: Relay <r@list.example>\nSubject: see the patch\nContent-Type: multipart/mixed; boundary=x\n\n"
    "--x\n\nHere it is.\n--x\nContent-Type: application/octet-stream; name=0002.patch\n"
    f"Content-Disposition: attachment; filename=0002.patch\n\nFrom 0123 Mon Sep 17 00:00:00 2001\n{MAIL}\n--x--\n",
    "footer": f"{MAIL}\n_______________________________________________\nlist mailing list\nhttps://list.example/\n",
}


@pytest.mark.parametrize("form", DISGUISES)
def test_a_mail_is_the_same_in_every_form(form: str) -> None:
    patch = only(DISGUISES[form])
    assert counted(patch) == ONE
    assert patch.whole
    assert patch.diff == DIFF
    assert patch.subject == "slate: try the lock when it is quiet"
    assert (patch.position, patch.total, patch.version) == (2, 3, 2)
    assert patch.author == "Maud Erling <maud@erling.example>"
    assert patch.date == "2024-03-05T10:20:30+01:00"
    assert patch.message_id == "20240305.2@erling.example"
    assert [(trailer.key, trailer.value) for trailer in patch.trailers] == [
        ("Signed-off-by", "Maud Erling <maud@erling.example>")
    ]


def test_a_quotation_is_read_with_a_warning() -> None:
    quoted = "".join(f"> {line}\n" if line else ">\n" for line in BODY.splitlines())
    halfway = quoted.replace("> +\tif (s->quiet)\n", "> +\tif (s->quiet)\n\nIs it ever?\n\n")
    reply = (
        "From: Tor Vance <tor@vance.example>\nSubject: Re: [PATCH v2 2/3] slate: try the lock when it is quiet\n"
        "In-Reply-To: <20240305.2@erling.example>\n\n"
        f"On Tue, 5 Mar 2024, Maud Erling <maud@erling.example> wrote:\n{halfway}\n"
    )
    found = read_patches(reply)
    assert counted(found.patches[0]) == ONE
    assert found.patches[0].author == "Maud Erling <maud@erling.example>"
    assert found.patches[0].message_id == "20240305.2@erling.example"
    assert found.patches[0].version == 2
    assert said(found, "quotation") == [reply[: reply.index("> diff --git")].count("\n") + 1]


def test_a_quotation_beside_its_original_is_not_read_again() -> None:
    quoted = "".join(f"> {line}\n" for line in BODY.splitlines())
    reply = (
        "\nFrom tor@vance.example Tue Mar  5 11:20:30 2024\nFrom: Tor Vance <tor@vance.example>\n"
        "Subject: Re: [PATCH v2 2/3] slate: try the lock when it is quiet\nIn-Reply-To: <20240305.2@erling.example>\n\n"
        f"{quoted}\nGood.\n\nReviewed-by: Tor Vance <tor@vance.example>\n"
    )
    found = read_patches(DISGUISES["mbox"] + reply)
    (patch,) = found.patches
    (given,) = patch.follow_ups
    assert (given.key, given.value) == ("Reviewed-by", "Tor Vance <tor@vance.example>")
    assert given.sender == "Tor Vance <tor@vance.example>"


def test_a_bare_diff_is_a_patch_without_subject() -> None:
    patch = only(DIFF)
    assert (patch.subject, patch.author, patch.date, patch.message_id) == (None, None, None, None)
    assert (patch.position, patch.total, patch.version) == (1, 1, 1)
    assert counted(patch) == ONE


@pytest.mark.parametrize(
    ("names", "path"),
    [
        (
            "--- linux.orig/fs/a.c\t2024-03-05 10:20:30.000000000 +0100\n+++ linux/fs/a.c\t2024-03-05 10:20:31\n",
            "fs/a.c",
        ),
        ("--- a/fs/a.c\n+++ b/fs/a.c\n", "fs/a.c"),
        ("--- fs/a.c.orig\n+++ fs/a.c\n", "fs/a.c"),
        ("Index: fs/a.c\n====\n--- fs/a.c\t(revision 7)\n+++ fs/a.c\t(working copy)\n", "fs/a.c"),
        ("--- i/fs/a.c\n+++ w/fs/a.c\n", "fs/a.c"),
        ("--- /dev/null\n+++ b/fs/a.c\n", "fs/a.c"),
        ('--- "a/fs/t\\303\\244.c"\n+++ "b/fs/t\\303\\244.c"\n', "fs/tä.c"),
    ],
)
def test_names_of_other_tools(names: str, path: str) -> None:
    assert counted(only(f"{names}@@ -1 +1,2 @@\n a\n+b\n")) == [(path, 1, 0)]


def test_a_combined_diff_is_listed_with_a_warning() -> None:
    text = "diff --cc fs/a.c\nindex 1,2..3\n--- a/fs/a.c\n+++ b/fs/a.c\n@@@ -1,1 -1,1 +1,2 @@@\n  a\n++b\n"
    found = read_patches(text + DIFF)
    assert counted(found.patches[0]) == [("fs/a.c", None, None), *ONE]
    assert said(found, "combined") == [1]
    assert not found.patches[0].whole


def test_a_cut_hunk_is_counted_as_far_as_it_goes() -> None:
    found = read_patches(MAIL.replace(" \tif (err)\n \t\treturn err;\n \treturn 0;\n", ""))
    assert counted(found.patches[0]) == ONE
    assert not found.patches[0].whole
    assert said(found, "cut short") == [MAIL[: MAIL.index("@@ -10")].count("\n") + 1]


def test_lines_broken_by_a_mailer_are_joined_with_a_warning() -> None:
    long = DIFF.replace(
        "\terr = slate_lock(s);", "\terr = slate_lock_with_a_long_name(s, SLATE_QUIET,\n\t\tSLATE_OTHER_WORDS);"
    )
    found = read_patches(long)
    assert counted(found.patches[0]) == ONE
    assert said(found, "joined")


def test_flowed_lines_are_joined_only_where_that_does_no_harm() -> None:
    flowed = MAIL.replace("\n\nNobody", "\nContent-Type: text/plain; format=flowed\n\nNobody \nat all")
    found = read_patches(flowed)
    assert counted(found.patches[0]) == ONE
    assert said(found, "format=flowed")


def test_an_unknown_charset_is_a_warning_at_its_header() -> None:
    mail = MAIL.replace("\n\nNobody", '\nContent-Type: text/plain; charset="y"\n\nNöbody')
    found = read_patches(mail.encode())
    assert found.patches[0].message.startswith("Nöbody")
    assert said(found, "charset 'y'") == [6]


@pytest.mark.parametrize(
    ("charset", "codec"), [("iso-8859-1", "latin-1"), ("koi8-r", "koi8-r"), ("gb18030", "gb18030")]
)
def test_bytes_are_read_in_the_charset_they_are_in(charset: str, codec: str) -> None:
    word = {"latin-1": "größer", "koi8-r": "больше", "gb18030": "更大"}[codec]
    mail = MAIL.replace("\n\nNobody", f"\nContent-Type: text/plain; charset={charset}\n\n{word}")
    found = read_patches(mail.encode(codec))
    assert found.patches[0].message.startswith(word)
    assert found.warnings == read_patches(MAIL).warnings


def test_a_diffstat_that_disagrees_is_a_warning() -> None:
    found = read_patches(MAIL.replace("2 insertions(+)", "5 insertions(+)"))
    assert said(found, "the diffstat says 1 files, +5 -1; the diff has 1 files, +2 -1")


def test_the_output_of_a_failed_test_is_no_patch() -> None:
    text = "--- tests/xfs/183.out\t2010-04-28\n+++ 183.out.bad\t2010-06-09\n@@ -1,2 +1,2 @@\n QA\n-passed\n+failed\n"
    assert read_patches(text).patches == ()


def test_what_stands_above_a_scissors_line_is_left_out() -> None:
    mail = MAIL.replace(
        "Nobody waits then.", "Hello all,\n\n-- >8 --\nSubject: slate: another title\n\nNobody waits then."
    )
    found = read_patches(mail)
    assert found.patches[0].subject == "slate: another title"
    assert found.patches[0].message.startswith("Nobody")
    assert said(found, "scissors")


def test_an_indented_patch_is_read_with_a_warning() -> None:
    found = read_patches(
        "Try this:\n\n" + "".join(f"    {line}\n" if line.strip() else "\n" for line in DIFF.splitlines())
    )
    assert counted(found.patches[0]) == ONE
    assert said(found, "indented text") == [3]


def test_a_hunk_whose_header_was_edited_by_hand_is_counted_by_its_lines() -> None:
    found = read_patches(MAIL.replace("@@ -10,7 +10,8 @@", "@@ -10,0 +10,3 @@"))
    assert counted(found.patches[0]) == ONE
    assert not found.patches[0].whole
    assert said(found, "it says -0 +3 lines, -7 +8 follow")


def test_a_diff_that_lost_its_leading_blanks_is_read_where_it_adds_up() -> None:
    stripped = "".join(f"{line.strip()}\n" for line in DIFF.splitlines())
    found = read_patches(stripped.replace("-err", "- err").replace("+if", "+ if").replace("+err", "+ err"))
    assert counted(found.patches[0]) == ONE
    assert said(found, "context lines without their leading blank")
