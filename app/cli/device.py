"""`lodestone device`: show the device profiles with every default and its source, or fit one to results."""

from __future__ import annotations

import argparse
import json

from app.catalog import devices
from app.catalog.device_volumes import DEFINITIONS as VOLUME_KEYS
from app.catalog.schedulers import QUEUE_SETTINGS, SCHEDULER_SETTINGS, SCHEDULERS, queue_defaults
from app.errors import RequestError


def execute(options: argparse.Namespace) -> int:
    """List the profiles, show one, or fit one."""
    if options.action == "fit":
        from app.cli.device_fit import execute_fit

        return execute_fit(options)
    if options.action == "list":
        for profile in devices.DEVICES.values():
            print(f"{profile.name:14} {profile.title}")
        return 0
    if len(options.names) != 1:
        raise RequestError("device show: name one profile; `lodestone device list` has them")
    try:
        profile = devices.profile(options.names[0])
    except ValueError as error:
        raise RequestError(f"device show: {error}") from None
    if options.json:
        settings = {scheduler: queue_defaults(scheduler, profile.values) for scheduler in SCHEDULERS}
        shown = {"name": profile.name, "kind": profile.kind, "values": dict(profile.values), "settings": settings}
        print(json.dumps(shown, indent=2))
        return 0
    print(f"{profile.name}: {profile.title}\nmodel {profile.kind}, elevator {profile.default_scheduler} by default\n")
    for parameter in profile.parameters:
        definition = parameter.definition
        print(f"  {definition.name} = {parameter.value} {definition.unit}".rstrip())
        print(f"      {definition.meaning} ({definition.range_text()})")
    print("\nseveral of it as one volume:")
    for definition in VOLUME_KEYS.values():
        print(f"  {definition.name}: {definition.meaning} ({definition.range_text()})")
    for scheduler, meaning in SCHEDULERS.items():
        print(f"\nelevator {scheduler}: {meaning}" if scheduler != "none" else f"\nno elevator: {meaning}")
        defaults = queue_defaults(scheduler, profile.values)
        for setting in (*QUEUE_SETTINGS, *SCHEDULER_SETTINGS[scheduler]):
            definition = setting.definition
            print(f"  {definition.name} = {defaults[definition.name]} {definition.unit}".rstrip())
            print(f"      {definition.meaning} ({definition.range_text()}); {setting.source}")
    print("\nsources:")
    for source in profile.sources:
        print(f"  - {source}")
    return 0
