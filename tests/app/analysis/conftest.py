from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from app.domain.comparison import MeasuredRun
from app.domain.metric import Group, measured

Values = Mapping[str, tuple[Sequence[float], Sequence[float]]]
MakeRuns = Callable[..., list[MeasuredRun]]


@pytest.fixture
def make_runs() -> MakeRuns:
    """Runs of `before` and `after` from {metric: (values before, values after)}, replicates and seeds counted up."""

    def make(values: Values, *, group: Group | None = None, first_seed: int = 1) -> list[MeasuredRun]:
        runs = []
        for side, variant in enumerate(("before", "after")):
            count = max(len(sides[side]) for sides in values.values())
            for replicate in range(count):
                samples = tuple(
                    measured(name, sides[side][replicate], group)
                    for name, sides in values.items()
                    if replicate < len(sides[side])
                )
                seed = first_seed + replicate
                runs.append(MeasuredRun(variant=variant, replicate=replicate, seed=seed, samples=samples))
        return runs

    return make
