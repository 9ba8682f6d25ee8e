"""The brackets of a subject say version, position and prefixes."""

from __future__ import annotations

import pytest

from app.ingest.patches.subject import read_subject


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("[PATCH] x", ("x", None, None, None, ("PATCH",))),
        ("Re: [PATCH v4 07/12] x: y", ("x: y", 4, 7, 12, ("PATCH",))),
        ("[RFC][PATCH 0/9 v1] x", ("x", 1, 0, 9, ("RFC", "PATCH"))),
        ("[RFCv5 5/5] x", ("x", 5, 5, 5, ("RFC",))),
        ("[PATCHv2-1/3] x", ("x", 2, 1, 3, ("PATCH",))),
        ("[PATCHv3,net-next] x", ("x", 3, None, None, ("PATCH", "net-next"))),
        ("[PATCH 1/7] [v2] x", ("x", 2, 1, 7, ("PATCH",))),
        ("[PATCH RESEND v3 1 / 2] x", ("x", 3, 1, 2, ("PATCH", "RESEND"))),
        ("PATCH 1/1 x: y", ("x: y", None, 1, 1, ("PATCH",))),
        ("[PATCH 1 of 2 v3] x", ("x", 3, 1, 2, ("PATCH",))),
        ("[PATCH (v2) 2/ 3] x", ("x", 2, 2, 3, ("PATCH",))),
        ("[PATCH ipv6 1/2] x", ("x", None, 1, 2, ("PATCH", "ipv6"))),
        ("x: [not a prefix] y", ("x: [not a prefix] y", None, None, None, ())),
    ],
)
def test_brackets_of_subjects(raw: str, expected: tuple[object, ...]) -> None:
    found = read_subject(raw)
    assert (found.text, found.version, found.position, found.total, found.prefixes) == expected
