"""The devices by name: profiles, and how some of their values are replaced."""

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from app.catalog.device_parameters import Definition, DeviceProfile, Parameter, definitions
from app.catalog.device_profiles import PROFILES
from app.catalog.device_volumes import DEFINITIONS as VOLUME_KEYS
from app.catalog.device_volumes import composed
from app.catalog.schedulers import setting_names

__all__ = ["ALIASES", "DEVICES", "Definition", "DeviceProfile", "Parameter", "definitions", "profile", "resolve"]

# Names that people use for a parameter.
ALIASES: Mapping[str, str] = MappingProxyType({"ncq": "queue_depth"})

DEVICES: Mapping[str, DeviceProfile] = MappingProxyType({profile.name: profile for profile in PROFILES})


def profile(name: str) -> DeviceProfile:
    """Return the profile of that name; ValueError names the close ones."""
    if name not in DEVICES:
        raise ValueError(f"profile: there is no {name!r}{_close(name, DEVICES)}")
    return DEVICES[name]


def resolve(name: str, overrides: Mapping[str, object] | None = None) -> tuple[str, dict[str, int | str]]:
    """Return a profile's model and all its values, those given replaced; units are those of the parameters' names.

    Settings of the request queue are left to `schedulers.settings_of`. Raises ValueError naming the key, and the range
    or the names that come close.
    """
    chosen = profile(name)
    known = {definition.name: definition for definition in definitions(chosen.kind)}
    values = dict(chosen.values)
    settings = setting_names()
    for key, value in (overrides or {}).items():
        if key in settings or key in VOLUME_KEYS:
            continue
        target = ALIASES.get(key, key)
        if target != key and target in (overrides or {}):
            raise ValueError(f"{key}: it is another name of {target}, which is given too; give one of them")
        if target not in known:
            raise ValueError(
                f"{key}: {name} has no such parameter{_close(key, {**known, **VOLUME_KEYS, **dict.fromkeys(settings)})}"
            )
        values[target] = known[target].check(value)
    return chosen.kind, composed(values, {key: value for key, value in (overrides or {}).items() if key in VOLUME_KEYS})


def _close(word: str, names: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(word, names, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(names)}"
