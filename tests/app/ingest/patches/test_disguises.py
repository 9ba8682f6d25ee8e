"""One change in every disguise it travels in: mailers, archives, pages, other tools."""

from __future__ import annotations

import base64
import quopri

import pytest

from app.domain.patch import Patch, PatchSet
from app.ingest.patches import read_patches
from app.ingest.patches.subject import read_subject

DIFF = """\
diff --git a/fs/slate/inode.c b/fs/slate/inode.c
index 1111111..2222222 100644
--- a/fs/slate/inode.c
+++ b/fs/slate/inode.c
@@ -10,7 +10,8 @@ static int slate_write(struct inode *inode)
 \tstruct slate *s = SLATE(inode);
 \tint err;
\x20
-\terr = slate_lock(s);
+\tif (s->quiet)
+\t\terr = slate_trylock(s);
 \tif (err)
 \t\treturn err;
 \treturn 0;
"""
HEADERS = """\
From: Maud Erling <maud@erling.example>
To: list@erling.example
Subject: [PATCH v2 2/3] slate: try the lock when it is quiet
Date: Tue, 5 Mar 2024 10:20:30 +0100
Message-Id: <20240305.2@erling.example>
"""
BODY = f"""\
Nobody waits then.

Signed-off-by: Maud Erling <maud@erling.example>
---
 fs/slate/inode.c | 3 ++-
 1 file changed, 2 insertions(+), 1 deletion(-)

{DIFF}--\x20
2.44.0
"""
MAIL = f"{HEADERS}\n{BODY}"


def only(content: str | bytes) -> Patch:
    (patch,) = read_patches(content).patches
    return patch


def counted(patch: Patch) -> list[tuple[str, int | None, int | None]]:
    return [(file.path, file.added, file.deleted) for file in patch.files]


def said(found: PatchSet, words: str) -> list[int]:
    return [warning.line for warning in found.warnings if words in warning.message]


ONE = [("fs/slate/inode.c", 2, 1)]
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


def test_git_show_is_read() -> None:
    shown = (
        "commit 0123456789012345678901234567890123456789\nAuthor: Maud Erling <maud@erling.example>\n"
        "Date:   Tue Mar 5 10:20:30 2024 +0100\n\n    slate: try the lock\n\n    Nobody waits then.\n\n"
        f"    Signed-off-by: Maud Erling <maud@erling.example>\n\n{DIFF}"
    )
    patch = only(shown)
    assert (patch.subject, patch.author) == ("slate: try the lock", "Maud Erling <maud@erling.example>")
    assert (patch.date, patch.message[:18]) == ("2024-03-05T10:20:30+01:00", "Nobody waits then.")
    assert counted(patch) == ONE


def test_mercurial_is_read() -> None:
    patch = only(
        f"# HG changeset patch\n# User Maud Erling <maud@erling.example>\n# Date 1709630430 -3600\nslate: try\n\n{DIFF}"
    )
    assert (patch.subject, patch.author) == ("slate: try", "Maud Erling <maud@erling.example>")
    assert patch.date == "2024-03-05T09:20:30+00:00"


def test_a_patchwork_page_is_read() -> None:
    page = (
        "diff mbox series\n\n[v2,2/3] slate: try the lock\n\nMessage ID\t20240305.2@erling.example\nState\tNew\n"
        "Headers\tshow\n\nCommit Message\n\nMaud Erling March 5, 2024, 9:20 p.m. UTC\nNobody waits then.\n\n"
        "Signed-off-by: Maud Erling <maud@erling.example>\n---\n fs/slate/inode.c | 3 ++-\n"
        " 1 file changed, 2 insertions(+), 1 deletion(-)\n\nComments\n\nTor Vance March 6, 2024, noon UTC | #1\nGood.\n"
        f"Tested-by: Tor Vance <tor@vance.example>\n\nPatch\n\n{DIFF.replace('@@ static', '@@  static')}"
    )
    found = read_patches(page)
    patch = found.patches[0]
    assert (patch.subject, patch.version, patch.position, patch.total) == ("slate: try the lock", 2, 2, 3)
    assert (patch.author, patch.date) == ("Maud Erling <maud@erling.example>", "2024-03-05T21:20:00+00:00")
    assert patch.message_id == "20240305.2@erling.example"
    assert patch.diff == DIFF
    assert [given.key for given in patch.follow_ups] == ["Tested-by"]


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


