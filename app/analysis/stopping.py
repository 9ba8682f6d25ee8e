"""When to stop adding pairs: `repeat: auto`.

The runs are looked at after each of a few fixed numbers of pairs, and no more are added once every primary metric has a
verdict. Each look gets an equal part of the false-alarm budget (see `rows.adjust`), and intervals cover over all looks,
so stopping early costs nothing in trust; it costs a little power against a fixed number of pairs.
"""

from __future__ import annotations

from app.domain.comparison import Comparison, Verdict


def settled(comparison: Comparison) -> bool:
    """Tell whether more pairs would change nothing: each primary row has a word, or no number of pairs gives it one."""
    rows = [row for candidate in comparison.candidates for row in candidate.metrics if row.primary]
    if not rows:
        return True
    return all(row.verdict is not Verdict.INCONCLUSIVE or row.more_pairs is None for row in rows)
