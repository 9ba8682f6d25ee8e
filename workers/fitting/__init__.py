"""Fits a device profile to a user's own fio results: points, knobs, trials, and the search over them."""

from workers.fitting.points import Point, read_points
from workers.fitting.search import Fit, Row, Setting, fit

__all__ = ["Fit", "Point", "Row", "Setting", "fit", "read_points"]
