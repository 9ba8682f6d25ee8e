"""Time series."""

import random

from workers.simulator.kinds import DIRECTIONS, READ, WRITE
from workers.simulator.observation.recorder import Recorder


def test_points_fall_into_their_interval() -> None:
    recorder = Recorder(1, 1000, 8, 0)
    recorder.add_point(READ, 0, 4096, 5)
    recorder.add_point(READ, 999, 4096, 7)
    recorder.add_point(READ, 1000, 512, 9)
    recorder.add_point(WRITE, 1000, 1, 1)
    series = recorder.series(READ, 1500)
    assert series.to_dict() == {
        "interval_ns": 1000,
        "ios": [2, 1],
        "bytes": [8192, 512],
        "latency_sum_ns": [12, 9],
        "latency_max_ns": [7, 9],
    }


def test_a_run_that_outlasts_the_series_folds_neighbours_and_loses_nothing() -> None:
    rng = random.Random(1)
    recorder = Recorder(1, 10, 7, 0)  # an odd number of points: the last one has no neighbour
    points = sorted((rng.randrange(10_000), rng.randrange(DIRECTIONS), rng.randrange(1, 100)) for _ in range(500))
    for time_ns, direction, latency in points:
        recorder.add_point(direction, time_ns, 512, latency)
    for direction in range(DIRECTIONS):
        series = recorder.series(direction, points[-1][0])
        for index in range(len(series.ios)):
            inside = [
                latency
                for time_ns, way, latency in points
                if way == direction and time_ns // series.interval_ns == index
            ]
            assert series.ios[index] == len(inside)
            assert series.latency_sum_ns[index] == sum(inside)
            assert series.latency_max_ns[index] == max(inside, default=0)
