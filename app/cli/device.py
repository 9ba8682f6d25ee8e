"""`lodestone device`: show the device profiles with every default and its source."""

from __future__ import annotations

import argparse
import json

from app.catalog import devices
from app.errors import RequestError


def execute(options: argparse.Namespace) -> int:
    """List the profiles, or show one."""
    if options.action == "list":
        for profile in devices.DEVICES.values():
            print(f"{profile.name:14} {profile.title}")
        return 0
    try:
        profile = devices.profile(options.name or "")
    except ValueError as error:
        raise RequestError(f"device show: {error}") from None
    if options.json:
        print(json.dumps({"name": profile.name, "kind": profile.kind, "values": dict(profile.values)}, indent=2))
        return 0
    print(f"{profile.name}: {profile.title}\nmodel {profile.kind}, elevator {profile.default_scheduler} by default\n")
    for parameter in profile.parameters:
        definition = parameter.definition
        print(f"  {definition.name} = {parameter.value} {definition.unit}".rstrip())
        print(f"      {definition.meaning} ({definition.range_text()})")
    print("\nsources:")
    for source in profile.sources:
        print(f"  - {source}")
    return 0
