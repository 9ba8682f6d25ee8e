"""`lodestone device fit`: a profile fitted to a user's own fio results, with the error of every point."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from app.catalog import devices
from app.cli.files import TEXT_MAX_BYTES
from app.errors import RequestError
from app.ingest.decode import decode_text
from workers.fitting import Fit, Row, fit, read_points


def execute_fit(options: argparse.Namespace) -> int:
    """Fit, and print the table and the definition's `device:` block."""
    if not options.names:
        raise RequestError("device fit: name the files with fio's JSON results")
    if options.hold_out < 0 or options.hold_out == 1:
        raise RequestError(f"device fit: --hold-out {options.hold_out} leaves no point; give 2 or more, or 0 for none")
    if not 0 <= options.seed < 1 << 53:
        raise RequestError(f"device fit: --seed {options.seed} is not within 0 and 2^53")
    if options.start is not None:
        _profile(options.start)
    points = read_points((name, _text(Path(name))) for name in options.names)
    found = fit(points, profile=options.start, fixed=_fixed(options.set), hold_out=options.hold_out, seed=options.seed)
    name = options.profile_name or f"{found.profile}-fitted"
    print(json.dumps(_json(found, name), indent=2) if options.json else "\n".join(_lines(found, name)))
    return 0


def _profile(name: str) -> None:
    try:
        devices.profile(name)
    except ValueError as error:
        raise RequestError(f"device fit: --from: {error}") from None


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror or error}") from None
    if len(content) > TEXT_MAX_BYTES:
        raise RequestError(f"{path}: larger than {TEXT_MAX_BYTES} bytes")
    return decode_text(content)


def _fixed(given: list[str]) -> dict[str, object]:
    fixed: dict[str, object] = {}
    for text in given:
        key, sign, value = text.partition("=")
        if not sign or not key:
            raise RequestError(f"device fit: --set {text}: write NAME=VALUE")
        fixed[key] = int(value) if value.isdecimal() else value
    return fixed


def _json(found: Fit, name: str) -> dict[str, object]:
    return {
        "schema": 1,
        "name": name,
        "profile": found.profile,
        "overrides": dict(found.overrides),
        "device": {"profile": found.profile, **found.overrides},
        "points": [{**asdict(row), "error": row.error} for row in found.rows],
        "parameters": [asdict(setting) for setting in found.settings],
        "error_before": found.error_before,
        "error_fitted": found.error_fitted,
        "error_left_out": found.error_left_out,
        "evaluations": found.evaluations,
    }


def _lines(found: Fit, name: str) -> Iterator[str]:
    fitted = sum(row.fitted for row in found.rows)
    yield f"{name}: the profile {found.profile}, fitted to {fitted} figures"
    yield "modelled, not measured: it holds for loads like these points, and for no others"
    yield ""
    width = max(len(_what(row)) for row in found.rows)
    yield f"{'point':{width}}  {'measured':>12}  {'simulated':>12}  {'error':>7}"
    for row in found.rows:
        part = "fitted" if row.fitted else "left out"
        moved = "" if row.movable else ", moved by no parameter"
        yield (
            f"{_what(row):{width}}  {_figure(row, row.measured):>12}  {_figure(row, row.simulated):>12}"
            f"  {row.error:+7.1%}  {part}{moved}"
        )
    yield ""
    yield f"error, root mean square: {found.error_fitted:.1%} of the fitted points ({found.error_before:.1%} before)"
    if found.error_left_out is not None:
        yield f"                         {found.error_left_out:.1%} of those left out"
    yield ""
    yield "parameter, as in the profile, fitted, and the most that 25 % more or less of it moves a fitted figure:"
    for setting in found.settings:
        yield f"  {setting.name:30} {setting.before:>14} {setting.after:>14}  {setting.moves:6.1%}"
    yield ""
    yield f"# {name}"
    yield "device:"
    yield f"  profile: {found.profile}"
    for key, value in found.overrides.items():
        yield f"  {key}: {value}"


def _what(row: Row) -> str:
    return f"{row.label}, {row.metric}"


def _figure(row: Row, value: float) -> str:
    return f"{value:,.0f}" if row.metric.endswith("iops") else f"{value / 1000:,.1f} us"
