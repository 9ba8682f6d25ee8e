"""What is admitted can be run: the checks before the queue and those of the simulator are the same."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.catalog import devices
from app.catalog.schedulers import QUEUE_SETTINGS, SCHEDULER_SETTINGS, SCHEDULERS
from app.domain.plan import setup_of
from app.errors import InvalidDefinition
from app.experiments.admission import admit
from app.ingest.definition import definition_from
from tests.support.definitions import simulated
from workers.runners.base import Task
from workers.runners.simulated import parameters_of
from workers.simulator.simulation import build

SIZES = st.sampled_from(["512", "4k", "1m", "100m", "50%", "1g", "1000", "3t"])
JOBS = st.fixed_dictionaries(
    {"direct": st.just("1"), "size": SIZES},
    optional={
        "bs": st.sampled_from(["512", "4k", "4k,64k", "1m", "600", "128m", "4k,,512"]),
        "rw": st.sampled_from(["read", "randwrite", "randrw", "trim", "rw", "randtrim"]),
        "ioengine": st.sampled_from(["psync", "libaio", "io_uring", "posixaio"]),
        "iodepth": st.sampled_from(["1", "32", "4096", "20000"]),
        "numjobs": st.sampled_from(["1", "3", "40"]),
        "offset": st.sampled_from(["0", "4k", "10%", "100", "99%"]),
        "io_size": st.sampled_from(["4k", "1m", "100"]),
        "runtime": st.sampled_from(["1", "100ms", "8d"]),
        "time_based": st.just("1"),
        "ramp_time": st.sampled_from(["1", "10ms"]),
        "loops": st.sampled_from(["1", "3"]),
        "filename": st.sampled_from(["/dev/sdX", "file"]),
        "rwmixread": st.sampled_from(["0", "30", "100"]),
        "norandommap": st.just("1"),
        "filesize": SIZES,
    },
)


def overrides_of(profile: str) -> st.SearchStrategy[dict[str, Any]]:
    """Values of a profile's parameters inside their ranges."""
    ranges = {
        parameter.definition.name: st.sampled_from(parameter.definition.words)
        if parameter.definition.words
        else st.integers(parameter.definition.least, parameter.definition.most)
        for parameter in devices.profile(profile).parameters
    }
    return st.dictionaries(st.sampled_from(sorted(ranges)), st.none(), max_size=2).flatmap(
        lambda names: st.fixed_dictionaries({name: ranges[name] for name in names})
    )


def settings_of(scheduler: str) -> st.SearchStrategy[dict[str, Any]]:
    """Values of a queue's settings inside their ranges."""
    ranges = {
        setting.name: st.integers(0, setting.definition.most // setting.definition.step)
        .map(lambda value, step=setting.definition.step: value * step)
        .filter(lambda value, least=setting.definition.least: value >= least)
        for setting in (*QUEUE_SETTINGS, *SCHEDULER_SETTINGS[scheduler])
    }
    return st.dictionaries(st.sampled_from(sorted(ranges)), st.none(), max_size=2).flatmap(
        lambda names: st.fixed_dictionaries({name: ranges[name] for name in names})
    )


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    profile = draw(st.sampled_from(sorted(devices.DEVICES)))
    device = {"profile": profile, **draw(overrides_of(profile))}
    scheduler = draw(st.sampled_from([None, *SCHEDULERS]))
    requests = draw(st.sampled_from([None, 1, 4, 31, 128, 2048, 5000]))
    device |= {"scheduler": scheduler} if scheduler else {}
    device |= draw(settings_of(scheduler or devices.profile(profile).default_scheduler))
    device |= {"nr_requests": requests} if requests else {}
    job = draw(JOBS)
    text = "[a]\n" + "".join(f"{name}={value}\n" for name, value in job.items())
    return simulated(device=device, variants=[{"name": "a"}], workload={"fio": text})


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(definitions())
def test_whatever_is_admitted_can_be_built(document: dict[str, Any]) -> None:
    definition = definition_from(document)
    try:
        admit(definition, {})
    except InvalidDefinition:
        assume(False)
    setup = setup_of(definition, runner="simulator", variant="a", cell={}, seed=1)
    build(parameters_of(Task(setup, {})), 1)
