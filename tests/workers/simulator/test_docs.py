"""The document says what there is: every parameter, setting and counter is in it."""

import dataclasses
import re
from pathlib import Path

import pytest

from app.catalog import devices
from tests.workers.simulator.machines import assorted
from workers.simulator import HostParameters, JobParameters, simulate
from workers.simulator.block.schedulers import ELEVATORS
from workers.simulator.device import KINDS
from workers.simulator.kinds import STAGE_NAMES

PAGE = (Path(__file__).parents[3] / "docs" / "simulator.md").read_text()
NAMED = set(re.findall(r"`([a-z_0-9-]+)`", PAGE))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_device_parameter_is_documented(kind: str) -> None:
    assert {definition.name for definition in devices.definitions(kind)} - NAMED == set()


def test_every_field_of_a_job_and_the_host_is_documented() -> None:
    fields = {field.name for each in (JobParameters, HostParameters) for field in dataclasses.fields(each)}
    assert fields - NAMED == set()


def test_every_scheduler_and_its_settings_are_documented_with_their_defaults() -> None:
    for name, elevator in ELEVATORS.items():
        assert name in NAMED
        for setting, default in elevator.defaults.items():
            assert f"`{setting}` {default}" in PAGE


def test_every_stage_and_profile_is_documented() -> None:
    assert {*STAGE_NAMES} - NAMED == set()
    assert {*devices.DEVICES} - NAMED - {"constant", "stalling"} == set()


@pytest.mark.parametrize("name", sorted(assorted()))
def test_every_counter_is_documented(name: str) -> None:
    assert set(simulate(assorted()[name], seed=1).counters) - NAMED == set()
