"""Real repositories for the tests of the patch reader, and the mails that the real git makes of them."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Maud Erling",
    "GIT_AUTHOR_EMAIL": "maud@erling.example",
    "GIT_COMMITTER_NAME": "Tor Vance",
    "GIT_COMMITTER_EMAIL": "tor@vance.example",
    "GIT_AUTHOR_DATE": "2024-03-05T10:20:30+01:00",
    "GIT_COMMITTER_DATE": "2024-03-05T10:20:30+01:00",
}

WORDS = ("extent", "inode", "journal", "bitmap", "delalloc", "cluster", "folio", "iomap", "truncate", "quota")


class Repository:
    """A git repository in a directory of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "diff.renames", "copies")

    def git(self, *arguments: str, data: bytes | None = None, **environment: str) -> str:
        """Run git and return what it prints."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**ENVIRONMENT, **environment},
            input=data,
            capture_output=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file of the work tree."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, message: str, **environment: str) -> str:
        """Commit everything and return the commit's name."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-F", "-", data=message.encode(), **environment)
        return self.git("rev-parse", "HEAD").strip()

    def mails(self, *options: str, since: str = "base") -> bytes:
        """Return the mbox that git format-patch makes of what came after a commit."""
        text = self.git("format-patch", "--stdout", *options, since)
        return text.encode("utf-8", "surrogateescape")

    def numstat(self, patch: str, strip: int = 1) -> dict[str, tuple[int | None, int | None]]:
        """Return what `git apply --numstat` counts in a diff: path to (added, deleted), None for binary."""
        printed = self.git("apply", f"-p{strip}", "--numstat", "-z", data=patch.encode("utf-8", "surrogateescape"))
        counts: dict[str, tuple[int | None, int | None]] = {}
        parts = printed.split("\0")
        while len(parts) > 1:
            added, deleted, name = parts.pop(0).split("\t", 2)
            if not name:  # a rename: the old and the new name follow
                parts.pop(0)
                name = parts.pop(0)
            counts[name] = (None, None) if added == "-" else (int(added), int(deleted))
        return counts

    def mailinfo(self, mail: bytes) -> dict[str, str]:
        """Return what `git mailinfo` reads: author, email, subject, date, message, patch."""
        message, patch = self.path / ".git/said", self.path / ".git/held"
        said = self.git("mailinfo", "-u", str(message), str(patch), data=mail)
        found = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
        return {**found, "message": message.read_text(), "patch": patch.read_text(errors="surrogateescape")}


def source(seed: int, lines: int = 60) -> str:
    """Return a file that looks like a program and differs from every other one."""
    chance = random.Random(seed)
    return "".join(
        f"{'	' * chance.randrange(3)}{chance.choice(WORDS)}_{chance.choice(WORDS)}({chance.randrange(999)});\n"
        for _ in range(lines)
    )


def sample_series(path: Path) -> Repository:
    """A repository with six patches after the tag `base`: text, a rename, modes, binary, odd names, a deletion."""
    made = Repository(path)
    made.write("fs/slate/inode.c", source(1))
    made.write("fs/slate/super.c", source(2))
    made.write("fs/slate/old_name.h", source(3))
    made.write("tools/run.sh", "#!/bin/sh\necho slate\n")
    made.write("doc/notes.txt", "one\ntwo\nthree")
    made.commit("begin")
    made.git("tag", "base")
    lines = source(1).splitlines(keepends=True)
    lines[10:12] = ["\tfolio_wait_stable(folio);\n"]
    lines[40] = "-- a line that begins like a signature\n"
    lines.insert(50, "\n")
    made.write("fs/slate/inode.c", "".join(lines))
    made.commit(
        "slate: wait for stable folios\n\nOld ones were not waited for.\n\nSigned-off-by: Maud Erling <maud@erling.example>"
    )
    (made.path / "fs/slate/old_name.h").rename(made.path / "fs/slate/new_name.h")
    made.write("fs/slate/super.c", source(2) + "\tone_more(1);\n")
    made.commit(
        'slate: a better name\n\nFixes: 123456789abc ("slate: begin")\nReviewed-by: Tor Vance <tor@vance.example>\nSigned-off-by: Maud Erling <maud@erling.example>'
    )
    (made.path / "tools/run.sh").chmod(0o755)
    made.write("doc/notes.txt", "one\ntwo\nthree\n")
    made.commit(
        "slate: [odd] brackets stay inside\n\n--- is no separator here\nbut this is text\n\nCc: stable@erling.example"
    )
    made.write("image.bin", bytes(random.Random(4).randbytes(900)))
    made.write("empty", "")
    made.commit("slate: an image")
    made.write('doc/tä st\t"x".txt', "a\n")
    made.write("doc/with blank.txt", "b\n")
    made.commit("slate: names that git quotes", GIT_AUTHOR_NAME="Ægir Ström-Łukasz, Jr.")
    (made.path / "fs/slate/super.c").unlink()
    made.write("image.bin", bytes(random.Random(5).randbytes(700)))
    made.commit("slate: drop the super block\n\nNobody needs it.")
    return made
