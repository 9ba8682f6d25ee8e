"""The values that have a little language of their own: splits, distributions, patterns, steady states.

Each function says what fio 3.33 refuses in one option's text, and what it takes otherwise than written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from app.domain.diagnostic import Severity
from app.ingest.fio_job.number import read_bytes, read_float

Remark = tuple[Severity, str]

MAX_BLOCK_SIZES = 64  # fio's BSSPLIT_MAX
MAX_ZONES = 256  # fio's ZONESPLIT_MAX

_ERRNO_NAMES = frozenset(
    {"EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF", "ECHILD", "EAGAIN", "ENOMEM"}
    | {"EACCES", "EFAULT", "ENOTBLK", "EBUSY", "EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE"}
    | {"EMFILE", "ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE", "EROFS", "EMLINK", "EPIPE", "EDOM", "ERANGE"}
)


Split = tuple[tuple[int, int], ...]


class FormError(ValueError):
    """fio refuses the text."""


def _atoi(text: str) -> int:
    found = re.match(r"\s*[+-]?[0-9]+", text, re.ASCII)
    return int(found[0]) if found else 0


def _directions(text: str) -> tuple[str, str, str]:
    """Return the texts for read, write and trim; what is left out repeats the one before."""
    read, comma, rest = text.strip().partition(",")
    if not comma:
        return read, read, read
    write, comma, trim = rest.partition(",")
    return read, write, trim if comma else write


@lru_cache(maxsize=8)  # read, write and trim mostly have the same text, and it is asked for twice
def _entries(text: str, limit: int, kb_base: int, *, absolute: bool) -> tuple[tuple[int, int | None], ...]:
    entries: list[tuple[int, int | None]] = []
    for entry in text.split(":"):
        if not entry:
            break
        size_text, slash, rest = entry.partition("/")
        size = read_bytes(size_text, kb_base)
        if size is None:
            raise FormError(f"'{size_text}' is not a size")
        if absolute:
            second = read_bytes(rest, kb_base) if slash else None
            if slash and second is None:
                raise FormError(f"'{rest}' is not a size")
            entries.append((size.value, second.value if second else 0))
        else:
            percent = min(_atoi(rest), 100) if slash else 0
            entries.append((size.value, percent if percent > 0 else None))
        if len(entries) > limit:
            raise FormError(f"more than {limit} entries")
    return tuple(entries)


def block_size_split(text: str, kb_base: int = 1024) -> tuple[Split, Split, Split]:
    """Return what `bssplit` asks for: for read, write and trim the block sizes in bytes with their percentages.

    Entries without a percentage share what the others leave. An empty direction keeps its single block size.
    Raises FormError where fio refuses.
    """
    splits = []
    for part in _directions(text):
        entries = _entries(part, MAX_BLOCK_SIZES, kb_base, absolute=False)
        given = sum(percent for _, percent in entries if percent is not None)
        missing = sum(percent is None for _, percent in entries)
        if given > 100 and missing > 1:
            raise FormError("the percentages add to more than 100")
        rest = max(100 - given, 0) // missing if missing else 0
        splits.append(tuple((size, rest if percent is None else percent) for size, percent in entries))
    return splits[0], splits[1], splits[2]


def zone_split(text: str, kb_base: int = 1024) -> tuple[Split, Split, Split]:
    """Return what `random_distribution=zoned:…` asks for: percentages of accesses with the zone they go to.

    The zone is a percentage of the file, or bytes for `zoned_abs`. Raises FormError where fio refuses.
    """
    kind, _, rest = text.strip().partition(":")
    absolute = kind == "zoned_abs"
    splits = []
    for part in _directions(rest):
        entries = _entries(part, MAX_ZONES, kb_base, absolute=absolute)
        accesses = sum(access for access, _ in entries)
        sizes = 0 if absolute else sum(size or 0 for _, size in entries)
        if entries and (accesses != 100 or sizes > 100):
            raise FormError(f"accesses have to add to 100 and sizes to 100 at most, not to {accesses} and {sizes}")
        missing = sum(size is None for _, size in entries)
        left = (100 - sizes) // missing if missing else 0
        splits.append(tuple((access, left if size is None else size) for access, size in entries))
    return splits[0], splits[1], splits[2]


def _bssplit(text: str, kb_base: int) -> list[Remark]:
    remarks: list[Remark] = []
    for direction, split in zip(("read", "write", "trim"), block_size_split(text, kb_base), strict=True):
        total = sum(percent for _, percent in split)
        if split and total > 100 and not remarks:
            remarks.append(("warning", f"the {direction} percentages add to {total}, not to 100"))
    return remarks


def _priority_split(text: str, kb_base: int) -> list[Remark]:
    remarks: list[Remark] = []
    for entry in (entry for part in _directions(text) for entry in part.split(":") if entry):
        fields = entry.split("/")
        if read_bytes(fields[0], kb_base) is None:
            raise FormError(f"'{fields[0]}' is not a size")
        if any(not re.fullmatch(r"\s*[0-9]+\s*", field) for field in fields[1:4] if field) or len(fields) == 3:
            raise FormError(f"'{entry}' is not SIZE/PERCENT or SIZE/PERCENT/CLASS/LEVEL")
        if len(fields) > 4:
            remarks.append(("warning", f"fio 3.33 knows no hint and ignores what follows the level in '{entry}'"))
    return remarks[:1]


def _distribution(text: str, kb_base: int) -> list[Remark]:
    kind, _, rest = text.partition(":")
    if kind.startswith("zoned"):
        if kind not in ("zoned", "zoned_abs") or not rest:
            raise FormError(f"'{text}' is not zoned:ACCESSES/SIZE:…")
        zone_split(text, kb_base)
        return []
    if kind not in ("zipf", "pareto", "normal", "gauss") or not rest:
        return []
    numbers = [read_float(part.strip()) for part in rest.split(":", 1)]
    if any(number is None for number in numbers):
        raise FormError(f"'{rest}' is not a number, or two with a colon between")
    value, *center = [number[0] for number in numbers if number]
    if center and center[0] != -1 and not 0 <= center[0] <= 1:
        raise FormError("the center has to be from 0 to 1")
    if kind == "zipf" and value == 1:
        raise FormError("zipf's theta may not be 1")
    if kind == "pareto" and not 0 < value < 1:
        raise FormError("pareto's parameter has to be between 0 and 1")
    if kind in ("normal", "gauss") and not 0 <= value < 100:
        raise FormError("normal's deviation has to be from 0 to less than 100")
    return []


def _direction(text: str, kb_base: int) -> list[Remark]:
    kind, colon, rest = text.partition(":")
    if not colon:
        return []
    if kind.startswith("rand"):
        if _atoi(rest) < 1:
            return [("warning", f"fio reads '{rest}' as no number of blocks between two random offsets")]
    elif read_bytes(rest.strip(), kb_base) is None:
        raise FormError(f"'{rest}' is not the size of a hole between two blocks")
    return []


def _steady_state(text: str, kb_base: int) -> list[Remark]:
    kind, colon, limit = text.partition(":")
    limit = limit.strip()
    if not colon:
        raise FormError(f"{kind} needs a limit, as in {kind}:1%")
    by_number = "%" in limit or kind.startswith("iops")
    number = read_float(limit.split("%")[0].strip()) if by_number else read_bytes(limit, kb_base)
    if number is None:
        raise FormError(f"'{limit}' is not a limit")
    return []


def _ignored_errors(text: str, _kb_base: int) -> list[Remark]:
    for error in (error for part in text.strip().split(",") for error in part.split(":") if error):
        if error not in _ERRNO_NAMES if error.startswith("E") else not _atoi(error):
            raise FormError(f"'{error}' is no error that fio knows by name; its number will do")
    return []


def _skipped(text: str, _kb_base: int) -> list[Remark]:
    for word in text.strip().split(","):
        if word not in ("read", "write", "trim", "sync"):
            raise FormError(f"'{word}' is not read, write, trim or sync")
    return []


def _processors(text: str, _kb_base: int) -> list[Remark]:
    if re.fullmatch(r"\s*[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*,?\s*", text):
        return []
    return [
        ("warning", f"'{text.strip()}' is not a list of processors such as 0-3,8; fio reads what is no number as 0")
    ]


def _memory_policy(text: str, _kb_base: int) -> list[Remark]:
    policy, colon, nodes = text.partition(":")
    if policy not in ("default", "prefer", "bind", "interleave", "local"):
        raise FormError("the policy has to be default, prefer, bind, interleave or local")
    if policy in ("default", "local") and colon:
        raise FormError(f"{policy} takes no nodes")
    if (policy == "prefer" and not re.fullmatch(r"[0-9]*", nodes)) or (policy in ("prefer", "bind") and not colon):
        raise FormError(f"{policy} needs {'one node' if policy == 'prefer' else 'nodes'}, as in {policy}:0")
    return []


def _pattern(text: str, _kb_base: int, formats: str = "") -> list[Remark]:
    piece = rf"\"[^\"]*\"|'[^']*'|0[xX][0-9a-fA-F]+|-?[0-9]+{formats}"
    if not re.fullmatch(rf"(?:{piece})+", text.strip()):
        raise FormError(f"'{text.strip()}' is not made of 0x…, numbers and \"text\"")
    return []


def _verify_pattern(text: str, kb_base: int) -> list[Remark]:
    return _pattern(text, kb_base, "|%o")


_FORMS: dict[str, Callable[[str, int], list[Remark]]] = {
    "bssplit": _bssplit,
    "cmdprio_bssplit": _priority_split,
    "random_distribution": _distribution,
    "file_service_type": _distribution,
    "rw": _direction,
    "steadystate": _steady_state,
    "ignore_error": _ignored_errors,
    "replay_skip": _skipped,
    "cpus_allowed": _processors,
    "verify_cpus_allowed": _processors,
    "log_compression_cpus": _processors,
    "numa_mem_policy": _memory_policy,
    "verify_pattern": _verify_pattern,
    "buffer_pattern": _pattern,
}


def splits(name: str, text: str, kb_base: int) -> tuple[Split, ...]:
    """Return the mix that an option's text asks for, empty when it asks for none or fio refuses it."""
    try:
        if name == "bssplit":
            return block_size_split(text, kb_base)
        if name == "random_distribution" and text.startswith("zoned"):
            return zone_split(text, kb_base)
    except FormError:
        pass
    return ()


def examine(name: str, text: str, kb_base: int) -> list[Remark]:
    """Return what there is to say about an option's text; an option without such a language gives nothing."""
    form = _FORMS.get(name)
    if form is None:
        return []
    try:
        return form(text, kb_base)
    except FormError as error:
        return [("error", f"{name}: {error}")]
