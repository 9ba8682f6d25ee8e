from __future__ import annotations

from app.analysis.untrusted import one_line, width


def test_controls_and_direction_marks_do_not_get_through() -> None:
    assert one_line("a\x1b[31mb\u202ec\nd\u2028e\x00") == "a [31mb c d e"


def test_what_is_cut_says_so() -> None:
    assert one_line("a long title of an experiment", 12) == "a long ti..."


def test_wide_signs_take_two_columns() -> None:
    assert width("e\u0301x測") == 4
    assert width(one_line("測" * 20, 11)) <= 11
