"""Each device's service rule, held to the nanosecond."""

import pytest

from tests.workers.simulator.device.golden import DIRECTORY, text
from tests.workers.simulator.interpreted import run
from tests.workers.simulator.machines import VALUES

AGAIN = """
from tests.workers.simulator.device.golden import text
print(text({kind!r}), end="")
"""


@pytest.mark.parametrize("kind", sorted(VALUES))
def test_the_rule_answers_as_the_golden_trace_says(kind: str) -> None:
    assert text(kind) == (DIRECTORY / f"{kind}.txt").read_text()


@pytest.mark.parametrize("kind", sorted(VALUES))
def test_the_interpreted_rule_answers_the_same(kind: str) -> None:
    assert run(AGAIN.format(kind=kind), interpreted=True) == (DIRECTORY / f"{kind}.txt").read_text()


@pytest.mark.parametrize("kind", sorted(VALUES))
def test_nothing_completes_before_it_arrives_and_everything_completes(kind: str) -> None:
    lines = [line.split() for line in (DIRECTORY / f"{kind}.txt").read_text().splitlines() if line[0] != "#"]
    assert len(lines) > 350
    assert all(int(line[4]) > int(line[0]) for line in lines)
