"""Sizes and durations mean what storage people mean by them."""

from __future__ import annotations

import pytest

from app.domain.quantity import duration_s, size_bytes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("128GiB", 128 << 30),
        ("128GB", 128 * 10**9),
        ("4k", 4096),
        ("4K", 4096),
        ("1.5m", 3 << 19),
        ("512", 512),
        (512, 512),
        ("1 TiB", 1 << 40),
        ("7b", 7),
    ],
)
def test_sizes(text: str | int, expected: int) -> None:
    assert size_bytes(text) == expected


@pytest.mark.parametrize("text", ["", "GiB", "1.3", "-4k", "4 kk", True, 1.5, None, "0x10", "1e9"])
def test_what_is_no_size_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match=r"size|bytes"):
        size_bytes(text)


@pytest.mark.parametrize(("text", "expected"), [("10m", 600), ("90s", 90), ("1.5h", 5400), (3, 3), ("250ms", 0.25)])
def test_durations(text: object, expected: float) -> None:
    assert duration_s(text) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["", "m", "10 x", "-1s", True, None, "1e3"])
def test_what_is_no_duration_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="duration"):
        duration_s(text)
