"""What the calls that say what this server offers answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class RunnerOffer(BaseModel):
    """A kind of runner and what it declares."""

    kind: str
    title: str
    meaning: str
    deterministic: bool
    exclusive: bool
    workloads: list[str]
    filesystems: list[str]
    fio_honoured: list[str] | None
    """None: every option that fio knows."""
    fio_ignored: dict[str, str]
    runs_waiting: int


class WorkloadOffer(BaseModel):
    """A kind of workload and the runners that run it."""

    kind: str
    meaning: str
    runners: list[str]


class ParameterOffer(BaseModel):
    """A parameter of a device profile that a definition may override."""

    name: str
    value: int | str
    unit: str
    meaning: str
    low: int | None
    high: int | None
    choices: list[str] | None


class SettingOffer(BaseModel):
    """A setting of a request queue or an elevator, by its name in sysfs, with the default over this device."""

    name: str
    value: int
    unit: str
    meaning: str
    low: int
    high: int
    source: str


class DeviceOffer(BaseModel):
    """A device profile with every default and its sources."""

    name: str
    kind: str
    title: str
    capacity_bytes: int
    rotational: bool
    default_scheduler: str
    schedulers: list[str]
    settings: dict[str, list[SettingOffer]]
    """What may be set under each scheduler: the settings of the queue, then the scheduler's own."""
    parameters: list[ParameterOffer]
    sources: list[str]


class MechanismOffer(BaseModel):
    """A named switch of the simulated kernel."""

    name: str
    values: list[str]
    meaning: str


class SelftestRow(BaseModel):
    """One closed form beside what the simulator gives; difference and tolerance are relative."""

    law: str
    case: str
    formula: str
    expected: float
    simulated: float
    tolerance: float
    unit: str
    difference: float
    holds: bool


class Selftest(BaseModel):
    """The simulator against the closed forms."""

    ok: bool
    rows: list[SelftestRow]


class ExampleOffer(BaseModel):
    """A definition that is ready to run."""

    name: str
    title: str
    meaning: str
    definition: dict[str, Any]
    text: str
