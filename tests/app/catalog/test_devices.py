"""Device profiles: complete, sourced, overridable by name, and accepted by the simulator."""

import dataclasses

import pytest

from app.catalog import devices
from workers.simulator import DeviceParameters, JobParameters, SimulationParameters, simulate
from workers.simulator.device import COMMON_PARAMETERS, KINDS

PROFILES = sorted(devices.DEVICES)


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_has_a_value_in_range_for_every_parameter_and_no_other(name: str) -> None:
    profile = devices.profile(name)
    known = {definition.name: definition for definition in devices.definitions(profile.kind)}
    assert set(profile.values) == set(known)
    for key, value in profile.values.items():
        assert known[key].check(value) == value


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_says_where_its_values_come_from(name: str) -> None:
    profile = devices.profile(name)
    assert profile.sources
    assert all(len(source) > 20 for source in profile.sources)
    assert all(parameter.definition.meaning for parameter in profile.parameters)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_catalogue_and_simulator_agree_on_names_and_ranges(kind: str) -> None:
    ours = {
        definition.name: definition.words or (definition.least, definition.most)
        for definition in devices.definitions(kind)
    }
    assert ours == {**COMMON_PARAMETERS, **KINDS[kind].parameters}


@pytest.mark.parametrize("name", PROFILES)
def test_the_simulator_runs_every_profile(name: str) -> None:
    kind, values = devices.resolve(name)
    job = JobParameters(name="job", size_bytes=1 << 30, rw="randrw", iodepth=4, runtime_ns=50_000_000)
    result = simulate(SimulationParameters(jobs=(job,), device=DeviceParameters(kind, values)), seed=1)
    assert result.jobs[0].directions["read"].ios > 0


def test_overrides_replace_values_and_leave_the_profile_alone() -> None:
    kind, values = devices.resolve("hdd-ent", {"rpm": 5400, "ncq_window": 4})
    assert (kind, values["rpm"], values["ncq_window"]) == ("hdd", 5400, 4)
    assert devices.resolve("hdd-ent")[1]["rpm"] == 7200


def test_ncq_is_another_name_for_the_queue_depth() -> None:
    assert devices.resolve("hdd-ent", {"ncq": 1})[1]["queue_depth"] == 1


def test_words_are_values_too() -> None:
    assert devices.resolve("nvme-flash", {"program_suspend": "no"})[1]["program_suspend"] == "no"


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"rpm": 10}, r"^rpm: 10 is out of range \(1000 to 60000 1/min\)$"),
        ({"rpm": 7200.0}, r"^rpm: 7200.0 is not an integer \(1000 to 60000 1/min\)$"),
        ({"rpm": True}, r"^rpm: True is not an integer"),
        ({"rpn": 7200}, r"^rpn: hdd-ent has no such parameter; did you mean rpm\?$"),
        ({"xyzzy": 1}, r"^xyzzy: hdd-ent has no such parameter; there are capacity_bytes, "),
    ],
)
def test_a_bad_override_is_refused_by_name(overrides: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        devices.resolve("hdd-ent", overrides)


def test_a_word_outside_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^program_suspend: 'maybe' is not one of no, yes$"):
        devices.resolve("nvme-flash", {"program_suspend": "maybe"})


def test_an_unknown_profile_is_answered_with_close_names() -> None:
    with pytest.raises(ValueError, match=r"^profile: there is no 'nvme-flsh'; did you mean nvme-flash\?$"):
        devices.resolve("nvme-flsh")


def test_profiles_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        devices.profile("hdd-ent").kind = "flash"  # type: ignore[misc]
