"""Checks the percentages that authors print against the figures they are of."""

from __future__ import annotations

SLACK_PERCENT = 0.051
"""Printed to one decimal; whole percents get half a percent by their own rounding."""


def disagreement(before: float, after: float, printed: float, *, rounding: float, error: float = 0.0) -> str | None:
    """Return in words how a printed change differs from the one the figures give, None when it does not.

    `rounding` is half a unit of the percentage's last digit, `error` the relative error that the rounding of the two
    figures leaves in their ratio. Authors also print the change the other way about, as a speed-up, and over the mean.
    """
    if before <= 0.0:
        return None
    computed = 100.0 * (after - before) / before
    slack = max(rounding, SLACK_PERCENT) + 100.0 * error * (1.0 + abs(computed) / 100.0)
    if abs(abs(printed) - abs(computed)) <= slack:
        if printed * computed >= 0.0 or abs(computed) <= slack:
            return None
        return f"{printed:+g} % printed, where after/before is {computed:+.1f} %: positive means better here"
    other = {
        "over the mean of both values": 100.0 * (after - before) / ((after + before) / 2.0) if after + before else 0.0,
        "over the value after": 100.0 * (after - before) / after if after else 0.0,
        "the whole ratio": 100.0 * after / before,
    }
    how = next((name for name, value in other.items() if abs(abs(printed) - abs(value)) <= slack), None)
    meaning = f" ({how})" if how else ""
    return f"{printed:+g} % printed{meaning}, where after/before is {computed:+.1f} %"
