"""One change as text, and what the tests of the patch reader ask of its reading."""

from __future__ import annotations

from app.domain.patch import Patch, PatchSet
from app.ingest.patches import read_patches

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
ONE = [("fs/slate/inode.c", 2, 1)]
"""Its files with the lines added and deleted."""


def only(content: str | bytes) -> Patch:
    (patch,) = read_patches(content).patches
    return patch


def counted(patch: Patch) -> list[tuple[str, int | None, int | None]]:
    return [(file.path, file.added, file.deleted) for file in patch.files]


def said(found: PatchSet, words: str) -> list[int]:
    return [warning.line for warning in found.warnings if words in warning.message]


def mbox(*mails: tuple[str, str]) -> str:
    """Mails of one change each: subject and name of the file."""
    return "".join(
        f"From m@x Tue Mar  5 10:20:30 2024\nFrom: m@x.example\nSubject: {subject}\nMessage-Id: <{number}@x>\n\n"
        f"---\n{DIFF.replace('inode.c', name)}\n"
        for number, (subject, name) in enumerate(mails)
    )
