"""A series is put together from whatever mails there are: versions, holes, replies."""

from __future__ import annotations

from app.ingest.patches import read_patches
from tests.app.ingest.patches.change import DIFF, mbox, only, said
from tests.app.ingest.patches.test_disguises import DISGUISES


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
