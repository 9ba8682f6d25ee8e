from __future__ import annotations

import pytest

from app.analysis.primary import default_primary


@pytest.mark.parametrize(
    ("measured", "chosen"),
    [
        (["write.bw", "write.iops", "write.clat_p99"], ("write.iops",)),
        (["write.iops", "read.iops"], ("read.iops", "write.iops")),
        (["read.iops", "write.iops", "total.iops"], ("total.iops",)),
        (["Pipe Throughput", "System Benchmarks Index Score"], ("System Benchmarks Index Score",)),
        (["create", "compile", "initial create"], ("initial create", "compile")),
        (["throughput", "max_latency"], ("throughput",)),
        (["a", "b", "c", "d", "a"], ("a", "b", "c")),
        ([], ()),
    ],
)
def test_the_metrics_that_an_author_would_quote_decide(measured: list[str], chosen: tuple[str, ...]) -> None:
    assert default_primary(measured) == chosen
