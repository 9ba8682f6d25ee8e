"""The table of closed forms: every row holds, its formulas are right, and what is published is what was run."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy.special import lambertw

from app.catalog.selftest import selftest
from workers import selftest as table


@pytest.fixture(scope="module")
def fresh() -> dict[str, Any]:
    return table.document()


def test_every_closed_form_holds(fresh: dict[str, Any]) -> None:
    assert [row for row in fresh["rows"] if not row["holds"]] == []
    assert fresh["ok"]
    assert len(fresh["rows"]) > 40


def test_the_published_table_is_the_one_that_is_run(fresh: dict[str, Any]) -> None:
    assert selftest() == fresh, "stale: run `make generate` and commit what it writes"


def test_a_row_that_is_off_would_be_seen() -> None:
    row = table.Row("", "", "", expected=100.0, simulated=103.0, tolerance=0.02, unit="")
    assert not row.holds
    assert row.difference == pytest.approx(0.03)


# (servers, load): the mean wait in service times, from the tables of any textbook on queueing.
WAITS = {(1, 0.5): 1.0, (1, 0.8): 4.0, (1, 0.9): 9.0, (4, 0.5): 0.0870, (4, 0.8): 0.7455, (4, 0.9): 1.9694}
WAITS |= {(8, 0.5): 0.0148, (8, 0.8): 0.2860, (8, 0.9): 0.8769}


@pytest.mark.parametrize(("servers", "load"), sorted(WAITS))
def test_erlang_s_formula_gives_the_known_waits(servers: int, load: float) -> None:
    assert table.erlang_wait(servers, load) == pytest.approx(WAITS[servers, load], abs=6e-5)


def test_one_customer_never_waits_and_many_are_bound_by_the_dies() -> None:
    assert table.mean_value_analysis(32, 1, 60e-6, 20e-6) == pytest.approx(12_500)
    assert table.mean_value_analysis(32, 10_000, 60e-6, 20e-6) == pytest.approx(32 / 60e-6, rel=0.005)


@pytest.mark.parametrize("spare", [0.07, 0.28, 1.0])
def test_the_amplification_is_that_of_lambert_s_w(spare: float) -> None:
    a = 1 + spare
    expected = float(a / (a + lambertw(-a * math.exp(-a)).real))
    assert table.greedy_amplification(spare) == pytest.approx(expected, rel=1e-9)
