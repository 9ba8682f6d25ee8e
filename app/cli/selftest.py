"""`lodestone selftest`: run the closed forms against the simulator of this machine and print them as a table."""

from __future__ import annotations

import argparse
import json

from app.cli.exits import EXIT_FAILED
from app.domain.metric import significant
from workers.selftest import Row, document, rows


def execute(options: argparse.Namespace) -> int:
    """Print a line for each closed form; exit status 3 when one is missed."""
    if options.json:
        found = document()
        print(json.dumps(found, indent=2))
        return 0 if found["ok"] else EXIT_FAILED
    print(f"{'':20}{'':48}{'formula':>12}{'simulated':>12}{'off by':>9}{'within':>8}")
    held = []
    for row in rows():
        held.append(row.holds)
        print(_line(row), flush=True)
    print(f"{sum(held)} of {len(held)} closed forms hold")
    return 0 if all(held) else EXIT_FAILED


def _line(row: Row) -> str:
    off = f"{row.difference * 100:+.2f} %"
    figures = f"{significant(row.expected, 5):>12}{significant(row.simulated, 5):>12}{off:>9}"
    return f"{row.law:20}{row.case:48}{figures}{row.tolerance * 100:>6.1f} %  {'ok' if row.holds else 'MISSED'}"
