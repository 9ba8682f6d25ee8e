"""Each device's service rule, held to the nanosecond."""

import pytest

from tests.workers.simulator.device.golden import DIRECTORY, TRACES, text
from tests.workers.simulator.interpreted import run

AGAIN = """
from tests.workers.simulator.device.golden import text
print(text({name!r}), end="")
"""


@pytest.mark.parametrize("name", sorted(TRACES))
def test_the_rule_answers_as_the_golden_trace_says(name: str) -> None:
    assert text(name) == (DIRECTORY / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", sorted(TRACES))
def test_the_interpreted_rule_answers_the_same(name: str) -> None:
    assert run(AGAIN.format(name=name), interpreted=True) == (DIRECTORY / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", sorted(TRACES))
def test_nothing_completes_before_it_arrives_and_everything_completes(name: str) -> None:
    lines = [line.split() for line in (DIRECTORY / f"{name}.txt").read_text().splitlines() if line[0] != "#"]
    assert len(lines) > 350
    assert all(int(line[4]) > int(line[0]) for line in lines)
