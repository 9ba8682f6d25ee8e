"""The pictures of a share's latencies: what is drawn together, and that every curve is told by its line."""

from __future__ import annotations

import itertools
import re
from typing import Any

from app.experiments.schemas import LatencyCurve
from app.shares.latency_svg import latency_svg


def curve(variant: str, name: str = "read.lat", **group: Any) -> LatencyCurve:
    return LatencyCurve(
        variant=variant,
        name=name,
        group=group,
        runs=1,
        count=2,
        mean_ns=1500.0,
        min_ns=1000,
        max_ns=2000,
        percentiles={},
        curve=[(1000, 0.5), (2000, 1.0)],
    )


def texts(picture: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture)


def height(picture: str) -> int:
    found = re.search(r' height="(\d+)"', picture)
    assert found is not None
    return int(found[1])


def test_each_cell_of_a_matrix_has_a_picture_of_its_own() -> None:
    cells = [{"device.scheduler": "none"}, {"device.scheduler": "bfq"}]
    pictures = latency_svg([curve(variant, cell=cell) for cell in cells for variant in ("a", "b")])
    assert [texts(picture)[-1] for picture in pictures] == [
        "read.lat · device.scheduler=none",
        "read.lat · device.scheduler=bfq",
    ]
    assert all(picture.count("<path") == 2 for picture in pictures)


def test_each_runner_has_a_picture_of_its_own() -> None:
    pictures = latency_svg([curve("a", runner="simulator"), curve("a", runner="qemu")])
    assert [texts(picture)[-1] for picture in pictures] == ["read.lat · simulator", "read.lat · qemu"]


def test_reads_and_writes_are_drawn_apart_and_parts_of_a_latency_not_at_all() -> None:
    pictures = latency_svg([curve("a"), curve("a", "write.lat"), curve("a", "read.clat")])
    assert [texts(picture)[-1] for picture in pictures] == ["read.lat", "write.lat"]


def test_legend_entries_never_share_a_line_however_long() -> None:
    names = [letter * 60 for letter in "abcdefg"]
    [picture] = latency_svg([curve(name) for name in names])
    rows = [int(re.findall(rf'y="(\d+)">{name}<', picture)[0]) for name in names]
    assert all(later - earlier >= 12 for earlier, later in itertools.pairwise(rows))
    assert rows[-1] < height(picture)


def test_a_legend_entry_has_its_curves_colour_and_dash() -> None:
    [picture] = latency_svg([curve(name) for name in "abcdefg"])
    drawn = re.findall(r'<path [^>]*(stroke="#\w+" stroke-dasharray="[^"]*")', picture)
    told = re.findall(r'<line [^>]*(stroke="#\w+" stroke-dasharray="[^"]*")', picture)
    assert len(drawn) == 7
    assert told == drawn
