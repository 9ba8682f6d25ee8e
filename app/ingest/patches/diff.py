"""Finds the files of a diff: unified, git's, combined, binary, context, and what pages and archives leave of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.domain.patch import FileChange, FileStatus
from app.ingest.outputs.document import Line
from app.ingest.patches import names
from app.ingest.patches.hunks import HEADER, Hunk, read_hunk
from app.ingest.patches.remarks import Remarks

FILES_MAX = 20_000
"""Of one text; the largest treewide changes touch some thousands."""

BEGINS = re.compile(r"diff --git |diff --cc |diff --combined |Index: \S|--- \S|\*\*\* \S|Binary files ")
"""Lines that may begin a file of a diff."""

_STATED = re.compile(r"(?P<path>\S{1,300}) \+(?P<added>\d{1,7}) -(?P<deleted>\d{1,7})$")
_PATH = re.compile(r".*/(?:[^/]*\.[^/]+|[A-Z]\w*)$")
_UNSHOWN = re.compile(r"\d+ lines? not on this page")
_BINARY_BEGINS, _BINARY_ENDS = "Binary files ", " differ"
_COMBINED = re.compile(r"diff --(?:cc|combined) (?P<path>.+)$")
_COMBINED_HUNK = re.compile(r"@@@+ -\d")
_ENDS_HEADERS = re.compile(rf"{BEGINS.pattern}|@@@|--$")
_EXTENDED = re.compile(
    r"(?P<key>old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to"
    r"|similarity index|dissimilarity index|index) (?P<value>.*)$"
)
_TEST_OUTPUT = re.compile(r"\.out(?:\.bad)?$|/dev/fd/\d+$")


@dataclass
class _File:
    """A file while its headers and hunks are read."""

    line: int
    start: int
    old: str = names.NULL
    new: str = names.NULL
    status: FileStatus = "modified"
    old_mode: str | None = None
    new_mode: str | None = None
    similarity: int | None = None
    binary: bool = False
    added: int | None = 0
    deleted: int | None = 0
    whole: bool = True
    header: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    prefixed: bool = True

    def change(self) -> FileChange:
        """Return the file as the domain has it."""
        path = self.old if self.new == names.NULL else self.new
        moved = self.status in ("renamed", "copied")
        uncounted = self.binary or self.status == "combined"
        return FileChange(
            path=path[: names.NAME_MAX_CHARS],
            old_path=self.old[: names.NAME_MAX_CHARS] if moved else None,
            added=None if uncounted else self.added,
            deleted=None if uncounted else self.deleted,
            binary=self.binary,
            status=self.status,
            old_mode=self.old_mode,
            new_mode=self.new_mode,
            similarity=self.similarity,
            whole=self.whole,
            line=self.line,
        )


@dataclass
class Diff:
    """The files of a diff, its text in git's form, the lines it stands on, and the index where it begins."""

    files: list[FileChange] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    begins: int | None = None
    damages: int = 0


def stated(text: str) -> re.Match[str] | None:
    """Return what an archive's page writes over a file's hunks, `path +6 -1`; None for other lines."""
    found = _STATED.match(text)
    return found if found is not None and _PATH.match(found["path"]) else None


def read_diff(lines: Sequence[Line], remarks: Remarks, start: int = 0) -> Diff:
    """Read every file of a diff in some lines from an index on; what is no diff is passed over.

    Damage is a warning at the line of its hunk; counts are then those of the lines that are there.
    """
    reader = _Reader(lines, remarks)
    at = start
    while at < len(lines) and len(reader.diff.files) < FILES_MAX:
        after = reader.file_at(at)
        if after is None and lines[at].text.startswith("@@ -"):
            after = reader.orphan(at)
        at = after if after is not None else at + 1
    return reader.diff


