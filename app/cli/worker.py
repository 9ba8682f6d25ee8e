"""`lodestone worker`: be one worker process."""

from __future__ import annotations

import argparse


def execute(options: argparse.Namespace) -> int:
    """Work until told to end."""
    from workers.main import main

    return main(["--runners", options.runners] if options.runners else [])
