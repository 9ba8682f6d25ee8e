"""fio's I/O log, versions 2 and 3 (iolog.c): files are laid out one behind the other, at megabyte borders.

Version 2 says how long to wait, in microseconds since the wait before it; version 3 has a time on each line, which
fio 3.33 writes in microseconds.
"""

from __future__ import annotations

from app.domain.trace import READ, TRIM, WRITE, Recording, Trace, TraceProblem

VERSIONS = {"fio version 2 iolog": 2, "fio version 3 iolog": 3}
WAYS = {"read": READ, "write": WRITE, "trim": TRIM}
LEFT_OUT = frozenset({"sync", "datasync"})
FILE_ACTIONS = frozenset({"add", "open", "close"})
BORDER_BYTES = 1 << 20
US = 1000


def is_iolog(content: bytes) -> bool:
    """Return whether a file begins as an I/O log does."""
    return content[:40].split(b"\n", 1)[0].decode(errors="replace").strip() in VERSIONS


def read_iolog(content: bytes, most: int) -> Trace:
    """Return the I/Os of a log. Raises TraceProblem naming the line that is cut off, unknown or out of order."""
    text = content.decode(errors="replace")
    lines = text.splitlines()
    version = VERSIONS.get(lines[0].strip() if lines else "")
    if version is None:
        raise TraceProblem("record 1: no I/O log of version 2 or 3 begins here")
    ios: list[tuple[int, int, str, int, int, int]] = []
    reach: dict[str, int] = {}
    clock_ns = 0
    recording = Recording("iolog", most)
    for record, line in enumerate(lines[1:], start=2):
        words = line.split()
        if not words:
            continue
        if version == 3:
            clock_ns = _number(record, words[0], line) * US
            words = words[1:]
        name, action, numbers = _parts(record, words, line)
        if action == "wait" and version == 2:
            clock_ns += (numbers[0] if numbers else 0) * US
        elif action in WAYS:
            if len(numbers) != 2:
                raise TraceProblem(f"record {record}: {action} without an offset and a length: {line!r}")
            reach[name] = max(reach.get(name, 0), sum(numbers))
            ios.append((record, clock_ns, name, WAYS[action], numbers[0], numbers[1]))
        elif action in LEFT_OUT:
            recording.leave_out(action)
        elif action not in FILE_ACTIONS:
            raise TraceProblem(f"record {record}: unknown action {action!r}")
    if not text.endswith("\n") and ios and ios[-1][0] == len(lines):
        raise TraceProblem(f"record {len(lines)}: cut off: the last line has no end")
    begin = _layout(reach)
    for record, time_ns, name, way, offset, size in ios:
        recording.add(record, time_ns, way, begin[name] + offset, size)
    return recording.trace()


def _parts(record: int, words: list[str], line: str) -> tuple[str, str, list[int]]:
    if len(words) < 2:
        raise TraceProblem(f"record {record}: a file and an action are missing: {line!r}")
    return words[0], words[1], [_number(record, word, line) for word in words[2:]]


def _number(record: int, word: str, line: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 18:
        raise TraceProblem(f"record {record}: {word!r} is no number: {line!r}")
    return int(word)


def _layout(reach: dict[str, int]) -> dict[str, int]:
    begin = {}
    end = 0
    for name, size in reach.items():
        begin[name] = end
        end += -(-size // BORDER_BYTES) * BORDER_BYTES
    return begin