class _Reader:
    def __init__(self, lines: Sequence[Line], remarks: Remarks) -> None:
        self.lines, self.remarks, self.diff = lines, remarks, Diff()

    def text(self, at: int) -> str:
        """Return a line without what trails it, empty beyond the end."""
        return self.lines[at].text.rstrip() if at < len(self.lines) else ""

    def file_at(self, at: int) -> int | None:
        """Read the file that begins at an index and return the index after it, None where none begins."""
        text = self.text(at)
        if text.startswith("diff --git "):
            return self._git(at)
        if found := _COMBINED.match(text):
            return self._combined(at, found["path"])
        if text.startswith("--- ") and self.text(at + 1).startswith("+++ ") and self._hunk_follows(at + 2):
            return self._plain(at)
        if text.startswith("*** ") and self.text(at + 1).startswith("--- ") and self.text(at + 2).startswith("*****"):
            return self._context(at)
        if text.startswith(_BINARY_BEGINS) and text.endswith(_BINARY_ENDS):
            return self._binary(at)
        if (found := stated(text)) and self._shown_flat(at + 1):
            return self._flattened(at, found)
        return None

    def _hunk_follows(self, at: int) -> bool:
        return HEADER.match(self.text(at)) is not None or _COMBINED_HUNK.match(self.text(at)) is not None

    def _shown_flat(self, at: int) -> bool:
        text = self.text(at)
        return text.startswith("@@ -") or _UNSHOWN.match(text) is not None

    def _git(self, at: int) -> int:
        file = _File(self.lines[at].number, at)
        pair = names.of_git_line(self.text(at).removeprefix("diff --git "))
        if pair is not None:
            file.old, file.new, file.prefixed = names.stripped(*pair)
        index = at + 1
        moved_from = moved_to = None
        while found := _EXTENDED.match(self.text(index)):
            key, value = found["key"], found["value"].strip()
            if key in ("copy from", "rename from"):
                moved_from = names.unquoted(value)
                file.status = "copied" if key == "copy from" else "renamed"
            elif key in ("copy to", "rename to"):
                moved_to = names.unquoted(value)
            else:
                _extend(file, key, value)
            file.header.append(self.text(index))
            index += 1
        if moved_from and moved_to:
            file.old, file.new = moved_from, moved_to
        if self.text(index).startswith("--- ") and self.text(index + 1).startswith("+++ "):
            old, new = names.of_line(self.text(index)[4:]), names.of_line(self.text(index + 1)[4:])
            if not moved_from:
                file.old, file.new, file.prefixed = names.stripped(old, new)
            index += 2
            return self._hunks(file, index)
        if pair is None and not moved_from:
            self.remarks.add(file.line, "the names in this line cannot be told apart; the file is left out")
            return index
        if self.text(index) == "GIT binary patch":
            return self._git_binary(file, index + 1)
        if self.text(index).startswith(_BINARY_BEGINS) and self.text(index).endswith(_BINARY_ENDS):
            file.binary, file.whole = True, False
            self.remarks.add(self.lines[index].number, "a binary file whose content is not in the patch")
            index += 1
        return self._finish(file, index)

    def _binary(self, at: int) -> int:
        """What diff says of files that it cannot show, outside git's headers."""
        old, _, new = self.text(at)[len(_BINARY_BEGINS) : -len(_BINARY_ENDS)].partition(" and ")
        file = _File(self.lines[at].number, at, binary=True, whole=False)
        file.old, file.new, file.prefixed = names.stripped(old, new or old)
        return self._finish(file, at + 1)

    def _git_binary(self, file: _File, index: int) -> int:
        """Skip the base85 lines of `literal` and `delta`, each block up to a blank line."""
        file.binary = True
        file.text.append("GIT binary patch")
        blocks = 0
        while blocks < 2 and re.match(r"(?:literal|delta) \d+$", self.text(index)):
            while self.text(index):
                file.text.append(self.text(index))
                index += 1
            file.text.append("")
            blocks += 1
            index += 1
        if not blocks:
            file.whole = False
            self.remarks.add(file.line, "the content of this binary file is cut off")
        return self._finish(file, index)

    def _plain(self, at: int) -> int:
        file = _File(self.lines[at].number, at)
        old, new = names.of_line(self.text(at)[4:]), names.of_line(self.text(at + 1)[4:])
        if _TEST_OUTPUT.search(old) or _TEST_OUTPUT.search(new):
            self.remarks.add(file.line, "this is a difference of a test's output, not a patch")
            end = at + 2
            while (hunk := self._hunk(end)) is not None:
                end = hunk.end
            self.diff.spans.append((self.lines[at].number, self.lines[end - 1].number))
            return end
        file.old, file.new, file.prefixed = names.stripped(old, new)
        if _COMBINED_HUNK.match(self.text(at + 2)):
            return self._combined(at, file.old if new == names.NULL else file.new)
        if not file.prefixed and names.NULL not in (old, new) and file.old != file.new:
            file.old = file.new
        return self._hunks(file, at + 2)

    def _hunk(self, at: int) -> Hunk | None:
        return read_hunk(self.lines, at) if at < len(self.lines) else None

    def _hunks(self, file: _File, index: int) -> int:
        added = deleted = 0
        while (hunk := self._hunk(index)) is not None:
            added += hunk.added
            deleted += hunk.deleted
            file.text += hunk.lines
            if message := hunk.damage or hunk.repaired:
                self.remarks.add(self.lines[index].number, message)
                self.diff.damages += 1
                file.whole = file.whole and hunk.damage is None
            index = hunk.end
            while index < len(self.lines) and not self.text(index) and self._hunk_follows(index + 1):
                index += 1  # some mailers put blank lines between hunks
        file.added, file.deleted = added, deleted
        if self.text(index).startswith("@@ -"):
            self.remarks.add(self.lines[index].number, "the header of this hunk cannot be read; the hunk is left out")
            file.whole = False
        self._tell_surplus(index)
        return self._finish(file, index)

    def _tell_surplus(self, index: int) -> None:
        text = self.text(index)
        if text[:1] in ("+", "-") and len(text) > 1 and not text.startswith(("--", "+++ ")) and text[1] != " ":
            self.remarks.add(self.lines[index].number, "the hunk before this line says that it ends here; not read")

    def _combined(self, at: int, path: str) -> int:
        file = _File(self.lines[at].number, at, status="combined", whole=False)
        file.old = file.new = names.unquoted(path)
        self.remarks.add(file.line, f"{path[:200]}: a combined diff of a merge; it is listed, and cannot be applied")
        index = at + 1
        while index < len(self.lines) and not _ENDS_HEADERS.match(self.text(index)):
            index += 1
        if self.text(index).startswith("--- "):
            index += 2
        while index < len(self.lines) and (
            _COMBINED_HUNK.match(self.text(index)) or self.lines[index].text[:1] in (" ", "+", "-")
        ):
            if self.text(index) == "--":
                break
            index += 1
        return self._finish(file, index)

    def _context(self, at: int) -> int:
        file = _File(self.lines[at].number, at, whole=False)
        old, new = names.of_line(self.text(at)[4:]), names.of_line(self.text(at + 1)[4:])
        file.old, file.new, file.prefixed = names.stripped(old, new)
        file.added = file.deleted = None
        self.remarks.add(file.line, "a context diff (diff -c): listed without counts; send it as diff -u")
        index = at + 3
        while index < len(self.lines) and (self.text(index)[:2] in ("! ", "+ ", "- ", "  ", "**", "--", "") or
                                           self.lines[index].text.startswith("  ")):  # fmt: skip
            if self.text(index).startswith("*** ") and self.text(index + 1).startswith("--- "):
                break
            index += 1
        return self._finish(file, index)

    def _flattened(self, at: int, stated: re.Match[str]) -> int:
        """An archive's page gives `path +6 -1` and hunks whose line ends are lost."""
        file = _File(self.lines[at].number, at, whole=False)
        file.old = file.new = stated["path"]
        file.added, file.deleted = int(stated["added"]), int(stated["deleted"])
        self.remarks.add(file.line, f"{stated['path']}: the lines of its hunks are lost; the counts are those stated")
        index = at + 1
        while self._shown_flat(index):
            index += 1
        return self._finish(file, index)

    def orphan(self, at: int) -> int | None:
        """Pass over a hunk that belongs to no file."""
        hunk = self._hunk(at)
        if hunk is None:
            return None
        if hunk.damage is None:
            self.remarks.add(self.lines[at].number, "a hunk without a file name above it; not read")
        self.diff.spans.append((self.lines[at].number, self.lines[hunk.end - 1].number))
        return hunk.end

    def _finish(self, file: _File, end: int) -> int:
        if not file.prefixed and file.new != file.old != names.NULL and file.new != names.NULL:
            file.status = "renamed" if file.status == "modified" else file.status
        if not file.prefixed and names.NULL not in (file.old, file.new) and "/" in file.new:
            self.remarks.add(file.line, "the names have no a/ and b/ before them; they are taken as they stand")
        _settle_status(file)
        end = min(end, len(self.lines))
        self.diff.files.append(file.change())
        self.diff.text += _written(file)
        begin = file.start
        if begin and self.text(begin - 1).startswith("====") and self.text(begin - 2).startswith("Index: "):
            begin -= 2
        if self.diff.begins is None:
            self.diff.begins = begin
        self.diff.spans.append((self.lines[begin].number, self.lines[max(end, begin + 1) - 1].number))
        return max(end, file.start + 1)


