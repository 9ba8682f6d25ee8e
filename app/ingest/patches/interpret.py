"""Turns one letter into a patch, a cover letter or a reply, with git am's rules for where the message ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.patch import DiffStat, FollowUp, Patch, Trailer
from app.ingest.outputs.document import Line
from app.ingest.patches.diff import Diff, read_diff, stated
from app.ingest.patches.headers import person
from app.ingest.patches.letter import Letter, text_of
from app.ingest.patches.remarks import Remarks
from app.ingest.patches.subject import Subject, read_subject
from app.ingest.patches.trailers import given_in_reply, read_trailers, without_colons

_PULL_REQUEST = "vailable in the Git repository at"
"""`git request-pull` writes "are available in the Git repository at:"."""

TEXT_MAX_CHARS = 200_000
"""Of a commit message: a mail that is a log is not shown whole."""

_STAT = re.compile(r"(\d{1,6}) files? changed(?:, (\d{1,8}) insertions?\(\+\))?(?:, (\d{1,8}) deletions?\(-\))?")
_SHORTLOG = re.compile(r"(?P<name>\S[^()\n]{0,80}) \((?P<count>\d{1,4})\):$")
_FLAT_SHORTLOG = re.compile(r"(?P<name>[A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30}){1,3}) \((?P<count>\d{1,3})\): \S")
_KEPT = re.compile(
    r"(?P<key>base-commit|change-id|prerequisite-(?:patch|change|message)-id): *(?P<value>\S{1,200})(?:\s|$)"
)
_CHANGES_SINCE = re.compile(r"\bChanges since v(\d{1,3})\b|\bv(\d{1,3}) ?-> ?v(\d{1,3})\b", re.IGNORECASE)


@dataclass
class Reply:
    """A letter without a patch of its own: the trailers it gives, and what it answers."""

    line: int
    sender: str | None
    answers: tuple[str, ...]
    trailers: list[tuple[str, str, int]]


@dataclass
class Found:
    """One letter, read: the patch or the reply that it is (neither: something else), and where its diffs stand."""

    patch: Patch | None = None
    reply: Reply | None = None
    spans: tuple[tuple[int, int], ...] = ()
    in_reply: bool = False
    quoted: Remarks | None = None
    """What is to be said of a quotation, if it turns out to be the only copy of its patch."""


def interpret(letter: Letter, remarks: Remarks) -> Found:
    """Return what a letter is."""
    subject = read_subject(letter.subject or "")
    end = message_end(letter.lines)
    diff = read_diff(letter.lines, remarks, end)
    spans = tuple(diff.spans)
    if diff.files:
        return Found(_patch(letter, subject, end, diff, remarks), spans=spans, in_reply=subject.is_reply)
    if subject.is_reply:
        sender = letter.author
        return Found(reply=Reply(letter.line, sender, letter.references, given_in_reply(letter.lines)), spans=spans)
    titles, counted = _shortlog(letter, remarks)
    stat = _stat(letter.lines)
    if not subject.is_patch and not (counted and stat):
        return Found(spans=spans)
    if any(_PULL_REQUEST in line.text for line in letter.lines):
        remarks.add(letter.subject_line, "a pull request: its patches are in a repository, not in this mail")
        return Found(spans=spans)
    if not counted and letter.in_reply_to and subject.position != 0 and (given := given_in_reply(letter.lines)):
        return Found(reply=Reply(letter.line, letter.author, letter.references, given), spans=spans)
    if subject.position not in (0, None) and not counted:
        remarks.add(letter.subject_line, "there is no diff in this patch")
    elif subject.position is None and not counted:
        remarks.add(letter.subject_line, "neither a diff nor a list of patches is in this mail")
    patch = _patch(letter, subject, end, diff, remarks)
    is_cover = patch.position == 0 or (patch.position is None and counted)
    if is_cover:
        total = patch.total if patch.total is not None else counted or None
        if counted and total != counted:
            remarks.add(letter.subject_line, f"the subject says {total} patches, the list in the text {counted}")
        end = len(letter.lines) if end < len(letter.lines) and titles else end
        message = _without_signature(letter.lines)
        author = patch.author or (counted and _only_author(letter)) or None
        patch = patch.model_copy(
            update={"position": 0, "total": total, "titles": titles, "message": text_of(message)[:TEXT_MAX_CHARS],
                    "notes": "", "author": author, "trailers": patch.trailers if not titles else ()}
        )  # fmt: skip
    return Found(patch, spans=spans)


def message_end(lines: Sequence[Line]) -> int:
    """Return the index of the line that ends the commit message: three dashes, or what begins a diff, as in git am."""
    for index, line in enumerate(lines):
        text = line.text
        if text[:1] not in ("-", "d", "I", "*", "B", "f", "@", "i"):
            continue
        if text.startswith(("diff -", "Index: ")):
            return index
        if text.startswith("---") and (not text[3:].strip() or (text[3] == " " and not text[4:5].isspace())):
            return index
        if text.startswith("@@ -"):
            return index - 1 if index and stated(lines[index - 1].text.rstrip()) else index
        if text.startswith(("*** ", "Binary files ")):
            return index
    return next((index for index, line in enumerate(lines) if line.text.rstrip() == "--"), len(lines))


def _patch(letter: Letter, subject: Subject, end: int, diff: Diff, remarks: Remarks) -> Patch:
    body: Sequence[Line] = letter.lines[:end]
    if not diff.files and subject.position == 0:
        body = _without_signature(letter.lines)
    elif diff.begins is not None and diff.begins < end:
        body = letter.lines[: diff.begins]
    begins = diff.begins if diff.begins is not None else len(letter.lines)
    notes = letter.lines[end + 1 : begins] if end < begins and letter.lines[end].text.strip() == "---" else []
    trailers = read_trailers(body, remarks)
    if not trailers and letter.author is None:
        trailers = tuple(without_colons(letter.lines, remarks)[:1])
    kept = _kept(letter.lines)
    stat = _stat([*notes, *body] if diff.files else letter.lines)
    if stat is not None and diff.files:
        _check_stat(stat, diff, remarks)
    if len(subject.versions) > 1:
        remarks.add(letter.subject_line, f"the subject names several versions; v{subject.version} is taken")
    return Patch(
        subject=subject.text or None,
        position=subject.position,
        total=subject.total,
        version=_version(letter, subject, remarks),
        prefixes=subject.prefixes,
        message_id=letter.message_id,
        in_reply_to=letter.in_reply_to,
        author=_author(letter, trailers, remarks),
        date=letter.date,
        files=tuple(diff.files),
        trailers=trailers,
        follow_ups=letter.follow_ups,
        stat=stat,
        base_commit=next(iter(kept.get("base-commit", ())), None),
        change_id=next(iter(kept.get("change-id", ())), None),
        prerequisites=tuple(
            value for key, values in kept.items() if key.startswith("prerequisite") for value in values
        ),
        message=text_of(body)[:TEXT_MAX_CHARS],
        notes=text_of(_without_signature(notes))[:TEXT_MAX_CHARS],
        line=letter.line,
        diff="\n".join([*diff.text, ""]) if diff.text else "",
    )


def _version(letter: Letter, subject: Subject, remarks: Remarks) -> int:
    if subject.version is not None:
        return subject.version
    if letter.subject is None:
        for line in letter.lines[:200]:
            if found := _CHANGES_SINCE.search(line.text[:2000]):
                version = int(found[3]) if found[3] else int(found[1]) + 1
                remarks.add(line.number, f"there is no subject; by this line it is taken for version {version}")
                return version
    return 1


def _author(letter: Letter, trailers: Sequence[Trailer], remarks: Remarks) -> str | None:
    signed = [trailer for trailer in trailers if trailer.key.lower() == "signed-off-by"]
    if letter.author is None:
        if signed:
            remarks.add(signed[0].line, "the text names no author; who signed it off first is taken for one")
            return person(signed[0].value)
        return None
    if "@" not in letter.author:
        same = next((person(s.value) for s in signed if s.value.startswith(letter.author)), None)
        return same or letter.author
    return letter.author


def _kept(lines: Sequence[Line]) -> dict[str, list[str]]:
    kept: dict[str, list[str]] = {}
    for line in lines:
        if line.text[:1] in ("b", "c", "p") and (found := _KEPT.match(line.text)):
            kept.setdefault(found["key"], []).append(found["value"])
    return kept


def _stat(lines: Sequence[Line]) -> DiffStat | None:
    """Return the last "N files changed" of some lines."""
    for line in reversed(lines):
        if " changed" in line.text and line.text[:1] not in ("+", "-") and (found := _STAT.search(line.text)):
            return DiffStat(files=int(found[1]), added=int(found[2] or 0), deleted=int(found[3] or 0), line=line.number)
    return None


def _check_stat(stat: DiffStat, diff: Diff, remarks: Remarks) -> None:
    if any(file.status == "combined" or not file.whole for file in diff.files):
        return
    added = sum(file.added or 0 for file in diff.files)
    deleted = sum(file.deleted or 0 for file in diff.files)
    if (stat.files, stat.added, stat.deleted) != (len(diff.files), added, deleted):
        said = f"{stat.files} files, +{stat.added} -{stat.deleted}"
        held = f"{len(diff.files)} files, +{added} -{deleted}"
        remarks.add(stat.line, f"the diffstat says {said}; the diff has {held}")


def _shortlog(letter: Letter, remarks: Remarks) -> tuple[tuple[str, ...], int]:
    """Return the titles that a cover letter lists, and how many patches it says there are."""
    titles: list[str] = []
    counted = 0
    lines = letter.lines
    for index, line in enumerate(lines):
        text = line.text.rstrip()
        if text.endswith("):") and (found := _SHORTLOG.match(text)):
            listed = _titles(lines, index + 1, int(found["count"]))
            if listed:
                titles += listed
                counted += int(found["count"])
        elif len(text) > 300 and (flat := _FLAT_SHORTLOG.search(text)):
            counted += int(flat["count"])
            remarks.add(line.number, "the line ends of this text are lost; the list of patches is not told apart")
    return tuple(titles), counted


def _titles(lines: Sequence[Line], at: int, count: int) -> list[str]:
    titles: list[str] = []
    while at < len(lines) and lines[at].text.startswith("  "):
        text = lines[at].text
        if text.startswith("    ") and titles:
            titles[-1] += " " + text.strip()
        else:
            titles.append(text.strip())
        at += 1
    return titles[:count]


def _only_author(letter: Letter) -> str | None:
    names = [
        found["name"]
        for line in letter.lines
        if (found := _SHORTLOG.match(line.text.rstrip()) or _FLAT_SHORTLOG.search(line.text))
    ]
    return names[0] if len(set(names)) == 1 else None


def _without_signature(lines: Sequence[Line]) -> Sequence[Line]:
    for index in range(len(lines) - 1, -1, -1):
        if lines[index].text in ("-- ", "--"):
            return lines[:index]
    return lines


def follow_ups(reply: Reply) -> tuple[FollowUp, ...]:
    """Return a reply's trailers as the patch it answers keeps them."""
    return tuple(FollowUp(key=key, value=value, sender=reply.sender, line=line) for key, value, line in reply.trailers)
