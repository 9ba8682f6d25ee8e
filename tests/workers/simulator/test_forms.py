"""The same parameters and seed give the same bytes: in another process, and from the interpreted sources."""

import json

import pytest

from tests.workers.simulator.interpreted import run

# Short, so that the interpreted form (some 200 times slower) takes seconds.
CODE = """
import dataclasses, hashlib, json
from tests.workers.simulator.machines import assorted
from workers.simulator import simulate
from workers.simulator.engine import COMPILED
print(COMPILED)
digests = {}
for name, parameters in assorted().items():
    jobs = tuple(
        dataclasses.replace(job, runtime_ns=job.runtime_ns and min(job.runtime_ns, limit)) for job in parameters.jobs
        for limit in [{"hdd": 2_000_000_000, "stalling": 300_000_000}.get(parameters.device.kind, 50_000_000)]
    )
    parameters = dataclasses.replace(parameters, jobs=jobs, trace_ios=100)
    result = simulate(parameters, seed=3, interpreted=True)
    text = json.dumps(result.to_dict())
    digests[name] = [result.events, hashlib.sha256(text.encode()).hexdigest()]
print(json.dumps(digests))
"""


@pytest.fixture(scope="module")
def compiled() -> dict[str, list[object]]:
    form, digests = run(CODE, interpreted=False).splitlines()
    assert form == "True"
    return json.loads(digests)


def test_two_processes_give_the_same_bytes(compiled: dict[str, list[object]]) -> None:
    assert json.loads(run(CODE, interpreted=False).splitlines()[1]) == compiled


def test_interpreted_sources_give_the_same_bytes_as_the_compiled_form(compiled: dict[str, list[object]]) -> None:
    form, digests = run(CODE, interpreted=True).splitlines()
    assert form == "False"
    assert json.loads(digests) == compiled


def test_every_machine_did_something(compiled: dict[str, list[object]]) -> None:
    assert all(isinstance(events, int) and events > 50 for events, _ in compiled.values())


def test_the_interpreted_form_is_refused_unless_asked_for() -> None:
    code = """
from tests.workers.simulator.machines import machine
from workers.simulator import simulate
try:
    simulate(machine(), seed=1)
except RuntimeError as error:
    print(error)
"""
    assert "setup.py build_ext --inplace" in run(code, interpreted=True)
