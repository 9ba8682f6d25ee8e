"""Sizes and durations as people write them in a definition, as integers inside."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgtp]?)(i?)(b?)", re.IGNORECASE)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|m|h|d)?", re.IGNORECASE)
_POWER = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def size_bytes(value: Any) -> int:
    """Return a size in bytes.

    `128GiB` is binary and `128GB` decimal (IEC 80000-13); a bare letter (`128G`) is binary, as in fio and mkfs.
    Raises ValueError for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("a size is a whole number of bytes or text such as 128GiB")
    if isinstance(value, int):
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        raise ValueError(f"{value!r} is not a size; write for example 128GiB, 4k or 1000000")
    number, letter, binary, byte = match.groups()
    base = 1000 if byte and not binary and letter else 1024
    scaled = float(number) * base ** _POWER[letter.lower()]
    if scaled != int(scaled):
        raise ValueError(f"{value!r} is not a whole number of bytes")
    return int(scaled)


def duration_s(value: Any) -> float:
    """Return a duration in seconds; a bare number is seconds. Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("a duration is a number of seconds or text such as 10m")
    if isinstance(value, int | float):
        return float(value)
    match = _DURATION.fullmatch(value.strip())
    if match is None:
        raise ValueError(f"{value!r} is not a duration; write for example 90s, 10m or 2h")
    number, unit = match.groups()
    return float(number) * _SECONDS[(unit or "s").lower()]


SizeBytes = Annotated[int, BeforeValidator(size_bytes)]
DurationS = Annotated[float, BeforeValidator(duration_s)]
