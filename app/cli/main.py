"""The `lodestone` command: reads its arguments and calls the one module that does what they ask.

Exit status: 0 done; 1 the gate given by `--fail-on` tripped; 2 bad input; 3 a run failed; 4 the server cannot be
reached; 70 a fault of Lodestone; 130 interrupted.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from app.cli.exits import EXIT_AWAY, EXIT_FAILED, EXIT_FAULT, EXIT_INPUT, EXIT_INTERRUPTED, ServerAway
from app.errors import LodestoneError, RequestError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    command = importlib.import_module(f"app.cli.{_MODULES.get(options.command, options.command)}")
    try:
        status: int = command.execute(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # the reader went away; a second complaint at exit would go nowhere either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG):
            traceback.print_exc()
            return EXIT_FAULT
        print(f"lodestone: {_one_line(str(error))}", file=sys.stderr)
        # what is left in the buffer would complain again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_INPUT
    except LodestoneError as error:
        print(f"lodestone: {_one_line(error.message)}", file=sys.stderr)
        if isinstance(error, ServerAway):
            return EXIT_AWAY
        return EXIT_INPUT if isinstance(error, RequestError) else EXIT_FAILED
    except Exception:
        # the edge of the process: a fault of ours must not look like a gate that tripped (status 1)
        traceback.print_exc()
        return EXIT_FAULT


PROCESSES_MAX = 1024

_MODULES = {"import": "import_report"}
"""Commands whose name cannot be a module's."""


def _one_line(message: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in " ".join(message.split()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lodestone", description="Filesystem experiments with verdicts that can be trusted."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    up = commands.add_parser("up", help="serve everything on one machine")
    up.add_argument("--port", type=int, help="port of the web service (LODESTONE_PORT, default 8000)")
    up.add_argument("--host", help="address of the web service (LODESTONE_HOST, default 127.0.0.1)")
    up.add_argument("--data-dir", type=Path, help="where everything is kept (LODESTONE_DATA_DIR)")
    up.add_argument("--workers", type=_positive, help="worker processes (LODESTONE_WORKERS, default: one a processor)")

    run = commands.add_parser("run", help="execute a definition here, without a server, and print the comparison")
    _definition_arguments(run)
    run.add_argument("--processes", type=_positive, default=None, help="runs at once (default: one a processor)")
    run.add_argument("--artifacts", type=Path, metavar="DIR", help="keep the files of each run in a folder there")

    submit = commands.add_parser("submit", help="send a definition to a server")
    _definition_arguments(submit)
    submit.add_argument("--server", help="the server's address (LODESTONE_SERVER)")
    submit.add_argument("--wait", action="store_true", help="wait for the end and print the comparison")
    submit.add_argument("--share", action="store_true", help="with --wait: make a share link and print it")

    lint = commands.add_parser("lint", help="check a fio job file or a definition")
    lint.add_argument("file", type=Path, metavar="FILE", help="a job file, a document with one inside, or a definition")
    lint.add_argument("--json", action="store_true", help="print what was understood as JSON")
    lint.add_argument(
        "--include", action="append", default=[], type=Path, metavar="FILE", help="a file the job includes"
    )
    lint.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="what ${NAME} means")

    report = commands.add_parser("import", help="read benchmark output, or a mail with some in it")
    report.add_argument("file", type=Path, metavar="FILE")
    report.add_argument("--json", action="store_true", help="print what was understood as JSON")

    patch = commands.add_parser("patch", help="read a patch or a series: a mail, an mbox, a page, a diff")
    patch.add_argument(
        "file", metavar="FILE", help="the file, - for standard input, or a Message-ID or address on lore"
    )
    patch.add_argument("--json", action="store_true", help="print what was understood as JSON")
    patch.add_argument("--range-diff", metavar="OLDER", help="show what changed since an older version")

    _device_arguments(commands.add_parser("device", help="show the device profiles, or fit one to fio's results"))

    doctor = commands.add_parser("doctor", help="say what this machine can run and what is missing")
    doctor.add_argument("--json", action="store_true")

    selftest = commands.add_parser("selftest", help="check the simulator against the closed forms")
    selftest.add_argument("--json", action="store_true")

    commands.add_parser("settings", help="print every setting, its value and its reason")

    worker = commands.add_parser("worker", help="be one worker process (what `up` starts)")
    worker.add_argument("--runners", help="kinds of runs to take, separated by commas")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if not 1 <= number <= PROCESSES_MAX:
        raise argparse.ArgumentTypeError(f"{number} is not within 1 and {PROCESSES_MAX}")
    return number


def _device_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "show", "fit"))
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="with show: the profile; with fit: files of fio's JSON, a sweep"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--from", dest="start", metavar="PROFILE", help="fit: begin there (default: the nearest)")
    parser.add_argument("--name", dest="profile_name", help="fit: what the result is called")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="fit: a parameter that is known and stays"
    )
    parser.add_argument(
        "--hold-out", type=int, default=3, metavar="N", help="fit: leave out every Nth point (default 3; 0: none)"
    )
    parser.add_argument("--seed", type=int, default=1, help="fit: of the simulations (default 1)")


def _definition_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a definition in YAML or JSON; - is standard input")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")
    parser.add_argument(
        "--fail-on",
        choices=("regressed", "inconclusive", "changed"),
        help="exit with status 1 on that verdict (changed: improved or regressed)",
    )


if __name__ == "__main__":
    sys.exit(main())
