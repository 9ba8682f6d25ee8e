"""Schedulers and their settings: those of the simulator, each with a source, refused by name when they do not fit."""

import dataclasses

import pytest

from app.catalog import devices
from app.catalog.schedulers import (
    ELEVATOR_NS,
    QUEUE_SETTINGS,
    SCHEDULER_SETTINGS,
    SCHEDULERS,
    nr_requests_range,
    queue_defaults,
    settings_of,
)
from workers.simulator import QueueParameters
from workers.simulator.block.limits import QueueLimits
from workers.simulator.block.schedulers import ELEVATORS


def test_catalogue_and_simulator_have_the_same_schedulers() -> None:
    assert set(SCHEDULERS) == set(SCHEDULER_SETTINGS) == set(ELEVATOR_NS) == set(ELEVATORS)


@pytest.mark.parametrize("name", sorted(ELEVATORS))
def test_catalogue_and_simulator_agree_on_settings_defaults_and_ranges(name: str) -> None:
    ours = {setting.name: setting for setting in SCHEDULER_SETTINGS[name]}
    assert {key: setting.default for key, setting in ours.items()} == ELEVATORS[name].defaults
    ranges = {key: (setting.definition.least, setting.definition.most) for key, setting in ours.items()}
    assert ranges == ELEVATORS[name].ranges
    assert ELEVATOR_NS[name] == ELEVATORS[name].elevator_ns


def test_every_setting_of_the_queue_is_a_field_of_the_simulator() -> None:
    fields = {field.name for field in dataclasses.fields(QueueParameters)}
    assert fields - {"scheduler", "nr_requests", "scheduler_options"} == {setting.name for setting in QUEUE_SETTINGS}


@pytest.mark.parametrize("profile", sorted(devices.DEVICES))
@pytest.mark.parametrize("scheduler", sorted(ELEVATORS))
def test_the_defaults_are_those_that_the_simulator_fills_in(profile: str, scheduler: str) -> None:
    _, values = devices.resolve(profile)
    shown = queue_defaults(scheduler, values)
    numbers = {name: value for name, value in values.items() if isinstance(value, int)}
    used = QueueLimits.of(QueueParameters(scheduler), numbers, ELEVATORS[scheduler].elevator_ns, 0)
    assert shown["nr_requests"] == used.nr_requests
    assert shown["max_sectors_kb"] == used.max_sectors // 2
    assert shown["max_segments"] == used.max_segments
    assert shown["nomerges"] == used.nomerges
    assert shown["wbt_lat_usec"] * 1000 == used.wbt_lat_ns
    assert shown["elevator_ns"] == used.elevator_ns


def test_every_setting_has_a_source_and_a_meaning() -> None:
    for setting in (*QUEUE_SETTINGS, *(each for settings in SCHEDULER_SETTINGS.values() for each in settings)):
        assert len(setting.source) > 10
        assert setting.definition.meaning


def test_settings_of_a_device_block_are_told_apart_from_its_parameters() -> None:
    overrides = {"rpm": 5400, "nomerges": 2, "fifo_batch": 1}
    assert settings_of("mq-deadline", overrides) == ({"nomerges": 2}, {"fifo_batch": 1})
    assert devices.resolve("hdd-ent", overrides)[1]["rpm"] == 5400


@pytest.mark.parametrize(
    ("scheduler", "overrides", "message"),
    [
        ("none", {"fifo_batch": 1}, r"^fifo_batch: none has no such setting; mq-deadline has it$"),
        ("mq-deadline", {"fifo_batch": -1}, r"^fifo_batch: -1 is out of range"),
        ("none", {"nomerges": "all"}, r"^nomerges: 'all' is not an integer"),
        ("none", {"max_sectors_kb": 5}, r"^max_sectors_kb: 5 is not a multiple of 4$"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused_by_name(
    scheduler: str, overrides: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        settings_of(scheduler, overrides)


def test_without_an_elevator_a_queue_holds_what_the_device_takes() -> None:
    assert nr_requests_range("none", 31) == (4, 31)
    assert nr_requests_range("mq-deadline", 31) == (4, 2048)
