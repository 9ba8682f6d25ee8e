"""`lodestone patch` prints what a file holds, as text and as JSON, and names what is wrong in one line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from app.cli.main import main

MAIL = """\
From: Maud Erling <maud@erling.example>
Subject: [PATCH v2 1/2] slate: one more line
Message-Id: <1@erling.example>

Because.
---
diff --git a/fs/slate.c b/fs/slate.c
--- a/fs/slate.c
+++ b/fs/slate.c
@@ -1 +1,2 @@
 one
+two
"""


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    path = tmp_path / "a.eml"
    path.write_text(MAIL)
    return path


def test_json_has_series_patches_and_warnings(mail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["patch", str(mail), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == 1
    assert (found["series"]["version"], found["series"]["total"], found["series"]["missing"]) == (2, 2, [2])
    assert (
        found["patches"][0]["files"][0] | {"path": "fs/slate.c", "added": 1, "deleted": 0}
        == found["patches"][0]["files"][0]
    )
    assert found["warnings"][0]["message"] == "of 2 patches, 2 is not here"


def test_text_names_the_files_and_the_warnings_their_lines(mail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["patch", str(mail)]) == 0
    printed = capsys.readouterr()
    assert "+1 -0  fs/slate.c" in printed.out
    assert printed.err == f"{mail}:1: warning: of 2 patches, 2 is not here\n"


def test_two_versions_are_compared(mail: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    older = tmp_path / "older.eml"
    more = MAIL.replace("+1,2 @@", "+1,9 @@") + "".join(f"+line {number}\n" for number in range(7))
    mail.write_text(more)
    older.write_text(more.replace("v2 ", "").replace("+two", "+zwei"))
    assert main(["patch", str(mail), "--range-diff", str(older)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("1: ! 1:  slate: one more line\n")
    assert "    -+zwei\n    ++two\n" in printed


@pytest.mark.parametrize(("content", "words"), [("no patch here\n", "no patch was found"), (None, "No such file")])
def test_bad_input_is_status_2_and_one_line(
    content: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.txt"
    if content is not None:
        path.write_text(content)
    assert main(["patch", str(path), "--json"]) == 2
    printed = capsys.readouterr().err
    assert words in printed
    assert str(path) in printed
    assert printed.count("\n") == 1


def test_import_lists_the_patches_of_a_mail_with_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = "Before:\n  write: IOPS=1000, BW=4000KiB/s (4096kB/s)(39.1MiB/10001msec)\nAfter:\n  write: IOPS=2000, BW=8000KiB/s (8192kB/s)(78.1MiB/10001msec)\n"
    path = tmp_path / "a.eml"
    hunk = "+  write: IOPS=7777, BW=4000KiB/s (4096kB/s)(39.1MiB/10001msec)"
    path.write_text(MAIL.replace("Because.\n", f"{figures}\n").replace("+two", hunk))
    assert main(["import", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [patch["subject"] for patch in found["patches"]] == ["slate: one more line"]
    assert {row["value"] for row in found["results"] if row["metric"] == "write.iops"} == {1000, 2000}


@pytest.mark.parametrize(
    ("locator", "words"),
    [
        ("https://example.org/1@x/", "alone"),
        ("http://lore.kernel.org/all/1@x/", "https"),
        ("<1@erling.example>", "PATCH_HOSTS"),
    ],
)
def test_a_locator_that_cannot_be_followed_is_status_2(
    locator: str, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "PATCH_HOSTS" in words:
        monkeypatch.setenv("LODESTONE_PATCH_HOSTS", "")
    assert main(["patch", locator]) == 2
    assert words in capsys.readouterr().err


def test_a_compressed_mbox_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.mbox.gz"
    path.write_bytes(gzip.compress(MAIL.encode()) + gzip.compress(b"\n"))
    assert main(["patch", str(path)]) == 0
    assert "fs/slate.c" in capsys.readouterr().out
    path.write_bytes(gzip.compress(MAIL.encode())[:-9])
    assert main(["patch", str(path)]) == 2
    assert "cut off" in capsys.readouterr().err
