"""What this server offers, from the catalogue and the truth."""

from __future__ import annotations

from collections.abc import Mapping

from sqlmodel import Session

from app.catalog import devices, runners
from app.catalog.devices import Parameter
from app.catalog.examples import EXAMPLES
from app.catalog.schedulers import QUEUE_SETTINGS, SCHEDULER_SETTINGS, SCHEDULERS, queue_defaults
from app.catalog.selftest import selftest
from app.catalog.workloads import WORKLOADS
from app.errors import NotFound
from app.ingest.definition import read_definition
from app.runners.schemas import (
    DeviceOffer,
    ExampleOffer,
    ParameterOffer,
    RunnerOffer,
    Selftest,
    SettingOffer,
    WorkloadOffer,
)
from app.runs import repository


def runner_offers(session: Session) -> list[RunnerOffer]:
    """Return every kind of runner of this server."""
    waiting = repository.waiting_kinds(session)
    return [
        RunnerOffer(
            kind=ability.kind,
            title=ability.title,
            meaning=ability.meaning,
            deterministic=ability.deterministic,
            exclusive=ability.exclusive,
            workloads=list(ability.workloads),
            filesystems=list(ability.filesystems),
            fio_honoured=sorted(ability.fio.honoured) if ability.fio else None,
            fio_ignored=dict(ability.fio.ignored) if ability.fio else {},
            runs_waiting=waiting.get(ability.kind, 0),
        )
        for ability in runners.ABILITIES.values()
    ]


def workload_offers() -> list[WorkloadOffer]:
    """Return every kind of workload and who runs it."""
    return [
        WorkloadOffer(
            kind=kind,
            meaning=meaning,
            runners=[ability.kind for ability in runners.ABILITIES.values() if kind in ability.workloads],
        )
        for kind, meaning in WORKLOADS.items()
    ]


def device_offers() -> list[DeviceOffer]:
    """Return every device profile with its defaults."""
    return [device_offer(name) for name in devices.DEVICES]


def device_offer(name: str) -> DeviceOffer:
    """Return one device profile. Raises NotFound."""
    profile = devices.DEVICES.get(name)
    if profile is None:
        raise NotFound(f"there is no device profile of that name; there are {', '.join(devices.DEVICES)}")
    return DeviceOffer(
        name=profile.name,
        kind=profile.kind,
        title=profile.title,
        capacity_bytes=int(profile.values["capacity_bytes"]),
        rotational=bool(profile.values["rotational"]),
        default_scheduler=profile.default_scheduler,
        schedulers=list(SCHEDULERS),
        settings={scheduler: _settings(scheduler, profile.values) for scheduler in SCHEDULERS},
        parameters=[_parameter(parameter) for parameter in profile.parameters],
        sources=list(profile.sources),
    )


def _settings(scheduler: str, values: Mapping[str, int | str]) -> list[SettingOffer]:
    defaults = queue_defaults(scheduler, values)
    return [
        SettingOffer(
            name=setting.name,
            value=defaults[setting.name],
            unit=setting.definition.unit,
            meaning=setting.definition.meaning,
            low=setting.definition.least,
            high=setting.definition.most,
            source=setting.source,
        )
        for setting in (*QUEUE_SETTINGS, *SCHEDULER_SETTINGS[scheduler])
    ]


def _parameter(parameter: Parameter) -> ParameterOffer:
    definition = parameter.definition
    return ParameterOffer(
        name=definition.name,
        value=parameter.value,
        unit=definition.unit,
        meaning=definition.meaning,
        low=None if definition.words else definition.least,
        high=None if definition.words else definition.most,
        choices=list(definition.words) or None,
    )


def example_offers() -> list[ExampleOffer]:
    """Return every example, read and checked."""
    offers = []
    for name, (meaning, text) in EXAMPLES.items():
        definition = read_definition(text)
        offers.append(
            ExampleOffer(
                name=name,
                title=definition.title,
                meaning=meaning,
                definition=definition.model_dump(mode="json", exclude_defaults=True),
                text=text,
            )
        )
    return offers


def selftest_of_the_simulator() -> Selftest:
    """Return the simulator's table against the closed forms."""
    return Selftest.model_validate({name: value for name, value in selftest().items() if name != "schema"})