def test_a_partial_reroll_is_filled_from_the_version_before() -> None:
    def mail(subject: str, number: int) -> str:
        return (
            f"From m@x Tue Mar  5 10:20:30 2024\nFrom: m@x.example\nSubject: {subject}\nMessage-Id: <{number}@x>\n\n"
            f"---\n{DIFF.replace('inode.c', f'f{number}.c')}\n"
        )

    found = read_patches(
        mail("[PATCH 1/3] a", 1) + mail("[PATCH 2/3] b", 2) + mail("[PATCH 3/3] c", 3) + mail("[PATCH v2 2/3] b", 4)
    )
    assert found.series.version == 2
    assert [found.patches[index].message_id for index in found.series.order] == ["1@x", "4@x", "3@x"]
    assert said(found, "that of version 1 is taken")
    assert said(found, "several versions")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("[PATCH] x", ("x", None, None, None, ("PATCH",))),
        ("Re: [PATCH v4 07/12] x: y", ("x: y", 4, 7, 12, ("PATCH",))),
        ("[RFC][PATCH 0/9 v1] x", ("x", 1, 0, 9, ("RFC", "PATCH"))),
        ("[RFCv5 5/5] x", ("x", 5, 5, 5, ("RFC",))),
        ("[PATCHv2-1/3] x", ("x", 2, 1, 3, ("PATCH",))),
        ("[PATCHv3,net-next] x", ("x", 3, None, None, ("PATCH", "net-next"))),
        ("[PATCH 1/7] [v2] x", ("x", 2, 1, 7, ("PATCH",))),
        ("[PATCH RESEND v3 1 / 2] x", ("x", 3, 1, 2, ("PATCH", "RESEND"))),
        ("PATCH 1/1 x: y", ("x: y", None, 1, 1, ("PATCH",))),
        ("[PATCH 1 of 2 v3] x", ("x", 3, 1, 2, ("PATCH",))),
        ("[PATCH (v2) 2/ 3] x", ("x", 2, 2, 3, ("PATCH",))),
        ("[PATCH ipv6 1/2] x", ("x", None, 1, 2, ("PATCH", "ipv6"))),
        ("x: [not a prefix] y", ("x: [not a prefix] y", None, None, None, ())),
    ],
)
def test_brackets_of_subjects(raw: str, expected: tuple[object, ...]) -> None:
    found = read_subject(raw)
    assert (found.text, found.version, found.position, found.total, found.prefixes) == expected


def test_a_thread_copied_off_lore_is_read() -> None:
    page = (
        "* [PATCH v2 0/1] slate: quiet\n@ 2024-03-05  9:20 Maud Erling\n  2024-03-05  9:21 ` [PATCH v2 1/1] slate: try\n"
        "  0 siblings, 1 reply; 3+ messages in thread\nFrom: Maud Erling @ 2024-03-05  9:20 UTC (permalink / raw)\n"
        "  To: list; +Cc: Maud Erling\n\nOne patch.\n\nMaud Erling (1):\n  slate: try\n\n"
        " fs/slate/inode.c | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n\n-- \n2.44.0\n\n"
        "^ permalink raw reply\t[flat|nested] 3+ messages in thread\n\n"
        "* [PATCH v2 1/1] slate: try\n  2024-03-05  9:20 [PATCH v2 0/1] slate: quiet Maud Erling\n"
        "@ 2024-03-05  9:21 ` Maud Erling\n  2024-03-06  8:00 ` Tor Vance\n"
        f"From: Maud Erling @ 2024-03-05  9:21 UTC (permalink / raw)\n  To: list\n\n{BODY}\n"
        "* Re: [PATCH v2 1/1] slate: try\n  2024-03-05  9:21 ` [PATCH v2 1/1] slate: try Maud Erling\n"
        "@ 2024-03-06  8:00   ` Tor Vance\n"
        "From: Tor Vance @ 2024-03-06  8:00 UTC (permalink / raw)\n  To: Maud Erling\n\n> Nobody waits then.\n\nGood.\n"
    )
    found = read_patches(page)
    assert [(patch.position, patch.subject, patch.version) for patch in found.patches] == [
        (0, "slate: quiet", 2),
        (1, "slate: try", 2),
    ]
    assert found.patches[1].author == "Maud Erling <maud@erling.example>"
    assert found.patches[1].date == "2024-03-05T09:21:00+00:00"
    assert found.patches[1].diff == DIFF
    assert found.series.missing == ()


@pytest.mark.parametrize(
    "top",
    [
        "[PATCH v3] slate: try\n\n[Date Prev][Date Next][Thread Prev]\n\n* Subject: [PATCH v3] slate: try\n"
        "* From: Maud Erling <maud@erling.example>\n* Date: Tue, 5 Mar 2024 10:20:30 +0100\n\n",
        "List:       linux-slate\nSubject:    [PATCH v3] slate: try\nFrom:       Maud Erling <maud () erling ! example>\n"
        "Date:       2024-03-05 9:20:30\n[Download RAW message or body]\n\n",
        "From: Maud Erling <maud@erling.example>\nSubject: [PATCH v3] slate: try\t[thread overview]\n"
        "Date: Tue, 5 Mar 2024 10:20:30 +0100\t[thread overview]\nMessage-ID: <1@erling.example> (raw)\n\n",
    ],
)
def test_headers_at_the_top_of_an_archive_s_page_are_read(top: str) -> None:
    patch = only(f"{top}{BODY}")
    assert (patch.subject, patch.version) == ("slate: try", 3)
    assert patch.author == "Maud Erling <maud@erling.example>"
    assert patch.date is not None
    assert patch.date.startswith("2024-03-05T")
    assert counted(patch) == ONE


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


