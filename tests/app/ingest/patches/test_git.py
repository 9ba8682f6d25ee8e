"""The patch reader agrees with the real git: mailinfo, apply --numstat, interpret-trailers, am."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ingest.patches import read_patches
from app.ingest.patches.subject import read_subject
from tests.app.ingest.patches.repositories import Repository, sample_series

FORMS = {
    "plain": (),
    "cover": ("--cover-letter",),
    "attached": ("--attach",),
    "inline": ("--inline",),
    "version": ("-v3",),
    "rfc": ("--rfc", "--cover-letter", "-v2"),
    "prefix": ("--subject-prefix=PATCH net-next",),
    "no-prefix": ("--no-prefix",),
    "no renames": ("--no-renames",),
    "binary left out": ("--no-binary",),
    "unnumbered": ("-N",),
    "kept subject": ("-k",),
    "in-body from": ("--from=Relay <relay@list.example>",),
    "more context": ("-U12",),
    "no context": ("-U0",),
    "signature": ("--signature=slate tools 3.1",),
    "no signature": ("--no-signature",),
    "thread": ("--thread", "--cover-letter"),
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return sample_series(tmp_path_factory.mktemp("git") / "slate")


def single_mails(repository: Repository, options: tuple[str, ...], directory: Path) -> list[bytes]:
    repository.git("format-patch", *options, "-o", str(directory), "base")
    return [path.read_bytes() for path in sorted(directory.glob("*.patch"))]


@pytest.mark.parametrize("form", FORMS)
def test_files_and_counts_are_those_of_git_apply(repository: Repository, form: str, tmp_path: Path) -> None:
    for mail in single_mails(repository, FORMS[form], tmp_path / form):
        patches = [patch for patch in read_patches(mail).patches if patch.files]
        held = repository.mailinfo(mail)["patch"]
        if not patches:
            assert "diff --git" not in held
            continue
        found = {file.path: (file.added, file.deleted) for file in patches[0].files}
        assert found == repository.numstat(held, strip=0 if form == "no-prefix" else 1)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "kept subject"])
def test_subject_author_and_message_are_those_of_git_mailinfo(
    repository: Repository, form: str, tmp_path: Path
) -> None:
    for mail in single_mails(repository, FORMS[form], tmp_path / form):
        said = repository.mailinfo(mail)
        (patch,) = read_patches(mail).patches
        assert patch.subject == said["Subject"]
        assert patch.author == f"{said['Author']} <{said['Email']}>"
        if patch.files:
            assert patch.message == said["message"].strip("\n").partition("\n---\n")[0].removesuffix("---").strip("\n")


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("no-prefix", "binary left out")])
def test_the_diff_that_is_kept_makes_the_same_tree(repository: Repository, form: str, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    repository.git("clone", "-q", str(repository.path), str(clone))
    found = read_patches(repository.mails(*FORMS[form]))
    repository.git("-C", str(clone), "checkout", "-q", "base")
    for index in found.series.order:
        patch = found.patches[index]
        assert patch.whole
        unidiff = ("--unidiff-zero",) if form == "no context" else ()
        repository.git(
            "-C", str(clone), "apply", "--index", *unidiff, data=patch.diff.encode("utf-8", "surrogateescape")
        )
    made = repository.git("-C", str(clone), "write-tree").strip()
    assert made == repository.git("rev-parse", "main^{tree}").strip()


def test_a_series_stands_in_its_order_whatever_the_order_of_the_mails(repository: Repository, tmp_path: Path) -> None:
    mails = single_mails(repository, ("--cover-letter", "--thread", "--base=base"), tmp_path)
    found = read_patches(b"\n".join(reversed(mails)))
    assert [patch.position for patch in found.patches] == list(range(7))
    assert [found.patches[index].position for index in found.series.order] == [1, 2, 3, 4, 5, 6]
    assert found.series.total == 6
    assert found.series.missing == ()
    assert found.series.base_commit == repository.git("rev-parse", "base").strip()
    assert found.patches[0].titles[0] == "slate: wait for stable folios"
    assert len(found.patches[0].titles) == 6
    assert found.patches[2].in_reply_to == found.patches[0].message_id


def test_a_hole_in_a_series_is_named(repository: Repository, tmp_path: Path) -> None:
    mails = single_mails(repository, ("-n",), tmp_path)
    found = read_patches(b"\n".join([mails[0], mails[2], mails[5]]))
    assert found.series.missing == (2, 4, 5)
    assert any("2, 4 to 5 are not here" in warning.message for warning in found.warnings)


def test_prerequisites_are_kept(repository: Repository) -> None:
    repository.git("branch", "-f", "--no-track", "upstream", "base")
    mail = repository.mails("--base=base", "-1", since="main")
    (patch,) = read_patches(mail).patches
    assert len(patch.prerequisites) == 5
    text = mail.decode("utf-8", "surrogateescape")
    assert all(f"prerequisite-patch-id: {each}" in text for each in patch.prerequisites)


@pytest.mark.parametrize(
    "message",
    [
        "t\n\nbody\n\nSigned-off-by: A <a@b.example>\n",
        "t\n\nbody\n\nLink: https://x.example/1 [1]\nReported-by: A <a@b.example>\n  continued here\nSigned-off-by: C <c@d.example>\n",
        "t\n\nNote: this is text\nand so is this\n",
        "t\n\nbody\n\n[c@d.example: reworded]\nSigned-off-by: A <a@b.example>\nTested-by : C <c@d.example>\n",
        "t\n\nREAD: 12MB/s\nWRITE: 13MB/s\n\nmore text\n",
        "t\n\nbody\n\none\ntwo\nthree\nfour\nSigned-off-by: A <a@b.example>\n",
        "t\n\nbody\n\none\ntwo\nthree\nSigned-off-by: A <a@b.example>\n",
        "t\n\nbody\n\n(cherry picked from commit 0123456789abcdef0123456789abcdef01234567)\nSigned-off-by: A <a@b.example>\n",
    ],
)
def test_trailers_are_those_of_git_interpret_trailers(repository: Repository, message: str) -> None:
    printed = repository.git("interpret-trailers", "--parse", data=message.encode())
    expected = [tuple(line.split(": ", 1)) for line in printed.splitlines()]
    mail = f"From: A <a@b.example>\nSubject: [PATCH] {message}---\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    (patch,) = read_patches(mail).patches
    found = [(trailer.key, trailer.value) for trailer in patch.trailers]
    if not expected and found:  # four lines of text are too many for git; the warning says so
        assert any("git does not see them" in warning.message for warning in read_patches(mail).warnings)
    else:
        assert found == [(key, value) for key, value in expected if not key.startswith("(")]


SUBJECTS = [
    *("[PATCH] x: y", "Re: [PATCH v2 1/2] x: y", "[RFC][PATCH 0/9 v1] x: y", "[f2fs-dev] [PATCH V4 3/3] x: [y] z"),
    *("[linux-lvm] Re: [PATCH] x", "[PATCH 1/7] [v2] x", "[PATCH,v2,3/4] x", "x: [PATCH] y", "re: RE: [a] re: x"),
    *("[PATCH] [media] x", "[[nested] x", "[open x", "  [PATCH]   x   y", "[PATCH] : x", "[PATCH][RESEND] x"),
]


@pytest.mark.parametrize("raw", SUBJECTS)
def test_subjects_are_stripped_as_by_git_mailinfo(repository: Repository, raw: str) -> None:
    said = repository.mailinfo(f"From: A <a@b.example>\nSubject: {raw}\n\nx\n".encode())
    assert read_subject(raw).text == said["Subject"]
