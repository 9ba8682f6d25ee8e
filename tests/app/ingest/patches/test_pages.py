"""Patches on pages: patchwork, lore, other archives, git show, Mercurial, and what flattening leaves."""

from __future__ import annotations

import pytest

from app.ingest.patches import read_patches
from tests.app.ingest.patches.change import BODY, DIFF, ONE, counted, only, said


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
