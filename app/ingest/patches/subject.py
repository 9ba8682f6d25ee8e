"""Takes a subject line apart: what git am strips, and what the brackets say of version and position."""

from __future__ import annotations

import re
from typing import NamedTuple

SUBJECT_MAX_CHARS = 1000
"""A longer subject is damage; git's own are below 200."""

_REPLY = re.compile(r"(?:re|aw|sv|antw|fwd?|wg)\s*(?:\[\d+\])?:\s*", re.IGNORECASE)
_POSITION = re.compile(r"(\d{1,4})\s*/\s*(\d{1,4})$")
_VERSION = re.compile(r"(?P<word>[a-z]*?)[-_.]?v(?P<major>\d{1,4})(?:\.\d{1,4})?$", re.IGNORECASE)
_SPACED = re.compile(r"(?<=\d)(?:\s*/\s*| of )(?=\d)")
"""`2/ 3` is typed by hand, `2 of 3` written by Mercurial."""

_TELLING = re.compile(r"^(?:RFC|RFT|PATCH(?:ES)?|RESEND|RFC-?PATCH)$", re.IGNORECASE)
_BARE = re.compile(r"(?:RFC |RESEND )?PATCH(?:[ -]?v\d{1,3})? +\d{1,4}/\d{1,4}(?: +v\d{1,3})?:? +", re.IGNORECASE)


class Subject(NamedTuple):
    """A subject without its brackets, and what they said.

    `version` and `position` are None where nothing says so. `prefixes` are the words in the brackets apart from those,
    as written. `is_reply` for `Re:`; `is_patch` when the brackets say that a patch or its cover letter follows.
    """

    text: str
    version: int | None
    position: int | None
    total: int | None
    prefixes: tuple[str, ...]
    is_reply: bool
    is_patch: bool
    versions: tuple[int, ...]


def read_subject(raw: str) -> Subject:
    """Read a subject as `git am` does: every leading bracket, `Re:` and colon goes.

    Versions are read from `v2`, `PATCHv2`, `RFCv5` and `[PATCH 1/7] [v2]`; where two are given, the last counts.
    """
    rest = " ".join(raw[:SUBJECT_MAX_CHARS].split())
    brackets: list[str] = []
    is_reply = False
    while rest:
        if found := _REPLY.match(rest):
            is_reply = is_reply or rest[:1].lower() != "f"
            rest = rest[found.end() :]
        elif rest[0] in " \t:":
            rest = rest[1:]
        elif rest[0] == "[" and "]" in rest:
            inside, _, rest = rest[1:].partition("]")
            brackets.append(inside)
        else:
            break
    bare = _BARE.match(rest) if not brackets else None
    if bare is not None:  # archives' pages show the subject without its brackets
        brackets.append(bare[0].rstrip(" :"))
        rest = rest[bare.end() :]
    return _with(rest.strip(), brackets, is_reply)


def _with(text: str, brackets: list[str], is_reply: bool) -> Subject:
    versions: list[int] = []
    position = total = None
    prefixes: list[str] = []
    for inside in brackets:
        for word in re.split(r"[\s,;:()]+", _SPACED.sub("/", inside)):
            if not word:
                continue
            glued = _glued(word)
            for part in glued:
                if found := _POSITION.match(part):
                    position, total = int(found[1]), int(found[2])
                elif (found := _VERSION.match(part)) and _is_version(found):
                    versions.append(int(found["major"]))
                    prefixes += [found["word"]] if found["word"] else []
                else:
                    prefixes.append(part)
    distinct = tuple(dict.fromkeys(prefixes))
    telling = any(_TELLING.match(word) for word in distinct) or position is not None
    version = versions[-1] if versions else None
    return Subject(
        text, version, position, total, distinct, is_reply, telling and bool(brackets), tuple(dict.fromkeys(versions))
    )


def _glued(word: str) -> list[str]:
    """`PATCHv2-1/3` and `PATCH1/3` are written too."""
    found = re.match(r"(?P<head>[A-Za-z]\S*?)[-_]?(?P<tail>\d{1,4}/\d{1,4})$", word)
    if found is None:
        return [word]
    head, tail = found["head"], found["tail"]
    if version := re.match(r"(.*v\d{1,2})$", head, re.IGNORECASE):
        return [version[1], tail]
    return [head, tail]


def _is_version(found: re.Match[str]) -> bool:
    """`v2`, `PATCHv2` and `RFCv5` are versions; `ipv6` and `v4l2` are not."""
    return not found["word"] or bool(_TELLING.match(found["word"]))
