"""Finds letters in texts that are no mails: patchwork pages, `git show`, Mercurial, archives' pages, bare diffs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from app.domain.patch import FollowUp
from app.ingest.outputs.document import Line
from app.ingest.patches.archives import headed, lore_thread
from app.ingest.patches.headers import moment
from app.ingest.patches.letter import Letter, with_in_body_headers
from app.ingest.patches.remarks import Remarks
from app.ingest.patches.trailers import given_in_reply

_PATCHWORK_ID = re.compile(r"Message ID\s+<?(?P<id>[^\s<>]+@[^\s<>]+)>?")
_PATCHWORK_WHO = re.compile(
    r"(?P<name>.{1,120}?)\s{1,20}(?P<month>[A-Z][a-z]{2,8})\.? (?P<day>\d{1,2}), (?P<year>\d{4}), "
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? (?P<half>[ap])\.m\. UTC(?:\s*\|\s*#\d+)?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_COMMIT = re.compile(r"commit [0-9a-f]{7,64}\b")
_LOG_HEADER = re.compile(r"(Author|AuthorDate|Date|Commit|CommitDate|Merge): +(.*)$")
_MERCURIAL = "# HG changeset patch"
_EMBEDDED = re.compile(r"From: \S.*(?:@|\[email)")


def letters_of(lines: list[Line], remarks: Remarks) -> list[Letter]:
    """Return the letters in a text without mail headers, one at least."""
    page = _patchwork(lines, remarks)
    if page is not None:
        return [page]
    log = _git_log(lines)
    if log:
        return log
    for index, line in enumerate(lines[:50]):
        if line.text.startswith(_MERCURIAL):
            return [_mercurial(lines, index)]
    return lore_thread(lines, remarks) or _with_embedded(headed(lines), remarks)


def _patchwork(lines: list[Line], remarks: Remarks) -> Letter | None:
    """A patchwork page as text: headline, Message ID, Commit Message, Comments, Patch."""
    texts = [line.text.strip() for line in lines]
    message = next((index for index, text in enumerate(texts) if text in ("Commit Message", "Message")), None)
    identity = next((index for index, text in enumerate(texts[: message or 0]) if _PATCHWORK_ID.match(text)), None)
    if message is None or identity is None:
        return None
    found = _PATCHWORK_ID.match(texts[identity])
    assert found is not None
    letter = Letter(lines[0].number, [], is_mail=True, message_id=found["id"])
    for index in range(identity - 1, -1, -1):
        if texts[index].startswith("["):
            letter.subject, letter.subject_line = texts[index], lines[index].number
            break
    else:
        named = [index for index in range(identity) if texts[index] and "mbox" not in texts[index]]
        if named:
            letter.subject, letter.subject_line = texts[named[-1]], lines[named[-1]].number
    comments = next((i for i in range(message, len(texts)) if texts[i] == "Comments"), len(texts))
    patch = next((i for i in range(message, len(texts)) if texts[i] == "Patch" and not _quoted(lines, i)), len(texts))
    begin = message + 1
    while begin < len(texts) and not texts[begin]:
        begin += 1
    if begin < len(texts) and (who := _PATCHWORK_WHO.match(texts[begin])):
        letter.author, letter.date = who["name"], _patchwork_moment(who)
        begin += 1
    letter.lines = lines[begin : min(comments, patch)] + lines[patch + 1 :]
    if patch == len(texts):
        remarks.add(letter.line, "this page shows no patch below its comments")
    letter.follow_ups = tuple(_comments(lines[comments + 1 : patch]))
    return letter


def _quoted(lines: Sequence[Line], index: int) -> bool:
    return lines[index].text[:1] in (">", " ")


def _comments(lines: Sequence[Line]) -> list[FollowUp]:
    sender: str | None = None
    found = []
    for line in lines:
        who = _PATCHWORK_WHO.match(line.text.strip())
        if who is not None and "|" in line.text:
            sender = who["name"]
        for key, value, number in given_in_reply([line]):
            found.append(FollowUp(key=key, value=value, sender=sender, line=number))
    return found


def _patchwork_moment(who: re.Match[str]) -> str | None:
    month = who["month"][:3].lower()
    if month not in _MONTHS:
        return None
    hour = int(who["hour"]) % 12 + (12 if who["half"] == "p" else 0)
    try:
        when = datetime(
            int(who["year"]), _MONTHS.index(month) + 1, int(who["day"]), hour, int(who["minute"] or 0), tzinfo=UTC
        )
    except ValueError:
        return None
    return when.isoformat()


def _git_log(lines: list[Line]) -> list[Letter]:
    """The output of `git show` and `git log -p`: headers, then the message indented by four blanks."""
    starts = [
        index
        for index, line in enumerate(lines)
        if line.text.startswith("commit ")
        and _COMMIT.match(line.text)
        and any(follow.text.startswith("Author: ") for follow in lines[index + 1 : index + 4])
    ]
    letters: list[Letter] = []
    if not starts:
        return letters
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        letter = Letter(lines[start].number, [], is_mail=True, subject_line=lines[start].number)
        at = start + 1
        while at < end and (found := _LOG_HEADER.match(lines[at].text)):
            if found[1] == "Author":
                letter.author = found[2].strip()
            elif found[1] in ("AuthorDate", "Date"):
                letter.date = moment(found[2]) or _git_moment(found[2].strip())
            at += 1
        body = []
        while at < end and (lines[at].text.startswith("    ") or not lines[at].text.strip()):
            body.append(lines[at]._replace(text=lines[at].text.removeprefix("    ")))
            at += 1
        said = next((index for index, line in enumerate(body) if line.text.strip()), None)
        if said is not None:
            letter.subject, letter.subject_line = body[said].text.strip(), body[said].number
            body = body[said + 1 :]
        letter.lines = body + lines[at:end]
        letters.append(letter)
    return letters


def _git_moment(text: str) -> str | None:
    for form in ("%a %b %d %H:%M:%S %Y %z", "%Y-%m-%d %H:%M:%S %z"):
        try:
            return datetime.strptime(text[:60], form).isoformat()
        except ValueError:
            continue
    return None


def _mercurial(lines: list[Line], at: int) -> Letter:
    letter = Letter(lines[at].number, [], is_mail=True)
    index = at + 1
    while index < len(lines) and lines[index].text.startswith("# "):
        key, _, value = lines[index].text[2:].partition(" ")
        if key == "User":
            letter.author = value.strip()
        elif key == "Date" and (stamp := re.match(r"(\d{1,11}) [-+]?\d{1,6}$", value.strip())):
            letter.date = datetime.fromtimestamp(int(stamp[1]), UTC).isoformat()
        index += 1
    while index < len(lines) and not lines[index].text.strip():
        index += 1
    if index < len(lines):
        letter.subject, letter.subject_line = lines[index].text.strip(), lines[index].number
    letter.lines = lines[index + 1 :]
    return letter


def _with_embedded(letter: Letter, remarks: Remarks) -> list[Letter]:
    """A page of a thread may hold further patches: `---`, `From:` and `Subject:` in the middle of a reply."""
    lines = letter.lines
    starts = [
        index + 1
        for index in range(len(lines) - 2)
        if lines[index].text.strip() == "---"
        and _EMBEDDED.match(lines[index + 1].text)
        and lines[index + 2].text.startswith("Subject: ")
    ]
    letters = [letter]
    seen: set[str] = set()
    if not starts:
        return letters
    ends = [*starts[1:], len(lines) + 1]
    letter.lines = lines[: starts[0] - 1]
    for start, end in zip(starts, ends, strict=True):
        subject = lines[start + 1].text
        if subject in seen:
            continue
        seen.add(subject)
        inner = Letter(lines[start].number, lines[start : end - 1], is_mail=True, subject_line=lines[start + 1].number)
        letters.append(with_in_body_headers(inner, remarks))
    return letters
