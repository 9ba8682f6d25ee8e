"""The names in the headers of a diff: git's quoting, and the leading component that is no part of the path."""

from __future__ import annotations

import re

NAME_MAX_CHARS = 4096
"""PATH_MAX of Linux; a longer name is damage."""

QUOTES_MAX = 100
"""Of one line, those inside names included."""

NULL = "/dev/null"

_ESCAPE = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_LETTERS = {b"a": 7, b"b": 8, b"f": 12, b"n": 10, b"r": 13, b"t": 9, b"v": 11, b'"': 34, b"\\": 92}
_STAMP = re.compile(
    r"(?<=\S)\s+(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*|\w{3} \w{3} {1,2}\d{1,2} \d\d:\d\d:\d\d.*|\(.{0,80}\))$"
)
_PAIRS = frozenset({("a", "b"), ("i", "w"), ("c", "i"), ("c", "w"), ("o", "w"), ("w", "i"), ("1", "2"), ("b", "a")})
"""What git puts before names, also with diff.mnemonicPrefix; the reverse in `git diff -R`."""


def unquoted(name: str) -> str:
    """Return a name without git's C-style quotation: `"t\\303\\244st"` is `täst`."""
    if len(name) < 2 or name[0] != '"' or name[-1] != '"':
        return name
    raw = name[1:-1].encode("utf-8", "surrogateescape")

    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([_LETTERS[code] if code in _LETTERS else int(code, 8) & 255])

    return _ESCAPE.sub(byte, raw).decode("utf-8", "replace")


def of_line(text: str) -> str:
    """Return the name behind `--- ` or `+++ `: up to a tab, a date or a revision in parentheses."""
    text = text[: NAME_MAX_CHARS + 200].rstrip("\r")
    if text.startswith('"'):
        end = re.match(r'"(?:[^"\\]|\\.)*"', text)
        if end:
            return unquoted(end[0])
    name, tab, _ = text.partition("\t")
    return name.rstrip() if tab else _STAMP.sub("", text).rstrip()


def of_git_line(text: str) -> tuple[str, str] | None:
    """Return both names of a `diff --git` line, None where it cannot be told where the first one ends.

    Names with blanks are not quoted; then both halves have to name the same file, as in git's own reading.
    """
    text = text[: 2 * NAME_MAX_CHARS].rstrip()
    if text.count('"') > QUOTES_MAX:
        return None
    if '"' in text:
        parts = re.findall(r'"(?:[^"\\]|\\.)*"|[^\s"]+', text)
        return (unquoted(parts[0]), unquoted(parts[1])) if len(parts) == 2 else None
    words = text.split(" ")
    if len(words) == 2:
        return words[0], words[1]
    middle = len(text) // 2
    if text[middle : middle + 1] == " ":
        old, new = text[:middle], text[middle + 1 :]
        if old.partition("/")[2] == new.partition("/")[2]:
            return old, new
    return None


def stripped(old: str, new: str) -> tuple[str, str, bool]:
    """Return both names without their leading component, and whether there was one.

    git's own prefixes come off, and those of two trees that stand side by side (`linux.orig/`, `linux/`).
    """
    given = [name for name in (old, new) if name != NULL]
    heads = [name.partition("/") for name in given]
    if not given or not all(slash and rest for _, slash, rest in heads):
        return old, new, False
    firsts = tuple(head for head, _, _ in heads)
    if len(firsts) == 1:
        known = firsts[0] in {"a", "b", "i", "w", "c", "o", "1", "2"}
    else:
        same = heads[0][2] == heads[1][2]
        known = firsts in _PAIRS or (same and firsts[0] != firsts[1])
    if not known:
        return old, new, False
    return _behind(old), _behind(new), True


def _behind(name: str) -> str:
    return name if name == NULL else name.partition("/")[2]
