"""A patch and a series, as they were read out of mails, diffs and pages; what the text does not say is None."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from app.domain.base import Frozen

FileStatus = Literal["modified", "added", "deleted", "renamed", "copied", "mode", "combined"]


class Read(Frozen):
    """What was read out of a text: in answers every key is there, null where the text does not say."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class PatchWarning(Read):
    """An interpretation that could be wrong, or something that is missing, with the line it is about."""

    line: int
    message: str


class Trailer(Read):
    """One `Key: value` line of a message, in the order of the message."""

    key: str
    value: str
    line: int


class FollowUp(Read):
    """A trailer that somebody gave in a reply; `sender` is `Name <address>`."""

    key: str
    value: str
    sender: str | None
    line: int


class FileChange(Read):
    """One file of a diff.

    `added` and `deleted` count lines; None for binary and combined diffs, which have no such count. `old_path` is the
    other name of a renamed or copied file. `whole` is False where hunks are cut, damaged or not in the text.
    """

    path: str
    old_path: str | None = None
    added: int | None
    deleted: int | None
    binary: bool = False
    status: FileStatus = "modified"
    old_mode: str | None = None
    new_mode: str | None = None
    similarity: int | None = None
    whole: bool = True
    line: int


class DiffStat(Read):
    """What a message says of the size of its change: files, lines added, lines deleted."""

    files: int
    added: int
    deleted: int
    line: int


class Patch(Read):
    """One change, or the cover letter of several (position 0).

    `subject` is without its brackets, `author` is `Name <address>`, `date` ISO 8601. `message` is the commit message
    without the subject, `notes` what stands between the three dashes and the diff. `diff` is the change in git's form.
    """

    subject: str | None = None
    position: int | None = None
    total: int | None = None
    version: int = 1
    prefixes: tuple[str, ...] = ()
    message_id: str | None = None
    in_reply_to: str | None = None
    author: str | None = None
    date: str | None = None
    files: tuple[FileChange, ...] = ()
    trailers: tuple[Trailer, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    stat: DiffStat | None = None
    titles: tuple[str, ...] = ()
    base_commit: str | None = None
    change_id: str | None = None
    prerequisites: tuple[str, ...] = ()
    message: str = ""
    notes: str = ""
    line: int = 1
    diff: str = Field(default="", exclude=True, repr=False)

    @property
    def is_cover(self) -> bool:
        """Whether this is the letter before the patches."""
        return self.position == 0

    @property
    def whole(self) -> bool:
        """Whether the diff is complete, so that it may be applied."""
        return bool(self.diff) and all(file.whole for file in self.files)


class Series(Read):
    """An ordered set of patches: the newest version found.

    `order` lists the patches to apply, as indexes into the patches; `missing` the positions that no mail fills.
    """

    version: int = 1
    total: int | None = None
    prefixes: tuple[str, ...] = ()
    subject: str | None = None
    author: str | None = None
    versions: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    base_commit: str | None = None
    change_id: str | None = None
    prerequisites: tuple[str, ...] = ()


class PatchSet(Read):
    """Everything a text holds of patches: the document of `lodestone patch --json`.

    `spans` are the lines (first, last) on which diffs stand, so that no figure is read out of them.
    """

    series: Series = Field(default_factory=Series)
    patches: tuple[Patch, ...] = ()
    warnings: tuple[PatchWarning, ...] = ()
    spans: tuple[tuple[int, int], ...] = Field(default=(), exclude=True)
