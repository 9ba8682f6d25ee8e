"""Typed arrays that compiled code sees as memoryviews and interpreted code indexes as plain ints."""

from array import array
from collections.abc import Iterable


def longs(count: int, value: int = 0) -> "array[int]":
    """Return `count` signed 64-bit integers, all `value`."""
    return array("q", [value]) * count


def longs_of(values: Iterable[int]) -> "array[int]":
    """Return the signed 64-bit integers given."""
    return array("q", values)


def unsigned_longs_of(values: Iterable[int]) -> "array[int]":
    """Return the unsigned 64-bit integers given."""
    return array("Q", values)


def ints(count: int, value: int = 0) -> "array[int]":
    """Return `count` signed 32-bit integers, all `value`."""
    return array("i", [value]) * count


def ints_of(content: bytes) -> "array[int]":
    """Return the signed 32-bit integers that lie in memory as `content`."""
    return array("i", content)
