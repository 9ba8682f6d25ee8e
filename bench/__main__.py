"""Runs the benchmarks one after the other: `python -m bench [--check] [--record] [NAME …]`.

Each prints its bounds beside its figures; with --check the exit status is 1 where one is missed; with --record the
output goes to docs/bench/NAME.txt as well.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORDS = HERE.parent / "docs" / "bench"


def names() -> list[str]:
    """Return every benchmark of this folder."""
    return sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def main() -> int:
    """Run what is asked for and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    parser.add_argument("--record", action="store_true", help="keep the output under docs/bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names())} (default: all)")
    options = parser.parse_args()
    missed = []
    for name in options.names or names():
        print(f"== {name} ==", flush=True)
        command = [sys.executable, str(HERE / f"{name}.py"), *(["--check"] if options.check else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, cwd=HERE.parent)
        print(done.stdout, flush=True)
        if options.record:
            RECORDS.mkdir(parents=True, exist_ok=True)
            head = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} processors\n\n"
            (RECORDS / f"{name}.txt").write_text(head + done.stdout)
        if done.returncode:
            missed.append(name)
    if missed:
        print(f"missed bounds or failed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