def _extend(file: _File, key: str, value: str) -> None:
    if key in ("old mode", "new mode"):
        setattr(file, key.replace(" ", "_"), value)
    elif key == "deleted file mode":
        file.status, file.old_mode = "deleted", value
    elif key == "new file mode":
        file.status, file.new_mode = "added", value
    elif key == "similarity index" and value.rstrip("%").isdigit() and len(value) < 5:
        file.similarity = int(value.rstrip("%"))


def _settle_status(file: _File) -> None:
    if file.status == "modified":
        if file.old == names.NULL:
            file.status = "added"
        elif file.new == names.NULL:
            file.status = "deleted"
        elif file.old_mode and file.new_mode and not file.text and not file.binary:
            file.status = "mode"
    if file.status == "added" and file.new == names.NULL:
        file.new = file.old


def _written(file: _File) -> list[str]:
    """Return the file's diff in git's form, empty where its lines are lost."""
    if file.status == "combined" or not (file.text or file.header):
        return []
    old = file.new if file.old == names.NULL else file.old
    new = file.old if file.new == names.NULL else file.new
    lines = [f"diff --git {_quoted('a/' + old)} {_quoted('b/' + new)}", *file.header]
    if not file.header and file.status in ("added", "deleted"):
        lines.append(f"{'new' if file.status == 'added' else 'deleted'} file mode 100644")
    if file.text and not file.binary:
        lines.append(f"--- {names.NULL if file.status == 'added' else _quoted('a/' + old)}")
        lines.append(f"+++ {names.NULL if file.status == 'deleted' else _quoted('b/' + new)}")
    return [*lines, *file.text]


def _quoted(name: str) -> str:
    if not any(sign in name for sign in '"\\\t\n'):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n") + '"'