def test_a_pull_request_is_no_patch_and_says_so() -> None:
    text = (
        "From: Maud Erling <maud@erling.example>\nSubject: [GIT PULL] slate for 6.9\n\nThe changes are\n"
        "available in the Git repository at:\n\n  https://git.example/slate for-6.9\n\nMaud Erling (2):\n  slate: a\n  slate: b\n\n"
        " fs/slate/inode.c | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n"
    )
    found = read_patches(text)
    assert found.patches == ()
    assert said(found, "pull request") == [2]


def test_a_reply_without_re_gives_its_trailers() -> None:
    reply = (
        "\nFrom t@x Tue Mar  5 11:20:30 2024\nFrom: Tor Vance <tor@vance.example>\nSubject: [PATCH v2 2/3] slate: try\n"
        "In-Reply-To: <20240305.2@erling.example>\n\nAcked-by: Tor Vance <tor@vance.example>\n"
    )
    patch = only(DISGUISES["mbox"] + reply)
    assert [given.key for given in patch.follow_ups] == ["Acked-by"]


def mbox(*mails: tuple[str, str]) -> str:
    """Mails of one change each: subject and name of the file."""
    return "".join(
        f"From m@x Tue Mar  5 10:20:30 2024\nFrom: m@x.example\nSubject: {subject}\nMessage-Id: <{number}@x>\n\n"
        f"---\n{DIFF.replace('inode.c', name)}\n"
        for number, (subject, name) in enumerate(mails)
    )


def test_a_patch_that_is_proposed_in_a_reply_is_not_part_of_the_series() -> None:
    found = read_patches(mbox(("[PATCH 1/2] a", "a.c"), ("Re: [PATCH 1/2] a", "z.c"), ("[PATCH 2/2] b", "b.c")))
    applied = [found.patches[index].files[0].path for index in found.series.order]
    assert applied == ["fs/slate/a.c", "fs/slate/b.c"]
    assert found.patches[-1].files[0].path == "fs/slate/z.c"
    assert said(found, "a patch in a reply") == [found.patches[-1].line]


def test_a_reply_alone_with_a_patch_is_that_patch() -> None:
    found = read_patches(mbox(("Re: [PATCH 1/2] a", "z.c")))
    assert [found.patches[index].files[0].path for index in found.series.order] == ["fs/slate/z.c"]


def test_one_patch_in_several_versions_is_one_series() -> None:
    found = read_patches(mbox(("[PATCH] a", "a.c"), ("[PATCH v2] a", "b.c"), ("[PATCH v2 RESEND] a", "c.c")))
    assert found.series.versions == (1, 2)
    assert [found.patches[index].files[0].path for index in found.series.order] == ["fs/slate/c.c"]
    assert said(found, "number 1 of version 2")


def test_unnumbered_patches_stand_in_the_order_of_the_file() -> None:
    found = read_patches(mbox(("[PATCH] b", "b.c"), ("[PATCH] a", "a.c")))
    assert [(patch.position, patch.total, patch.subject) for patch in found.patches] == [(1, 2, "b"), (2, 2, "a")]
    assert said(found, "without positions")


def test_a_page_whose_hunks_lost_their_line_ends_gives_stated_counts() -> None:
    page = (
        "PATCH 1/1 slate: try the lock\nNobody waits then.\nfs/slate/inode.c +2 -1\n"
        "@@ -10,7 +10,8 @@ static int slate_write(*/ int err; -err = slate_lock(s); +if (s->quiet)\n"
        "183.out.bad 2010-06-09 renamed from 183.out +1 -1\n"
        "fs/slate/super.c +40 -241\n370 lines not on this page\n"
        "Signed-off-by Maud Erling <maud@erling.example>\n"
    )
    found = read_patches(page)
    patch = found.patches[0]
    assert counted(patch) == [("fs/slate/inode.c", 2, 1), ("fs/slate/super.c", 40, 241)]
    assert (patch.whole, patch.diff) == (False, "")
    assert patch.author == "Maud Erling <maud@erling.example>"
    assert said(found, "are those stated") == [3, 6]
    assert said(found, "without its colon") == [8]


def test_a_letter_flattened_onto_one_line_gives_what_it_still_says() -> None:
    flat = (
        "Changes since v2: fixed a typo. Before this patch set: 1 After this patch set: 2 "
        + "It is much better. " * 20
        + "Maud Erling (3): slate: one slate: two slate: three fs/slate/inode.c | 3 ++- 1 file changed, "
        "2 insertions(+), 1 deletion(-) -- 2.44.0"
    )
    found = read_patches(flat)
    cover = found.patches[0]
    assert (cover.position, cover.total, cover.version, cover.author) == (0, 3, 3, "Maud Erling")
    assert cover.stat is not None
    assert (cover.stat.files, cover.stat.added, cover.stat.deleted) == (1, 2, 1)
    assert said(found, "taken for version 3")
    assert said(found, "line ends of this text are lost")


def test_a_diff_that_lost_its_leading_blanks_is_read_where_it_adds_up() -> None:
    stripped = "".join(f"{line.strip()}\n" for line in DIFF.splitlines())
    found = read_patches(stripped.replace("-err", "- err").replace("+if", "+ if").replace("+err", "+ err"))
    assert counted(found.patches[0]) == ONE
    assert said(found, "context lines without their leading blank")
